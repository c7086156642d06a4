/* Comparisons of the emulator: setp, set and testp of every type in every form, with NaNs and subnormals. */
#include "tests/unit/emu_alu.h"

/* ---- comparisons: every one of every type, in every form --------------------------------------------------------- */

enum type { U, S, F32, F64, F16, BF16, BITS };

/* What the row that runs compares: bits of a value, its type, the comparison, how the predicate is combined. */
static struct {
    enum type type;
    unsigned bits;
    bool ftz;
    char comparison[8];
    char with; /* '&' '|' '^', or 0 */
    bool negated;
    uint64_t is; /* of set: true */
} now;

static double real(uint64_t x, bool *nan)
{
    const uint64_t b = now.bits == 64 ? x : x & ((1ull << now.bits) - 1);
    const int fraction = now.type == F32 ? 23 : now.type == F64 ? 52 : now.type == F16 ? 10 : 7;
    const int wide = (int)now.bits - 1 - fraction;
    const int64_t e = (int64_t)(b >> fraction & ((1ull << wide) - 1)), f = (int64_t)(b & ((1ull << fraction) - 1));
    double m;

    *nan = e == (1 << wide) - 1 && f;
    if (e == (1 << wide) - 1)
        m = INFINITY;
    else if (!e)
        m = now.ftz ? 0 : ldexp((double)f, 2 - (1 << (wide - 1)) - fraction);
    else
        m = ldexp((double)(f + (1ll << fraction)), (int)e + 1 - (1 << (wide - 1)) - fraction);
    return b >> (now.bits - 1) ? -m : m;
}

/* -1, 0, 1 as a is less, equal, greater; 2 where they are not ordered. */
static int order(uint64_t a, uint64_t b)
{
    bool no, nor;

    if (now.type == U || now.type == BITS || now.type == S) {
        const int by = 64 - (int)now.bits;
        a <<= by;
        b <<= by;
        if (now.type == S)
            return S64(a) < S64(b) ? -1 : S64(a) > S64(b);
        return a < b ? -1 : a > b;
    }
    const double x = real(a, &no), y = real(b, &nor);
    if (no || nor)
        return 2;
    return x < y ? -1 : x > y;
}

static bool truth(uint64_t a, uint64_t b)
{
    static const struct {
        const char *name;
        bool less, equal, greater, unordered;
    } rows[] = {
        { "eq", 0, 1, 0, 0 },  { "ne", 1, 0, 1, 0 },  { "lt", 1, 0, 0, 0 },  { "le", 1, 1, 0, 0 },
        { "gt", 0, 0, 1, 0 },  { "ge", 0, 1, 1, 0 },  { "lo", 1, 0, 0, 0 },  { "ls", 1, 1, 0, 0 },
        { "hi", 0, 0, 1, 0 },  { "hs", 0, 1, 1, 0 },  { "equ", 0, 1, 0, 1 }, { "neu", 1, 0, 1, 1 },
        { "ltu", 1, 0, 0, 1 }, { "leu", 1, 1, 0, 1 }, { "gtu", 0, 0, 1, 1 }, { "geu", 0, 1, 1, 1 },
        { "num", 1, 1, 1, 0 }, { "nan", 0, 0, 0, 1 },
    };
    const int is = order(a, b);

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!strcmp(rows[k].name, now.comparison))
            return is < 0 ? rows[k].less : is == 0 ? rows[k].equal : is == 1 ? rows[k].greater : rows[k].unordered;
    fail_msg("no comparison %s", now.comparison);
    return false;
}

static uint64_t with(bool t, uint64_t c)
{
    const bool k = (c & 1) != now.negated;

    return now.with == '&' ? t && k : now.with == '|' ? t || k : now.with == '^' ? t != k : t;
}

IS(setp_p, with(truth(a, b), c))
IS(setp_pq, with(truth(a, b), c) + 2 * with(!truth(a, b), c))
IS(setp_q, 2 * with(!truth(a, b), c))
IS(setp_halves, with(truth(a, b), c) + 2 * with(truth(a >> 16, b >> 16), c))
IS(set_value, with(truth(a, b), c) * now.is)
IS(set_halves, with(truth(a, b), c) * now.is + (with(truth(a >> 16, b >> 16), c) * now.is << 16))

static const uint64_t reals[] = {
    0,
    1,
    2,
    0x3ff,
    0x400,
    0x3c00,
    0xbc00,
    0x7c00,
    0xfc00,
    0x7e00,
    0x8000,
    0x8001,
    0x7f,
    0x80,
    0x3f80,
    0x7f80,
    0xff80,
    0xff81,
    0x80000000,
    0x7fffff,
    0x807fffff,
    0x800000,
    0x3f800000,
    0xbf800000,
    0x7f800000,
    0xff800000,
    0x7fc00000,
    0x7f800001,
    0x80000001,
    0x3c007e00,
    0x83ff03ff,
    0x3f80ff80,
    0x8000000000000000,
    0x8000000000000001,
    0x000fffffffffffff,
    0x3ff0000000000000,
    0xbff0000000000000,
    0x7ff0000000000000,
    0xfff0000000000000,
    0x7ff8000000000000,
    0x7ff0000000000001,
    0xffffffffffffffff,
    0x7fffffffffffffff,
    0xffffffff,
};
static const uint64_t booleans[] = { 0, 1 };
/* Combining a predicate does not depend on what is compared: a few values do. */
static const uint64_t few[] = { 0, 0x7e00, 0x3c003c00, 0xffffffff, 0x7f80, 0xbff0000000000000 };
static const struct values few_values = { few, sizeof few / sizeof *few, booleans, 2 };
static const struct values real_values = { reals, sizeof reals / sizeof *reals, booleans, 2 };

static const struct {
    const char *name;
    enum type type;
    unsigned bits;
    const char *comparisons;
    bool ftz, pair;
} types[] = {
    { "b16", BITS, 16, "eq ne" },
    { "b32", BITS, 32, "eq ne" },
    { "b64", BITS, 64, "eq ne" },
#define OF_U "eq ne lt le gt ge lo ls hi hs"
#define OF_S "eq ne lt le gt ge"
#define OF_F "eq ne lt le gt ge equ neu ltu leu gtu geu num nan"
    { "u16", U, 16, OF_U },
    { "u32", U, 32, OF_U },
    { "u64", U, 64, OF_U },
    { "s16", S, 16, OF_S },
    { "s32", S, 32, OF_S },
    { "s64", S, 64, OF_S },
    { "f32", F32, 32, OF_F },
    { "f32", F32, 32, OF_F, .ftz = true },
    { "f64", F64, 64, OF_F },
    { "f16", F16, 16, OF_F },
    { "f16", F16, 16, OF_F, .ftz = true },
    { "bf16", BF16, 16, OF_F },
    { "f16x2", F16, 16, OF_F, .pair = true },
    { "f16x2", F16, 16, OF_F, .ftz = true, .pair = true },
    { "bf16x2", BF16, 16, OF_F, .pair = true },
};

static const struct {
    const char *word;
    char with;
} booleans_of[] = { { "", 0 }, { ".and", '&' }, { ".or", '|' }, { ".xor", '^' } };

/* Runs `make` for each comparison, type and combination. */
static void each_comparison(void (*make)(size_t type, const char *comparison, const char *with))
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        for (const char *c = types[k].comparisons; *c; c += strcspn(c, " "), c += *c == ' ')
            for (size_t j = 0; j < 4; j++) {
                memset(&now, 0, sizeof now);
                snprintf(now.comparison, sizeof now.comparison, "%.*s", (int)strcspn(c, " "), c);
                now.type = types[k].type;
                now.bits = types[k].bits;
                now.ftz = types[k].ftz;
                now.with = booleans_of[j].with;
                now.negated = j & 1;
                make(k, now.comparison, booleans_of[j].word);
            }
}

/* Operands in registers of the type's size; a bit register serves every type. */
static unsigned width(size_t type)
{
    return types[type].pair ? 32 : types[type].bits;
}

static void make_setp(size_t k, const char *comparison, const char *boolean)
{
    const unsigned n = width(k);
    const char *third = !now.with ? "" : now.negated ? ", !%k" : ", %k";
    char text[3][200];
    const struct row rows[3] = {
        { text[0], 1, setp_p },
        { text[1], 1, types[k].pair ? setp_halves : setp_pq },
        { text[2], 1, setp_q },
    };
    const char *const to[3] = { "%d", "%d|%e", "_|%e" };
    const bool single = !types[k].pair && (now.type == F16 || now.type == BF16); /* has one destination only */

    for (int f = 0; f < 3; f++)
        snprintf(text[f], sizeof text[f], "setp.%s%s%s.%s %s, %%a%u, %%b%u%s;", comparison, boolean,
                 now.ftz ? ".ftz" : "", types[k].name, to[f], n, n, third);
    hold_over(types[k].pair ? rows + 1 : rows, types[k].pair || single ? 1 : 3, now.with ? &few_values : &real_values);
}

static void test_setp(void **state)
{
    (void)state;
    each_comparison(make_setp);
}

static void make_set(size_t k, const char *comparison, const char *boolean)
{
    static const struct {
        const char *name;
        unsigned bytes;
        uint64_t is;
        bool half, brain, pair, whole, integer16;
    } to[] = {
        { "u32", 4, 0xffffffff, true, true, true, true },
        { "s32", 4, 0xffffffff, true, true, true, true },
        { "f32", 4, 0x3f800000, .whole = true },
        { "f16", 2, 0x3c00, .half = true },
        { "bf16", 2, 0x3f80, .brain = true },
        { "u16", 2, 0xffff, true, true },
        { "s16", 2, 0xffff, true, true },
        { "f16x2", 4, 0x3c00, .half = true, .pair = true },
        { "bf16x2", 4, 0x3f80, .brain = true, .pair = true },
    };
    const unsigned n = width(k);
    const char *third = !now.with ? "" : now.negated ? ", !%k" : ", %k";
    char text[200];

    for (size_t j = 0; j < sizeof to / sizeof *to; j++) {
        const struct row row = { text, to[j].bytes, types[k].pair ? set_halves : set_value };
        const bool both = strstr(to[j].name, "x2") != NULL;
        if (now.type == F16 ? !to[j].half : now.type == BF16 ? !to[j].brain : !to[j].whole)
            continue;
        if (types[k].pair ? !to[j].pair : both)
            continue;
        now.is = types[k].pair ? to[j].is & 0xffff : to[j].is;
        snprintf(text, sizeof text, "set.%s%s%s.%s.%s %%d%u, %%a%u, %%b%u%s;", comparison, boolean,
                 now.ftz ? ".ftz" : "", to[j].name, types[k].name, to[j].bytes * 8, n, n, third);
        hold_over(&row, 1, now.with ? &few_values : &real_values);
    }
}

static void test_set(void **state)
{
    (void)state;
    each_comparison(make_set);
}

static int kind(uint64_t x, unsigned bits)
{
    const double d = bits == 64 ? f64(x) : 0;

    return bits == 64 ? fpclassify(d) : fpclassify(f32(x));
}

#define IS_KIND(name, e)                                                                                               \
    IS(name##_32, e(kind(a, 32)))                                                                                      \
    IS(name##_64, e(kind(a, 64)))
#define FINITE(k)    ((k) != FP_NAN && (k) != FP_INFINITE)
#define INFINITE(k)  ((k) == FP_INFINITE)
#define NUMBER(k)    ((k) != FP_NAN)
#define NOTANUM(k)   ((k) == FP_NAN)
#define NORMAL(k)    ((k) == FP_NORMAL || (k) == FP_ZERO)
#define SUBNORMAL(k) ((k) == FP_SUBNORMAL)
IS_KIND(finite, FINITE)
IS_KIND(infinite, INFINITE)
IS_KIND(number, NUMBER)
IS_KIND(notanumber, NOTANUM)
IS_KIND(normal, NORMAL)
IS_KIND(subnormal, SUBNORMAL)

static void test_properties(void **state)
{
#define TESTP(name)                                                                                                    \
    { "testp." #name ".f32 %d, %a32;", 1, name##_32 },                                                                 \
    {                                                                                                                  \
        "testp." #name ".f64 %d, %a64;", 1, name##_64                                                                  \
    }
    static const struct row rows[] = {
        TESTP(finite), TESTP(infinite), TESTP(number), TESTP(notanumber), TESTP(normal), TESTP(subnormal),
    };

    (void)state;
    hold_over(rows, sizeof rows / sizeof *rows, &real_values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_setp),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_properties),
    };

    return cmocka_run_group_tests_name("emu_alu_compare", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
