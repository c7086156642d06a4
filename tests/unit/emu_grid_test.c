/* What the order checker says of clusters of one grid, of fences and the tensormap proxy, and of ordinary accesses that
 * go astray: each obligation kept, which must be clean, and broken, which must give its rule and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "expected/oracle.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/emu.h"

/* Thread 0 of each CTA acts alone where `solo` stands. %g, %h and %f are buffers of 4 KB: bytes of the host's, bytes
 * that nobody wrote, zeros. %a is the CTA's own word of %f + 1024. map is a tensor map, a parameter; its copy stands in
 * %g. */
static const char head[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 pg, .param .u64 ph, .param .u64 pf, .param .align 64 .b8 map[128])\n{\n"
    ".reg .pred %p0, %t, %u; .reg .b32 %c, %r, %s, %m, %x, %y, %z; .reg .b64 %g, %h, %f, %a, %d, %e, %v;\n"
    ".shared .align 128 .b8 s[2048]; .shared .align 8 .b64 bar; .local .align 64 .b8 l[128];\n"
    "ld.param.u64 %g, [pg]; ld.param.u64 %h, [ph]; ld.param.u64 %f, [pf]; mov.u32 %c, %ctaid.x;\n"
    "mov.u32 %r, %cluster_ctarank; mov.u32 %s, s; mov.u32 %m, bar; mov.u32 %x, %tid.x; setp.eq.u32 %p0, %x, 0;\n"
    "mul.wide.u32 %d, %c, 4; add.u64 %a, %f, %d; add.u64 %a, %a, 1024; add.u32 %x, %c, 7; mov.u32 %y, 0;\n"
    "mov.u64 %v, map; cvta.param.u64 %v, %v;\n";

#define SOLO "@!%p0 bra E;\n"
/* CTA 0 does the one, the others do the other. */
#define ROLES(first, other) SOLO "setp.eq.u32 %t, %c, 0; @!%t bra B;\n" first "bra E;\nB:\n" other "E:\n"
#define DATA                "st.global.u32 [%f+64], %x;\n"
#define GET                 "ld.global.u32 %y, [%f+64];\n"
#define RAISE(q)            "st." q ".global.u32 [%f], 1;\n"
#define WATCH(q)            "L: ld." q ".global.u32 %y, [%f]; setp.eq.u32 %t, %y, 0; @%t bra L;\n"
#define FENCE(q)            "fence." q ";\n"
#define PASS(by, on)        ROLES(DATA by, on GET)
/* The last CTA to draw a ticket reads what all have written. */
#define TICKET(before, behind)                                                                                         \
    SOLO "st.global.u32 [%a], %x;\n" before                                                                            \
         "atom.global.add.u32 %y, [%f], 1; setp.ne.u32 %t, %y, 3; @%t bra E;\n" behind                                 \
         "ld.global.u32 %y, [%f+1024]; ld.global.u32 %y, [%f+1028]; ld.global.u32 %y, [%f+1032];\nE:\n"
/* The one that draws this ticket puts the counter back by an ordinary store: of the CTAs, of a CTA's threads. */
#define DRAW(how, number)                                                                                              \
    SOLO "atom.global." how ".u32 %y, [%f], 1; setp.eq.u32 %t, %y, " number "; @%t st.global.u32 [%f], 0; E:\n"
#define ALL_DRAW(number) "atom.global.add.u32 %y, [%f], 1; setp.eq.u32 %t, %y, " number "; @%t st.global.u32 [%f], 0;\n"
/* CTA 0 stores 1, CTA 1 changes that to 2, and CTA 2 sees that and puts it back by an ordinary store. */
#define LAST(changes)                                                                                                  \
    ROLES(RAISE("relaxed.gpu"), "setp.eq.u32 %t, %c, 2; @%t bra T; nanosleep.u32 1000;\n" changes                      \
                                "bra E; T: ld.relaxed.gpu.global.u32 %y, [%f]; setp.ne.u32 %t, %y, 2; @%t bra T;\n"    \
                                "st.global.u32 [%f], 0;\n")
/* CTA 0 passes on its data by a release, CTA 1 increments the flag, and CTA 2 looks at it once behind that. */
#define ROW(how)                                                                                                       \
    ROLES(DATA RAISE("release.gpu"),                                                                                   \
          "setp.eq.u32 %t, %c, 2; @%t bra T; nanosleep.u32 1000; atom." how ".global.add.u32 %y, [%f], 1;\n"           \
          "st.relaxed.gpu.global.u32 [%f+4], 1; bra E;\n"                                                              \
          "T: ld.relaxed.gpu.global.u32 %y, [%f+4]; setp.ne.u32 %t, %y, 1; @%t bra T;\n"                               \
          "ld.acquire.gpu.global.u32 %y, [%f];\n" GET)
/* All threads of CTA 0 write, fence and meet at a barrier, then thread 0 raises a flag; thread 0 of the others sees it,
 * and all of them meet and fence and read. */
#define ALL_FENCE(before, flag, value, behind)                                                                         \
    "mov.u32 %z, %tid.x; mul.wide.u32 %d, %z, 4; add.u64 %e, %f, %d; setp.eq.u32 %t, %c, 0; @!%t bra B;\n"             \
    "st.global.u32 [%e+64], %x;\n" before "bar.sync 0; @!%p0 bra E;\n" flag                                            \
    "bra E; B: @!%p0 bra S; nanosleep.u32 9000; L: ld.volatile.global.u32 %y, [%f]; setp.ne.u32 %t, %y, " value        \
    "; @%t bra L;\n"                                                                                                   \
    "S: bar.sync 0;\n" behind "E:\n"
#define GET_OTHER "xor.b32 %z, %z, 31; mul.wide.u32 %d, %z, 4; add.u64 %e, %f, %d; ld.global.u32 %y, [%e+64];\n"
/* The same, and CTA 1 changes the flag to 2. */
#define ALL_FENCE_CHANGED(change)                                                                                      \
    "setp.eq.u32 %t, %c, 1; @!%t bra A; @%p0 nanosleep.u32 1000; @%p0 " change                                         \
    "bra E; A:\n" ALL_FENCE("membar.gl;\n", RAISE("relaxed.gpu"), "2", "membar.gl;\n" GET_OTHER)
/* CTAs 0 and 1 store the same value; CTA 1 tells CTA 2, which comes after its store and stores another value. */
#define SAME(before, behind)                                                                                           \
    SOLO "mov.u32 %z, 9; setp.eq.u32 %t, %c, 2; @%t bra L;\n" before                                                   \
         "st.global.u32 [%f+64], %z; setp.eq.u32 %t, %c, 0; @%t bra E;\n" RAISE("release.gpu") "bra E;\n" WATCH(       \
             "acquire.gpu") behind "st.global.u32 [%f+64], 5; E:\n"
#define GRID_BARRIER(before, behind)                                                                                   \
    "bar.sync 0; @!%p0 bra W;\n" before "red.global.add.u32 [%f], 1;\n"                                                \
    "L: ld.volatile.global.u32 %y, [%f]; setp.lt.u32 %t, %y, 4; @%t bra L;\n" behind "W: bar.sync 0;\n"
#define WORKERS(before, behind)                                                                                        \
    "@%p0 st.global.u32 [%a], %x;\n" GRID_BARRIER(                                                                     \
        before, behind) "ld.global.u32 %y, [%f+1024]; ld.global.u32 %y, [%f+1036];\n"
#define INIT           "@%p0 mbarrier.init.shared.b64 [%m], 1;\n"
#define CLUSTER        "barrier.cluster.arrive; barrier.cluster.wait;\n"
#define PEER(to, from) "xor.b32 %x, %r, 1; mapa.shared::cluster.u32 " to ", " from ", %x;\n"
#define LOAD                                                                                                           \
    "mbarrier.init.shared.b64 [%m], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%m], 16;\n"                            \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%f+64], 16, [%m];\n" WAIT
#define WAIT "{ W: mbarrier.try_wait.parity.shared.b64 %t, [%m], 0; @!%t bra W; }\n"
/* One CTA writes its shared memory or global memory, then arrives at the other's barrier, which reads. */
#define RESTRICTED(write, read)                                                                                        \
    INIT CLUSTER SOLO                                                                                                  \
        "setp.eq.u32 %t, %r, 0; @%t bra B;\n" write "fence.release.sync_restrict::shared::cta.cluster;\n" PEER(        \
            "%z",                                                                                                      \
            "%m") "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%z]; bra E;\n"                              \
                  "B: { W: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 %t, [%m], 0; @!%t bra W; }\n"      \
                  "fence.acquire.sync_restrict::shared::cluster.cluster;\n" PEER("%z", "%s") read "E:\n" CLUSTER

#define RELEASE(scope) "fence.proxy.tensormap::generic.release." scope ";\n"
#define ACQUIRE(scope) "fence.proxy.tensormap::generic.acquire." scope " [%f], 128;\n"
#define COPY_MAP(to)                                                                                                   \
    "mov.u32 %z, 0; C: cvt.u64.u32 %d, %z; add.u64 %e, %d, %v; ld.u64 %e, [%e]; add.u64 %d, %d, " to                   \
    "; st.u64 [%d], %e;\n"                                                                                             \
    "add.u32 %z, %z, 8; setp.lt.u32 %t, %z, 128; @%t bra C;\n"
#define USE(map)                                                                                                       \
    "mbarrier.init.shared.b64 [%m], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%m], 1024;\n"                          \
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [" map                     \
    ", {0, 0}], [%m];\n" WAIT

struct obligation {
    const char *rule, *keeps, *breaks;
    uint32_t clusters, ctas; /* 0: 1 */
    const char *too;         /* a second rule that what is broken breaks elsewhere */
    bool faults;
};

static const struct obligation obligations[] = {
    /* ---- clusters ---- */
    { "order.data-race", SOLO "st.global.u32 [%a], %x; E:\n", SOLO DATA "E:\n", 2 },
    { "order.data-race", SOLO "atom.global.add.u32 %y, [%f+64], 1; E:\n", SOLO DATA "E:\n", 200 },
    { "order.data-race", SOLO GET "E:\n", ROLES(DATA, GET), 2 },
    { "order.same-value", SOLO "st.global.u32 [%a], 7; E:\n", SOLO "st.global.u32 [%f+64], 7; E:\n", 3 },
    { "order.data-race", SOLO "st.global.u32 [%a], 7; E:\n", SAME("", ""), 3, .too = "order.same-value" },
    { "order.data-race", SOLO "st.global.u32 [%a], 7; E:\n",
      SAME("setp.eq.u32 %t, %c, 1; @%t add.u32 %z, %z, 1;\n", "bra E;"), 3 },
    { "order.data-race", SOLO "red.relaxed.gpu.global.add.u32 [%f], 1; E:\n",
      SOLO "red.relaxed.cluster.global.add.u32 [%f], 1; E:\n", 2 },
    /* ---- what a read has observed comes before what follows the read ---- */
    { "order.data-race", DRAW("add", "3"), DRAW("add", "2"), 4 },
    { "order.data-race", ALL_DRAW("31"), ALL_DRAW("30") },
    { "order.data-race", LAST("atom.relaxed.gpu.global.exch.b32 %y, [%f], 2;\n"),
      LAST("st.relaxed.gpu.global.u32 [%f], 2;\n"), 3 },
    { "order.data-race", ROLES(RAISE("relaxed.gpu"), WATCH("relaxed.gpu") "st.global.u32 [%f], 0;\n"),
      ROLES(RAISE("relaxed.gpu"), "nanosleep.u32 1000; st.global.u32 [%f], 0;\n"), 2 },
    { "fence.mp", ROLES(RAISE("relaxed.gpu"), WATCH("relaxed.gpu") "st.global.u32 [%f], 0;\n"),
      ROLES(DATA RAISE("relaxed.gpu"), WATCH("relaxed.gpu") "st.global.u32 [%f], 0;\n" GET), 2 },
    /* ---- flags ---- */
    { "fence.mp", PASS(RAISE("release.gpu"), WATCH("acquire.gpu")), PASS(RAISE("relaxed.gpu"), WATCH("acquire.gpu")),
      2 },
    { "fence.mp", PASS(RAISE("release.sys"), WATCH("acquire.gpu")), PASS(RAISE("release.gpu"), WATCH("relaxed.gpu")),
      2 },
    { "fence.mp", PASS(RAISE("release.gpu"), WATCH("acquire.gpu")),
      PASS(RAISE("release.cluster"), WATCH("acquire.gpu")), 2, .too = "order.data-race" },
    { "fence.mp", PASS(RAISE("release.gpu"), WATCH("acquire.gpu")), PASS(RAISE("release.gpu"), WATCH("acquire.cta")), 2,
      .too = "order.data-race" },
    { "fence.mp", PASS(FENCE("acq_rel.gpu") RAISE("relaxed.gpu"), WATCH("relaxed.gpu") FENCE("acq_rel.gpu")),
      PASS(FENCE("acq_rel.cta") RAISE("relaxed.gpu"), WATCH("relaxed.gpu") FENCE("acq_rel.gpu")), 2 },
    { "fence.mp", PASS(FENCE("sc.gpu") FENCE("acq_rel.cta") RAISE("volatile"), WATCH("volatile") FENCE("sc.sys")),
      PASS(FENCE("acq_rel.gpu") RAISE("volatile"), WATCH("volatile") FENCE("acq_rel.cluster")), 2 },
    { "fence.mp", PASS(RAISE("release.gpu"), WATCH("relaxed.gpu") "atom.acquire.gpu.global.add.u32 %y, [%f], 0;\n"),
      PASS(RAISE("release.gpu"), "nanosleep.u32 1000; red.relaxed.gpu.global.add.u32 [%f], 0; fence.acq_rel.gpu;\n"),
      2 },
    /* A row of atomics ends where two neighbours are not morally strong: an increment of .cta scope by another CTA. */
    { "fence.mp", ROW("relaxed.gpu"), ROW("relaxed.cta"), 3, .too = "order.data-race" },
    { "fence.mp", PASS(FENCE("sc.gpu") RAISE("relaxed.gpu"), WATCH("relaxed.gpu") FENCE("sc.gpu")),
      PASS(FENCE("sc.gpu") RAISE("relaxed.gpu"),
           "nanosleep.u32 1000; red.relaxed.gpu.global.add.u32 [%f], 0; fence.sc.gpu;\n"),
      2 },
    { "fence.mp", TICKET("membar.gl;\n", "membar.gl;\n"), TICKET("", "membar.gl;\n"), 4 },
    { "fence.mp", TICKET("membar.gl;\n", "fence.acq_rel.gpu;\n"), TICKET("membar.gl;\n", ""), 4 },
    { "fence.mp", WORKERS("fence.acq_rel.gpu;\n", "fence.acq_rel.gpu;\n"), WORKERS("", "fence.acq_rel.gpu;\n"), 4 },
    { "fence.mp", WORKERS("membar.gl;\n", "membar.gl;\n"), WORKERS("membar.gl;\n", ""), 2, 2,
      .too = "order.data-race" },
    /* ---- fences that a flag shows to be in order ---- */
    { "fence.mp", ALL_FENCE("membar.gl;\n", RAISE("relaxed.gpu"), "1", "membar.gl;\n" GET_OTHER),
      ALL_FENCE("fence.acq_rel.gpu;\n", RAISE("relaxed.gpu"), "1", "membar.gl;\n" GET_OTHER), 2 },
    { "fence.mp", ALL_FENCE("fence.sc.gpu;\n", RAISE("volatile"), "1", "fence.sc.sys;\n" GET_OTHER),
      ALL_FENCE("fence.sc.sys;\n", RAISE("volatile"), "1", "fence.acq_rel.sys;\n" GET_OTHER), 2 },
    { "fence.mp", ALL_FENCE("membar.sys;\n", RAISE("release.gpu"), "1", "membar.gl;\n" GET_OTHER),
      ALL_FENCE("membar.cta;\n", RAISE("volatile"), "1", "membar.gl;\n" GET_OTHER), 2 },
    { "order.data-race", ALL_FENCE("fence.sc.cluster;\n", RAISE("volatile"), "1", "membar.gl;\n" GET_OTHER),
      ALL_FENCE("membar.gl;\n", RAISE("volatile"), "1", "fence.sc.cta;\n" GET_OTHER), 1, 2, .too = "fence.mp" },
    { "fence.mp", ALL_FENCE_CHANGED("atom.global.exch.b32 %y, [%f], 2;\n"),
      ALL_FENCE_CHANGED("st.volatile.global.u32 [%f], 2;\n"), 3 },
    { "bulk.proxy.g2s-needs-fence",
      ALL_FENCE("fence.proxy.async; membar.gl;\n", RAISE("volatile"), "1", "membar.gl; @!%p0 bra E;\n" LOAD),
      ALL_FENCE("membar.gl;\n", RAISE("volatile"), "1", "membar.gl; @!%p0 bra E;\n" LOAD), 2 },
    { "bulk.proxy.g2s-needs-fence", PASS(FENCE("proxy.async.global") RAISE("release.gpu"), WATCH("acquire.gpu") LOAD),
      ROLES(DATA RAISE("release.gpu"), WATCH("acquire.gpu") LOAD), 2 },
    { "bulk.proxy.g2s-needs-fence", ROLES(DATA RAISE("release.gpu"), WATCH("acquire.gpu") FENCE("proxy.async") LOAD),
      ROLES(DATA RAISE("release.gpu"), WATCH("acquire.gpu") LOAD FENCE("proxy.async")), 2 },
    { "bulk.src.stable", ROLES(LOAD RAISE("release.gpu"), WATCH("acquire.gpu") DATA), ROLES(LOAD, DATA), 2 },
    { "order.unwritten", SOLO "st.global.u32 [%h], %x; ld.global.u32 %y, [%h]; E:\n",
      SOLO "ld.global.u32 %y, [%h]; E:\n" },
    { "order.unwritten", SOLO "ld.global.u8 %y, [%g+4095]; E:\n",
      SOLO "st.global.u16 [%h], %x; ld.global.u32 %y, [%h]; E:\n" },
    /* ---- restricted fences ---- */
    { "fence.sync_restrict.limited", RESTRICTED("st.shared.u32 [%s], %x;\n", "ld.shared::cluster.u32 %y, [%z];\n"),
      RESTRICTED(DATA, GET), 1, 2 },
    /* ---- the tensormap proxy ---- */
    { "tensor.proxy.map", SOLO COPY_MAP("%f") RELEASE("gpu") ACQUIRE("gpu") USE("%f") "E:\n",
      SOLO COPY_MAP("%f") ACQUIRE("gpu") USE("%f") "E:\n" },
    { "tensor.proxy.map", SOLO COPY_MAP("%f") RELEASE("sys") ACQUIRE("sys") USE("%f") "E:\n",
      SOLO COPY_MAP("%f") RELEASE("gpu") USE("%f") "E:\n" },
    { "tmap.fence.not-async", SOLO COPY_MAP("%f") RELEASE("gpu") ACQUIRE("cluster") USE("%f") "E:\n",
      SOLO COPY_MAP("%f") FENCE("proxy.async") USE("%f") "E:\n" },
    { "tmap.acquire.scope", SOLO USE("%v") "E:\n", SOLO COPY_MAP("%f") RELEASE("gpu") ACQUIRE("cta") USE("%f") "E:\n" },
    { "tmap.acquire.scope", SOLO USE("%v") "E:\n", SOLO COPY_MAP("%f") RELEASE("cta") ACQUIRE("gpu") USE("%f") "E:\n" },
    { "tmap.acquire.per-block",
      ROLES(COPY_MAP("%f") RELEASE("gpu") "st.release.gpu.global.u32 [%f+256], 1;\n",
            "L: ld.acquire.gpu.global.u32 %y, [%f+256]; setp.eq.u32 %t, %y, 0; @%t bra L;\n" ACQUIRE("gpu") USE("%f")),
      ROLES(COPY_MAP("%f") RELEASE("gpu") "st.release.gpu.global.u32 [%f+256], 1;\n",
            "L: ld.acquire.gpu.global.u32 %y, [%f+256]; setp.eq.u32 %t, %y, 0; @%t bra L;\n" USE("%f")),
      2 },
    { "tmap.acquire.scope", SOLO USE("%v") "E:\n",
      ROLES(COPY_MAP("%f") RELEASE("gpu") "st.release.gpu.global.u32 [%f+256], 1;\n",
            "L: ld.acquire.gpu.global.u32 %y, [%f+256]; setp.eq.u32 %t, %y, 0; @%t bra L;\n" ACQUIRE("cluster")
                USE("%f")),
      2 },
    { "tmap.host.acquire-sys", SOLO "fence.proxy.tensormap::generic.acquire.sys [%g], 128;\n" USE("%g") "E:\n",
      SOLO USE("%g") "E:\n" },
    { "tmap.acquire.scope", SOLO USE("%v") "E:\n",
      SOLO "fence.proxy.tensormap::generic.acquire.gpu [%g], 128;\n" USE("%g") "E:\n" },
    { "fence.tensormap.global-only", SOLO USE("%v") "E:\n",
      SOLO "fence.proxy.tensormap::generic.acquire.gpu [%v], 128;\n" USE("%v") "E:\n" },
    { "tmap.space.local", SOLO USE("%v") "E:\n",
      SOLO "mov.u64 %a, l; cvta.local.u64 %a, %a;\n" COPY_MAP("%a") USE("%a") "E:\n", .faults = true },
    /* ---- where accesses go ---- */
    { "access.align", "ld.global.u32 %y, [%g+4];\n", "ld.global.u32 %y, [%g+2];\n", .faults = true },
    { "access.align", "ld.shared.v2.u32 {%x, %y}, [%s+8];\n", "ld.shared.v2.u32 {%x, %y}, [%s+4];\n", .faults = true },
    { "access.bounds", "ld.global.u32 %y, [%g+4092];\n", "ld.global.u32 %y, [%g+4096];\n", .faults = true },
    { "access.bounds", "ld.global.u32 %y, [%g];\n", "mov.u64 %d, 16; ld.global.u32 %y, [%d];\n", .faults = true },
    { "access.bounds", "@%p0 st.shared.u32 [%s+2044], %x;\n", "st.shared.u32 [%s+4096], %x;\n", .faults = true },
    { "access.bounds", "st.local.u32 [l+124], %x;\n", "mov.u64 %d, l; st.local.u32 [%d+65536], %x;\n", .faults = true },
    { "access.read-only", "ld.u32 %y, [%v];\n", "st.u32 [%v], %x;\n", .faults = true },
    { "access.own-window", CLUSTER PEER("%z", "%s") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER,
      CLUSTER PEER("%z", "%s") "ld.shared::cta.u32 %y, [%z];\n" CLUSTER, 1, 2, .faults = true },
};

static unsigned wrongs;

/* Everything is told before the test fails. */
#define wrong(...) (wrongs++, print_error(__VA_ARGS__))

static bool is_expected(const struct obligation *o, const struct emu_finding *f, bool *its)
{
    *its |= f->rule && !strcmp(f->rule->id, o->rule);
    return f->rule && (!strcmp(f->rule->id, o->rule) || (o->too && !strcmp(f->rule->id, o->too)));
}

static void judge(struct emu *e, const struct obligation *o, const char *body, bool breaks)
{
    const uint32_t ctas = o->ctas ? o->ctas : 1, cluster[3] = { ctas, 1, 1 }, block[3] = { 32, 1, 1 };
    const uint32_t grid[3] = { ctas * (o->clusters ? o->clusters : 1), 1, 1 };
    struct tensor_map map = tensor_map_default(TENSOR_U32, 2);
    struct {
        uint64_t buffer[3], pad[5];
        _Alignas(64) unsigned char map[TENSOR_MAP_BYTES];
    } args;
    unsigned char bytes[4096] = { 0 };
    struct emu_report report;
    bool its = false;

    for (int i = 0; i < 3; i++)
        args.buffer[i] = emu_alloc(e, sizeof bytes, 1024, i == 2, "buffer");
    map.address = args.buffer[0];
    assert_true(tensor_map_set(&map, "dims=32x8 strides=128 box=32x8", NULL, 0));
    emu_map_encode(&map, args.map);
    memcpy(bytes, args.map, sizeof args.map);
    assert_true(emu_write(e, args.buffer[0], bytes, sizeof bytes));
    if (emu_launch(e, "k", grid, block, cluster, 0, &args, sizeof args, &report) !=
        (breaks && o->faults ? EMU_FAULTED : EMU_DONE))
        wrong("%s: %s\n%s", o->rule, report.message, body);
    for (size_t i = 0; i < report.count + report.remarks; i++) {
        const struct emu_finding *f = &report.findings[i];
        if (!breaks || !is_expected(o, f, &its))
            wrong("%s, %s: %s: %s\n%s", o->rule, breaks ? "broken" : "kept", f->rule ? f->rule->id : "no rule",
                  f->message, body);
        assert_true(f->here.known && f->here.at && *f->message && *f->remedy);
    }
    if (breaks && !its)
        wrong("%s, broken: not found\n%s", o->rule, body);
}

static void run(const struct obligation *o, bool breaks, enum emu_delivery delivery)
{
    const char *body = breaks ? o->breaks : o->keeps;
    const bool values = !strcmp(o->rule, "order.unwritten");
    struct emu *e = emu_new(
        &(struct emu_options){ .jobs = 1, .delivery = delivery, .seed = 7, .check_order = true, .check_init = values });
    struct ptx_error error;
    struct ptx_module *m;
    char text[8192], why[200];

    snprintf(text, sizeof text, "%s%s\nret;\n}\n", head, body);
    m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("%s: %s: %s", o->rule, error.message, error.source);
    assert_true(e && emu_load(e, m, why, sizeof why));
    judge(e, o, body, breaks);
    emu_free(e);
    ptx_free(m);
}

static void test_obligations(void **state)
{
    (void)state;
    for (enum emu_delivery how = EMU_LATE; how <= EMU_RANDOM; how++)
        for (size_t i = 0; i < sizeof obligations / sizeof *obligations; i++) {
            run(&obligations[i], false, how);
            run(&obligations[i], true, how);
        }
    assert_int_equal(wrongs, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_obligations) };

    return cmocka_run_group_tests_name("emu_grid", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
