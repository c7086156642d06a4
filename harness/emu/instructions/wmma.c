/* Products of matrices by a warp: wmma.load, wmma.mma, wmma.store. PTX ISA, "Warp Level Matrix Instructions".
 *
 * Which thread holds which elements is left open by the ISA. Here it is as in ptxas's machine code for sm_90, which
 * makes wmma of mma.sync and plain loads and stores. Its product has a tall factor, A, with its rows as lines, and a
 * wide one, B, with its columns as lines, so that sums run along lines; in m8n32k16 B is the tall one, and C and D have
 * columns as lines too. With g = lane / 4, t = lane % 4 and runs of e neighbours, which fill a register (of results,
 * which are pairs), and k = depth / 4 e, run q of a lane lies
 *   of the tall factor, C and D in line g + 8 (q mod 2) + 16 (q / 2 k), from e t + 4 e (q / 2 mod k) on; with 8 lines
 *   as of the wide factor
 *   of the wide factor in line g + 8 (q / k), from e t + 4 e (q mod k) on.
 * Registers of A and B beyond these repeat them. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/instructions/alu/dot.h"
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/instructions/matrix.h"
#include "harness/emu/instructions/memory.h"

enum { LINES = 32, DEPTH = 128, REGISTERS = 8, ELEMENTS = 32 };

/* A thread's part of a matrix. */
struct fragment {
    unsigned lines, depth; /* of the matrix, in elements */
    unsigned bits;         /* of an element */
    unsigned run;          /* neighbouring elements that a thread holds together: e above */
    bool wide;             /* the wide factor */
    unsigned count;        /* registers */
    uint32_t slots[REGISTERS];
};

struct emu_wmma {
    struct fragment tall, wide, c, d; /* of a load or store, d alone */
    struct alu_dot dot;
    unsigned sums;    /* that are made one after the other, each of dot.count products */
    bool narrows;     /* sums of f32 are rounded to halves at the end */
    bool across;      /* a load or store: neighbours of a line are not neighbours in memory */
    bool has_leading; /* it says how far lines are from one another in memory */
};

/* ---- fragments --------------------------------------------------------------------------------------------------- */

static unsigned runs_of(const struct fragment *f)
{
    return f->lines * f->depth / EMU_WARP / f->run;
}

static unsigned in_register(const struct fragment *f)
{
    return f->bits >= 32 ? 1 : 32 / f->bits;
}

/* The place in the matrix of the first element of a lane's run. */
static void place(const struct fragment *f, unsigned lane, unsigned run, unsigned *line, unsigned *from)
{
    const unsigned blocks = f->depth / (4 * f->run);
    const bool tall = !f->wide && f->lines > 8;
    const unsigned along = tall ? run / 2 % blocks : run % blocks;

    *line = lane / 4 + (tall ? run % 2 * 8 + run / 2 / blocks * 16 : run / blocks * 8);
    *from = f->run * (lane % 4 + 4 * along);
}

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : value & ((1ull << bits) - 1);
}

/* Element n of a thread's part, by runs. */
static uint64_t get(const struct fragment *f, const uint64_t *r, unsigned n)
{
    const unsigned each = in_register(f);

    return low_bits(r[f->slots[n / each]] >> f->bits % 64 * (n % each), f->bits);
}

/* Writes all elements of a thread's part into its registers, except into those that are dropped. */
static void put_all(const struct fragment *f, uint64_t *r, const uint64_t elements[ELEMENTS])
{
    const unsigned each = in_register(f), own = runs_of(f) * f->run / each;

    for (unsigned k = 0, part = 0; k < f->count; k++, part = part + 1 < own ? part + 1 : 0) { /* the part is repeated */
        uint64_t value = 0;
        for (unsigned j = 0; j < each; j++)
            value |= low_bits(elements[part * each + j], f->bits) << (f->bits * j & 63);
        if (f->slots[k] != EMU_NO)
            r[f->slots[k]] = value;
    }
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

static void gather(const struct fragment *f, const struct emu_meeting *m, uint64_t to[LINES][DEPTH])
{
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        for (unsigned run = 0; run < runs_of(f); run++) {
            unsigned line, from;
            place(f, lane, run, &line, &from);
            for (unsigned j = 0; j < f->run; j++)
                to[line][from + j] = get(f, m->lane[lane]->r, run * f->run + j);
        }
}

/* Makes factors ready for sums. */
static void prepare(const struct fragment *f, enum real_type type, uint64_t matrix[LINES][DEPTH])
{
    const uint64_t kept = type == REAL_TF32 ? ~0x1fffull : ~0ull; /* the low bits of a tf32 do not count */

    if (type == REAL_TYPES || type == REAL_F64)
        return;
    for (unsigned line = 0; line < f->lines; line++)
        for (unsigned k = 0; k < f->depth; k++)
            matrix[line][k] = alu_dot_ready(type, matrix[line][k] & kept);
}

static uint64_t sum(const struct emu_wmma *w, const uint64_t *a, const uint64_t *b, uint64_t c)
{
    for (unsigned k = 0; k < w->sums; k++)
        c = alu_dot(&w->dot, a + k * w->dot.count, b + k * w->dot.count, c);
    return w->narrows ? real_pack(REAL_F16, real_unpack(REAL_F32, c, false), REAL_RN, 0) : c;
}

static void mma(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_wmma *w = op->wmma;
    uint64_t a[LINES][DEPTH], b[LINES][DEPTH], c[LINES][DEPTH];
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    gather(&w->tall, &m, a);
    gather(&w->wide, &m, b);
    gather(&w->c, &m, c);
    prepare(&w->tall, w->dot.a, a);
    prepare(&w->wide, w->dot.b, b);
    for (unsigned line = 0; line < w->d.lines; line++)
        for (unsigned k = 0; k < w->d.depth; k++)
            c[line][k] = sum(w, a[line], b[k], c[line][k]);
    for (unsigned lane = 0; lane < EMU_WARP; lane++) {
        uint64_t elements[ELEMENTS] = { 0 };
        for (unsigned n = 0; n < runs_of(&w->d) * w->d.run; n++) {
            unsigned line, from;
            place(&w->d, lane, n / w->d.run, &line, &from);
            elements[n] = c[line][from + n % w->d.run];
        }
        put_all(&w->d, m.lane[lane]->r, elements);
    }
    emu_warp_release(t, &m);
}

/* ---- loads and stores ---------------------------------------------------------------------------------------------
 */

/* How many elements of a run one access of memory moves. */
static unsigned in_access(const struct emu_wmma *w)
{
    return w->across ? 1 : w->d.run * w->d.bits > 64 ? 64 / w->d.bits : w->d.run;
}

/* The address of element j of a run in the memory of a thread. */
static uint64_t address_of(const struct emu_wmma *w, const struct emu_thread *t, const struct emu_op *op, unsigned lane,
                           unsigned run, unsigned j)
{
    const struct fragment *f = &w->d;
    const uint64_t leading = w->has_leading ? (uint32_t)t->r[op->b] : w->across ? f->lines : f->depth;
    unsigned line, from;

    place(f, lane, run, &line, &from);
    from += j;
    return t->r[op->a] + (uint64_t)op->offset +
           (w->across ? from * leading + line : line * leading + from) * f->bits / 8;
}

static void load(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_wmma *w = op->wmma;
    const struct fragment *f = &w->d;
    const unsigned step = in_access(w), bytes = step * f->bits / 8;
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    emu_warp_release(t, &m); /* before the accesses: those of a lane are told as of this instruction */
    for (unsigned lane = 0; lane < EMU_WARP; lane++) {
        struct emu_thread *o = m.lane[lane];
        uint64_t elements[ELEMENTS] = { 0 };
        for (unsigned n = 0; n < runs_of(f) * f->run; n += step) {
            const uint64_t at = address_of(w, o, op, lane, n / f->run, n % f->run);
            uint64_t value = 0;
            memcpy(&value, emu_access_bytes(o, op, at, bytes, EMU_READ), bytes);
            for (unsigned j = 0; j < step; j++)
                elements[n + j] = low_bits(value >> f->bits % 64 * j, f->bits);
        }
        put_all(f, o->r, elements);
    }
}

static void store(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_wmma *w = op->wmma;
    const struct fragment *f = &w->d;
    const unsigned step = in_access(w), bytes = step * f->bits / 8;
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    emu_warp_release(t, &m); /* before the accesses: those of a lane are told as of this instruction */
    for (unsigned lane = 0; lane < EMU_WARP; lane++) {
        struct emu_thread *o = m.lane[lane];
        for (unsigned n = 0; n < runs_of(f) * f->run; n += step) {
            const uint64_t at = address_of(w, o, op, lane, n / f->run, n % f->run);
            uint64_t value = 0;
            for (unsigned j = 0; j < step; j++)
                value |= get(f, o->r, n + j) << (f->bits * j & 63);
            memcpy(emu_access_bytes(o, op, at, bytes, EMU_WRITE), &value, bytes);
        }
    }
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

static const struct element {
    uint16_t type;
    uint8_t bits;
    bool is_signed; /* integers */
    enum real_type real;
} elements_by_type[] = {
    { PTX_f16, 16, false, REAL_F16 }, { PTX_bf16, 16, false, REAL_BF16 }, { PTX_tf32, 32, false, REAL_TF32 },
    { PTX_f32, 32, false, REAL_F32 }, { PTX_f64, 64, false, REAL_F64 },   { PTX_s8, 8, true, REAL_TYPES },
    { PTX_u8, 8, false, REAL_TYPES }, { PTX_s4, 4, true, REAL_TYPES },    { PTX_u4, 4, false, REAL_TYPES },
    { PTX_b1, 1, false, REAL_TYPES }, { PTX_s32, 32, true, REAL_TYPES },
};

static const struct element *element_of(uint16_t type)
{
    for (size_t k = 0; k < sizeof elements_by_type / sizeof *elements_by_type; k++)
        if (elements_by_type[k].type == type)
            return &elements_by_type[k];
    return NULL;
}

/* The three numbers of m16n16k16. */
static bool shape_of(const struct ptx_module *m, const struct ptx_instruction *i, unsigned of[3])
{
    const char *p = ptx_word_text[ptx_word_of(m, i, PC_shape)];

    for (int k = 0; p && k < 3; k++) {
        char *end;
        of[k] = *p == "mnk"[k] ? (unsigned)strtoul(p + 1, &end, 10) : 0;
        if (!of[k])
            return false;
        p = end;
    }
    return p && of[0] <= LINES && of[1] <= LINES && of[2] <= DEPTH;
}

/* Whether B is the tall factor. */
static bool is_turned(const unsigned shape[3])
{
    return shape[0] == 8 && shape[1] == 32;
}

/* The part of matrix 'a', 'b', or 'c' of this shape in a thread's registers; false where their number does not fit. */
static bool fragment_of(const struct ptx_module *m, const struct ptx_operand *o, char matrix, const unsigned shape[3],
                        uint16_t type, struct fragment *f)
{
    const struct element *e = element_of(type);
    const bool factor = matrix != 'c', columns = matrix == 'b' || (!factor && is_turned(shape));

    if (!e)
        return false;
    *f = (struct fragment){ .bits = e->bits, .wide = matrix == (is_turned(shape) ? 'a' : 'b') };
    f->lines = columns ? shape[1] : shape[0];
    f->depth = factor ? shape[2] : columns ? shape[0] : shape[1];
    f->run = factor ? in_register(f) : 2;
    f->count = emu_matrix_slots(m, o, e->bits == 64 ? PTX_b64 : PTX_b32, f->slots, REGISTERS);
    return f->count && f->count >= runs_of(f) * f->run / in_register(f);
}

static const struct emu_wmma *kept(const struct emu_wmma *w)
{
    struct emu_wmma *out = emu_kept(sizeof *out);
    struct fragment *parts[4];

    if (!out)
        return NULL;
    *out = *w;
    parts[0] = &out->tall, parts[1] = &out->wide, parts[2] = &out->c, parts[3] = &out->d;
    for (int p = 0; p < 4; p++)
        for (unsigned k = 0; k < parts[p]->count; k++)
            emu_settle_later(&parts[p]->slots[k]);
    return out;
}

static emu_handler *decode_access(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool stores = i->op == OP_wmma_store;
    const char matrix = ptx_has(m, i, PTX_a) ? 'a' : ptx_has(m, i, PTX_b) ? 'b' : 'c';
    struct emu_wmma w = { .has_leading = i->n_operands == 3 };
    unsigned shape[3];

    if (!shape_of(m, i, shape))
        return NULL;
    w.across = ptx_has(m, i, matrix == 'b' || (matrix == 'c' && is_turned(shape)) ? PTX_row : PTX_col);
    if (!fragment_of(m, ptx_operand(m, i, stores ? 1 : 0), matrix, shape, i->type[0], &w.d))
        return NULL;
    emu_address(ptx_operand(m, i, stores ? 0 : 1), op, &op->a, &op->offset);
    op->b = w.has_leading ? emu_slot(ptx_operand(m, i, 2), PTX_u32) : EMU_NO;
    op->d = EMU_NO;
    op->wmma = kept(&w);
    return op->wmma ? stores ? store : load : NULL;
}

static emu_handler *decode_product(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    /* Of halves only the types of D and C are named. */
    const bool halves = i->type[2] == PTX_none;
    const uint16_t d = i->type[0], a = halves ? PTX_f16 : i->type[1], b = halves ? PTX_f16 : i->type[2],
                   c = halves ? i->type[1] : i->type[3], round = ptx_word_of(m, i, PC_round);
    struct emu_wmma w = { .sums = a == PTX_tf32 ? 2 : 1 };
    unsigned shape[3];

    if (i->n_operands != 4 || !shape_of(m, i, shape))
        return NULL;
    struct fragment *of_a = is_turned(shape) ? &w.wide : &w.tall, *of_b = is_turned(shape) ? &w.tall : &w.wide;
    if (!fragment_of(m, ptx_operand(m, i, 0), 'c', shape, d, &w.d) ||
        !fragment_of(m, ptx_operand(m, i, 1), 'a', shape, a, of_a) ||
        !fragment_of(m, ptx_operand(m, i, 2), 'b', shape, b, of_b) ||
        !fragment_of(m, ptx_operand(m, i, 3), 'c', shape, c, &w.c))
        return NULL;
    w.narrows = d == PTX_f16 && c == PTX_f32;
    w.dot = (struct alu_dot){
        .count = shape[2] / w.sums,
        .bits = element_of(a)->bits,
        .a = element_of(a)->real,
        .b = element_of(b)->real,
        .addend = element_of(c)->real,
        .result = w.narrows ? REAL_F32 : element_of(d)->real,
        .a_signed = element_of(a)->is_signed,
        .b_signed = element_of(b)->is_signed,
        .round = round == PTX_rz   ? REAL_RZ
                 : round == PTX_rm ? REAL_RM
                 : round == PTX_rp ? REAL_RP
                                   : REAL_RN,
        .satfinite = ptx_has(m, i, PTX_satfinite),
        .exclusive = ptx_has(m, i, PTX_xor),
    };
    op->d = EMU_NO;
    op->wmma = kept(&w);
    return op->wmma ? mma : NULL;
}

emu_handler *emu_decode_wmma(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_wmma_load:
    case OP_wmma_store: return decode_access(m, i, op);
    case OP_wmma_mma: return decode_product(m, i, op);
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
