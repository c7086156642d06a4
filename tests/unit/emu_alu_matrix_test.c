/* Matrix instructions of the emulator, compared with products of whole matrices whose fragments are laid out here as
 * the PTX ISA's figures draw them. */
#include <stdlib.h>

#include "harness/emu/instructions/alu/real.h"
#include "tests/unit/emu_one_buffer.h"

enum { LANES = 32, WORDS = 32, BYTES = LANES * WORDS * 4 };

/* Each lane has 32 words at %at. */
static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 at)\n{\n"
    ".reg .b32 %%r<40>; .reg .f32 %%f<20>; .reg .f64 %%d<20>; .reg .u64 %%at, %%p; .reg .u32 %%x, %%s;\n"
    ".shared .align 128 .b8 tile[1024];\n"
    "ld.param.u64 %%p, [at];\nmov.u32 %%x, %%tid.x;\nmad.wide.u32 %%at, %%x, 128, %%p;\n"
    "mov.u32 %%s, tile;\n%s\nret;\n}\n";

static void run_to(const char *ptx, uint32_t *words, unsigned threads, enum emu_end end)
{
    char text[8192];

    snprintf(text, sizeof text, frame, ptx);
    launch_one(text, ptx, threads, words, BYTES, end);
}

static void run(const char *ptx, uint32_t *words, unsigned threads)
{
    run_to(ptx, words, threads, EMU_DONE);
}

/* ---- matrices in shared memory -------------------------------------------------------------------------------------
 */

/* 8 rows of 16 bytes for each of 4 matrices are written, loaded as fragments, and stored again elsewhere. */
static void rows(void **unused)
{
    static uint32_t words[LANES * WORDS];

    (void)unused;
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned j = 0; j < 4; j++)
            words[i * WORDS + j] = (i * 8 + j * 2) | (i * 8 + j * 2 + 1) << 16; /* element n of matrix n / 64 */
    run("shl.b32 %x, %x, 4;\nadd.u32 %s, %s, %x;\nld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%at];\n"
        "st.shared.v4.b32 [%s], {%r0, %r1, %r2, %r3};\nbar.warp.sync 0xffffffff;\n"
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%s];\n"
        "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r8, %r9}, [%s];\n"
        "movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r4;\n"
        "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%s+512], {%r4, %r5, %r6, %r7};\nbar.warp.sync 0xffffffff;\n"
        "ld.shared.v4.b32 {%r12, %r13, %r14, %r15}, [%s+512];\n"
        "st.global.v4.b32 [%at+16], {%r4, %r5, %r6, %r7};\nst.global.v4.b32 [%at+32], {%r8, %r9, %r10, %r10};\n"
        "st.global.v4.b32 [%at+48], {%r12, %r13, %r14, %r15};\n",
        words, LANES);
    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t *w = &words[i * WORDS];
        const uint32_t straight = (i / 4 * 8 + i % 4 * 2) | (i / 4 * 8 + i % 4 * 2 + 1) << 16;
        const uint32_t turned = (i % 4 * 16 + i / 4) | (i % 4 * 16 + 8 + i / 4) << 16;
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(w[4 + k], straight + 64 * k * 0x10001);
        assert_int_equal(w[8], turned);
        assert_int_equal(w[9], turned + 64 * 0x10001);
        assert_int_equal(w[10], turned);
        for (unsigned j = 0; j < 8; j++) /* row i of the stored ones is column i of the matrix */
            assert_int_equal(w[12 + j / 2] >> j % 2 * 16 & 0xffff, i / 8 * 64 + j * 8 + i % 8);
    }
}

/* ---- products
 * -------------------------------------------------------------------------------------------------------- */

struct shape {
    const char *text, *types;
    int kind;                      /* of elements: 'h' f16, 'b' bf16, 't' tf32, 'i' s8, 'u' u8, 'n' s4, 'd' f64 */
    unsigned rows, depth, a, b, c; /* registers */
    char of_c;                     /* 'f' f32, 'h' f16 pairs, 'i' s32, 'd' f64 */
};

static const struct shape shapes[] = {
    { "m16n8k16.row.col", "f32.f16.f16.f32", 'h', 16, 16, 4, 2, 4, 'f' },
    { "m16n8k8.row.col", "f32.f16.f16.f32", 'h', 16, 8, 2, 1, 4, 'f' },
    { "m16n8k16.row.col", "f16.f16.f16.f16", 'h', 16, 16, 4, 2, 2, 'h' },
    { "m16n8k16.row.col", "f32.bf16.bf16.f32", 'b', 16, 16, 4, 2, 4, 'f' },
    { "m16n8k8.row.col", "f32.tf32.tf32.f32", 't', 16, 8, 4, 2, 4, 'f' },
    { "m16n8k4.row.col", "f32.tf32.tf32.f32", 't', 16, 4, 2, 1, 4, 'f' },
    { "m16n8k32.row.col", "s32.s8.s8.s32", 'i', 16, 32, 4, 2, 4, 'i' },
    { "m16n8k16.row.col", "s32.u8.u8.s32", 'u', 16, 16, 2, 1, 4, 'i' },
    { "m8n8k16.row.col", "s32.s8.s8.s32", 'i', 8, 16, 1, 1, 2, 'i' },
    { "m16n8k64.row.col", "s32.s4.s4.s32", 'n', 16, 64, 4, 2, 4, 'i' },
    { "m8n8k4.row.col", "f64.f64.f64.f64", 'd', 8, 4, 1, 1, 2, 'd' },
    { "m16n8k16.row.col", "f64.f64.f64.f64", 'd', 16, 16, 8, 4, 4, 'd' },
};

static unsigned width_of(int kind)
{
    return kind == 'd' ? 64 : kind == 't' ? 32 : kind == 'h' || kind == 'b' ? 16 : kind == 'n' ? 4 : 8;
}

static uint64_t encoded(int kind, int value)
{
    const struct real x = real_of_integer((uint64_t)abs(value), value < 0);

    switch (kind) {
    case 'h': return real_pack(REAL_F16, x, REAL_RN, 0);
    case 'b': return real_pack(REAL_BF16, x, REAL_RN, 0);
    case 't':
    case 'f': return real_pack(REAL_F32, x, REAL_RN, 0);
    case 'd': return real_pack(REAL_F64, x, REAL_RN, 0);
    case 'n': return (uint64_t)value & 15;
    case 'i': return (uint32_t)value;
    default: return (uint64_t)value & 255;
    }
}

/* Row and column of element i of a lane's A, as the figures' formulas have them, by width of the element. */
static void place_a(const struct shape *s, unsigned lane, unsigned i, unsigned *row, unsigned *column)
{
    const unsigned group = lane >> 2, in_group = lane % 4;

    switch (s->kind) {
    case 'h':
    case 'b': /* i 0, 1 and 4, 5 are of the upper rows; from 4 on 8 columns on */
        *row = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
        *column = in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0);
        break;
    case 't':
        *row = i == 0 || i == 2 ? group : group + 8;
        *column = i < 2 ? in_group : in_group + 4;
        break;
    case 'd':
        *row = i % 2 == 0 ? group : group + 8;
        *column = i / 2 * 4 + in_group;
        if (s->rows == 8) {
            *row = group;
            *column = in_group;
        }
        break;
    case 'n': /* eight in a register */
        *row = i < 8 || (i >= 16 && i < 24) ? group : group + 8;
        *column = in_group * 8 + (i & 7) + (i >= 16 ? 32 : 0);
        break;
    default: /* four in a register */
        *row = i < 4 || (i >= 8 && i < 12) ? group : group + 8;
        *column = in_group * 4 + (i & 3) + (i >= 8 ? 16 : 0);
        if (s->rows == 8)
            *row = group;
    }
}

static unsigned row_of_b(const struct shape *s, unsigned lane, unsigned i)
{
    const unsigned in_group = lane % 4;

    switch (s->kind) {
    case 'h':
    case 'b': return in_group * 2 + (i & 1) + (i >= 2 ? 8 : 0);
    case 't':
    case 'd': return in_group + 4 * i;
    case 'n': return in_group * 8 + (i & 7) + (i >= 8 ? 32 : 0);
    default: return in_group * 4 + (i & 3) + (i >= 4 ? 16 : 0);
    }
}

static void put(uint32_t *words, unsigned bits, unsigned i, uint64_t value)
{
    if (bits == 64) {
        memcpy(&words[2 * i], &value, 8);
        return;
    }
    words[i * bits / 32] |= (uint32_t)(value << i * bits % 32);
}

/* A vector of registers, "{%r0, %r1}". */
static const char *vector(char *out, size_t size, const char *reg, unsigned first, unsigned count)
{
    size_t n = (size_t)snprintf(out, size, "{");

    for (unsigned k = 0; k < count; k++)
        n += (size_t)snprintf(out + n, size - n, "%s%%%s%u", k ? ", " : "", reg, first + k);
    snprintf(out + n, size - n, "}");
    return out;
}

static const char *program(const struct shape *s)
{
    static char text[4000];
    const bool doubles = s->kind == 'd';
    const char *ab = doubles ? "d" : "r", *cd = s->of_c == 'f' ? "f" : doubles ? "d" : "r";
    const unsigned size = doubles ? 8 : 4;
    const char *type = doubles ? "b64" : "b32";
    char d[80], a[80], b[80], c[80];
    size_t n = 0;

    for (unsigned k = 0; k < s->a + s->b; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "ld.global.%s %%%s%u, [%%at+%u];\n", type, ab, k, k * size);
    for (unsigned k = 0; k < s->c; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "ld.global.%s %%%s%u, [%%at+%u];\n", type, cd, 14 + k,
                              (s->a + s->b + k) * size);
    n += (size_t)snprintf(text + n, sizeof text - n, "mma.sync.aligned.%s.%s %s, %s, %s, %s;\n", s->text, s->types,
                          vector(d, sizeof d, cd, 14, s->c), vector(a, sizeof a, ab, 0, s->a),
                          vector(b, sizeof b, ab, s->a, s->b), vector(c, sizeof c, cd, 14, s->c));
    for (unsigned k = 0; k < s->c; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "st.global.%s [%%at+%u], %%%s%u;\n", type,
                              (s->a + s->b + k) * size, cd, 14 + k);
    return text;
}

static void product(const struct shape *s)
{
    static uint32_t words[LANES * WORDS];
    static int a[16][64], b[64][8], c[16][8];
    const unsigned bits = width_of(s->kind), a_count = s->a * (bits == 64 ? 64 : 32) / bits,
                   b_count = s->b * (bits == 64 ? 64 : 32) / bits, c_count = s->rows / 4,
                   c_bits = s->of_c == 'h'   ? 16
                            : s->of_c == 'd' ? 64
                                             : 32,
                   size = bits == 64 ? 2 : 1;

    memset(words, 0, sizeof words);
    srand(7);
    for (unsigned i = 0; i < 16 * 64; i++)
        a[i / 64][i % 64] = s->kind == 'u' ? rand() % 256 : rand() % 15 - 7;
    for (unsigned i = 0; i < 64 * 8; i++)
        b[i / 8][i % 8] = s->kind == 'u' ? rand() % 256 : rand() % 15 - 7;
    for (unsigned i = 0; i < 16 * 8; i++)
        c[i / 8][i % 8] = rand() % 1000 - 500;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t *w = &words[lane * WORDS];
        for (unsigned i = 0; i < a_count; i++) {
            unsigned row, column;
            place_a(s, lane, i, &row, &column);
            put(w, bits, i, encoded(s->kind, a[row][column]) & (bits == 64 ? ~0ull : (1ull << bits) - 1));
        }
        for (unsigned i = 0; i < b_count; i++)
            put(w + s->a * size, bits, i,
                encoded(s->kind, b[row_of_b(s, lane, i)][lane >> 2]) & (bits == 64 ? ~0ull : (1ull << bits) - 1));
        for (unsigned i = 0; i < c_count; i++)
            put(w + (s->a + s->b) * size, c_bits, i,
                encoded(s->of_c, c[(lane >> 2) + (i < 2 ? 0 : 8)][lane % 4 * 2 + (i & 1)]));
    }
    run(program(s), words, LANES);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < c_count; i++) {
            const unsigned row = (lane >> 2) + (i < 2 ? 0 : 8), column = lane % 4 * 2 + (i & 1);
            const uint32_t *w = &words[lane * WORDS + (s->a + s->b) * size];
            int sum = c[row][column];
            uint64_t got = 0, expected;
            for (unsigned k = 0; k < s->depth; k++)
                sum += a[row][k] * b[k][column];
            expected = encoded(s->of_c, sum);
            memcpy(&got, (const char *)w + i * c_bits / 8, c_bits / 8);
            if (got != expected)
                fail_msg("%s.%s, row %u column %u: %#llx, not %#llx", s->text, s->types, row, column,
                         (unsigned long long)got, (unsigned long long)expected);
        }
}

static void products(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        product(&shapes[i]);
}

/* What is cut off, what is special, saturation: through one element, row 0 column 0 of f16 to f32 and s8. */
static uint32_t corner(const struct shape *s, uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1, uint32_t c)
{
    static uint32_t words[LANES * WORDS];

    memset(words, 0, sizeof words);
    words[0] = a0;
    words[2] = a1;
    words[s->a] = b0;
    words[s->a + 1] = b1;
    words[s->a + s->b] = c;
    run(program(s), words, LANES);
    return words[s->a + s->b];
}

static void sums(void **unused)
{
    static const struct shape saturated = { "m16n8k32.row.col.satfinite", "s32.s8.s8.s32", 'i', 16, 32, 4, 2, 4, 'i' };

    (void)unused;
    assert_int_equal(corner(&shapes[0], 0x3c00, 0, 0x3c00, 0, 0x4b7fffff), 0x4b800000);
    assert_int_equal(corner(&shapes[0], 0x3c00, 0, 0x3c00, 0, 0x4b800001), 0x4b800001); /* 2^24 + 2 + 1: cut */
    assert_int_equal(corner(&shapes[0], 0x3c00, 0, 0x3c00, 0, 0xcb800000), 0xcb7fffff);
    assert_int_equal(corner(&shapes[0], 0x3c003c00, 0, 0xbc003c00, 0, 0x80000000), 0);
    assert_int_equal(corner(&shapes[0], 0x7c00, 0, 0x0000, 0, 0), 0x7fffffff);
    assert_int_equal(corner(&shapes[0], 0x7c00, 0, 0xbc00, 0, 0x3f800000), 0xff800000);
    assert_int_equal(corner(&shapes[0], 0x7c00, 0, 0x3c00, 0, 0xff800000), 0x7fffffff);
    assert_int_equal(corner(&shapes[0], 0x0001, 0, 0x0001, 0, 0), 0x27800000);         /* 2^-48 */
    assert_int_equal(corner(&shapes[4], 0x3f801fff, 0, 0x40000000, 0, 0), 0x40000000); /* tf32 ignores low bits */
    assert_int_equal(corner(&saturated, 0x7f7f7f7f, 0, 0x7f7f7f7f, 0, 0x7ffffff0), 0x7fffffff);
    assert_int_equal(corner(&shapes[6], 0x01, 0, 0x01, 0, 0x7fffffff), 0x80000000);
}

/* ---- sparse products of 4-bit integers, of which A keeps two pairs of each four --------------------------------- */

struct sparse {
    const char *types;
    unsigned depth, selector;
    bool is_signed;
};

static const struct sparse sparse_ones[] = {
    { "s32.s4.s4.s32", 64, 0, true },
    { "satfinite.s32.u4.u4.s32", 64, 1, false },
    { "s32.s4.s4.s32", 128, 0, true },
    { "s32.u4.u4.s32", 128, 0, false },
};

static int nibble(bool is_signed)
{
    return is_signed ? rand() % 16 - 8 : rand() % 16;
}

/* Two of the four pairs of each eight columns of a row; the numbers of all of them, two bits each. */
static uint64_t sparse_row(const struct sparse *s, int *row, int *kept)
{
    uint64_t numbers = 0;

    memset(row, 0, s->depth * sizeof *row);
    for (unsigned k = 0; k < s->depth / 8; k++) {
        const unsigned low = (unsigned)rand() % 3, high = low + 1 + (unsigned)rand() % (3 - low);
        for (unsigned j = 0; j < 4; j++)
            row[k * 8 + (j < 2 ? low : high) * 2 + j % 2] = kept[k * 4 + j] = nibble(s->is_signed);
        numbers |= (uint64_t)(low | high << 2) << 4 * k;
    }
    return numbers;
}

static void sparse_product(const struct sparse *s)
{
    static uint32_t words[LANES * WORDS];
    static int a[16][128], kept[16][64], b[128][8];
    const unsigned registers = s->depth / 32;
    uint64_t numbers[16];
    char text[1000];

    memset(words, 0, sizeof words);
    for (unsigned row = 0; row < 16; row++)
        numbers[row] = sparse_row(s, a[row], kept[row]);
    for (unsigned i = 0; i < 128 * 8; i++)
        b[i / 8][i % 8] = nibble(s->is_signed);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t *w = &words[lane * WORDS];
        const unsigned group = lane >> 2, in_group = lane % 4;
        for (unsigned i = 0; i < registers * 8; i++) {
            const unsigned in_register = i / 8;
            put(w, 4, i, (unsigned)kept[group + in_register % 2 * 8][in_register / 2 * 32 + in_group * 8 + i % 8] & 15);
            put(w + 4, 4, i, (unsigned)b[in_register * 32 + in_group * 8 + i % 8][group] & 15);
        }
        /* Of 64 bits each thread has 32: those of the upper row, of the lower row, and the other halves of both. */
        if (s->depth == 128 || in_group / 2 == s->selector)
            w[12] = (uint32_t)(numbers[group + in_group % 2 * 8] >> (s->depth == 128 ? in_group / 2 * 32 : 0));
        else
            w[12] = 0x12345678; /* not read */
    }
    snprintf(
        text, sizeof text,
        "ld.global.v4.b32 {%%r0, %%r1, %%r2, %%r3}, [%%at];\nld.global.v4.b32 {%%r4, %%r5, %%r6, %%r7}, [%%at+16];\n"
        "ld.global.b32 %%r12, [%%at+48];\nmov.b32 %%r8, 5; mov.b32 %%r9, 6; mov.b32 %%r10, 7; mov.b32 %%r11, 8;\n"
        "mma.sp::ordered_metadata.sync.aligned.m16n8k%u.row.col.%s {%%r8, %%r9, %%r10, %%r11}, {%s}, {%s}, "
        "{%%r8, %%r9, %%r10, %%r11}, %%r12, %u;\nst.global.v4.b32 [%%at+32], {%%r8, %%r9, %%r10, %%r11};\n",
        s->depth, s->types, registers == 4 ? "%r0, %r1, %r2, %r3" : "%r0, %r1",
        registers == 4 ? "%r4, %r5, %r6, %r7" : "%r4, %r5", s->selector);
    run(text, words, LANES);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < 4; i++) {
            const unsigned row = (lane >> 2) + i / 2 * 8, column = lane % 4 * 2 + i % 2;
            int sum = 5 + (int)i;
            for (unsigned k = 0; k < s->depth; k++)
                sum += a[row][k] * b[k][column];
            assert_int_equal((int)words[lane * WORDS + 8 + i], sum);
        }
}

static void sparse_products(void **unused)
{
    (void)unused;
    srand(11);
    for (size_t i = 0; i < sizeof sparse_ones / sizeof *sparse_ones; i++)
        sparse_product(&sparse_ones[i]);
}

/* Half a warp and rows that are not aligned end the grid. */
static void refused(void **unused)
{
    static uint32_t words[LANES * WORDS];

    (void)unused;
    run_to("movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;", words, LANES / 2, EMU_FAULTED);
    /* Elements of a result may be dropped. */
    run_to(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {_, %f1, _, %f3}, {%r0, %r1}, {%r2}, {%f0, %f1, %f2, %f3};",
        words, LANES, EMU_DONE);
    run_to("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {_, %r1}, {%r0, %r1}, {%r2}, {%r3, %r4};", words, LANES,
           EMU_DONE);
    run_to("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%s+8];", words, LANES, EMU_FAULTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),    cmocka_unit_test(products),
        cmocka_unit_test(sums),    cmocka_unit_test(sparse_products),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
