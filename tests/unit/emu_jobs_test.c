/* Clusters ahead of their turns, on any number of host threads: whatever a grid does, its bytes, its end, its findings
 * and its count of instructions are those of turns on one host thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/forms/form.h"
#include "harness/emu/emu.h"
#include "harness/emu/machine/watch.h"

/* 32 threads a CTA. %i is the thread, %c the CTA, %t the thread in the grid; %g and %h are buffers, %a the thread's
 * word of %g, %b of %h; %p0 is true in thread 0. */
static const char head[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 pg, .param .u64 ph)\n{\n"
    ".reg .pred %p0, %p, %q; .reg .b32 %i, %c, %t, %x, %y, %z, %m; .reg .b64 %g, %h, %a, %b, %d;\n"
    ".reg .f32 %e, %f; .reg .b16 %h0, %h1;\n"
    ".shared .align 128 .b8 s[1024]; .shared .align 8 .b64 bar;\n"
    "ld.param.u64 %g, [pg]; ld.param.u64 %h, [ph]; mov.u32 %m, bar;\n"
    "mov.u32 %i, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %t, %c, 32, %i; mul.wide.u32 %d, %t, 4;\n"
    "add.u64 %a, %g, %d; add.u64 %b, %h, %d; setp.eq.u32 %p0, %i, 0;\n";

/* A delay that differs from CTA to CTA, so that host threads overtake each other. */
#define DELAY                                                                                                          \
    "{ mad.lo.u32 %z, %c, 37, 11; and.b32 %z, %z, 127; L: add.u32 %z, %z, -1; setp.gt.s32 %q, %z, 0; @%q bra L; }\n"

struct program {
    const char *name, *body;
    enum emu_end end;
    bool finds;  /* has findings */
    bool checks; /* with the order checker */
    bool apart;  /* its clusters meet in atomics at most, and can run ahead */
    bool zero;   /* its buffers hold zeros */
    uint64_t most;
    enum emu_delivery delivery;
};

static const struct program programs[] = {
    { "independent", DELAY "ld.global.u32 %x, [%b]; add.u32 %x, %x, %t; st.global.u32 [%a], %x;\n", .apart = true },
    { "independent, checked", DELAY "ld.global.u32 %x, [%b]; add.u32 %x, %x, %t; st.global.u32 [%a], %x;\n",
      .apart = true, .checks = true },
    { "all read one word", DELAY "ld.global.u32 %x, [%h]; st.global.u32 [%a], %x;\n", .apart = true, .checks = true },
    { "a word of a block each", DELAY "mul.wide.u32 %d, %c, 4; add.u64 %a, %g, %d; @%p0 st.global.u32 [%a], %c;\n",
      .apart = true, .checks = true },
    { "a byte of a block each", DELAY "cvt.u64.u32 %d, %c; add.u64 %a, %g, %d; @%p0 st.global.u8 [%a], %c;\n",
      .apart = true, .checks = true },
    { "a byte each, read and written twice",
      DELAY "cvt.u64.u32 %d, %c; add.u64 %a, %g, %d; @%p0 ld.global.u8 %x, [%a]; add.u32 %x, %x, %c;\n"
            "@%p0 st.global.u8 [%a], %x; @%p0 ld.global.u8 %y, [%a]; add.u32 %y, %y, %x; @%p0 st.global.u8 [%a], %y;\n",
      .apart = true, .checks = true },
    { "a column of halves each",
      DELAY "mad.lo.u32 %x, %i, 40, %c; mul.wide.u32 %d, %x, 2; add.u64 %a, %g, %d;\n"
            "st.global.u16 [%a], %t; ld.global.u16 %y, [%a]; st.global.u32 [%b], %y;\n",
      .apart = true, .checks = true },
    { "three bytes each, in words that two have parts of",
      DELAY
      "mul.lo.u32 %x, %c, 3; cvt.u64.u32 %d, %x; add.u64 %a, %g, %d; @%p0 st.global.u8 [%a+2], %c;\n"
      "@%p0 ld.global.u8 %x, [%a]; @%p0 ld.global.u8 %y, [%a+1]; add.u32 %x, %x, %y; @%p0 st.global.u8 [%a+1], %x;\n"
      "@%p0 st.global.u8 [%b], %x;\n",
      .apart = true, .checks = true },
    { "a byte each, of a word that one reads",
      "cvt.u64.u32 %d, %c; add.u64 %a, %g, %d; @%p0 st.global.u8 [%a], %c; " DELAY
      "setp.eq.u32 %p, %c, 30; and.pred %p, %p, %p0; @%p ld.global.u32 %x, [%g]; @%p st.global.u32 [%b], %x;\n" },
    { "a byte each, and one by all", "cvt.u64.u32 %d, %c; add.u64 %a, %g, %d; @%p0 st.global.u8 [%a+1], %c;\n" DELAY
                                     "@%p0 st.global.u8 [%g], 7; @%p0 ld.global.u8 %x, [%g];\n" },
    { "a byte each, and one that all read, which its neighbour has claimed",
      DELAY "cvt.u64.u32 %d, %c; add.u64 %a, %g, %d; @%p0 st.global.u8 [%a+1], %c; @%p0 ld.global.u8 %x, [%g];\n"
            "st.global.u32 [%b], %x;\n",
      .checks = true },
    { "a half each, in place of another",
      DELAY "mul.wide.u32 %d, %c, 2; add.u64 %a, %g, %d; @%p0 st.global.u16 [%a], %c;\n"
            "@%p0 atom.global.cas.b16 %h0, [%a], %h1, %h1; @%p0 st.global.u16 [%b], %h0;\n",
      .apart = true },
    { "a line of 128 bytes each, of which one thread writes a word",
      DELAY "ld.global.u32 %x, [%b]; @%p0 st.global.u32 [%b+8], %c; ld.global.u32 %y, [%b]; add.u32 %x, %x, %y;\n"
            "st.global.u32 [%a], %x; @%p0 st.global.u32 [%a+4], %c;\n",
      .apart = true },
    { "a line that all read, and a word of it",
      DELAY "mul.wide.u32 %d, %i, 4; add.u64 %b, %h, %d; ld.global.u32 %x, [%b]; @%p0 ld.global.u32 %y, [%b+12];\n"
            "add.u32 %x, %x, %y; st.global.u32 [%a], %x;\n",
      .apart = true, .checks = true },
    { "a line that all read, of which one writes a word",
      DELAY "mul.wide.u32 %d, %i, 4; add.u64 %b, %h, %d; ld.global.u32 %x, [%b]; setp.eq.u32 %p, %c, 30;\n"
            "and.pred %p, %p, %p0; @%p st.global.u32 [%b+12], %c; st.global.u32 [%a], %x;\n" },
    { "a line of which one writes a word, and all read another",
      DELAY "setp.eq.u32 %p, %c, 30; and.pred %p, %p, %p0; @%p st.global.u32 [%h+12], %c; ld.global.u32 %x, [%h+16];\n"
            "st.global.u32 [%a], %x;\n",
      .apart = true, .checks = true },
    { "a line each, of which the next one reads a word",
      "ld.global.u32 %x, [%a]; st.global.u32 [%a], %t; " DELAY "setp.lt.u32 %p, %c, 39; and.pred %p, %p, %p0;\n"
      "@%p ld.global.u32 %y, [%a+132]; add.u32 %x, %x, %y; st.global.u32 [%b], %x;\n" },
    { "a line each, read, and a sum in it",
      DELAY "ld.global.u32 %x, [%b]; st.global.u32 [%a], %x; @%p0 red.global.add.u32 [%b+4], 5;\n"
            "@%p0 red.global.add.u32 [%a+4], 5;\n",
      .apart = true },
    { "a line that all read, and a sum in it",
      DELAY "mul.wide.u32 %d, %i, 4; add.u64 %b, %h, %d; ld.global.u32 %x, [%b]; @%p0 red.global.add.u32 [%h+4], 5;\n"
            "st.global.u32 [%a], %x;\n" },
    { "copies",
      DELAY "@!%p0 bra E; mul.wide.u32 %d, %c, 128; add.u64 %a, %g, %d; add.u64 %b, %h, %d; mov.u32 %y, s;\n"
            "mbarrier.init.shared.b64 [%m], 1; fence.proxy.async; mbarrier.arrive.expect_tx.shared.b64 _, [%m], 128;\n"
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%y], [%b], 128, [%m];\n"
            "W: mbarrier.try_wait.parity.shared.b64 %p, [%m], 0; @!%p bra W;\n"
            "cp.async.bulk.global.shared::cta.bulk_group [%a], [%y], 128; cp.async.bulk.commit_group;\n"
            "cp.async.bulk.wait_group 0; E:\n",
      .apart = true, .checks = true, .delivery = EMU_RANDOM },
    { "a ticket",
      DELAY
      "@%p0 atom.global.add.u32 %x, [%g], 1; mul.wide.u32 %d, %c, 4; add.u64 %b, %g, %d; @%p0 st.global.u32 [%b+64], %x;\n",
      .apart = true, .checks = true },
    { "a ticket at the end", "st.global.u32 [%b], %t; bar.sync 0; " DELAY "@%p0 atom.global.add.u32 %x, [%g], 1;\n",
      .apart = true, .checks = true },
    { "a ticket of each thread, twice",
      "atom.global.inc.u32 %x, [%g], 1999; st.global.u32 [%b], %x;\n" DELAY
      "atom.global.add.u32 %x, [%g+4], %t; st.global.u32 [%b], %x;\n",
      .apart = true, .checks = true },
    { "a queue of work",
      "Q: @%p0 atom.global.add.u32 %x, [%g], 1; mov.u32 %y, s; @%p0 st.shared.u32 [%y], %x; bar.sync 0;\n"
      "ld.shared.u32 %x, [%y]; bar.sync 0; setp.gt.u32 %q, %x, 33; @%q bra E;\n"
      "{ mul.lo.u32 %z, %x, 41; and.b32 %z, %z, 511; L: add.u32 %z, %z, -1; setp.gt.s32 %p, %z, 0; @%p bra L; }\n"
      "mad.lo.u32 %x, %x, 32, %i; mul.wide.u32 %d, %x, 4; add.u64 %b, %h, %d; st.global.u32 [%b], %c; bra Q; E:\n",
      .apart = true, .checks = true },
    { "a sum of floats, which depends on the order",
      DELAY "cvt.rn.f32.u32 %f, %t; mul.f32 %f, %f, 0f3DCCCCCD; @%p0 red.global.add.f32 [%g], %f;\n"
            "atom.global.add.f32 %e, [%h], %f;\n",
      .apart = true, .checks = true },
    { "words exchanged", DELAY "@%p0 atom.global.exch.b32 %x, [%g], %c; @%p0 st.global.u32 [%b], %x;\n", .apart = true,
      .checks = true },
    { "a histogram",
      DELAY "and.b32 %x, %t, 7; mul.wide.u32 %d, %x, 4; add.u64 %b, %h, %d; red.global.add.u32 [%b], %t;\n"
            "red.global.max.s32 [%b+32], %t; atom.global.and.b32 %x, [%b+64], %t;\n"
            "red.global.add.u64 [%h+128], 0x1234567890; red.global.min.u64 [%h+136], 3;\n",
      .apart = true, .checks = true },
    { "sums of two kinds", DELAY "red.global.add.u32 [%g], %t; red.global.or.b32 [%g], %t;\n", .checks = true },
    { "a sum that some use",
      DELAY "red.global.add.u32 [%g], 1; @%p0 atom.global.add.u32 %x, [%g], 1;\n"
            "@%p0 st.global.u32 [%b], %x;\n",
      .checks = true },
    { "a sum of a CTA's scope", DELAY "@%p0 red.cta.global.add.u32 [%g], 1;\n", .checks = true, .finds = true },
    { "a sum that one sets to 0",
      DELAY
      "setp.eq.u32 %p, %c, 30; @%p0 red.global.add.u32 [%g], 1; and.pred %p, %p, %p0; @%p st.global.u32 [%g], 0;\n",
      .checks = true, .finds = true },
    { "a lock",
      "@!%p0 bra E; W: atom.acquire.gpu.global.cas.b32 %x, [%g], 0, 1; setp.ne.u32 %q, %x, 0; @%q bra W;\n"
      "ld.global.u32 %x, [%h]; mad.lo.u32 %x, %x, 3, %c; st.global.u32 [%h], %x;\n"
      "atom.release.gpu.global.exch.b32 %x, [%g], 0; E:\n",
      .checks = true, .zero = true },
    { "a word that each cluster sets to 0 first",
      DELAY "@%p0 st.global.u32 [%a], 0; bar.sync 0; mul.wide.u32 %d, %c, 128; add.u64 %a, %g, %d;\n"
            "atom.global.add.u32 %x, [%a], %i; st.global.u32 [%b], %x;\n",
      .apart = true },
    { "a race in a CTA, and a ticket",
      DELAY "@%p0 atom.global.add.u32 %x, [%g], 1; mov.u32 %y, s; @%p0 st.shared.u32 [%y], %c;\n"
            "ld.shared.u32 %x, [%y]; st.global.u32 [%b], %x;\n",
      .checks = true, .finds = true },
    { "a race", DELAY "@%p0 st.global.u32 [%g], %c; @%p0 ld.global.u32 %x, [%g]; @%p0 st.global.u32 [%g+8], %x;\n" },
    { "a race, checked", DELAY "@%p0 st.global.u32 [%g], %c; @%p0 ld.global.u32 %x, [%g];\n", .checks = true,
      .finds = true },
    { "a race in each CTA",
      DELAY "mov.u32 %y, s; @%p0 st.shared.u32 [%y], %c; ld.shared.u32 %x, [%y];\n"
            "st.global.u32 [%a], %x;\n",
      .apart = true, .checks = true, .finds = true },
    { "a race in the later CTAs",
      DELAY "setp.gt.u32 %p, %c, 20; mov.u32 %y, s; @%p st.shared.u32 [%y], %i; @%p ld.shared.u32 %x, [%y];\n",
      .apart = true, .checks = true, .finds = true },
    { "a fault in CTA 21", DELAY "setp.eq.u32 %p, %c, 21; @%p add.u64 %a, %a, 0x4000000; st.global.u32 [%a], %t;\n",
      .end = EMU_FAULTED, .finds = true },
    { "a message from CTA to CTA",
      "setp.eq.u32 %p, %c, 0; @%p bra F; @%p0 st.global.u32 [%g], 7; bra E;\n"
      "F: ld.volatile.global.u32 %x, [%g]; setp.ne.u32 %q, %x, 7; @%q bra F; st.global.u32 [%b], %x; E:\n" },
    { "too long", "setp.eq.u32 %p, %c, 30; L: add.u32 %x, %x, 1; @%p bra L; st.global.u32 [%a], %t;\n",
      .end = EMU_TOO_LONG, .most = 200000 },
    { "too long together", DELAY "st.global.u32 [%a], %t;\n", .end = EMU_TOO_LONG, .most = 50000 },
    { "deadlock",
      "@%p0 mbarrier.init.shared.b64 [%m], 1; bar.sync 0; setp.eq.u32 %p, %c, 30; @!%p bra E;\n"
      "W: mbarrier.try_wait.parity.shared.b64 %q, [%m], 0; @!%q bra W; E: st.global.u32 [%a], %t;\n",
      .end = EMU_DEADLOCK, .finds = true },
    { "a clock", "@%p0 nanosleep.u32 100; mov.u32 %x, %clock; st.global.u32 [%a], %x;\n", .apart = true },
    { "the heap", ".param .b64 n; .param .b64 r; mov.u64 %d, 16; st.param.b64 [n], %d; call.uni (r), malloc, (n);\n"
                  "ld.param.b64 %d, [r]; st.global.u32 [%d], %t; ld.global.u32 %x, [%d]; st.global.u32 [%a], %x;\n" },
};

enum { BYTES = 40 * 32 * 4 };

struct result {
    enum emu_end end;
    char message[400];
    uint64_t instructions;
    size_t count;
    unsigned jobs;
    struct emu_finding findings[16];
    unsigned char g[BYTES], h[BYTES];
};

/* Of an address of a buffer, its place there: machines differ in where buffers are. */
static uint64_t offset_of(uint64_t address, const uint64_t buffers[2])
{
    for (int k = 0; k < 2; k++)
        if (address - buffers[k] < BYTES)
            return address - buffers[k];
    return address < 1 << 16 ? address : 0;
}

/* With somebody who wants to hear of events in the order of turns, no cluster runs ahead. */
static const struct emu_watch nobody;

/* jobs 0: by turns. */
static void run(const struct program *p, enum emu_turns_kind turns, unsigned jobs, struct result *r)
{
    const struct emu_options options = { .jobs = jobs,
                                         .check_order = p->checks,
                                         .max_instructions = p->most,
                                         .delivery = p->delivery,
                                         .watch = jobs ? NULL : &nobody,
                                         .turns = turns,
                                         .seed = 7 };
    const uint32_t grid[3] = { 40, 1, 1 }, block[3] = { 32, 1, 1 };
    struct emu *e = emu_new(&options);
    struct emu_report report;
    struct ptx_error error;
    uint64_t params[2];
    char text[8192], why[200];
    struct ptx_module *m;

    snprintf(text, sizeof text, "%s%sret;\n}\n", head, p->body);
    if (strstr(text, "malloc")) { /* declared before the kernel */
        char *const entry = strstr(text, ".visible");
        static const char declared[] = ".extern .func (.param .b64 r) malloc(.param .b64 n);\n";
        memmove(entry + sizeof declared - 1, entry, strlen(entry) + 1);
        memcpy(entry, declared, sizeof declared - 1);
    }
    m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("%s: line %d: %s", p->name, error.line, error.message);
    assert_true(emu_load(e, m, why, sizeof why));
    memset(r, 0, sizeof *r);
    for (int k = 0; k < 2; k++) {
        params[k] = emu_alloc(e, BYTES, 256, true, k ? "h" : "g");
        for (size_t i = 0; i < BYTES; i++)
            r->g[i] = p->zero ? 0 : (unsigned char)(i * 7 + (size_t)k);
        assert_true(emu_write(e, params[k], r->g, BYTES));
    }
    r->end = emu_launch(e, "k", grid, block, NULL, 0, params, sizeof params, &report);
    snprintf(r->message, sizeof r->message, "%s", report.message);
    r->instructions = report.instructions;
    r->count = report.count;
    r->jobs = report.jobs;
    assert_true(report.count <= 16);
    memset(r->g, 0, sizeof r->g);
    assert_true(emu_read(e, r->g, params[0], BYTES) && emu_read(e, r->h, params[1], BYTES));
    for (size_t i = 0; i < report.count; i++) {
        r->findings[i] = report.findings[i];
        r->findings[i].here.at = r->findings[i].there.at = NULL; /* of another module */
        r->findings[i].here.address = offset_of(r->findings[i].here.address, params);
    }
    emu_free(e);
    ptx_free(m);
}

/* Addresses differ from machine to machine. */
static void without_addresses(char *text)
{
    for (char *p = text; (p = strstr(p, "0x")); p += 2)
        for (char *d = p + 2; *d && strchr("0123456789abcdef", *d); d++)
            *d = '.';
}

static void same(const struct program *p, struct result *a, struct result *b, unsigned jobs)
{
    if (a->end != b->end || a->instructions != b->instructions || a->count != b->count)
        fail_msg("%s, %u host threads: end %d, %llu instructions, %zu findings; by turns: %d, %llu, %zu", p->name, jobs,
                 b->end, (unsigned long long)b->instructions, b->count, a->end, (unsigned long long)a->instructions,
                 a->count);
    without_addresses(a->message);
    without_addresses(b->message);
    assert_string_equal(a->message, b->message);
    if (memcmp(a->g, b->g, BYTES) != 0 || memcmp(a->h, b->h, BYTES) != 0)
        fail_msg("%s: other bytes with %u host threads", p->name, jobs);
    for (size_t i = 0; i < a->count; i++) {
        without_addresses(a->findings[i].message);
        without_addresses(b->findings[i].message);
        assert_string_equal(a->findings[i].message, b->findings[i].message);
        assert_ptr_equal(a->findings[i].rule, b->findings[i].rule);
        assert_memory_equal(&a->findings[i].here, &b->findings[i].here, sizeof(struct emu_place));
    }
}

/* Any number of host threads, and turns in any order. */
static void test_program(const struct program *p, struct result *one, struct result *many)
{
    static const enum emu_turns_kind turns[] = { EMU_TURNS_IN_ORDER, EMU_TURNS_REVERSED, EMU_TURNS_RANDOM };
    static const unsigned jobs[] = { 1, 2, 3, 8, 2 };

    for (size_t o = 0; o < sizeof turns / sizeof *turns; o++) {
        run(p, turns[o], 0, one);
        if (turns[o] == EMU_TURNS_IN_ORDER && (one->end != p->end || (one->count > 0) != p->finds))
            fail_msg("%s: end %d, %zu findings: %s %s", p->name, one->end, one->count, one->message,
                     one->count ? one->findings[0].message : "");
        for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++) {
            run(p, turns[o], jobs[k], many);
            same(p, one, many, jobs[k]);
            if (jobs[k] > 1 && (many->jobs > 1) != p->apart)
                fail_msg("%s: ran on %u host threads", p->name, many->jobs);
        }
    }
}

static void test_any_number(void **state)
{
    struct result *one = malloc(sizeof *one), *many = malloc(sizeof *many);

    (void)state;
    assert_true(one && many);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        test_program(&programs[i], one, many);
    free(one);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_any_number) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
