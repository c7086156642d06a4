/* The judge's shadow of memory against a list of accesses that is compared pair by pair.
 *
 * Each thread of a kernel reads its own script from memory: loads, stores and atomics of all widths, bulk copies that
 * it waits for at once, and barriers. The scripts are random, so that patterns of accesses meet, overlap and are cut in
 * every way. Two accesses race if they are of two threads, share a byte, one of them writes, no barrier lies between
 * them, and not both are strong. The judge has to find something where a pair races, nothing where none does, and only
 * threads that do race. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expected/random.h"
#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"

enum { PROGRAMS = 6000, THREADS = 72, CTAS = 3, STEPS = 24, REGION = 512, BARRIER = 1, ACCESSES = 2 };
/* Some programs are wide: their copies take whole pages of the shadow, and the other accesses lie where two of these
 * pages meet. */
enum { PAGE = 4096, WIDE = 3 * PAGE, MIDDLE = PAGE - REGION / 2 };

/* A step of a script, as the kernel reads it. kind: 0 ends it, 1 is a barrier, then come the accesses of the table,
 * then a copy from shared to global memory, then one from global to shared: of `value` bytes, at `at` in shared memory
 * and at `other` in global memory. */
struct step {
    uint32_t kind, at, value, other;
};

/* The instructions; %a is the address in the space, %x to %w hold what is stored. */
static const struct kind {
    const char *text;
    unsigned bytes;
    bool global, write, strong;
} kinds[] = {
    { "ld.shared.u8 %y, [%a];", 1, 0, 0, 0 },
    { "ld.shared.u16 %h, [%a];", 2, 0, 0, 0 },
    { "ld.shared.u32 %y, [%a];", 4, 0, 0, 0 },
    { "ld.shared.u64 %d, [%a];", 8, 0, 0, 0 },
    { "ld.shared.v2.u32 {%y, %z}, [%a];", 8, 0, 0, 0 },
    { "ld.shared.v4.u32 {%y, %z, %u, %v}, [%a];", 16, 0, 0, 0 },
    { "st.shared.u8 [%a], %x;", 1, 0, 1, 0 },
    { "cvt.u16.u32 %h, %x; st.shared.u16 [%a], %h;", 2, 0, 1, 0 },
    { "st.shared.u32 [%a], %x;", 4, 0, 1, 0 },
    { "mov.b64 %d, {%x, %x}; st.shared.u64 [%a], %d;", 8, 0, 1, 0 },
    { "st.shared.v2.u32 [%a], {%x, %x};", 8, 0, 1, 0 },
    { "st.shared.v4.u32 [%a], {%x, %x, %x, %x};", 16, 0, 1, 0 },
    { "ld.volatile.shared.u32 %y, [%a];", 4, 0, 0, 1 },
    { "st.volatile.shared.u32 [%a], %x;", 4, 0, 1, 1 },
    { "atom.shared.add.u32 %y, [%a], %x;", 4, 0, 1, 1 },
    { "ld.global.u8 %y, [%a];", 1, 1, 0, 0 },
    { "ld.global.u16 %h, [%a];", 2, 1, 0, 0 },
    { "ld.global.u32 %y, [%a];", 4, 1, 0, 0 },
    { "ld.global.u64 %d, [%a];", 8, 1, 0, 0 },
    { "ld.global.v2.u32 {%y, %z}, [%a];", 8, 1, 0, 0 },
    { "ld.global.v4.u32 {%y, %z, %u, %v}, [%a];", 16, 1, 0, 0 },
    { "st.global.u8 [%a], %x;", 1, 1, 1, 0 },
    { "cvt.u16.u32 %h, %x; st.global.u16 [%a], %h;", 2, 1, 1, 0 },
    { "st.global.u32 [%a], %x;", 4, 1, 1, 0 },
    { "mov.b64 %d, {%x, %x}; st.global.u64 [%a], %d;", 8, 1, 1, 0 },
    { "st.global.v2.u32 [%a], {%x, %x};", 8, 1, 1, 0 },
    { "st.global.v4.u32 [%a], {%x, %x, %x, %x};", 16, 1, 1, 0 },
    { "ld.relaxed.gpu.global.u32 %y, [%a];", 4, 1, 0, 1 },
    { "st.relaxed.gpu.global.u32 [%a], %x;", 4, 1, 1, 1 },
    { "red.global.add.u32 [%a], %x;", 4, 1, 1, 1 },
};
enum { KINDS = sizeof kinds / sizeof *kinds, OF_A_SPACE = KINDS / 2, STRONG = OF_A_SPACE - 3, FIRST_STORE = 6 };
/* Of an access that is part of a copy: it reads or writes shared memory, reads or writes global memory. */
enum { COPY_OUT = KINDS, COPY_IN, S_READ = KINDS, S_WRITE, G_READ, G_WRITE };

static bool writes(uint32_t kind)
{
    return kind < KINDS ? kinds[kind].write : kind == S_WRITE || kind == G_WRITE;
}

static bool is_global(uint32_t kind)
{
    return kind < KINDS ? kinds[kind].global : kind >= G_READ;
}

static bool is_strong(uint32_t kind)
{
    return kind < KINDS && kinds[kind].strong;
}

/* ---- the kernel -------------------------------------------------------------------------------------------------- */

static struct ptx_module *interpreter(void)
{
    static char text[16384];
    struct ptx_error error;
    struct ptx_module *m;
    size_t n = (size_t)snprintf(
        text, sizeof text,
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 scripts, .param .u64 global)\n{\n"
        ".reg .pred %%p; .reg .b16 %%h; .reg .b32 %%i, %%j, %%n, %%k, %%x, %%y, %%z, %%u, %%v, %%o;\n"
        ".reg .b64 %%s, %%g, %%a, %%b, %%c, %%d, %%m; .reg .b32 %%w; .shared .align 4096 .b8 memory[%d];\n"
        ".shared .align 8 .b64 bars[%d];\n"
        "ld.param.u64 %%s, [scripts]; ld.param.u64 %%g, [global];\n"
        "mov.u32 %%i, %%tid.x; mov.u32 %%j, %%ctaid.x; mov.u32 %%n, %%ntid.x; mad.lo.u32 %%i, %%j, %%n, %%i;\n"
        "mul.wide.u32 %%d, %%i, %zu; add.u64 %%s, %%s, %%d; mov.u64 %%b, memory; mov.u64 %%m, bars; mov.u32 %%w, 0;\n"
        "mov.u32 %%i, %%tid.x; mul.wide.u32 %%d, %%i, 8; add.u64 %%m, %%m, %%d; mbarrier.init.shared.b64 [%%m], 1;\n"
        "NEXT: ld.global.v4.u32 {%%k, %%o, %%x, %%y}, [%%s]; add.u64 %%s, %%s, 16; cvt.u64.u32 %%d, %%o;\n"
        "setp.eq.u32 %%p, %%k, 0; @%%p ret;\n"
        "setp.ne.u32 %%p, %%k, %d; @%%p bra COPY; barrier.sync 0; bra NEXT;\n"
        "COPY: setp.lt.u32 %%p, %%k, %d; @%%p bra SPACE;\n"
        "add.u64 %%a, %%b, %%d; cvt.u64.u32 %%c, %%y; add.u64 %%c, %%g, %%c; fence.proxy.async;\n"
        "setp.ne.u32 %%p, %%k, %d; @%%p bra IN;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%%c], [%%a], %%x;\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; bra NEXT;\n"
        "IN: mbarrier.arrive.expect_tx.shared.b64 _, [%%m], %%x;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%%a], [%%c], %%x, [%%m];\n"
        "WAIT: mbarrier.try_wait.parity.shared.b64 %%p, [%%m], %%w; @!%%p bra WAIT; xor.b32 %%w, %%w, 1; bra NEXT;\n"
        "SPACE: setp.ge.u32 %%p, %%k, %d; @%%p add.u64 %%a, %%g, %%d; @!%%p add.u64 %%a, %%b, %%d;\n",
        WIDE, THREADS, STEPS * sizeof(struct step), BARRIER, ACCESSES + KINDS, ACCESSES + COPY_OUT,
        ACCESSES + OF_A_SPACE);

    for (int i = 0; i < KINDS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "setp.ne.u32 %%p, %%k, %d; @%%p bra L%d; %s bra NEXT; L%d:\n",
                              i + ACCESSES, i, kinds[i].text, i);
    snprintf(text + n, sizeof text - n, "trap;\n}\n");
    m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("%u: %s: %s", error.line, error.message, error.source);
    return m;
}

/* ---- random programs --------------------------------------------------------------------------------------------- */

struct access {
    uint32_t cta, thread, phase, kind, from, to; /* thread: in its CTA; phase: barriers before it */
};

struct program {
    uint32_t ctas, threads;
    bool wide;
    struct step script[CTAS * THREADS][STEPS];
    unsigned steps[CTAS * THREADS];
    struct access all[2 * CTAS * THREADS * STEPS]; /* a copy is two of them */
    size_t count;
};

/* Every byte of a stored value is another one for each store: c and what one-to-one functions make of it. */
static uint32_t value_of(size_t store)
{
    const uint32_t c = (uint32_t)store & 255;

    return c | (c ^ 0x55u) << 8 | ((c + 77) & 255) << 16 | ((c * 3) & 255) << 24;
}

static void add(struct program *p, uint32_t cta, uint32_t thread, uint32_t phase, uint32_t kind, uint32_t at)
{
    const uint32_t me = cta * p->threads + thread;

    if (p->steps[me] + 1 >= STEPS)
        return;
    at = at % REGION / kinds[kind].bytes * kinds[kind].bytes + (p->wide ? MIDDLE : 0);
    p->script[me][p->steps[me]++] = (struct step){ kind + ACCESSES, at, value_of(p->count), 0 };
    p->all[p->count++] = (struct access){ cta, thread, phase, kind, at, at + kinds[kind].bytes - 1 };
}

/* Where a copy of so many bytes begins: mostly at the beginning of memory, or of a page. */
static uint32_t start_of(const struct program *p, uint64_t *random, uint32_t size)
{
    const uint32_t left = (p->wide ? WIDE : REGION) - size;

    if (splitmix64_below(random, 2))
        return 0;
    if (p->wide && splitmix64_below(random, 4))
        return PAGE * splitmix64_below(random, left / PAGE + 1);
    return 16 * splitmix64_below(random, left / 16 + 1);
}

static void add_copy(struct program *p, uint64_t *random, uint32_t cta, uint32_t thread, uint32_t phase)
{
    const uint32_t me = cta * p->threads + thread, out = splitmix64_below(random, 2);
    const uint32_t some = splitmix64_below(random, 2) ? 128u << splitmix64_below(random, 3)
                                                      : 16 * (1 + splitmix64_below(random, REGION / 16));
    const uint32_t size = p->wide && splitmix64_below(random, 4) ? PAGE * (1 + splitmix64_below(random, 3)) : some;
    const uint32_t at = start_of(p, random, size), other = start_of(p, random, size);

    if (p->steps[me] + 1 >= STEPS)
        return;
    p->script[me][p->steps[me]++] = (struct step){ (out ? COPY_OUT : COPY_IN) + ACCESSES, at, size, other };
    p->all[p->count++] = (struct access){ cta, thread, phase, out ? S_READ : S_WRITE, at, at + size - 1 };
    p->all[p->count++] = (struct access){ cta, thread, phase, out ? G_WRITE : G_READ, other, other + size - 1 };
}

/* A phase: threads go over memory by one pattern, or a few of them go anywhere. */
static void add_phase(struct program *p, uint64_t *random, uint32_t phase, bool tidy)
{
    const uint32_t space = splitmix64_below(random, 2) * OF_A_SPACE, pattern = splitmix64_below(random, tidy ? 4 : 6);
    const uint32_t kind =
        space + (pattern == 2 ? splitmix64_below(random, FIRST_STORE) : splitmix64_below(random, STRONG));
    const uint32_t first = splitmix64_below(random, 2) ? 0 : splitmix64_below(random, p->threads),
                   last = splitmix64_below(random, 2) ? p->threads
                                                      : first + 1 + splitmix64_below(random, p->threads - first);
    const uint32_t start = splitmix64_below(random, REGION),
                   step = kinds[kind].bytes * (splitmix64_below(random, 4) ? 1 : 2);

    if (pattern == 3) { /* one copy, or a few by one thread, each of which may meet the one before */
        const uint32_t cta = splitmix64_below(random, p->ctas), thread = splitmix64_below(random, p->threads);
        for (uint32_t n = 1 + splitmix64_below(random, 3); n--;)
            add_copy(p, random, cta, thread, phase);
    }
    for (uint32_t cta = 0; cta < p->ctas; cta++)
        for (uint32_t t = first; t < last; t++) {
            if (pattern == 0)
                add(p, cta, t, phase, kind, start + (t + cta * p->threads) * step);
            else if (pattern == 1)
                add(p, cta, t, phase, kind, start + (last - 1 - t + cta * p->threads) * step);
            else if (pattern == 2)
                add(p, cta, t, phase, kind, start);
            else if (pattern == 4 && splitmix64_below(random, 8) == 0)
                add(p, cta, t, phase, space + splitmix64_below(random, OF_A_SPACE), splitmix64_below(random, REGION));
            else if (pattern == 5 && splitmix64_below(random, 4) == 0)
                add(p, cta, t, phase, space + STRONG + splitmix64_below(random, 3),
                    start + 4 * splitmix64_below(random, 4));
        }
}

static void make(struct program *p, uint64_t *random)
{
    const bool tidy = splitmix64_below(random, 2);
    const uint32_t phases = 2 + splitmix64_below(random, 8);

    memset(p, 0, sizeof *p);
    p->ctas = splitmix64_below(random, 3) ? 1 : 1 + splitmix64_below(random, CTAS);
    p->wide = splitmix64_below(random, 4) == 0;
    p->threads = 2 + splitmix64_below(random, splitmix64_below(random, 2) ? 6 : THREADS - 2);
    for (uint32_t phase = 0; phase < phases; phase++) {
        for (uint32_t n = 1 + splitmix64_below(random, 2); n--;)
            add_phase(p, random, phase, tidy);
        for (uint32_t i = 0; i < p->ctas * p->threads; i++)
            if (p->steps[i] + 1 < STEPS)
                p->script[i][p->steps[i]++].kind = BARRIER;
            else
                return; /* no room for one more barrier in some script: no phase comes after this one */
    }
}

/* ---- what races ------------------------------------------------------------------------------------------------- */

static bool race(const struct access *a, const struct access *b)
{
    if (is_global(a->kind) != is_global(b->kind) || a->from > b->to || b->from > a->to ||
        !(writes(a->kind) || writes(b->kind)) || (is_strong(a->kind) && is_strong(b->kind)) ||
        (a->cta == b->cta && (a->thread == b->thread || a->phase != b->phase)))
        return false;
    return is_global(a->kind) || a->cta == b->cta;
}

/* A strong write comes before what follows a strong read that saw it. Whether one did is not known here: an access of
 * a CTA in which any thread reads the word so may be ordered behind the strong write. */
static bool doubtful(const struct program *p, const struct access *a, const struct access *b)
{
    const struct access *strong = is_strong(a->kind) ? a : b, *weak = strong == a ? b : a;

    if (!is_strong(strong->kind) || !writes(strong->kind))
        return false;
    for (size_t i = 0; i < p->count; i++) {
        const struct access *r = &p->all[i];
        if (is_strong(r->kind) && is_global(r->kind) == is_global(weak->kind) && r->from == strong->from &&
            r->cta == weak->cta && r != strong)
            return true;
    }
    return false;
}

/* ---- the comparison ---------------------------------------------------------------------------------------------- */

static bool is(const struct emu_place *p, const struct access *a)
{
    return p->known && p->ctaid[0] == a->cta && p->tid[0] == a->thread;
}

static bool do_race(const struct program *p, const struct emu_finding *f)
{
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; is(&f->here, &p->all[i]) && k < p->count; k++)
            if (is(&f->there, &p->all[k]) && race(&p->all[i], &p->all[k]))
                return true;
    return false;
}

static void compare(const struct program *p, const struct emu_report *report, int number, unsigned counts[2])
{
    bool races = false, doubt = false;

    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < i; k++)
            if (race(&p->all[i], &p->all[k])) {
                const bool maybe = doubtful(p, &p->all[i], &p->all[k]);
                races |= !maybe;
                doubt |= maybe;
            }
    if (report->end != EMU_DONE)
        fail_msg("program %d: %s", number, report->message);
    if (races && !report->count)
        fail_msg("program %d: there is a race, and nothing is found", number);
    if (!races && !doubt && report->count)
        fail_msg("program %d: nothing races, and this is found: %s", number, report->findings[0].message);
    for (size_t i = 0; i < report->count; i++)
        if (!do_race(p, &report->findings[i]))
            fail_msg("program %d: these two do not race: %s", number, report->findings[i].message);
    counts[races] += races || !doubt;
}

static void all_programs(void **state)
{
    static struct program p;
    const uint64_t seed = getenv("SHADOW_SEED") ? strtoull(getenv("SHADOW_SEED"), NULL, 0) : 1;
    uint64_t random = seed;
    struct ptx_module *m = interpreter();
    unsigned counts[2] = { 0 };
    char why[200];

    (void)state;
    for (int i = 0; i < PROGRAMS; i++) {
        make(&p, &random);
        const struct emu_options options = { .jobs = 1 + splitmix64_below(&random, 2), .check_order = true };
        const uint32_t grid[3] = { p.ctas, 1, 1 }, block[3] = { p.threads, 1, 1 };
        struct emu *e = emu_new(&options);
        struct emu_report report;
        uint64_t args[2];
        assert_true(e && emu_load(e, m, why, sizeof why));
        args[0] = emu_alloc(e, sizeof p.script, 256, true, "scripts");
        args[1] = emu_alloc(e, WIDE, PAGE, true, "global");
        assert_true(emu_write(e, args[0], p.script, sizeof p.script));
        emu_launch(e, "k", grid, block, NULL, 0, args, sizeof args, &report);
        compare(&p, &report, i, counts);
        emu_free(e);
    }
    ptx_free(m);
    print_message("%u programs race, %u do not\n", counts[1], counts[0]);
    assert_true(counts[0] > PROGRAMS / 10 && counts[1] > PROGRAMS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_programs) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
