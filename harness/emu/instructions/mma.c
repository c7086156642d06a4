/* Products of matrices by a warp: mma.sync. PTX ISA, "Warp Level Matrix Instructions".
 *
 * All fragments but those of m8n8k4 in halves follow one scheme. With g = lane / 4, t = lane % 4 and e elements in a
 * register (of f64, one in each of 64 bits), register r holds
 *   of A: row g + 8 (r mod 2), columns e t + 4 e (r / 2) and on;  with 8 rows, row g, columns e t + 4 e r and on
 *   of B: column g, rows e t + 4 e r and on
 *   of C and D: row g + 8 (i / 2), column 2 t + i mod 2 for element i of the thread.
 * Of a sparse A, columns count the elements that are kept.
 *
 * Sums of products: the ISA leaves precision and order open; what an H200 does was found by its bits
 * (docs/alu-sweep.md). The products and the addend are brought to the largest exponent among them with 25 digits behind
 * the point, what is below is cut off, and their exact sum is cut to f32 (rounded to nearest for f16). So works the
 * hardware of Fasi and others, "Numerical behavior of NVIDIA tensor cores", 2021, with fewer digits. In f64 it is a
 * chain of fused products by rising k. */
#include <string.h>

#include "harness/emu/instructions/ldmatrix.h"
#include "harness/emu/instructions/alu/real.h"

enum { ROWS = 16, COLUMNS = 8, DEPTH = 256, SUM_DIGITS = 25, FRAGMENT = 8 };

struct emu_product {
    unsigned rows, depth, kept; /* depth of B, and of A, which is half of it where A is sparse */
    unsigned bits;              /* of an element of A and B */
    unsigned a_regs, b_regs;    /* registers of a thread */
    enum real_type a, b;        /* REAL_TYPES: integers */
    enum real_type addend, result;
    enum real_round round;
    bool a_signed, b_signed, satfinite, exclusive; /* exclusive: bits are combined by xor, else by and */
    bool a_column, b_row;                          /* of m8n8k4: A by columns, B by rows */
    unsigned selector;
    uint32_t metadata; /* slot */
    struct {
        uint32_t d[FRAGMENT], a[FRAGMENT], b[FRAGMENT], c[FRAGMENT]; /* slots */
    } slots;
};

/* The fragments put together; floats below f64 made ready for sums. */
struct tile {
    uint64_t a[ROWS][DEPTH], b[COLUMNS][DEPTH], c[ROWS][COLUMNS], d[ROWS][COLUMNS];
    uint16_t column[ROWS][DEPTH]; /* of a sparse A: of each element that is kept */
};

static uint64_t element(uint64_t reg, unsigned bits, unsigned j)
{
    return bits == 64 ? reg : reg >> bits * j & ((1ull << bits) - 1);
}

/* ---- sums ----------------------------------------------------------------------------------------------------------
 */

static int64_t integer(uint64_t bits, unsigned width, bool is_signed)
{
    return is_signed && bits >> (width - 1) & 1 ? (int64_t)(bits | ~0ull << width) : (int64_t)bits;
}

static uint64_t dot_integers(const struct emu_product *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    int64_t sum = (int32_t)c;

    for (unsigned k = 0; k < p->kept; k++)
        sum += p->exclusive ? (int64_t)(a[k] ^ b[k])
                            : integer(a[k], p->bits, p->a_signed) * integer(b[k], p->bits, p->b_signed);
    if (p->satfinite)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

static uint64_t dot_doubles(const struct emu_product *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    for (unsigned k = 0; k < p->kept; k++) {
        const struct real sum =
            real_add(real_mul(real_unpack(REAL_F64, a[k], false), real_unpack(REAL_F64, b[k], false)),
                     real_unpack(REAL_F64, c, false), p->round);
        c = sum.kind == REAL_NAN ? real_nan_f64(a[k], b[k], c) : real_pack(REAL_F64, sum, p->round, 0);
    }
    return c;
}

/* sum * 2^exponent in the result's format. What is too large is an infinity though digits are cut off, and what
 * vanishes is +0. */
static uint64_t packed_sum(const struct emu_product *p, int64_t sum, int exponent)
{
    const struct real_format *f = &real_formats[p->result];
    const uint64_t digits = (uint64_t)(sum < 0 ? -sum : sum), sign = 1ull << (f->bits - 1);
    const bool huge = digits && exponent + 63 - __builtin_clzll(digits) > f->bias;
    const struct real x = {
        .kind = huge ? REAL_INFINITE : REAL_FINITE, .negative = sum < 0, .exponent = exponent, .digits = digits
    };
    const uint64_t out = digits ? real_pack(p->result, x, p->result == REAL_F16 ? REAL_RN : REAL_RZ, 0) : 0;

    return out == sign ? 0 : out;
}

/* A factor made ready for sums, in one word: its digits with their sign in the low 32 bits, its exponent in 16 above,
 * and above that whether it is infinite (then its digits are 1), or a NaN. */
enum { EXPONENT = 32, INFINITE = 48, NOT_A_NUMBER = 49 };

static uint64_t ready(enum real_type type, uint64_t bits)
{
    const struct real x = real_unpack(type, bits, false);
    const uint32_t digits = x.kind == REAL_FINITE ? (uint32_t)x.digits : x.kind == REAL_INFINITE;

    return (x.negative ? 0 - digits : digits) | (uint64_t)(uint16_t)x.exponent << EXPONENT |
           (uint64_t)(x.kind == REAL_INFINITE) << INFINITE | (uint64_t)(x.kind == REAL_NAN) << NOT_A_NUMBER;
}

/* What infinities and NaNs of a sum come to. */
struct special {
    bool nan, plus, minus;
};

static void take_special(struct special *s, uint64_t a, uint64_t b)
{
    s->nan |= (a | b) >> NOT_A_NUMBER & 1 || !(uint32_t)a || !(uint32_t)b; /* an infinity times zero, too */
    if ((a ^ b) >> 31 & 1)
        s->minus = true;
    else
        s->plus = true;
}

static uint64_t special_sum(const struct emu_product *p, const struct special *s)
{
    const bool nan = s->nan || (s->plus && s->minus);
    const struct real x = { .kind = nan ? REAL_NAN : REAL_INFINITE, .negative = s->minus };

    return real_pack(p->result, x, REAL_RN, 0);
}

/* Of factors that are ready. */
static uint64_t dot_floats(const struct emu_product *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    const int fraction = real_formats[p->a].fraction + real_formats[p->b].fraction;
    const int c_fraction = real_formats[p->addend].fraction;
    const uint64_t addend = ready(p->addend, c);
    int64_t digits[DEPTH + 1], sum = 0;
    int exponents[DEPTH + 1], top = INT32_MIN / 2; /* below all, and still one to count from */
    struct special special = { 0 };

    for (unsigned k = 0; k < p->kept; k++) {
        if ((a[k] | b[k]) >> INFINITE)
            take_special(&special, a[k], b[k]);
        digits[k] = (int64_t)(int32_t)a[k] * (int32_t)b[k];
        exponents[k] = (int16_t)(a[k] >> EXPONENT) + (int16_t)(b[k] >> EXPONENT);
        if (digits[k] && exponents[k] + fraction > top)
            top = exponents[k] + fraction;
    }
    if (addend >> INFINITE)
        take_special(&special, addend, 1);
    digits[p->kept] = (int32_t)addend;
    exponents[p->kept] = (int16_t)(addend >> EXPONENT);
    if (digits[p->kept] && exponents[p->kept] + c_fraction > top)
        top = exponents[p->kept] + c_fraction;
    if (special.nan || special.plus || special.minus)
        return special_sum(p, &special);
    for (unsigned k = 0; k <= p->kept; k++) {
        const int shift = top - SUM_DIGITS - exponents[k];
        const int64_t magnitude = digits[k] < 0 ? -digits[k] : digits[k];
        int64_t part;
        if (!magnitude)
            continue;
        part = shift > 63 ? 0 : shift > 0 ? magnitude >> shift : magnitude << -shift;
        sum += digits[k] < 0 ? -part : part;
    }
    return packed_sum(p, sum, top - SUM_DIGITS);
}

static uint64_t sum_of(enum real_type type, uint64_t a, uint64_t b)
{
    return real_pack(type, real_add(real_unpack(type, a, false), real_unpack(type, b, false), REAL_RN), REAL_RN, 0);
}

/* Factors of 8 bits: widened to halves, of each four the first two in one sum, then the others in another with it, and
 * the addend last. So assemblers write it for an H200. */
static uint64_t dot_bytes(const struct emu_product *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    struct emu_product half = *p;
    uint64_t sum = 0;

    half.kept = p->kept / 2;
    half.addend = p->result;
    for (unsigned part = 0; part < 2; part++) {
        uint64_t some_a[DEPTH / 2], some_b[DEPTH / 2];
        for (unsigned k = 0; k < half.kept; k++) {
            some_a[k] = a[k / 2 * 4 + part * 2 + k % 2];
            some_b[k] = b[k / 2 * 4 + part * 2 + k % 2];
        }
        sum = dot_floats(&half, some_a, some_b, sum);
    }
    return sum_of(p->result, c, sum);
}

static uint64_t fused(const struct emu_product *p, const uint64_t *a, const uint64_t *b, unsigned k, uint64_t c)
{
    const struct real product = real_mul(real_unpack(p->a, a[k], false), real_unpack(p->b, b[k], false));

    return real_pack(REAL_F32, real_add(product, real_unpack(REAL_F32, c, false), REAL_RN), REAL_RN, 0);
}

/* m8n8k4 of halves is no matrix instruction of an H200: assemblers write fused products in single precision. */
static uint64_t dot_quads(const struct emu_product *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    const uint64_t addend = real_pack(REAL_F32, real_unpack(p->addend, c, false), REAL_RN, 0);
    const uint64_t none = p->result == REAL_F32 ? 0 : 0x80000000; /* a sum with +0, or a product alone */
    const uint64_t low = fused(p, a, b, 1, fused(p, a, b, 0, none));

    if (p->result == REAL_F32)
        return sum_of(REAL_F32, addend, fused(p, a, b, 3, fused(p, a, b, 2, low)));
    c = sum_of(REAL_F32, sum_of(REAL_F32, addend, low), fused(p, a, b, 3, fused(p, a, b, 2, none)));
    return real_pack(REAL_F16, real_unpack(REAL_F32, c, false), REAL_RN, 0);
}

static uint64_t dot(const struct emu_product *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    return p->a == REAL_TYPES ? dot_integers(p, a, b, c)
           : p->a == REAL_F64 ? dot_doubles(p, a, b, c)
           : p->bits == 8     ? dot_bytes(p, a, b, c)
                              : dot_floats(p, a, b, c);
}

/* ---- the common fragments ------------------------------------------------------------------------------------------
 */

/* Where the elements of a sparse A stand: of each four columns two, their numbers in two bits each; of a tf32, which
 * counts as two halves, of each two one. A row has 16, 32 or 64 such bits: one thread of each four holds 16 of the two
 * rows of its group, two hold 32, four hold 64. */
static void place_kept(const struct emu_product *p, const struct emu_meeting *m, struct tile *out)
{
    const unsigned each = p->bits == 32 ? 4 : 2, row_bits = p->kept * each;

    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned k = 0; k < p->kept; k++) {
            const unsigned bit = k * each, g = row % 8, tall = row / 8;
            unsigned lane, at;
            if (row_bits == 16) {
                lane = p->selector;
                at = bit + 16 * tall;
            } else if (p->bits > 8) {
                lane = 2 * p->selector + bit / 16;
                at = bit % 16 + 16 * tall;
            } else {
                lane = 2 * p->selector + bit / 32 * 2 + tall;
                at = bit % 32;
            }
            const unsigned index = (uint32_t)m->lane[4 * g + lane]->r[p->metadata] >> at & 3;
            out->column[row][k] = (uint16_t)(p->bits == 32 ? 2 * k + index / 2 : k / 2 * 4 + index);
        }
}

static void gather(const struct emu_product *p, const struct emu_meeting *m, struct tile *out)
{
    const unsigned in_reg = p->bits >= 32 ? 1 : 32 / p->bits;
    const bool tall = p->rows == ROWS, packed = p->addend == REAL_F16;
    const uint64_t kept = p->a == REAL_TF32 ? ~0x1fffull : ~0ull; /* the low bits of a tf32 count for nothing */

    EACH_LANE(i)
    {
        const uint64_t *r = m->lane[i]->r;
        const unsigned g = i / 4, t = i % 4;
        for (unsigned k = 0; k < p->a_regs; k++)
            for (unsigned j = 0; j < in_reg; j++)
                out->a[g + (tall ? k % 2 * 8 : 0)][in_reg * (t + 4 * (tall ? k / 2 : k)) + j] =
                    element(r[p->slots.a[k]] & kept, p->bits, j);
        for (unsigned k = 0; k < p->b_regs; k++)
            for (unsigned j = 0; j < in_reg; j++)
                out->b[g][in_reg * (t + 4 * k) + j] = element(r[p->slots.b[k]] & kept, p->bits, j);
        for (unsigned k = 0; k < p->rows / 4; k++)
            out->c[g + k / 2 * 8][2 * t + k % 2] = packed ? element(r[p->slots.c[k / 2]], 16, k % 2) : r[p->slots.c[k]];
    }
    if (p->kept < p->depth)
        place_kept(p, m, out);
    if (p->a == REAL_TYPES || p->a == REAL_F64)
        return;
    for (unsigned row = 0; row < p->rows; row++)
        for (unsigned k = 0; k < p->kept; k++)
            out->a[row][k] = ready(p->a, out->a[row][k]);
    for (unsigned column = 0; column < COLUMNS; column++)
        for (unsigned k = 0; k < p->depth; k++)
            out->b[column][k] = ready(p->b, out->b[column][k]);
}

/* Element k of a thread's part of the result, to a register unless it is dropped. */
static void store(const struct emu_product *p, uint64_t *r, unsigned k, uint64_t value)
{
    const bool pairs = p->result == REAL_F16;
    const uint32_t slot = p->slots.d[pairs ? k / 2 : k];

    if (slot != EMU_NO)
        r[slot] = pairs && k % 2 ? r[slot] | value << 16 : value;
}

static void mma(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_product *p = op->product;
    struct emu_meeting m;
    struct tile tile;
    uint64_t chosen[DEPTH] = { 0 }; /* of a sparse A: what its elements meet */

    if (!emu_matrix_meet(t, op, &m))
        return;
    gather(p, &m, &tile);
    for (unsigned row = 0; row < p->rows; row++)
        for (unsigned column = 0; column < COLUMNS; column++) {
            for (unsigned k = 0; p->kept < p->depth && k < p->kept; k++)
                chosen[k] = tile.b[column][tile.column[row][k]];
            tile.d[row][column] =
                dot(p, tile.a[row], p->kept < p->depth ? chosen : tile.b[column], tile.c[row][column]);
        }
    EACH_LANE(i)
    for (unsigned k = 0; k < p->rows / 4; k++)
        store(p, m.lane[i]->r, k, tile.d[i / 4 + k / 2 * 8][2 * (i % 4) + k % 2]);
    emu_warp_release(t, &m);
}

/* ---- m8n8k4 of halves: four products, each by a group of four lanes and the one 16 above ----------------------------
 */

/* Row and column of element k of C and D in a lane. */
static void quad_place(bool single, unsigned lane, unsigned k, unsigned *row, unsigned *column)
{
    const unsigned upper = lane >= 16 ? 4 : 0;

    *row = (single ? (lane & 1) + (k & 2) : lane % 4) + upper;
    *column = single ? (k & 4) + (lane & 2) + (k & 1) : k;
}

static void mma_quads(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_product *p = op->product;
    struct emu_meeting m;
    struct tile tile;

    if (!emu_matrix_meet(t, op, &m))
        return;
    for (unsigned quad = 0; quad < 4; quad++) {
        for (unsigned n = 0; n < 8; n++) {
            const unsigned lane = quad * 4 + n % 4 + n / 4 * 16, upper = n / 4 * 4;
            const uint64_t *r = m.lane[lane]->r;
            for (unsigned k = 0; k < 4; k++) {
                const uint64_t a = element(r[p->slots.a[k / 2]], 16, k % 2),
                               b = element(r[p->slots.b[k / 2]], 16, k % 2);
                if (p->a_column)
                    tile.a[k + upper][n % 4] = a;
                else
                    tile.a[n][k] = a;
                if (p->b_row)
                    tile.b[k + upper][n % 4] = b;
                else
                    tile.b[n][k] = b;
            }
            for (unsigned k = 0; k < 8; k++) {
                unsigned row, column;
                quad_place(p->addend == REAL_F32, lane, k, &row, &column);
                tile.c[row][column] =
                    p->addend == REAL_F16 ? element(r[p->slots.c[k / 2]], 16, k % 2) : r[p->slots.c[k]];
            }
        }
        for (unsigned row = 0; row < 8; row++)
            for (unsigned column = 0; column < COLUMNS; column++)
                tile.d[row][column] = dot_quads(p, tile.a[row], tile.b[column], tile.c[row][column]);
        for (unsigned n = 0; n < 8; n++)
            for (unsigned k = 0; k < 8; k++) {
                const unsigned lane = quad * 4 + n % 4 + n / 4 * 16;
                unsigned row, column;
                quad_place(p->result == REAL_F32, lane, k, &row, &column);
                store(p, m.lane[lane]->r, k, tile.d[row][column]);
            }
    }
    emu_warp_release(t, &m);
}

/* ---- decoding ------------------------------------------------------------------------------------------------------
 */

/* Rows and depth of the shape, 0 where it is not modelled. */
static unsigned depth_of(uint16_t shape, unsigned *rows)
{
    const char *text = ptx_word_text[shape], *k = strchr(text, 'k');
    unsigned depth = 0;

    *rows = strncmp(text, "m16n8k", 6) == 0 ? ROWS : 8;
    if (*rows == 8 && strncmp(text, "m8n8k", 5) != 0)
        return 0;
    for (; k && k[1]; k++)
        depth = depth * 10 + (unsigned)(k[1] - '0');
    return depth;
}

static enum real_type factor_of(uint16_t type)
{
    switch (type) {
    case PTX_f16: return REAL_F16;
    case PTX_bf16: return REAL_BF16;
    case PTX_tf32: return REAL_TF32;
    case PTX_f64: return REAL_F64;
    case PTX_e4m3: return REAL_E4M3;
    case PTX_e5m2: return REAL_E5M2;
    default: return REAL_TYPES;
    }
}

static unsigned integer_bits(uint16_t type)
{
    switch (type) {
    case PTX_b1: return 1;
    case PTX_u4:
    case PTX_s4: return 4;
    case PTX_u8:
    case PTX_s8: return 8;
    default: return 0;
    }
}

/* False for types that do not go together: the rows of sparse products leave them open. */
static bool types_of(const struct ptx_instruction *i, struct emu_product *p)
{
    const uint16_t d = i->type[0], a = i->type[1], b = i->type[2], c = i->type[3];

    p->result = d == PTX_f16 ? REAL_F16 : d == PTX_f64 ? REAL_F64 : REAL_F32;
    p->addend = c == PTX_f16 ? REAL_F16 : c == PTX_f64 ? REAL_F64 : REAL_F32;
    p->a_signed = a == PTX_s8 || a == PTX_s4;
    p->b_signed = b == PTX_s8 || b == PTX_s4;
    p->a = factor_of(a);
    p->b = factor_of(b);
    p->bits = p->a == REAL_TYPES ? integer_bits(a) : real_formats[p->a].bits;
    if (p->a == REAL_TYPES)
        return p->bits && p->bits == integer_bits(b) && d == PTX_s32 && c == PTX_s32;
    if (p->b == REAL_TYPES || p->bits != real_formats[p->b].bits || (p->bits > 8 && p->a != p->b))
        return false;
    if (p->a == REAL_F64)
        return d == PTX_f64 && c == PTX_f64;
    return (d == PTX_f16 || d == PTX_f32) && (c == PTX_f16 || c == PTX_f32);
}

/* A's layout is the first of the two. */
static void layouts_of(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_product *p)
{
    bool first = true;

    for (unsigned k = 0; k < i->n_words; k++) {
        const uint16_t word = m->words[i->words + k];
        if (word != PTX_row && word != PTX_col)
            continue;
        if (first)
            p->a_column = word == PTX_col;
        else
            p->b_row = word == PTX_row;
        first = false;
    }
}

/* The metadata and the selector of a sparse product; 4 bits wide elements keep pairs, which is not modelled. */
static bool sparse_of(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_product *p)
{
    const struct ptx_operand *selector = ptx_operand(m, i, 5);

    if (p->bits < 8 || p->bits > 32 || p->rows != ROWS || selector->kind != PO_immediate || selector->value > 3)
        return false;
    p->kept = p->depth / 2;
    p->selector = (unsigned)selector->value;
    p->metadata = emu_slot(ptx_operand(m, i, 4), PTX_b32);
    return p->selector * p->kept * (p->bits == 32 ? 4 : 2) <= 48;
}

emu_handler *emu_decode_mma(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const uint16_t round = ptx_word_of(m, i, PC_round), c_type = i->type[3] == PTX_f16 ? PTX_b32 : i->type[3];
    const uint16_t shape = ptx_word_of(m, i, PC_shape);
    struct emu_product p = { 0 }, *kept;
    unsigned elements;
    bool quads;

    if (i->op != OP_mma)
        return NULL;
    for (unsigned kind = PTX_kind_mxf8f6f4; kind <= PTX_kind_i8; kind++)
        if (ptx_has(m, i, (uint16_t)kind)) /* of other machines */
            return NULL;
    if ((i->n_operands != 4 && i->n_operands != 6) || !shape || !types_of(i, &p))
        return NULL;
    p.depth = p.kept = depth_of(shape, &p.rows);
    if (!p.depth || p.depth > DEPTH || (i->n_operands == 6 && !sparse_of(m, i, &p)))
        return NULL;
    quads = p.rows == 8 && p.a == REAL_F16;
    layouts_of(m, i, &p);
    p.round = round == PTX_rz ? REAL_RZ : round == PTX_rm ? REAL_RM : round == PTX_rp ? REAL_RP : REAL_RN;
    p.satfinite = ptx_has(m, i, PTX_satfinite);
    p.exclusive = ptx_has(m, i, PTX_xor);
    p.a_regs = quads ? 2 : p.bits == 64 ? p.rows * p.kept / 32 : p.rows * p.kept * p.bits / 1024;
    p.b_regs = quads ? 2 : p.bits == 64 ? p.depth / 4 : p.depth * p.bits / 128;
    elements = quads ? 8 : p.rows / 4; /* of a thread's part of the result */
    kept = emu_kept(sizeof *kept);
    if (!kept || emu_matrix_slots(m, ptx_operand(m, i, 1), PTX_b32, p.slots.a, FRAGMENT) != p.a_regs ||
        emu_matrix_slots(m, ptx_operand(m, i, 2), PTX_b32, p.slots.b, FRAGMENT) != p.b_regs ||
        emu_matrix_slots(m, ptx_operand(m, i, 0), i->type[0], p.slots.d, FRAGMENT) !=
            elements / (p.result == REAL_F16 ? 2 : 1) ||
        emu_matrix_slots(m, ptx_operand(m, i, 3), c_type, p.slots.c, FRAGMENT) !=
            elements / (p.addend == REAL_F16 ? 2 : 1))
        return NULL;
    *kept = p;
    for (unsigned k = 0; k < FRAGMENT; k++) { /* those that are not there are constants' or 0, and not read */
        emu_settle_later(&kept->slots.d[k]);
        emu_settle_later(&kept->slots.a[k]);
        emu_settle_later(&kept->slots.b[k]);
        emu_settle_later(&kept->slots.c[k]);
    }
    emu_settle_later(&kept->metadata);
    op->product = kept;
    return quads ? mma_quads : mma;
}
