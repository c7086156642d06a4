/* For tests of the emulator's arithmetic: an instruction as PTX text, run over values and compared with C. */
#ifndef COPYCHECK_TESTS_EMU_ALU_H
#define COPYCHECK_TESTS_EMU_ALU_H

#include <math.h>
#include <stdlib.h>

#include "tests/unit/emu_one_buffer.h"

/* One instruction: PTX that computes %d16, %d32, %d64 (or %d, a predicate) from %a16 ... %c64, predicate %k (bit 0 of
 * c), and what C says of it. */
struct row {
    const char *ptx;
    unsigned bytes; /* of the result: 2, 4, 8; 1 for predicate %d, and %e in bit 1 */
    uint64_t (*expect)(uint64_t a, uint64_t b, uint64_t c);
};

struct tuple {
    uint64_t a, b, c, d;
};

static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 at)\n{\n"
    ".reg .b16 %%a16, %%b16, %%c16, %%d16, %%t16, %%u16; .reg .b32 %%a32, %%b32, %%c32, %%d32, %%t32, %%u32, %%v32, %%w32;\n"
    ".reg .b64 %%a64, %%b64, %%c64, %%d64, %%t64, %%u64, %%at; .reg .pred %%d, %%e, %%k, %%q; .reg .b128 %%w, %%z;\n"
    ".reg .u32 %%x, %%y;\n"
    "ld.param.u64 %%at, [at];\nmov.u32 %%x, %%ctaid.x;\nmov.u32 %%y, %%ntid.x;\nmul.lo.u32 %%x, %%x, %%y;\n"
    "mov.u32 %%y, %%tid.x;\nadd.u32 %%x, %%x, %%y;\nmad.wide.u32 %%at, %%x, 32, %%at;\n"
    "ld.global.u16 %%a16, [%%at];\nld.global.u16 %%b16, [%%at+8];\nld.global.u16 %%c16, [%%at+16];\n"
    "ld.global.u32 %%a32, [%%at];\nld.global.u32 %%b32, [%%at+8];\nld.global.u32 %%c32, [%%at+16];\n"
    "ld.global.u64 %%a64, [%%at];\nld.global.u64 %%b64, [%%at+8];\nld.global.u64 %%c64, [%%at+16];\n"
    "and.b32 %%t32, %%c32, 1;\nsetp.ne.b32 %%k, %%t32, 0;\nsetp.ne.b32 %%d, 0, 0;\nsetp.ne.b32 %%e, 0, 0;\n"
    "%s\n%s\nret;\n}\n";

static const char *const epilogues[9] = {
    [1] = "selp.b32 %d32, 1, 0, %d;\nselp.b32 %t32, 2, 0, %e;\nor.b32 %d32, %d32, %t32;\nst.global.u32 [%at+24], %d32;",
    [2] = "st.global.u16 [%at+24], %d16;",
    [4] = "st.global.u32 [%at+24], %d32;",
    [8] = "st.global.u64 [%at+24], %d64;",
};

static inline enum emu_end run(const char *ptx, unsigned bytes, struct tuple *tuples, uint32_t count, char *message,
                               size_t size)
{
    const uint32_t ctas = (count + 255) / 256;
    struct emu_report report;
    char text[8192];

    snprintf(text, sizeof text, frame, ptx, epilogues[bytes]);
    report = launch_over(text, ptx, ctas, 256, tuples, count * sizeof *tuples, ctas * 256 * sizeof *tuples);
    snprintf(message, size, "%s", report.message);
    return report.end;
}

struct values {
    const uint64_t *of; /* a and b take them all */
    size_t count;
    const uint64_t *thirds; /* c takes these */
    size_t third_count;
};

static inline void hold_over(const struct row *rows, size_t count, const struct values *v)
{
    const size_t n = v->count * v->count * v->third_count;
    struct tuple *all = malloc(n * sizeof *all);
    char message[400];

    assert_non_null(all);
    for (size_t r = 0; r < count; r++) {
        const uint64_t bits = rows[r].bytes == 1 ? 3 : rows[r].bytes == 8 ? ~0ull : (1ull << 8 * rows[r].bytes) - 1;
        for (size_t i = 0; i < n; i++)
            all[i] = (struct tuple){ v->of[i % v->count], v->of[i / v->count % v->count],
                                     v->thirds[i / v->count / v->count], 0 };
        if (run(rows[r].ptx, rows[r].bytes, all, (uint32_t)n, message, sizeof message) != EMU_DONE)
            fail_msg("%s: %s", rows[r].ptx, message);
        for (size_t i = 0; i < n; i++) {
            const uint64_t expected = rows[r].expect(all[i].a, all[i].b, all[i].c) & bits;
            if (all[i].d != expected)
                fail_msg("%s of %#llx, %#llx, %#llx: %#llx, not %#llx", rows[r].ptx, (unsigned long long)all[i].a,
                         (unsigned long long)all[i].b, (unsigned long long)all[i].c, (unsigned long long)all[i].d,
                         (unsigned long long)expected);
        }
    }
    free(all);
}

static const uint64_t edges[] = {
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    17,
    31,
    32,
    33,
    48,
    63,
    64,
    65,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x3210,
    0x7fff,
    0x8000,
    0xffff,
    0x10000,
    0x7fffff,
    0x800000,
    0x7fffffff,
    0x80000000,
    0x80000001,
    0xfffffffe,
    0xffffffff,
    0x12345678,
    0x9abcdef0,
    0x100000000ull,
    0x7fffffffffffffffull,
    0x8000000000000000ull,
    0xffffffffffffffffull,
    0xfffffffffffffffeull,
    0x0123456789abcdefull,
    0xfedcba9876543210ull,
    0xffffffffffffff80ull,
    0xffff8000ffff8000ull,
};
static const uint64_t thirds[] = {
    0, 1, 5, 31, 32, 33, 64, 65, 255, 0x7654, 0xfb31, 0x80000000, 0xffffffff, 0x7fffffffffffffff, ~0ull,
};
enum { EDGES = sizeof edges / sizeof *edges, THIRDS = sizeof thirds / sizeof *thirds };

static inline void hold(const struct row *rows, size_t count)
{
    const struct values v = { edges, EDGES, thirds, THIRDS };

    hold_over(rows, count, &v);
}

#define HOLD(rows)     hold(rows, sizeof(rows) / sizeof *(rows))
#define PICK(x, y, op) ((x)op(y) ? (x) : (y))
#define IS(name, e)                                                                                                    \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c)                                                           \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        (void)b;                                                                                                       \
        (void)c;                                                                                                       \
        return (uint64_t)(e);                                                                                          \
    }
#define S32(x) ((int64_t)(int32_t)(x))
#define S16(x) ((int64_t)(int16_t)(x))
#define S64(x) ((int64_t)(x))
#define U32(x) ((uint64_t)(uint32_t)(x))
#define U16(x) ((uint64_t)(uint16_t)(x))

static inline float f32(uint64_t x)
{
    const uint32_t low = (uint32_t)x;
    float f;

    memcpy(&f, &low, sizeof f);
    return f;
}

static inline double f64(uint64_t x)
{
    double d;

    memcpy(&d, &x, sizeof d);
    return d;
}

#endif
// SPDX-License-Identifier: Apache-2.0
