/* Random programs of accesses, atomics, copies, barriers of a CTA and of a warp, exits and loops, with the light judge
 * (judge/light_state.h) and without: findings, bytes and the count of instructions are the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expected/random.h"
#include "harness/base/append.h"
#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/machine/finding.h"
#include "harness/emu/machine/state.h"

enum { PROGRAMS = 1500, BYTES = 1024, CTAS = 12, STEPS = 6, FLAGS = 256 };

static uint64_t state;

static uint32_t below(uint32_t n)
{
    return splitmix64_below(&state, n);
}

static uint32_t one_of(const uint32_t *values, size_t count)
{
    return values[below((uint32_t)count)];
}
#define ONE_OF(...) one_of((const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

/* ---- programs ---------------------------------------------------------------------------------------------------- */

/* %t is the thread; %b is where the shared memory begins, %g where the CTA's global memory does. */
static const char head[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p, %q; .reg .b32 %c; .reg .b64 %e, %f; .reg .b32 %t, %b, %a, %x, %y, %z, %u, %m, %k; .reg .b16 %h; .reg .b64 %d, %g, %w;\n"
    ".shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 bars[4];\n"
    "ld.param.u64 %g, [p]; mov.u64 %e, %g; mov.u32 %c, %ctaid.x; mov.u32 %t, %tid.x; mov.u32 %b, tile; mov.u32 %a, %ctaid.x; mul.wide.u32 %d, %a, 1024;\n"
    "add.u64 %g, %g, %d; mov.u32 %x, %t; mov.u32 %y, 1; mov.u32 %z, 2; mov.u32 %u, 3; mov.b16 %h, 5; mov.b64 %w, 7;\n";

/* Of the program that is written: its threads, in how many of a hundred places it has a barrier of all, and its last
 * access. */
static uint32_t threads, barriers;
static struct {
    bool shared;
    uint32_t size;
} before;

/* Leaves the thread's address for an access of so many bytes in %a, or in %d. */
static void write_address(struct ck_growing *to, bool shared, uint32_t size)
{
    switch (below(6)) {
    case 0: ck_grow(to, "xor.b32 %%a, %%t, %u;", ONE_OF(1, 2, 4, 16, 32, 33)); break;
    case 1: ck_grow(to, "add.u32 %%a, %%t, %u;", ONE_OF(1, 2, 3, 31, 32, 64)); break;
    case 2: ck_grow(to, "mad.lo.u32 %%a, %%t, %u, %u;", ONE_OF(0, 2, 3, 5, 7), below(4)); break;
    case 3: ck_grow(to, "shr.u32 %%a, %%t, %u;", ONE_OF(1, 2, 5)); break;
    case 4: ck_grow(to, "mov.u32 %%a, %u;", below(8)); break;
    default: ck_grow(to, "mov.u32 %%a, %%t;"); break;
    }
    ck_grow(to, " rem.u32 %%a, %%a, %u; mul.lo.u32 %%a, %%a, %u; ", BYTES / size, size);
    ck_grow(to, shared ? "add.u32 %%a, %%a, %%b;" : "cvt.u64.u32 %%d, %%a; add.u64 %%d, %%d, %%g;");
}

/* Some threads alone do what follows. */
static void write_guard(struct ck_growing *to)
{
    switch (below(7)) {
    case 2: ck_grow(to, " setp.ge.u32 %%p, %%t, %u; @%%p", threads - ONE_OF(1, 4, 16, 32)); break;
    case 0: ck_grow(to, " setp.lt.u32 %%p, %%t, %u; @%%p", ONE_OF(1, 8, 16, 17, 32, 40, 64)); break;
    case 1:
        ck_grow(to, " and.b32 %%m, %%t, %u; setp.%s.u32 %%p, %%m, 0; @%%p", ONE_OF(1, 2, 3), below(2) ? "eq" : "ne");
        break;
    default: break;
    }
}

/* Often where the access before was. */
static void write_access(struct ck_growing *to)
{
    static const char *const atomics[] = { "atom.%s.add.u32 %%x, %s, 1;\n", "red.%s.add.u32 %s, 1;\n",
                                           "atom.%s.exch.b32 %%x, %s, %%t;\n" };
    static const struct access {
        uint32_t size;
        const char *type, *value;
    } accesses[] = { { 1, "u8", "%h" },
                     { 2, "u16", "%h" },
                     { 4, "u32", "%x" },
                     { 4, "u32", "%x" },
                     { 4, "u32", "%t" },
                     { 8, "u64", "%w" },
                     { 16, "v4.u32", "{%x, %y, %z, %u}" } };
    const struct access *a = &accesses[below(sizeof accesses / sizeof *accesses)];
    const bool atomic = !below(6), loads = below(2);
    const uint32_t size = atomic ? 4 : a->size;
    const bool again = before.size == size && !below(2), shared = again ? before.shared : below(10) < 7;
    const char *space = shared ? "shared" : "global", *at = shared ? "[%a]" : "[%d]";
    const char *is_volatile = size <= 8 && !below(4) ? ".volatile" : "";

    if (!again)
        write_address(to, shared, size);
    before.shared = shared;
    before.size = size;
    write_guard(to);
    ck_grow(to, " ");
    if (atomic)
        ck_grow(to, atomics[below(3)], space, at);
    else if (loads)
        ck_grow(to, "ld%s.%s%s.%s %s, %s;\n", is_volatile, space, shared || *is_volatile || below(4) ? "" : ".nc",
                a->type, *a->value == '%' && a->value[1] == 't' ? "%x" : a->value, at);
    else
        ck_grow(to, "st%s.%s.%s %s, %s;\n", is_volatile, space, a->type, at, a->value);
}

/* A copy of four bytes or more, of all threads or of some; mostly in a group that is waited for. */
static void write_copy(struct ck_growing *to)
{
    const uint32_t size = ONE_OF(4, 4, 8, 16), from = below(3) ? BYTES / 2 : 0;
    const char *how = size == 16 && below(2) ? "cg" : "ca";

    write_address(to, false, size);
    if (from) /* of what is stored to less often */
        ck_grow(to, " add.u64 %%d, %%d, %u;", from - below(2) * 4 * size);
    ck_grow(to, " ");
    write_address(to, true, size);
    before.shared = true;
    before.size = size == 16 ? 16 : size;
    write_guard(to);
    if (below(6))
        ck_grow(to, " cp.async.%s.shared.global [%%a], [%%d], %u;\n", how, size);
    else
        ck_grow(to, " cp.async.%s.shared.global [%%a], [%%d], %u, %u;\n", how, size, below(2) * size / 2);
    if (below(3))
        ck_grow(to, "cp.async.commit_group;\n");
    if (!below(4))
        ck_grow(to, "bar.sync 0;\n");
    switch (below(8)) {
    case 0: break;
    case 1: ck_grow(to, "cp.async.wait_group 1;\n"); break;
    case 2: ck_grow(to, "cp.async.wait_group 0;\n"); break;
    case 3: write_guard(to); /* fall through */
    default: ck_grow(to, " cp.async.wait_all;\n"); break;
    }
}

/* What comes behind an access, mostly a barrier. */
static void write_rest(struct ck_growing *to, uint32_t step)
{
    const uint32_t what = below(100);

    if (below(100) < barriers) {
        ck_grow(to, "bar.sync 0;\n");
    } else if (what < 25 && threads % 32 == 0) {
        ck_grow(to, "bar.warp.sync 0xffffffff;\n");
    } else if (what < 31) {
        ck_grow(to, "setp.ge.u32 %%p, %%t, %u; @%%p bra E;\n", threads - ONE_OF(0, 1, 16, 32));
    } else if (what < 37) {
        ck_grow(to, "mov.u32 %%k, 0;\nL%u: ", step);
        write_access(to);
        ck_grow(to, "%sadd.u32 %%k, %%k, 1; setp.lt.u32 %%p, %%k, 3; @%%p bra L%u;\n", below(2) ? "bar.sync 0; " : "",
                step);
    } else if (what < 41) {
        ck_grow(to, "bar.sync 1, %u;\n", (threads + 31) / 32 * 32);
    } else if (what < 43) {
        ck_grow(to, "setp.lt.u32 %%p, %%t, 32; @%%p bar.arrive 1, %u; @!%%p bar.sync 1, %u;\n",
                (threads + 31) / 32 * 32, (threads + 31) / 32 * 32);
    } else if (what < 47) {
        ck_grow(to, "membar.gl;\n");
    }
}

/* ---- CTAs that meet ---------------------------------------------------------------------------------------------- */

/* Mostly what is right. */
static const char *mostly(const char *what)
{
    return below(10) ? what : "";
}

#define PICK(...)                                                                                                      \
    pick((const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))
static const char *pick(const char *const *all, size_t count)
{
    return all[below((uint32_t)count)];
}

static const char *fence_of(void)
{
    return below(8)
               ? PICK("@%p membar.gl;", "@%p fence.acq_rel.gpu;", "@%p fence.sc.gpu;", "membar.gl;", "@%p membar.sys;")
               : PICK("", "@%p membar.cta;", "@%p fence.acq_rel.cta;");
}

/* Leaves the address of the thread's word in a CTA's memory in %d, in that of the one `behind` this one; and, behind
 * the memory of all, that of the CTA's flag or, with behind == CTAS, of one that all have, in %w. */
static void write_places(struct ck_growing *to, uint32_t behind)
{
    ck_grow(to, "add.u32 %%a, %%c, %u; rem.u32 %%a, %%a, %u; mul.wide.u32 %%d, %%a, %u; add.u64 %%d, %%d, %%e; ",
            CTAS - behind % CTAS, CTAS, BYTES);
    ck_grow(to, "mad.lo.u32 %%a, %%a, 4, %u; cvt.u64.u32 %%w, %%a; add.u64 %%w, %%w, %%e; ", BYTES * CTAS + 16);
    if (behind == CTAS)
        ck_grow(to, "add.u64 %%w, %%e, %u; ", BYTES * CTAS);
    ck_grow(to, "mul.wide.u32 %%f, %%t, 4; add.u64 %%d, %%d, %%f; setp.eq.u32 %%p, %%t, 0;\n");
}

static void write_words(struct ck_growing *to)
{
    ck_grow(to, "%s %s%s\n",
            PICK("st.global.u32 [%d], %t;", "st.global.u32 [%d], %t;", "@%p st.global.u32 [%d], 3;",
                 "st.volatile.global.u32 [%d], %t;", "st.global.u8 [%d], %h;", ""),
            mostly("bar.sync 0;"), below(6) ? "" : " bar.warp.sync 0xffffffff;");
}

/* The CTA's words, and then its flag or that of all. */
static void write_message(struct ck_growing *to)
{
    write_places(to, below(3) ? 0 : CTAS);
    ck_grow(to, "sub.u64 %%d, %%d, %%f; mul.wide.u32 %%d, %%c, %u; add.u64 %%d, %%d, %%e; add.u64 %%d, %%d, %%f;\n",
            BYTES);
    write_words(to);
    ck_grow(to, "%s %s\n", fence_of(),
            PICK("@%p st.volatile.global.u32 [%w], 1;", "@%p st.relaxed.gpu.global.u32 [%w], 1;",
                 "@%p st.release.gpu.global.u32 [%w], 1;", "@%p red.global.add.u32 [%w], 1;",
                 "@%p atom.global.add.u32 %x, [%w], 1;", "@%p atom.global.exch.b32 %x, [%w], 1;",
                 "@%p atom.add.release.gpu.global.u32 %x, [%w], 1;", "@%p atom.add.acq_rel.gpu.global.u32 %x, [%w], 1;",
                 "@%p st.global.u32 [%w], 1;", "@%p st.release.cta.global.u32 [%w], 1;",
                 "@%p atom.global.max.u32 %x, [%w], 1;", "@%p st.volatile.global.u64 [%w], 1;"));
}

/* A look at the flag of a CTA before this one, or at that of all; and its words, where the flag was there. */
static void write_look(struct ck_growing *to)
{
    const uint32_t behind = ONE_OF(1, 1, 1, 2, CTAS - 1, CTAS);

    write_places(to, behind);
    ck_grow(to, "%s %s\n",
            PICK("@%p ld.volatile.global.u32 %x, [%w];", "@%p ld.relaxed.gpu.global.u32 %x, [%w];",
                 "@%p ld.acquire.gpu.global.u32 %x, [%w];", "@%p atom.global.or.b32 %x, [%w], 0;",
                 "@%p atom.or.acquire.gpu.global.b32 %x, [%w], 0;", "@%p ld.global.u32 %x, [%w];",
                 "@%p ld.acquire.cta.global.u32 %x, [%w];", "ld.volatile.global.u32 %x, [%w];",
                 "@%p ld.volatile.global.u16 %h, [%w]; @%p cvt.u32.u16 %x, %h;"),
            fence_of());
    ck_grow(to, "@%%p st.shared.u32 [tile+1020], %%x; %s ld.shared.u32 %%m, [tile+1020]; setp.ne.u32 %%q, %%m, 0; %s\n",
            mostly("bar.sync 0;"), below(4) ? "" : "membar.gl;");
    ck_grow(to, "%s %s\n",
            PICK("@%q ld.global.u32 %y, [%d];", "@%q ld.global.u32 %y, [%d];", "@%q ld.volatile.global.u32 %y, [%d];",
                 "@%q st.global.u32 [%d], 9;", "@%q atom.global.add.u32 %y, [%d], 1;", "@%q ld.global.u8 %h, [%d];"),
            mostly("bar.sync 0;"));
}

/* The CTA that comes last reads the words of all, and may begin the count again. */
static void write_last(struct ck_growing *to, uint32_t step)
{
    write_places(to, CTAS);
    ck_grow(to, "mul.wide.u32 %%d, %%c, %u; add.u64 %%d, %%d, %%e; add.u64 %%d, %%d, %%f; add.u64 %%w, %%w, 8;\n",
            BYTES);
    write_words(to);
    ck_grow(to, "%s mov.u32 %%x, 0; %s @%%p st.shared.u32 [tile+1020], %%x; %s\n", fence_of(),
            PICK("@%p atom.global.inc.u32 %x, [%w], 11;", "@%p atom.global.add.u32 %x, [%w], 1;",
                 "@%p atom.add.acq_rel.gpu.global.u32 %x, [%w], 1;"),
            mostly("bar.sync 0;"));
    ck_grow(to, "ld.shared.u32 %%m, [tile+1020]; setp.ne.u32 %%q, %%m, %u; @%%q bra N%u; %s\n", CTAS - 1, step,
            below(3) ? "membar.gl;" : "");
    ck_grow(to, "rem.u32 %%a, %%t, %u; mul.wide.u32 %%d, %%a, %u; add.u64 %%d, %%d, %%e; %s\n", CTAS, BYTES,
            PICK("ld.global.u32 %y, [%d];", "ld.volatile.global.u32 %y, [%d];", "ld.global.u32 %y, [%d+8];"));
    ck_grow(to, "%s\nN%u: %s\n",
            PICK("@%p st.global.u32 [%w], 0;", "@%p st.global.u32 [%w], 0;", "@%p ld.global.u32 %y, [%w];",
                 "st.global.u32 [%w], 0;", ""),
            step, mostly("bar.sync 0;"));
}

/* All CTAs wait for one another. */
static void write_grid_barrier(struct ck_growing *to, uint32_t step, uint32_t *round)
{
    write_places(to, CTAS);
    ck_grow(to, "add.u64 %%w, %%w, 12; %s %s %s\n", mostly("bar.sync 0;"), fence_of(),
            PICK("@%p red.global.add.u32 [%w], 1;", "@%p atom.global.add.u32 %x, [%w], 1;",
                 "@%p atom.add.release.gpu.global.u32 %x, [%w], 1;", "@%p red.release.gpu.global.add.u32 [%w], 1;"));
    ck_grow(to, "G%u: %s setp.lt.and.u32 %%q, %%x, %u, %%p; @%%q bra G%u;\n%s %s\n", step,
            PICK("@%p ld.volatile.global.u32 %x, [%w];", "@%p ld.acquire.gpu.global.u32 %x, [%w];"), ++*round * CTAS,
            step, fence_of(), mostly("bar.sync 0;"));
}

/* An access of some CTA's words. */
static void write_other(struct ck_growing *to)
{
    write_places(to, below(4));
    ck_grow(to, "%s %s\n",
            PICK("ld.global.u32 %y, [%d];", "ld.global.u32 %y, [%d];", "st.global.u32 [%d], %t;",
                 "ld.volatile.global.u32 %y, [%d];", "red.global.add.u32 [%d], 1;", "ld.global.nc.u32 %y, [%d];"),
            below(3) ? "bar.sync 0;" : "");
}

static void write_meeting(struct ck_growing *to)
{
    const uint32_t steps = 1 + below(4);
    uint32_t round = 0;

    threads = ONE_OF(32, 64, 96, 128);
    ck_grow(to, "%s", head);
    for (uint32_t i = 0; i < steps; i++)
        switch (below(6)) {
        case 0: write_message(to); break;
        case 1:
            write_message(to);
            ck_grow(to, "bar.sync 0;\n");
            write_look(to);
            break;
        case 2: write_look(to); break;
        case 3: write_last(to, i); break;
        case 4: write_grid_barrier(to, i, &round); break;
        default: write_other(to); break;
        }
    ck_grow(to, "E: ret;\n}\n");
}

static void write_program(struct ck_growing *to)
{
    const uint32_t steps = 2 + below(below(2) ? 1 : STEPS);
    const bool copies = below(2);

    threads = ONE_OF(32, 64, 64, 96, 100, 128);
    barriers = ONE_OF(40, 70, 85);
    before.shared = true;
    before.size = 4;
    ck_grow(to, "%s", head);
    write_address(to, true, 4);
    if (below(10)) { /* all of the shared memory has a value */
        for (uint32_t from = 0; from < BYTES; from += 4 * threads)
            ck_grow(to,
                    "mad.lo.u32 %%a, %%t, 4, %u; setp.lt.u32 %%p, %%a, %u; add.u32 %%a, %%a, %%b; @%%p "
                    "st.shared.u32 [%%a], %%t;\n",
                    from, BYTES);
        ck_grow(to, "bar.sync 0;\n");
    }
    for (uint32_t i = 0; i < steps; i++) {
        if (copies && !below(2))
            write_copy(to);
        else
            write_access(to);
        write_rest(to, i);
    }
    if (copies && below(8))
        ck_grow(to, "cp.async.wait_all;\n");
    ck_grow(to, "E: ret;\n}\n");
}

/* ---- some threads of a CTA --------------------------------------------------------------------------------------- */

/* Threads in a row that do something together: whole warps, mostly. */
struct some {
    uint32_t from, to;
};
enum { BARS = 4 };
static struct {
    struct some who;
    enum { EACH_ONE, ONE_OF_WARP, FIRST } how; /* who of them arrives */
    uint32_t phase;
} bar[BARS];
static uint32_t labels;

static struct some some_threads(void)
{
    const uint32_t warps = (threads + 31) / 32, from = below(warps), to = from + 1 + below(warps - from);

    if (!below(3))
        return (struct some){ 0, threads };
    return (struct some){ from * 32, to * 32 < threads ? to * 32 : threads };
}

/* They alone do what follows, up to the end. */
static uint32_t write_only(struct ck_growing *to, struct some who)
{
    labels++;
    ck_grow(to, "setp.lt.u32 %%q, %%t, %u; @%%q bra S%u; setp.ge.u32 %%q, %%t, %u; @%%q bra S%u;\n", who.from, labels,
            who.to, labels);
    return labels;
}

static void write_end(struct ck_growing *to, uint32_t label)
{
    ck_grow(to, "S%u:\n", label);
}

static uint32_t arrivals_of(uint32_t b)
{
    const uint32_t n = bar[b].who.to - bar[b].who.from;

    return bar[b].how == EACH_ONE ? n : bar[b].how == FIRST ? 1 : (n + 31) / 32;
}

/* Mostly with the count of those that will arrive, by one thread, and a barrier behind. */
static void write_inits(struct ck_growing *to)
{
    for (uint32_t b = 0; b < BARS; b++) {
        bar[b].who = some_threads();
        bar[b].how = below(3);
        bar[b].phase = 0;
        ck_grow(to, "setp.eq.u32 %%p, %%t, %u; @%%p mbarrier.init.shared.b64 [bars+%u], %u;\n", below(20) ? 0 : 40,
                8 * b, below(30) ? arrivals_of(b) : 1 + below(threads));
    }
    ck_grow(to, "%s%s\n", below(4) ? "" : "fence.mbarrier_init.release.cluster;",
            below(25) ? "bar.sync 0;" : PICK("", "bar.warp.sync 0xffffffff;", "@%p bar.sync 1, 32;"));
}

static void write_arrival(struct ck_growing *to, uint32_t b)
{
    static const char *const odd[] = { "mbarrier.arrive.relaxed.cta.shared.b64 %d, [bars+",
                                       "mbarrier.arrive.noComplete.shared.b64 %d, [bars+",
                                       "mbarrier.arrive_drop.shared.b64 %d, [bars+",
                                       "mbarrier.arrive.expect_tx.shared.b64 %d, [bars+" };
    const uint32_t kind = below(60);

    if (bar[b].how != EACH_ONE && below(8) && threads % 32 == 0)
        ck_grow(to, "bar.warp.sync 0xffffffff;\n");
    if (bar[b].how == ONE_OF_WARP)
        ck_grow(to, "and.b32 %%m, %%t, 31; setp.eq.u32 %%p, %%m, 0; @%%p ");
    else if (bar[b].how == FIRST)
        ck_grow(to, "setp.eq.u32 %%p, %%t, %u; @%%p ", bar[b].who.from);
    if (kind < 4)
        ck_grow(to, "%s%u]%s;\n", odd[kind], 8 * b, kind == 1 ? ", 1" : kind == 3 ? ", 0" : "");
    else
        ck_grow(to, "mbarrier.arrive%s.shared.b64 %%d, [bars+%u]%s;\n", below(2) ? "" : ".release.cta", 8 * b,
                below(40) ? "" : ", 2");
}

static void write_wait(struct ck_growing *to, uint32_t b, uint32_t parity)
{
    labels++;
    ck_grow(to, "W%u: mbarrier.%s.parity%s.shared.b64 %%p, [bars+%u], %u;\n", labels,
            below(2) ? "test_wait" : "try_wait", below(30) ? "" : ".relaxed.cta", 8 * b, parity);
    if (below(25))
        ck_grow(to, "@!%%p bra W%u;\n", labels);
}

/* Some access memory, and arrive; others wait, and access memory. */
static void write_handshake(struct ck_growing *to)
{
    const uint32_t b = below(BARS);
    uint32_t end = write_only(to, bar[b].who);

    if (below(3))
        write_access(to);
    if (below(30))
        write_arrival(to, b);
    if (!below(6))
        write_access(to);
    if (!below(3))
        write_wait(to, b, bar[b].phase & 1);
    write_end(to, end);
    end = write_only(to, below(2) ? (struct some){ 0, threads } : some_threads());
    if (below(15))
        write_wait(to, b, (bar[b].phase + !below(25)) & 1);
    if (below(3))
        write_access(to);
    write_end(to, end);
    bar[b].phase++;
}

/* A barrier of some warps, some of which may only arrive. */
static void write_part(struct ck_growing *to)
{
    const struct some who = some_threads();
    const uint32_t id = 1 + below(2), n = (who.to - who.from + 31) / 32 * 32, end = write_only(to, who);

    if (below(3))
        write_access(to);
    if (n > 32 && !below(3))
        ck_grow(to, "setp.lt.u32 %%p, %%t, %u; @%%p bar.arrive %u, %u; @!%%p bar.sync %u, %u;\n", who.from + 32, id, n,
                id, n);
    else
        ck_grow(to, "bar.sync %u, %u;\n", id, below(30) ? n : n + 32);
    if (below(3))
        write_access(to);
    write_end(to, end);
}

static void write_parts(struct ck_growing *to)
{
    const uint32_t steps = 1 + below(5);

    threads = ONE_OF(32, 64, 64, 96, 100, 128, 160);
    barriers = ONE_OF(10, 40, 70);
    labels = 0;
    before.shared = true;
    before.size = 4;
    ck_grow(to, "%s", head);
    for (uint32_t from = 0; from < BYTES && below(20); from += 4 * threads)
        ck_grow(to,
                "mad.lo.u32 %%a, %%t, 4, %u; setp.lt.u32 %%p, %%a, %u; add.u32 %%a, %%a, %%b; @%%p st.shared.u32 "
                "[%%a], %%t;\n",
                from, BYTES);
    write_inits(to);
    write_address(to, true, 4);
    for (uint32_t i = 0; i < steps; i++) {
        switch (below(8)) {
        case 0: write_access(to); break;
        case 1: write_part(to); break;
        case 2:
            if (below(4))
                write_part(to);
            else
                write_copy(to);
            break;
        default: write_handshake(to); break;
        }
        if (below(100) < barriers)
            write_rest(to, i);
    }
    ck_grow(to, "cp.async.wait_all;\nE: ret;\n}\n");
}

/* ---- both judges ------------------------------------------------------------------------------------------------- */

struct said {
    struct ck_growing text;
    uint64_t instructions;
    bool doubts;
    unsigned char bytes[BYTES * CTAS + FLAGS];
};

static size_t launch(const char *program, bool written, uint64_t seed, bool light, struct said *out)
{
    const struct emu_options options = {
        .jobs = 1 + seed % 2, .check_order = true, .check_init = true, .light = light, .in_step = seed / 2 % 2
    };
    const uint32_t grid[3] = { CTAS, 1, 1 }, block[3] = { threads, 1, 1 };
    struct emu *e = emu_new(&options);
    struct emu_report r;
    struct ptx_error error;
    struct ptx_module *m = ptx_read(program, strlen(program), NULL, &error);
    char why[200] = "";
    uint64_t at;
    size_t found;

    if (!m)
        fail_msg("%d: %s\n%s", error.line, error.message, program);
    assert_true(e && emu_load(e, m, why, sizeof why));
    at = emu_alloc(e, BYTES * CTAS + FLAGS, 256, written, "g");
    emu_launch(e, "k", grid, block, NULL, 0, &at, sizeof at, &r);
    found = r.count;
    out->instructions = r.instructions;
    out->doubts = e->images->code[0]->doubts;
    ck_grow(&out->text, "%d: %s\n", r.end, r.message);
    for (size_t i = 0; i < r.count + r.remarks; i++) {
        const struct emu_finding *f = &r.findings[i];
        ck_grow(&out->text, "%s here %u,%u there %u,%u: %s\n", f->rule ? f->rule->id : "fault", f->here.ctaid[0],
                f->here.tid[0], f->there.ctaid[0], f->there.tid[0], f->message);
    }
    assert_true(emu_read(e, out->bytes, at, sizeof out->bytes));
    emu_free(e);
    ptx_free(m);
    return found;
}

/* counted: the number of instructions is the same, too. A lane that comes to a barrier behind the others of its warp
 * asks once more whether it is complete; where CTAs meet, lanes that the judge looks at one by one come apart. */
static void compare(void (*write)(struct ck_growing *to), uint32_t programs, bool counted)
{
    const uint64_t first = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1;
    uint32_t clean = 0, doubts = 0;

    for (uint64_t seed = first; seed < first + programs; seed++) {
        static struct said full, light;
        struct ck_growing program = { 0 };
        state = splitmix64(seed);
        const bool written = below(5);
        write(&program);
        const bool fine = !launch(program.data, written, seed, false, &full);
        launch(program.data, written, seed, true, &light);
        clean += fine;
        doubts += fine && light.doubts;
        if (strcmp(full.text.data, light.text.data) || (counted && full.instructions != light.instructions) ||
            memcmp(full.bytes, light.bytes, sizeof full.bytes))
            fail_msg("seed %llu, %u threads: with the judge\n%swith the light one\n%s%s", (unsigned long long)seed,
                     threads, full.text.data, light.text.data, program.data);
        ck_growing_free(&full.text);
        ck_growing_free(&light.text);
        ck_growing_free(&program);
        full.text = light.text = (struct ck_growing){ 0 };
    }
    print_message("%u of %u break no rule, and of these it doubts in %u\n", clean, programs, doubts);
    assert_in_range(clean, programs / 10, programs * 9 / 10);
    assert_in_range(doubts, 0, clean / 2);
}

static void as_without(void **unused)
{
    (void)unused;
    compare(write_program, PROGRAMS, true);
}

static void as_without_meetings(void **unused)
{
    (void)unused;
    compare(write_meeting, PROGRAMS, false);
}

static void as_without_parts(void **unused)
{
    (void)unused;
    compare(write_parts, PROGRAMS, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_without), cmocka_unit_test(as_without_meetings),
                                        cmocka_unit_test(as_without_parts) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
