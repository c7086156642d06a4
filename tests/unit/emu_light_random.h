/* Random programs that are run with the light judge (judge/light_state.h) and without: findings, bytes and, where that
 * is asked, the count of instructions are the same. */
#ifndef COPYCHECK_EMU_LIGHT_RANDOM_H
#define COPYCHECK_EMU_LIGHT_RANDOM_H

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
static inline void write_address(struct ck_growing *to, bool shared, uint32_t size)
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
static inline void write_guard(struct ck_growing *to)
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
static inline void write_access(struct ck_growing *to)
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
static inline void write_copy(struct ck_growing *to)
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
static inline void write_rest(struct ck_growing *to, uint32_t step)
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

/* Mostly what is right. */
static inline const char *mostly(const char *what)
{
    return below(10) ? what : "";
}

#define PICK(...)                                                                                                      \
    pick((const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))
static inline const char *pick(const char *const *all, size_t count)
{
    return all[below((uint32_t)count)];
}

/* ---- both judges ------------------------------------------------------------------------------------------------- */

struct said {
    struct ck_growing text;
    uint64_t instructions;
    bool doubts;
    unsigned char bytes[BYTES * CTAS + FLAGS];
};

static inline size_t launch(const char *program, bool written, uint64_t seed, bool light, struct said *out)
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
static inline void compare(void (*write)(struct ck_growing *to), uint32_t programs, bool counted)
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

#endif
// SPDX-License-Identifier: Apache-2.0
