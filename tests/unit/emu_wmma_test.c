/* wmma of the emulator: whole matrices in memory, in all layouts, compared with their product in C. */
#include <stdlib.h>

#include "harness/emu/instructions/alu/real.h"
#include "tests/unit/emu_one_buffer.h"

/* Bytes of each of the four matrices in memory, in a row: A, B, C, D. */
enum { ROOM = 8192, BYTES = 4 * ROOM };

struct row {
    unsigned m, n, k;
    const char *type, *c, *d; /* of A and B, of C, of D */
    unsigned a_count, b_count;
};

static const struct row rows[] = {
    { 16, 16, 16, "f16", "f32", "f32", 8, 8 },  { 16, 16, 16, "f16", "f16", "f16", 8, 8 },
    { 16, 16, 16, "f16", "f32", "f16", 8, 8 },  { 16, 16, 16, "f16", "f16", "f32", 8, 8 },
    { 8, 32, 16, "f16", "f32", "f32", 8, 8 },   { 8, 32, 16, "f16", "f16", "f16", 8, 8 },
    { 32, 8, 16, "f16", "f32", "f32", 8, 8 },   { 32, 8, 16, "f16", "f16", "f32", 8, 8 },
    { 16, 16, 16, "bf16", "f32", "f32", 4, 4 }, { 8, 32, 16, "bf16", "f32", "f32", 2, 8 },
    { 32, 8, 16, "bf16", "f32", "f32", 8, 2 },  { 16, 16, 8, "tf32", "f32", "f32", 4, 4 },
    { 8, 8, 4, "f64", "f64", "f64", 1, 1 },     { 16, 16, 16, "s8", "s32", "s32", 2, 2 },
    { 16, 16, 16, "u8", "s32", "s32", 2, 2 },   { 8, 32, 16, "s8", "s32", "s32", 1, 4 },
    { 8, 32, 16, "u8", "s32", "s32", 1, 4 },    { 32, 8, 16, "s8", "s32", "s32", 4, 1 },
    { 32, 8, 16, "u8", "s32", "s32", 4, 1 },    { 8, 8, 32, "s4", "s32", "s32", 1, 1 },
    { 8, 8, 32, "u4", "s32", "s32", 1, 1 },     { 8, 8, 128, "b1", "s32", "s32", 1, 1 },
};

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static unsigned bits_of(const char *type)
{
    return is(type, "b1")                         ? 1
           : is(type, "bf16") || is(type, "tf32") ? type[0] == 'b' ? 16 : 32
                                                  : (unsigned)atoi(type + 1);
}

static uint64_t encoded(const char *type, int value)
{
    const struct real x = real_of_integer((uint64_t)abs(value), value < 0);

    if (is(type, "f16"))
        return real_pack(REAL_F16, x, REAL_RN, 0);
    if (is(type, "bf16"))
        return real_pack(REAL_BF16, x, REAL_RN, 0);
    if (is(type, "f32") || is(type, "tf32"))
        return real_pack(REAL_F32, x, REAL_RN, 0);
    return is(type, "f64") ? real_pack(REAL_F64, x, REAL_RN, 0) : (uint64_t)(int64_t)value;
}

/* Bits of element `at` of an array. */
static void poke(unsigned char *bytes, unsigned bits, unsigned at, uint64_t value)
{
    if (bits >= 8) {
        memcpy(bytes + at * bits / 8, &value, bits / 8);
        return;
    }
    for (unsigned b = 0; b < bits; b++)
        if (value >> b & 1)
            bytes[(at * bits + b) / 8] |= (unsigned char)(1 << (at * bits + b) % 8);
}

static uint64_t peek(const unsigned char *bytes, unsigned bits, unsigned at)
{
    uint64_t value = 0;

    memcpy(&value, bytes + at * bits / 8, bits / 8);
    return value;
}

static char *vector(char *out, size_t size, const char *type, unsigned first, unsigned count)
{
    const char reg = is(type, "f32") ? 'f' : is(type, "f64") ? 'd' : 'r';
    size_t n = (size_t)snprintf(out, size, "{");

    for (unsigned k = 0; k < count; k++)
        n += (size_t)snprintf(out + n, size - n, "%s%%%c%u", k ? ", " : "", reg, first + k);
    snprintf(out + n, size - n, "}");
    return out;
}

/* Registers of a thread's part of C or D. */
static unsigned results(const struct row *r, const char *type)
{
    return r->m * r->n / 32 / (is(type, "f16") ? 2 : 1);
}

static void launch(const char *body, unsigned char *bytes, unsigned threads, enum emu_end end)
{
    char text[8192];

    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 at)\n{\n"
             ".reg .b32 %%r<64>; .reg .f32 %%f<64>; .reg .f64 %%d<64>; .reg .u64 %%p, %%q; .reg .u32 %%x;\n"
             "ld.param.u64 %%p, [at];\nmov.u32 %%x, %%tid.x;\n%s\nret;\n}\n",
             body);
    launch_one(text, body, threads, bytes, BYTES, end);
}

/* Layouts of A, B, C and D: across[i] is whether columns lie together. `pad`: elements behind each row or column; 0:
 * the instruction does not say how far they are apart. */
static void program(const struct row *r, const char *words, const bool across[4], unsigned pad, char *out, size_t size)
{
    static const char *const layouts[] = { "row", "col" };
    const char *types[4] = { r->type, r->type, r->c, r->d };
    const unsigned rows_of[4] = { r->m, r->k, r->m, r->m }, columns_of[4] = { r->k, r->n, r->n, r->n };
    const unsigned counts[4] = { r->a_count, r->b_count, results(r, r->c), results(r, r->d) };
    const bool halves = is(r->type, "f16");
    char regs[4][200], leading[16], of_factors[32] = "";
    size_t n = 0;

    for (unsigned i = 0; i < 4; i++) {
        vector(regs[i], sizeof regs[i], types[i], 16 * i, counts[i]);
        leading[0] = 0;
        if (pad)
            snprintf(leading, sizeof leading, ", %u", (across[i] ? rows_of[i] : columns_of[i]) + pad);
        if (i < 3)
            n += (size_t)snprintf(out + n, size - n,
                                  "wmma.load.%c.sync.aligned.%s.m%un%uk%u.global.%s %s, [%%p+%u]%s;\n", "abc"[i],
                                  layouts[across[i]], r -> m, r -> n, r -> k, types[i], regs[i], i *ROOM, leading);
    }
    if (!halves)
        snprintf(of_factors, sizeof of_factors, ".%s.%s", r->type, r->type);
    n += (size_t)snprintf(out + n, size - n, "wmma.mma%s.sync.aligned.%s.%s.m%un%uk%u.%s%s.%s %s, %s, %s, %s;\n", words,
                          layouts[across[0]], layouts[across[1]], r->m, r->n, r->k, r->d, of_factors, r->c, regs[3],
                          regs[0], regs[1], regs[2]);
    snprintf(out + n, size - n, "wmma.store.d.sync.aligned.%s.m%un%uk%u.global.%s [%%p+%u], %s%s;\n",
             layouts[across[3]], r->m, r->n, r->k, r->d, 3u * ROOM, regs[3], leading);
}

static int factor(const char *type)
{
    return is(type, "b1")   ? rand() % 2
           : is(type, "u8") ? rand() % 256
           : is(type, "u4") ? rand() % 16
           : is(type, "s8") ? rand() % 256 - 128
                            : rand() % 15 - 7;
}

static void product(const struct row *r, const char *words, unsigned layouts, unsigned pad)
{
    static unsigned char bytes[BYTES];
    static int a[32][128], b[128][32], c[32][32];
    const bool across[4] = { layouts & 1, layouts >> 1 & 1, layouts >> 2 & 1, layouts >> 3 & 1 };
    char text[4000];

    memset(bytes, 0, sizeof bytes);
    for (unsigned i = 0; i < r->m; i++)
        for (unsigned k = 0; k < r->k; k++) {
            a[i][k] = factor(r->type);
            poke(bytes, bits_of(r->type), across[0] ? k * (r->m + pad) + i : i * (r->k + pad) + k,
                 encoded(r->type, a[i][k]));
        }
    for (unsigned k = 0; k < r->k; k++)
        for (unsigned j = 0; j < r->n; j++) {
            b[k][j] = factor(r->type);
            poke(bytes + ROOM, bits_of(r->type), across[1] ? j * (r->k + pad) + k : k * (r->n + pad) + j,
                 encoded(r->type, b[k][j]));
        }
    for (unsigned i = 0; i < r->m; i++)
        for (unsigned j = 0; j < r->n; j++) {
            c[i][j] = rand() % 1000 - 500;
            poke(bytes + 2 * ROOM, bits_of(r->c), across[2] ? j * (r->m + pad) + i : i * (r->n + pad) + j,
                 encoded(r->c, c[i][j]));
        }
    program(r, words, across, pad, text, sizeof text);
    launch(text, bytes, 32, EMU_DONE);
    for (unsigned i = 0; i < r->m; i++)
        for (unsigned j = 0; j < r->n; j++) {
            const unsigned bits = bits_of(r->d), at = across[3] ? j * (r->m + pad) + i : i * (r->n + pad) + j;
            const uint64_t got = peek(bytes + 3 * ROOM, bits, at);
            uint64_t expected;
            int sum = c[i][j];
            for (unsigned k = 0; k < r->k; k++)
                sum += strstr(words, "xor") ? a[i][k] ^ b[k][j] : a[i][k] * b[k][j];
            expected = encoded(r->d, sum) & (bits == 64 ? ~0ull : (1ull << bits) - 1);
            if (got != expected)
                fail_msg("%s\nrow %u column %u: %#llx, not %#llx", text, i, j, (unsigned long long)got,
                         (unsigned long long)expected);
        }
}

static void products(void **unused)
{
    (void)unused;
    srand(11);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        const bool one_layout = bits_of(r->type) < 8; /* A by rows, B by columns */
        for (unsigned layouts = 0; layouts < 16; layouts++) {
            if (one_layout && (layouts & 3) != 2)
                continue;
            product(r, is(r->type, "b1") ? ".xor.popc" : "", layouts, 0);
            product(r, is(r->type, "b1") ? ".and.popc" : "", layouts, is(r->type, "b1") ? 128 : 8);
        }
    }
}

/* Sums that stop at the ends of s32, and digits of a tf32 that do not count. */
static void edges(void **unused)
{
    static const struct row whole = { 16, 16, 16, "u8", "s32", "s32", 2, 2 };
    static const struct row reals = { 16, 16, 8, "tf32", "f32", "f32", 4, 4 };
    static const bool rows_first[4] = { false, true, false, false };
    static unsigned char bytes[BYTES];
    char text[4000];

    (void)unused;
    for (int saturates = 0; saturates < 2; saturates++) {
        memset(bytes, 0, sizeof bytes);
        bytes[0] = bytes[ROOM] = 1; /* row 0 of A meets column 0 of B */
        poke(bytes + 2 * ROOM, 32, 0, 0x7fffffff);
        program(&whole, saturates ? ".satfinite" : "", rows_first, 0, text, sizeof text);
        launch(text, bytes, 32, EMU_DONE);
        assert_int_equal(peek(bytes + 3 * ROOM, 32, 0), saturates ? 0x7fffffff : 0x80000000);
    }
    memset(bytes, 0, sizeof bytes);
    poke(bytes, 32, 0, 0x3f801fff);
    poke(bytes + ROOM, 32, 0, 0x40000000);
    program(&reals, "", rows_first, 0, text, sizeof text);
    launch(text, bytes, 32, EMU_DONE);
    assert_int_equal(peek(bytes + 3 * ROOM, 32, 0), 0x40000000);
    /* Eight products are two sums: to 2^24 they add 1, which is cut off, and 1 again. */
    poke(bytes, 32, 0, 0x3f800000);
    poke(bytes, 32, 4, 0x3f800000);
    poke(bytes + ROOM, 32, 0, 0x3f800000);
    poke(bytes + ROOM, 32, 4, 0x3f800000);
    poke(bytes + 2 * ROOM, 32, 0, 0x4b800000);
    launch(text, bytes, 32, EMU_DONE);
    assert_int_equal(peek(bytes + 3 * ROOM, 32, 0), 0x4b800000);
}

/* Where ptxas's code for sm_90 puts the elements of A, of B by columns, of C; and repeated registers. */
static void fragments(void **unused)
{
    static unsigned char bytes[BYTES];

    (void)unused;
    memset(bytes, 0, sizeof bytes);
    for (unsigned i = 0; i < 16 * 16; i++)
        poke(bytes, 16, i, i);
    launch("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%p];\n"
           "wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {%r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15}, [%p];\n"
           "mad.wide.u32 %q, %x, 64, %p;\nst.global.v4.b32 [%q+8192], {%r0, %r1, %r2, %r3};\n"
           "st.global.v4.b32 [%q+8208], {%r4, %r5, %r6, %r7};\nst.global.v4.b32 [%q+8224], {%r8, %r9, %r10, %r11};\n",
           bytes, 32, EMU_DONE);
    for (unsigned lane = 0; lane < 32; lane++) {
        static const unsigned a[4] = { 0, 8 * 16, 8, 8 * 16 + 8 }, b[4] = { 0, 8, 8 * 16, 8 * 16 + 8 };
        const unsigned own = lane / 4 * 16 + lane % 4 * 2;
        for (unsigned k = 0; k < 4; k++) {
            const unsigned char *at = bytes + 8192 + lane * 64;
            assert_int_equal(peek(at, 32, k), (own + a[k]) | (own + a[k] + 1) << 16);
            assert_int_equal(peek(at, 32, 4 + k), (own + a[k]) | (own + a[k] + 1) << 16);
            assert_int_equal(peek(at, 32, 8 + k), (own + b[k]) | (own + b[k] + 1) << 16);
        }
    }
}

/* The same of the shapes that are not square: A and B of 32 lines, C with its columns as lines. */
static void long_fragments(void **unused)
{
    static unsigned char bytes[BYTES];
    static const unsigned halves[8] = { 0, 8 * 16, 8, 8 * 16 + 8, 16 * 16, 24 * 16, 16 * 16 + 8, 24 * 16 + 8 };

    (void)unused;
    memset(bytes, 0, sizeof bytes);
    for (unsigned i = 0; i < 32 * 16; i++)
        poke(bytes, 16, i, i);
    for (unsigned i = 0; i < 8 * 32; i++)
        poke(bytes + 4096, 32, i, i);
    launch(
        "wmma.load.a.sync.aligned.row.m32n8k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%p];\n"
        "wmma.load.b.sync.aligned.col.m8n32k16.global.f16 {%r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15}, [%p];\n"
        "wmma.load.c.sync.aligned.row.m8n32k16.global.s32 {%r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23}, "
        "[%p+4096];\nmad.wide.u32 %q, %x, 128, %p;\n"
        "st.global.v4.b32 [%q+8192], {%r0, %r1, %r2, %r3};\nst.global.v4.b32 [%q+8208], {%r4, %r5, %r6, %r7};\n"
        "st.global.v4.b32 [%q+8224], {%r8, %r9, %r10, %r11};\nst.global.v4.b32 [%q+8240], {%r12, %r13, %r14, %r15};\n"
        "st.global.v4.b32 [%q+8256], {%r16, %r17, %r18, %r19};\n"
        "st.global.v4.b32 [%q+8272], {%r20, %r21, %r22, %r23};\n",
        bytes, 32, EMU_DONE);
    for (unsigned lane = 0; lane < 32; lane++) {
        const unsigned char *at = bytes + 8192 + lane * 128;
        for (unsigned k = 0; k < 8; k++) {
            const unsigned first = lane / 4 * 16 + lane % 4 * 2 + halves[k];
            assert_int_equal(peek(at, 32, k), first | (first + 1) << 16);
            assert_int_equal(peek(at, 32, 8 + k), first | (first + 1) << 16);
            assert_int_equal(peek(at, 32, 16 + k), (lane % 4 * 2 + k % 2) * 32 + lane / 4 + k / 2 * 8);
        }
    }
}

/* Half a warp, an address that is not aligned, memory that is not there. */
static void faults(void **unused)
{
    static unsigned char bytes[BYTES];

    (void)unused;
    launch("wmma.load.a.sync.aligned.row.m16n16k16.global.bf16 {%r0, %r1, %r2, %r3}, [%p];", bytes, 16, EMU_FAULTED);
    launch("wmma.load.a.sync.aligned.row.m16n16k16.global.bf16 {%r0, %r1, %r2, %r3}, [%p+2];", bytes, 32, EMU_FAULTED);
    launch("wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%p+32704], {%d0, %d1};", bytes, 32, EMU_FAULTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),       cmocka_unit_test(edges),  cmocka_unit_test(fragments),
        cmocka_unit_test(long_fragments), cmocka_unit_test(faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
