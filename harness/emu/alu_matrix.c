/* Matrices of a warp: ldmatrix, stmatrix, movmatrix, mma.sync. PTX ISA, "Warp Level Matrix Instructions".
 *
 * All fragments follow one scheme. With g = lane / 4, t = lane % 4 and e elements in a register (of f64, one in each of
 * 64 bits), register r holds
 *   of A: row g + 8 (r mod 2), columns e t + 4 e (r / 2) and on;  with 8 rows, row g, columns e t + 4 e r and on
 *   of B: column g, rows e t + 4 e r and on
 *   of C and D: row g + 8 (i / 2), column 2 t + i mod 2 for element i of the thread.
 *
 * Sums of products: the ISA leaves precision and order open. Here the products and the addend are brought to the
 * largest exponent among them with 25 digits behind the point, what is below is cut off, and their exact sum is cut to
 * f32 (rounded to nearest for f16). Cutting off after alignment is how such units are known to work (Fasi and others,
 * "Numerical behavior of NVIDIA tensor cores", 2021); the 25 digits, and that one instruction is one sum, are assumed
 * and not measured here. Sums that are exact in f32 do not depend on it. In f64 it is a chain of fused products by
 * rising k. */
#include <string.h>

#include "harness/emu/alu.h"
#include "harness/emu/real.h"
#include "harness/emu/warp.h"

enum { ROWS = 16, COLUMNS = 8, DEPTH = 64, SUM_DIGITS = 25, MATRIX_ROW = 16 };

#define EACH_LANE(i) for (uint32_t i = 0; i < EMU_WARP; i++)

/* All 32 lanes at this instruction: the forms are .aligned. */
static bool meet_all(struct emu_thread *t, const struct emu_op *op, struct emu_meeting *m)
{
    if (!emu_warp_meet(t, op, UINT32_MAX, 0, 0, m))
        return false;
    if (m->mask != UINT32_MAX)
        emu_bad_access(t, NULL, m->mask, 0, "a matrix instruction needs all 32 threads of its warp; there are 0x%08x",
                       m->mask);
    return true;
}

/* ---- 8x8 matrices of 16-bit elements in shared memory --------------------------------------------------------------
 */

static unsigned char *row_bytes(struct emu_thread *o, const struct emu_op *op, uint32_t address, enum emu_access access)
{
    return emu_access_bytes(o, op, o->r[address] + (uint64_t)op->imm, MATRIX_ROW, access);
}

/* Where element j of a lane's register lies in a matrix of 8 by 8. */
static unsigned element_at(uint32_t lane, unsigned j, bool transposed)
{
    const unsigned row = lane / 4, column = lane % 4 * 2 + j;

    return transposed ? column * 8 + row : row * 8 + column;
}

/* Lanes 8k to 8k + 7 name the rows of matrix k. op->vector matrices; u16 says transposed. */
static void ldmatrix(struct emu_thread *t, const struct emu_op *op)
{
    uint16_t matrix[4][64];
    struct emu_meeting m;

    if (!meet_all(t, op, &m))
        return;
    for (unsigned k = 0; k < op->vector; k++)
        for (unsigned row = 0; row < 8; row++)
            memcpy(&matrix[k][row * 8], row_bytes(m.lane[8 * k + row], op, op->a, EMU_READ), MATRIX_ROW);
    EACH_LANE(i)
    for (unsigned k = 0; k < op->vector; k++)
        if (op->more[k] != EMU_NO)
            m.lane[i]->r[op->more[k]] =
                matrix[k][element_at(i, 0, op->u16)] | (uint32_t)matrix[k][element_at(i, 1, op->u16)] << 16;
    emu_warp_release(t, &m);
}

static void stmatrix(struct emu_thread *t, const struct emu_op *op)
{
    uint16_t matrix[4][64];
    struct emu_meeting m;

    if (!meet_all(t, op, &m))
        return;
    EACH_LANE(i)
    for (unsigned k = 0; k < op->vector; k++)
        for (unsigned j = 0; j < 2; j++)
            matrix[k][element_at(i, j, op->u16)] = (uint16_t)(m.lane[i]->r[op->more[k]] >> 16 * j);
    for (unsigned k = 0; k < op->vector; k++)
        for (unsigned row = 0; row < 8; row++)
            memcpy(row_bytes(m.lane[8 * k + row], op, op->a, EMU_WRITE), &matrix[k][row * 8], MATRIX_ROW);
    emu_warp_release(t, &m);
}

static void movmatrix(struct emu_thread *t, const struct emu_op *op)
{
    uint16_t matrix[64];
    struct emu_meeting m;

    if (!meet_all(t, op, &m))
        return;
    EACH_LANE(i)
    for (unsigned j = 0; j < 2; j++)
        matrix[element_at(i, j, false)] = (uint16_t)(m.lane[i]->r[op->a] >> 16 * j);
    EACH_LANE(i)
    m.lane[i]->r[op->d] = matrix[element_at(i, 0, true)] | (uint32_t)matrix[element_at(i, 1, true)] << 16;
    emu_warp_release(t, &m);
}

/* ---- mma ------------------------------------------------------------------------------------------------------------
 */

struct product {
    unsigned rows, depth;
    unsigned bits;           /* of an element of A and B */
    unsigned a_regs, b_regs; /* registers of a thread */
    enum real_type factor;   /* REAL_TYPES: integers */
    enum real_type addend, result;
    enum real_round round;
    bool a_signed, b_signed, satfinite;
    uint32_t d[8], a[8], b[8], c[8]; /* slots */
};

/* The fragments put together. */
struct tile {
    uint64_t a[ROWS][DEPTH], b[COLUMNS][DEPTH], c[ROWS][COLUMNS], d[ROWS][COLUMNS];
};

static uint64_t element(uint64_t reg, unsigned bits, unsigned j)
{
    return bits == 64 ? reg : reg >> bits * j & ((1ull << bits) - 1);
}

static void gather(const struct product *p, const struct emu_meeting *m, struct tile *out)
{
    const unsigned in_reg = p->bits >= 32 ? 1 : 32 / p->bits;
    const bool tall = p->rows == ROWS, packed = p->addend == REAL_F16;
    const uint64_t kept = p->factor == REAL_TF32 ? ~0x1fffull : ~0ull; /* the low bits of a tf32 count for nothing */

    EACH_LANE(i)
    {
        const uint64_t *r = m->lane[i]->r;
        const unsigned g = i / 4, t = i % 4;
        for (unsigned k = 0; k < p->a_regs; k++)
            for (unsigned j = 0; j < in_reg; j++)
                out->a[g + (tall ? k % 2 * 8 : 0)][in_reg * (t + 4 * (tall ? k / 2 : k)) + j] =
                    element(r[p->a[k]] & kept, p->bits, j);
        for (unsigned k = 0; k < p->b_regs; k++)
            for (unsigned j = 0; j < in_reg; j++)
                out->b[g][in_reg * (t + 4 * k) + j] = element(r[p->b[k]] & kept, p->bits, j);
        for (unsigned k = 0; k < p->rows / 4; k++)
            out->c[g + k / 2 * 8][2 * t + k % 2] = packed ? element(r[p->c[k / 2]], 16, k % 2) : r[p->c[k]];
    }
}

static void scatter(const struct product *p, const struct emu_meeting *m, const struct tile *tile)
{
    EACH_LANE(i)
    {
        uint64_t *r = m->lane[i]->r;
        const unsigned g = i / 4, t = i % 4;
        for (unsigned k = 0; k < p->rows / 4; k++) {
            const uint64_t value = tile->d[g + k / 2 * 8][2 * t + k % 2];
            if (p->result != REAL_F16)
                r[p->d[k]] = value;
            else if (k % 2 == 0)
                r[p->d[k / 2]] = value;
            else
                r[p->d[k / 2]] |= value << 16;
        }
    }
}

static int64_t integer(uint64_t bits, unsigned width, bool is_signed)
{
    return is_signed && bits >> (width - 1) & 1 ? (int64_t)(bits | ~0ull << width) : (int64_t)bits;
}

static uint64_t dot_integers(const struct product *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    int64_t sum = (int32_t)c;

    for (unsigned k = 0; k < p->depth; k++)
        sum += integer(a[k], p->bits, p->a_signed) * integer(b[k], p->bits, p->b_signed);
    if (p->satfinite)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

static uint64_t dot_doubles(const struct product *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    for (unsigned k = 0; k < p->depth; k++)
        c = real_pack(REAL_F64,
                      real_add(real_mul(real_unpack(REAL_F64, a[k], false), real_unpack(REAL_F64, b[k], false)),
                               real_unpack(REAL_F64, c, false), p->round),
                      p->round, 0);
    return c;
}

/* The exponent of a finite value's leading place, as its format writes it: a subnormal has the format's lowest. */
static int place(struct real x, unsigned fraction)
{
    return x.exponent + (int)fraction;
}

static uint64_t dot_floats(const struct product *p, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    const unsigned fraction = real_formats[p->factor].fraction;
    const struct real addend = real_unpack(p->addend, c, false);
    const enum real_round round = p->result == REAL_F16 ? REAL_RN : REAL_RZ;
    struct real terms[DEPTH + 1], special = { .kind = REAL_ZERO };
    int places[DEPTH + 1], top = INT32_MIN;
    int64_t sum = 0;

    for (unsigned k = 0; k <= p->depth; k++) {
        if (k == p->depth) {
            terms[k] = addend;
            places[k] = place(addend, real_formats[p->addend].fraction);
        } else {
            terms[k] = real_mul(real_unpack(p->factor, a[k], false), real_unpack(p->factor, b[k], false));
            places[k] = place(terms[k], 2 * fraction);
        }
        if (terms[k].kind == REAL_INFINITE || terms[k].kind == REAL_NAN)
            special = real_add(special, terms[k], REAL_RN);
        else if (terms[k].kind == REAL_FINITE && places[k] > top)
            top = places[k];
    }
    if (special.kind != REAL_ZERO)
        return real_pack(p->result, special, round, 0);
    for (unsigned k = 0; k <= p->depth; k++) {
        int64_t digits;
        int shift;
        if (terms[k].kind != REAL_FINITE)
            continue;
        shift = top - SUM_DIGITS - terms[k].exponent;
        digits = shift > 63 ? 0 : shift > 0 ? (int64_t)terms[k].digits >> shift : (int64_t)terms[k].digits << -shift;
        sum += terms[k].negative ? -digits : digits;
    }
    if (!sum)
        return 0;
    return real_pack(p->result,
                     (struct real){ .kind = REAL_FINITE,
                                    .negative = sum < 0,
                                    .exponent = top - SUM_DIGITS,
                                    .digits = (real_digits)(sum < 0 ? -sum : sum) },
                     round, 0);
}

static void mma(struct emu_thread *t, const struct emu_op *op)
{
    const struct product *p = op->data;
    struct emu_meeting m;
    struct tile tile;

    if (!meet_all(t, op, &m))
        return;
    gather(p, &m, &tile);
    for (unsigned row = 0; row < p->rows; row++)
        for (unsigned column = 0; column < COLUMNS; column++) {
            const uint64_t *a = tile.a[row], *b = tile.b[column], c = tile.c[row][column];
            tile.d[row][column] = p->factor == REAL_TYPES ? dot_integers(p, a, b, c)
                                  : p->factor == REAL_F64 ? dot_doubles(p, a, b, c)
                                                          : dot_floats(p, a, b, c);
        }
    scatter(p, &m, &tile);
    emu_warp_release(t, &m);
}

/* ---- decoding
 * -------------------------------------------------------------------------------------------------------- */

/* Slots of a vector's elements, or of the one register. Their number, 0 where there are more than `most`. */
static unsigned slots_of(const struct ptx_module *m, const struct ptx_operand *o, uint16_t type, uint32_t *slots,
                         unsigned most)
{
    if (o->kind != PO_vector) {
        slots[0] = emu_slot(o, type);
        return 1;
    }
    if (o->count > most)
        return 0;
    for (uint32_t k = 0; k < o->count; k++)
        slots[k] = emu_slot(&m->operands[o->first + k], type);
    return o->count;
}

static emu_handler *decode_rows(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool store = i->op == OP_stmatrix;
    const struct ptx_operand *regs = ptx_operand(m, i, store ? 1 : 0), *at = ptx_operand(m, i, store ? 0 : 1);
    uint32_t slots[4];
    unsigned count;

    if (!ptx_has(m, i, PTX_m8n8))
        return NULL;
    count = slots_of(m, regs, PTX_b32, slots, 4);
    if (!count)
        return NULL;
    op->more = emu_slots_kept(slots, count);
    op->vector = (uint8_t)count;
    op->u16 = ptx_has(m, i, PTX_trans);
    emu_address(at, op, &op->a, &op->imm);
    op->d = EMU_NO;
    return store ? stmatrix : ldmatrix;
}

/* Rows and depth of the shape, 0 where it is not modelled. */
static unsigned depth_of(uint16_t shape, unsigned *rows)
{
    const char *text = ptx_word_text[shape], *k = strchr(text, 'k');
    unsigned depth = 0;

    *rows = strncmp(text, "m16", 3) == 0 ? ROWS : 8;
    for (; k && k[1]; k++)
        depth = depth * 10 + (unsigned)(k[1] - '0');
    return depth;
}

static bool types_of(const struct ptx_instruction *i, struct product *p)
{
    const uint16_t d = i->type[0], a = i->type[1], b = i->type[2], c = i->type[3];

    p->result = d == PTX_f16 ? REAL_F16 : d == PTX_f64 ? REAL_F64 : REAL_F32;
    p->addend = c == PTX_f16 ? REAL_F16 : c == PTX_f64 ? REAL_F64 : REAL_F32;
    p->a_signed = a == PTX_s8 || a == PTX_s4;
    p->b_signed = b == PTX_s8 || b == PTX_s4;
    p->factor = REAL_TYPES;
    switch (a) {
    case PTX_f16: p->factor = REAL_F16; break;
    case PTX_bf16: p->factor = REAL_BF16; break;
    case PTX_tf32: p->factor = REAL_TF32; break;
    case PTX_f64: p->factor = REAL_F64; break;
    case PTX_u8:
    case PTX_s8: p->bits = 8; return true;
    case PTX_u4:
    case PTX_s4: p->bits = 4; return true;
    default: return false;
    }
    p->bits = real_formats[p->factor].bits;
    return true;
}

static emu_handler *decode_mma(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const uint16_t round = ptx_word_of(m, i, PC_round), c_type = i->type[3] == PTX_f16 ? PTX_b32 : i->type[3];
    const uint16_t shape = ptx_word_of(m, i, PC_shape);
    struct product p = { 0 }, *kept;

    if (i->n_operands != 4 || !shape || !types_of(i, &p))
        return NULL;
    p.depth = depth_of(shape, &p.rows);
    if (p.depth > DEPTH || (p.rows == 8 && p.factor != REAL_TYPES && p.factor != REAL_F64))
        return NULL; /* m8n8k4 of halves has fragments of its own */
    p.round = round == PTX_rz ? REAL_RZ : round == PTX_rm ? REAL_RM : round == PTX_rp ? REAL_RP : REAL_RN;
    p.satfinite = ptx_has(m, i, PTX_satfinite);
    p.a_regs = p.bits == 64 ? p.rows * p.depth / 32 : p.rows * p.depth * p.bits / 1024;
    p.b_regs = p.bits == 64 ? p.depth / 4 : p.depth * p.bits / 128;
    kept = emu_kept(sizeof *kept);
    if (!kept || slots_of(m, ptx_operand(m, i, 1), PTX_b32, p.a, 8) != p.a_regs ||
        slots_of(m, ptx_operand(m, i, 2), PTX_b32, p.b, 8) != p.b_regs ||
        !slots_of(m, ptx_operand(m, i, 0), i->type[0], p.d, 8) || !slots_of(m, ptx_operand(m, i, 3), c_type, p.c, 8))
        return NULL;
    *kept = p;
    for (unsigned k = 0; k < 8; k++) { /* those that are not there are constants' or 0, and not read */
        emu_settle_later(&kept->d[k]);
        emu_settle_later(&kept->a[k]);
        emu_settle_later(&kept->b[k]);
        emu_settle_later(&kept->c[k]);
    }
    op->data = kept;
    return mma;
}

emu_handler *emu_decode_matrix(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_ldmatrix:
    case OP_stmatrix: return decode_rows(m, i, op);
    case OP_movmatrix: return movmatrix;
    case OP_mma: return decode_mma(m, i, op);
    default: return NULL;
    }
}
