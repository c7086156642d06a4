/* Obligations as small PTX texts for the emulator: one that keeps a rule, which must be clean, and one that breaks it,
 * which must give exactly that rule. */
#ifndef COPYCHECK_EMU_OBLIGATION_H
#define COPYCHECK_EMU_OBLIGATION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expected/oracle.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/emu.h"

/* 64 threads a CTA. %i is the thread, %p0 and %p1 are true in threads 0 and 32, %w1 in the second warp. s is shared
 * memory, %s its address, %m an mbarrier's, %n another's; %o is the thread's 16 bytes of s and %q the next thread's of
 * the other warp. %g and %h are global buffers of 4 KB, %a and %b the thread's 16 bytes of them; %v and %w maps of
 * their tensors of 32 x 32 words, in boxes of 32 x 8. */
static const char head[] =
    ".version 8.6\n.target sm_90a\n.address_size 64 .file 1 \"one.cu\" .file 2 \"two.cu\"\n"
    ".visible .entry k(.param .u64 pg, .param .u64 ph, .param .align 64 .b8 mg[128], .param .align 64 .b8 mh[128])\n{\n"
    ".reg .pred %p0, %p1, %w1, %w0, %t; .reg .b32 %i, %s, %m, %n, %o, %q, %x, %y, %z, %r; .reg .b64 %g, %h, %a, %b, %d, %v, %w; .reg .b16 %k;\n"
    ".shared .align 128 .b8 s[4096]; .shared .align 8 .b64 bars[2];\n"
    "ld.param.u64 %g, [pg]; ld.param.u64 %h, [ph]; mov.b64 %v, mg; mov.b64 %w, mh;\n"
    "cvta.param.u64 %v, %v; cvta.param.u64 %w, %w;\n"
    "mov.u32 %i, %tid.x; setp.eq.u32 %p0, %i, 0; setp.eq.u32 %p1, %i, 32; setp.ge.u32 %w1, %i, 32; setp.lt.u32 %w0, %i, 32;\n"
    "mov.u32 %s, s; mov.u32 %m, bars; add.u32 %n, %m, 8;\n"
    "shl.b32 %o, %i, 4; cvt.u64.u32 %d, %o; add.u64 %a, %g, %d; add.u64 %b, %h, %d; xor.b32 %q, %o, 512;\n"
    "add.u32 %o, %o, %s; add.u32 %q, %q, %s; mov.u32 %x, 7; mov.u32 %y, 0; mov.u32 %r, %cluster_ctarank;\n";

/* A wait for a phase with all its qualifiers; labels are local to the braces. */
#define SPIN(q, bar, parity) "{ W: mbarrier.try_wait.parity" q ".b64 %t, [" bar "], " parity "; @!%t bra W; }\n"
#define WAIT                 SPIN(".shared", "%m", "0")
#define INIT                 "@%p0 mbarrier.init.shared.b64 [%m], 1; @%p0 mbarrier.init.shared.b64 [%n], 1;\n"
#define INIT_ALL             "@%p0 mbarrier.init.shared.b64 [%m], 64; @%p0 mbarrier.init.shared.b64 [%n], 64;\n"
#define SYNC                 "bar.sync 0;\n"
#define ARRIVE(q)            "mbarrier.arrive" q ".b64 _, [%m];\n"
#define STORE                "st.shared.u32 [%o], %x;\n"
#define LOAD_OWN             "ld.shared.u32 %y, [%o];\n"
#define LOAD_OTHER           "ld.shared.u32 %y, [%q];\n"
#define COPY                 "cp.async.ca.shared.global [%o], [%a], 16;\n"
#define COMMIT               "cp.async.commit_group;\n"
#define WAIT_GROUP(n)        "cp.async.wait_group " n ";\n"
#define WAIT_ALL             "cp.async.wait_all;\n"
#define FENCE                "fence.proxy.async;\n"
#define FENCE_SHARED         "fence.proxy.async.shared::cta;\n"
#define FENCE_GLOBAL         "fence.proxy.async.global;\n"
#define EXPECT               "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 1024;\n"
#define LOAD_FROM(from)                                                                                                \
    "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [" from "], 1024, [%m];\n"
#define BULK_LOAD      EXPECT LOAD_FROM("%g")
#define BULK_STORE     "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%h], [%s], 1024;\n"
#define BULK_COMMIT    "@%p0 cp.async.bulk.commit_group;\n"
#define BULK_WAIT      "@%p0 cp.async.bulk.wait_group 0;\n"
#define BULK_READ      "@%p0 cp.async.bulk.wait_group.read 0;\n"
#define STORED         BULK_COMMIT BULK_WAIT
#define CLUSTER        "barrier.cluster.arrive; barrier.cluster.wait;\n"
#define LOOSE_CLUSTER  "barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n"
#define PEER(to, from) "xor.b32 %x, %r, 1; mapa.shared::cluster.u32 " to ", " from ", %x;\n"

#define LOAD(to, from, size, bar)                                                                                      \
    "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" to "], [" from "], " size ", [" bar     \
    "];\n"
#define MULTICAST(mask)                                                                                                 \
    "mov.b16 %k, " mask "; setp.eq.u32 %t, %r, 0; and.pred %t, %t, %p0;\n"                                              \
    "@%t cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%s], [%g], 1024, [%m], " \
    "%k;\n"
/* A cluster's barriers are ready; %z and %y are the peer's tile and barrier. */
#define READY INIT "@%p0 fence.mbarrier_init.release.cluster;\n" CLUSTER PEER("%z", "%s") PEER("%y", "%m")
#define SEND(to, bar)                                                                                                  \
    READY EXPECT "@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [" to                    \
                 "], [%s+2048], 1024, [" bar "];\n"

#define TILE(space, rank, at, to, bar)                                                                                 \
    "@%p0 cp.async.bulk.tensor." rank ".shared::" space ".global.tile.mbarrier::complete_tx::bytes [" to               \
    "], [%v, {" at "}], [" bar "];\n"
#define TILE_LOAD(at, to, bar) INIT SYNC EXPECT TILE("cluster", "2d", at, to, bar) WAIT
#define TILE_STORE(at)         "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%w, {" at "}], [%s];\n" STORED
#define TILES(mask)                                                                                                    \
    "mov.b16 %k, " mask "; setp.eq.u32 %t, %r, 0; and.pred %t, %t, %p0;\n"                                             \
    "@%t cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%s], "   \
    "[%v, {0, 0}], [%m], %k;\n"

/* What one thread does; a row's flags in shared memory, raised and waited for; 16 bytes of the tile. */
#define BY(thread, text) "{ setp.ne.u32 %t, %i, " thread "; @%t bra N;\n" text "N: }\n"
#define FLAGS            "@%p0 st.shared.v2.u32 [%s+2048], {%y, %y};\n" SYNC
#define UP(q, flag, n)   "st" q ".shared.u32 [%s+" flag "], " n ";\n"
#define AT(q, flag, n)   "{ L: ld" q ".shared.u32 %z, [%s+" flag "]; setp.lt.u32 %t, %z, " n "; @%t bra L; }\n"
#define PUT              "st.shared.v4.u32 [%s], {%x, %x, %x, %x};\n"
#define GET              "ld.shared.u32 %y, [%s];\n"
#define SLEEP            "nanosleep.u32 5000;\n"

struct obligation {
    const char *rule, *keeps, *breaks;
    uint32_t ctas;                   /* of the cluster; 0: 1 */
    uint32_t clusters;               /* 0: 1 */
    uint32_t threads;                /* of a CTA; 0: 64 */
    bool reads;                      /* with options.check_reads */
    bool faults;                     /* what is broken ends the grid */
    bool hangs;                      /* what is broken is a deadlock */
    bool late;                       /* what is broken shows only where copies do not land at once */
    bool ordered;                    /* only the order of accesses shows it */
    bool tiles;                      /* with options.check_swizzle */
    bool scopes;                     /* with options.check_scopes */
    bool remark, no_remark;          /* what is found is a remark; something is found that is none */
    bool hosted;                     /* the host has written the map of g to h, from byte 1024 on */
    const char *maps[2];             /* words over the maps of g and of h */
    const char *also, *says, *table; /* of what is found: another rule, words of the remedy, words of the table, */
    const char *tells, *lacks;       /* words of the message, and words that neither remedy nor table has */
    uint64_t there;                  /* the address of the other place */
    const char *too;                 /* further rules that are found where this one is broken: some of these words */
};

static unsigned wrongs;

/* Whether the order of accesses is judged, or mbarriers and deadlocks alone. */
static bool order_judged = true;

/* All of them are told before the test fails. */
#define wrong(...) (wrongs++, print_error(__VA_ARGS__))

static bool is_word_of(const char *words, const char *word)
{
    const size_t n = strlen(word);

    for (; *words; words += strcspn(words, " "), words += *words == ' ')
        if (!strncmp(words, word, n) && (!words[n] || words[n] == ' '))
            return true;
    return false;
}

/* What a finding of the row's own rule must be, and say. */
static void check_finding(const struct obligation *o, const struct emu_finding *f, const char *body)
{
    if (o->remark && !f->remark)
        wrong("%s: no mere remark: %s\n%s", o->rule, f->message, body);
    assert_true(f->here.known && f->here.at && *f->message && *f->remedy);
    if (o->also && (!f->also[0] || strcmp(f->also[0]->id, o->also) != 0))
        wrong("%s: not also %s: %s\n%s", o->rule, o->also, f->message, body);
    if ((o->says && !strstr(f->remedy, o->says)) || (o->table && !strstr(f->table, o->table)))
        wrong("%s: says\n%s\n%s\n%s", o->rule, f->remedy, f->table, body);
    if (o->lacks && (strstr(f->remedy, o->lacks) || strstr(f->table, o->lacks)))
        wrong("%s: says too much\n%s\n%s\n%s", o->rule, f->remedy, f->table, body);
    if (o->there && (!f->there.known || f->there.address != o->there))
        wrong("%s: there is %llu\n%s", o->rule, (unsigned long long)f->there.address, body);
    if (o->tells && !strstr(f->message, o->tells))
        wrong("%s: tells\n%s\n%s", o->rule, f->message, body);
}

static void check(const struct obligation *o, bool breaks, enum emu_delivery delivery)
{
    const struct emu_options options = {
        .jobs = 1,
        .delivery = delivery,
        .seed = 3,
        .check_order = order_judged,
        .check_init = strcmp(o->rule, "order.unwritten") == 0,
        .check_reads = o->reads,
        .check_swizzle = o->tiles,
        .check_scopes = o->scopes,
    };
    const uint32_t ctas = o->ctas ? o->ctas : 1, cluster[3] = { ctas, 1, 1 };
    const uint32_t grid[3] = { ctas * (o->clusters ? o->clusters : 1), 1, 1 },
                   block[3] = { o->threads ? o->threads : 64, 1, 1 };
    const char *body = breaks ? o->breaks : o->keeps;
    struct emu *e = emu_new(&options);
    struct emu_report report;
    struct ptx_error error;
    struct ptx_module *m;
    char text[32768], message[400] = "";
    size_t too = 0;
    struct {
        uint64_t g, h, pad[6];
        unsigned char map[2][TENSOR_MAP_BYTES];
    } args;

    snprintf(text, sizeof text, "%s%s\nret;\n}\n", head, body);
    m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("%s: %s: %s", o->rule, error.message, error.source);
    assert_true(emu_load(e, m, message, sizeof message));
    args.g = emu_alloc(e, 4096, 256, true, "g");
    args.h = emu_alloc(e, 4096, 256, true, "h");
    assert_true(args.g && args.h);
    for (int i = 0; i < 2; i++) {
        struct tensor_map map = tensor_map_default(TENSOR_U32, 2);
        _Alignas(64) unsigned char object[TENSOR_MAP_BYTES];
        assert_true(tensor_map_set(&map, "dims=32x32 strides=128 box=32x8", message, sizeof message));
        assert_true(!o->maps[i] || tensor_map_set(&map, o->maps[i], message, sizeof message));
        map.address = i ? args.h : args.g;
        emu_map_encode(&map, object);
        memcpy(args.map[i], object, sizeof object);
        assert_true(i || !o->hosted || emu_write(e, args.h + 1024, object, sizeof object));
    }
    if (emu_launch(e, "k", grid, block, cluster, 0, &args, sizeof args, &report) != (breaks && o->faults  ? EMU_FAULTED
                                                                                     : breaks && o->hangs ? EMU_DEADLOCK
                                                                                                          : EMU_DONE))
        wrong("%s: %s\n%s", o->rule, report.message, body);
    for (size_t i = 0; i < report.count + report.remarks; i++) {
        const struct emu_finding *f = &report.findings[i];
        if (!f->rule) { /* the fault alone */
            too++;
            if (!breaks || !o->faults)
                wrong("%s: %s\n%s", o->rule, f->message, body);
            continue;
        }
        if (breaks && o->too && is_word_of(o->too, f->rule->id)) {
            too++;
            continue;
        }
        if (!breaks || strcmp(f->rule->id, o->rule) != 0)
            wrong("%s, %s: %s: %s\n%s", o->rule, breaks ? "broken" : "kept", f->rule->id, f->message, body);
        check_finding(o, f, body);
    }
    /* In any order the fault may come before what is to be found. */
    if (breaks && (report.count + report.remarks == too || (o->too && !too)) && !(o->faults && delivery == EMU_RANDOM))
        wrong("%s, broken: nothing found\n%s", o->rule, body);
    if (breaks && o->no_remark && !report.count)
        wrong("%s, broken: nothing but remarks\n%s", o->rule, body);
    emu_free(e);
    ptx_free(m);
}

/* The table that is tested. */
static const struct obligation *table;
static size_t table_rows;

static void check_table(enum emu_delivery delivery)
{
    wrongs = 0;
    for (size_t i = 0; i < table_rows; i++) {
        check(&table[i], false, delivery);
        if (table[i].breaks && (order_judged || !table[i].ordered) && !(table[i].late && delivery == EMU_EAGER))
            check(&table[i], true, delivery);
    }
    assert_int_equal(wrongs, 0);
}

static void test_late(void **state)
{
    (void)state;
    check_table(EMU_LATE);
}

static void test_eager(void **state)
{
    (void)state;
    check_table(EMU_EAGER);
}

static void test_random(void **state)
{
    (void)state;
    check_table(EMU_RANDOM);
}

static void test_unordered(void **state)
{
    (void)state;
    order_judged = false;
    check_table(EMU_LATE);
    order_judged = true;
}

/* Every row under each delivery, and if `unordered` without the order of accesses; how many tests failed. */
static __attribute__((unused)) int test_obligations(const char *name, const struct obligation *all, size_t count,
                                                    bool unordered)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_eager),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_unordered),
    };

    table = all;
    table_rows = count;
    return _cmocka_run_group_tests(name, tests, sizeof tests / sizeof *tests - !unordered, NULL, NULL);
}

#endif
// SPDX-License-Identifier: Apache-2.0
