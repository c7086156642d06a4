/* Products of matrices by a warp: mma.sync. PTX ISA, "Warp Level Matrix Instructions".
 *
 * All fragments but those of m8n8k4 in halves follow one scheme. With g = lane / 4, t = lane % 4 and e elements in a
 * register (of f64, one in each of 64 bits), register r holds
 *   of A: row g + 8 (r mod 2), columns e t + 4 e (r / 2) and on;  with 8 rows, row g, columns e t + 4 e r and on
 *   of B: column g, rows e t + 4 e r and on
 *   of C and D: row g + 8 (i / 2), column 2 t + i mod 2 for element i of the thread.
 * Of a sparse A, columns count the elements that are kept. */
#include <string.h>

#include "harness/emu/instructions/alu/dot.h"
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/instructions/matrix.h"
#include "harness/emu/product/factors.h"
#include "harness/emu/product/product.h"

enum { ROWS = 16, COLUMNS = 8, DEPTH = ALU_DOT_COUNT, FRAGMENT = 8 };

struct emu_product {
    struct alu_dot dot;           /* how an element of D comes about; its count is half the depth where A is sparse */
    unsigned rows, depth;         /* rows of A; rows of B */
    unsigned a_regs, b_regs;      /* registers of a thread */
    bool a_column, b_row;         /* of m8n8k4: A by columns, B by rows */
    unsigned selector;            /* of a sparse A: which threads hold the metadata */
    uint32_t metadata;            /* slot */
    struct emu_product_kind kind; /* of products that are made many columns at a time; columns 0: it is none */
    bool is_tile;                 /* it is a product of sums.h's tile: */
    struct sums_tile tile;        /* all but the registers */
    struct {
        uint32_t d[FRAGMENT], a[FRAGMENT], b[FRAGMENT], c[FRAGMENT]; /* slots */
    } slots;
};

/* The fragments of all lanes, put together; factors of floating types below f64 are alu_dot_ready. */
struct tile {
    uint64_t a[ROWS][DEPTH], b[COLUMNS][DEPTH], c[ROWS][COLUMNS], d[ROWS][COLUMNS];
};

static uint64_t element(uint64_t reg, unsigned bits, unsigned j)
{
    return bits == 64 ? reg : reg >> bits * j & ((1ull << bits) - 1);
}

/* ---- the common fragments ------------------------------------------------------------------------------------------
 */

/* The bits of metadata of a row: two for each element that is kept; four of tf32, and two for two of 4 bits. */
static unsigned metadata_bits(const struct emu_product *p)
{
    return p->dot.count * (p->dot.bits == 32 ? 4 : p->dot.bits == 4 ? 1 : 2);
}

/* Finds the columns of the elements that a sparse A keeps. It keeps two of each four columns, and the metadata has
 * their numbers in two bits each; of tf32, where an element counts as two halves, it keeps one of each two, and of
 * integers of 4 bits two pairs of each four. A row has 16, 32 or 64 bits of metadata: one thread of each four holds 16
 * bits of the two rows of its group, two hold 32, four hold 64. */
static void find_columns(const struct emu_product *p, const struct emu_meeting *m, uint8_t of[ROWS][PRODUCT_DEPTH])
{
    const unsigned row_bits = metadata_bits(p), in_pairs = p->dot.bits == 4;

    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned k = 0; k < p->dot.count; k++) {
            const unsigned bit = (k >> in_pairs) * row_bits / (p->dot.count >> in_pairs), g = row % 8, tall = row / 8;
            unsigned lane, at;
            if (row_bits == 16) {
                lane = p->selector;
                at = bit + 16 * tall;
            } else if (p->dot.bits > 8) {
                lane = 2 * p->selector + bit / 16;
                at = bit % 16 + 16 * tall;
            } else {
                lane = 2 * p->selector + bit / 32 * 2 + tall;
                at = bit % 32;
            }
            const unsigned index = (uint32_t)m->lane[4 * g + lane]->r[p->metadata] >> at & 3;
            of[row][k] = (uint8_t)(p->dot.bits == 32 ? 2 * k + index / 2
                                   : in_pairs        ? k / 4 * 8 + index * 2 + k % 2
                                                     : k / 2 * 4 + index);
        }
}

/* The place in A of the first element of register k of a lane's part. */
static void place_in_a(const struct emu_product *p, unsigned lane, unsigned k, unsigned *row, unsigned *column)
{
    const unsigned in_register = p->dot.bits >= 32 ? 1 : 32 / p->dot.bits;
    const bool tall = p->rows == ROWS;

    *row = lane / 4 + (tall ? k % 2 * 8 : 0);
    *column = in_register * (lane % 4 + 4 * (tall ? k / 2 : k));
}

static void gather(const struct emu_product *p, const struct emu_meeting *m, struct tile *out)
{
    const unsigned in_register = p->dot.bits >= 32 ? 1 : 32 / p->dot.bits;
    const bool packed = p->dot.addend == REAL_F16;
    const uint64_t kept = p->dot.a == REAL_TF32 ? ~0x1fffull : ~0ull; /* the low bits of a tf32 do not count */

    for (uint32_t i = 0; i < EMU_WARP; i++) {
        const uint64_t *r = m->lane[i]->r;
        const unsigned g = i / 4, t = i % 4;
        for (unsigned k = 0; k < p->a_regs; k++) {
            unsigned row, column;
            place_in_a(p, i, k, &row, &column);
            for (unsigned j = 0; j < in_register; j++)
                out->a[row][column + j] = element(r[p->slots.a[k]] & kept, p->dot.bits, j);
        }
        for (unsigned k = 0; k < p->b_regs; k++)
            for (unsigned j = 0; j < in_register; j++)
                out->b[g][in_register * (t + 4 * k) + j] = element(r[p->slots.b[k]] & kept, p->dot.bits, j);
        for (unsigned k = 0; k < p->rows / 4; k++)
            out->c[g + k / 2 * 8][2 * t + k % 2] = packed ? element(r[p->slots.c[k / 2]], 16, k % 2) : r[p->slots.c[k]];
    }
    if (p->dot.a == REAL_TYPES || p->dot.a == REAL_F64)
        return;
    for (unsigned row = 0; row < p->rows; row++)
        for (unsigned k = 0; k < p->dot.count; k++)
            out->a[row][k] = alu_dot_ready(p->dot.a, out->a[row][k]);
    for (unsigned column = 0; column < COLUMNS; column++)
        for (unsigned k = 0; k < p->depth; k++)
            out->b[column][k] = alu_dot_ready(p->dot.b, out->b[column][k]);
}

/* Element k of a thread's part of the result, to a register unless it is dropped. */
static void store(const struct emu_product *p, uint64_t *r, unsigned k, uint64_t value)
{
    const bool pairs = p->dot.result == REAL_F16;
    const uint32_t slot = p->slots.d[pairs ? k / 2 : k];

    if (slot != EMU_NO)
        r[slot] = pairs && k % 2 ? r[slot] | value << 16 : value;
}

/* Puts the elements that a sparse A of integers keeps into their columns, and zeros beside them. */
static void spread(const struct emu_product *p, const struct emu_meeting *m, struct tile *out)
{
    uint8_t of[ROWS][PRODUCT_DEPTH];

    find_columns(p, m, of);
    for (unsigned row = 0; row < ROWS; row++) {
        uint64_t kept[PRODUCT_DEPTH];
        memcpy(kept, out->a[row], sizeof kept);
        memset(out->a[row], 0, sizeof out->a[row]);
        for (unsigned k = 0; k < p->dot.count; k++)
            out->a[row][of[row][k]] = kept[k];
    }
}

static void make_alone(const struct emu_product *p, const struct emu_meeting *m)
{
    struct alu_dot dot = p->dot;
    struct tile tile;

    gather(p, m, &tile);
    if (p->dot.count < p->depth)
        spread(p, m, &tile);
    dot.count = p->depth;
    for (unsigned row = 0; row < p->rows; row++)
        for (unsigned column = 0; column < COLUMNS; column++)
            tile.d[row][column] = alu_dot(&dot, tile.a[row], tile.b[column], tile.c[row][column]);
    for (uint32_t i = 0; i < EMU_WARP; i++)
        for (unsigned k = 0; k < p->rows / 4; k++)
            store(p, m->lane[i]->r, k, tile.d[i / 4 + k / 2 * 8][2 * (i % 4) + k % 2]);
}

/* ---- many columns at a time -------------------------------------------------------------------------------------- */

enum { D_REGISTERS = 4 };

/* The fragments of all lanes as emu_product takes them. */
struct fragments {
    struct emu_product_a a;
    unsigned char b[COLUMNS * PRODUCT_DEPTH * 4];
    uint64_t c[D_REGISTERS][EMU_WARP], d[D_REGISTERS][EMU_WARP];
};

/* A lane's part of A and B, of elements of so many bits. */
static inline __attribute__((always_inline)) void gather_lane(const struct emu_product *p, const uint64_t *r,
                                                              uint32_t lane, unsigned bits, struct fragments *out)
{
    const unsigned each = 32 / bits, g = lane / 4, t = lane % 4;
    const uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits % 32) - 1;
    /* cppcheck-suppress ctuuninitvar -- it is filled here */
    unsigned char *b = out->b + g * p->depth * bits / 8 + t * sizeof(uint32_t);

    for (unsigned k = 0; k < p->a_regs; k++) {
        const uint64_t value = (uint32_t)r[p->slots.a[k]];
        uint32_t *to = &out->a.bits[g + k % 2 * 8][each * (t + 4 * (k / 2))];
        for (unsigned j = 0; j < each; j++)
            to[j] = (uint32_t)(value >> bits * j) & mask;
    }
    for (unsigned k = 0; k < p->b_regs; k++) {
        const uint32_t value = (uint32_t)r[p->slots.b[k]];
        memcpy(b + k * 4 * sizeof value, &value, sizeof value);
    }
}

static void gather_fragments(const struct emu_product *p, const struct emu_meeting *m, struct fragments *out)
{
    const unsigned registers = p->dot.result == REAL_F16 ? 2 : D_REGISTERS;

    for (uint32_t i = 0; i < EMU_WARP; i++) {
        const uint64_t *r = m->lane[i]->r;
        if (p->dot.bits == 16)
            gather_lane(p, r, i, 16, out);
        else if (p->dot.bits == 8)
            gather_lane(p, r, i, 8, out);
        else
            gather_lane(p, r, i, 32, out);
        for (unsigned k = 0; k < registers; k++)
            out->c[k][i] = r[p->slots.c[k]];
    }
    if (p->dot.count < p->depth)
        find_columns(p, m, out->a.of);
}

/* The sum of an f32 or of each of two f16. */
static uint64_t added(enum real_type type, uint32_t a, uint32_t b)
{
    if (type == REAL_F32)
        return alu_dot_added(type, a, b);
    return alu_dot_added(type, a & 0xffff, b & 0xffff) | alu_dot_added(type, a >> 16, b >> 16) << 16;
}

/* Two products of halves as alu/dot.c has them for factors of 8 bits: of each four elements the first two, then the
 * others; the addend is added last. */
static void product_of_bytes(const struct emu_product *p, const struct fragments *all, const struct sums_d *d)
{
    struct emu_product_kind half = p->kind;
    const unsigned registers = p->dot.result == REAL_F16 ? 2 : D_REGISTERS;
    struct fragments part;
    struct sums_d sums;

    half.dot.count /= 2;
    half.depth = p->dot.count < p->depth ? p->depth : half.depth / 2;
    for (unsigned k = 0; k < registers; k++) {
        /* cppcheck-suppress uninitvar -- an array's address */
        sums.from[k] = sums.to[k] = part.d[k];
        memset(part.d[k], 0, sizeof part.d[k]);
    }
    for (unsigned second = 0; second < 2; second++) {
        for (unsigned row = 0; row < ROWS; row++)
            for (unsigned k = 0; k < half.dot.count; k++) {
                const unsigned from = k / 2 * 4 + second * 2 + k % 2;
                part.a.bits[row][k] = all->a.bits[row][from];
                part.a.of[row][k] = all->a.of[row][from];
            }
        for (unsigned k = 0; k < COLUMNS * half.depth && half.depth < p->depth; k += 2)
            memcpy(part.b + k, all->b + k * 2 + second * 2, 2);
        emu_product(&half, half.depth < p->depth ? part.b : all->b, &part.a, &sums);
    }
    for (unsigned k = 0; k < registers; k++)
        for (unsigned i = 0; i < EMU_WARP; i++)
            d->to[k][i] = added(p->dot.result, (uint32_t)d->from[k][i], (uint32_t)part.d[k][i]);
}

static void make_together(const struct emu_product *p, const struct emu_meeting *m)
{
    const unsigned registers = p->dot.result == REAL_F16 ? 2 : D_REGISTERS;
    struct fragments all;
    struct sums_d d;

    gather_fragments(p, m, &all);
    for (unsigned k = 0; k < registers; k++) {
        d.from[k] = all.c[k];
        d.to[k] = all.d[k];
    }
    if (p->dot.a != REAL_TYPES && p->dot.bits == 8)
        product_of_bytes(p, &all, &d);
    else
        emu_product(&p->kind, all.b, &all.a, &d);
    for (unsigned k = 0; k < registers; k++)
        for (unsigned i = 0; p->slots.d[k] != EMU_NO && i < EMU_WARP; i++)
            m->lane[i]->r[p->slots.d[k]] = all.d[k][i];
}

/* The product from the registers of a warp, which lie next to each other. */
static void make_tile(const struct emu_product *p, uint64_t *r)
{
    struct sums_tile x = p->tile;
    uint64_t dropped[EMU_WARP] = { 0 };

    for (unsigned k = 0; k < x.quads * 2; k++)
        x.a[k] = r + p->slots.a[k];
    for (unsigned k = 0; k < x.quads; k++)
        x.b[k] = r + p->slots.b[k];
    for (unsigned k = 0; k < (x.halves ? 2 : D_REGISTERS); k++) {
        x.c[k] = r + p->slots.c[k];
        x.d[k] = p->slots.d[k] == EMU_NO ? dropped : r + p->slots.d[k];
    }
    sums_loops(0)->tile(&x);
}

static bool lie_together(const struct emu_meeting *m)
{
    for (unsigned i = 1; i < EMU_WARP; i++)
        if (m->lane[i]->r != m->lane[0]->r + i)
            return false;
    return true;
}

static void mma(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_product *p = op->product;
    struct emu_meeting m;

    if (!emu_matrix_meet(t, op, &m))
        return;
    if (p->is_tile && lie_together(&m))
        make_tile(p, m.lane[0]->r);
    else
        (p->kind.columns ? make_together : make_alone)(p, &m);
    emu_warp_release(t, &m);
}

/* Whether the product can be made so; then p->kind says what it is. */
static bool is_together(struct emu_product *p)
{
    if (p->rows != ROWS || p->dot.bits < 8 || p->dot.bits > 32 || p->depth % 8 || p->depth > PRODUCT_DEPTH ||
        (p->dot.a != REAL_TYPES && p->dot.addend != p->dot.result))
        return false;
    p->kind = (struct emu_product_kind){ .dot = p->dot, .depth = p->depth, .columns = COLUMNS };
    p->kind.dot.digits = p->dot.a == REAL_TYPES ? 0 : ALU_DOT_DIGITS;
    return true;
}

/* All lanes are at op: op->whole. */
static void mma_whole(struct emu_thread *lanes, uint32_t set, const struct emu_op *op)
{
    const struct emu_product *p = op->product;
    struct emu_meeting m = { .mask = set };

    if (p->is_tile) {
        make_tile(p, lanes->r);
        return;
    }
    for (unsigned i = 0; i < EMU_WARP; i++)
        m.lane[i] = &lanes[i];
    (p->kind.columns ? make_together : make_alone)(p, &m);
}

/* Whether the product is one that sums.h makes as a tile. */
static void find_tile(struct emu_product *p)
{
    const bool floats = p->dot.a != REAL_TYPES;

    p->is_tile = p->rows == ROWS && p->dot.count == p->depth && p->b_regs <= 2 && p->a_regs == 2 * p->b_regs &&
                 p->dot.bits <= 32 && (!floats || p->dot.addend == p->dot.result);
    p->tile = (struct sums_tile){ .format_a = floats ? &sums_formats[p->dot.a] : NULL,
                                  .format_b = floats ? &sums_formats[p->dot.b] : NULL,
                                  .bits = p->dot.bits,
                                  .quads = p->b_regs,
                                  .halves = p->dot.result == REAL_F16,
                                  .a_signed = p->dot.a_signed,
                                  .b_signed = p->dot.b_signed,
                                  .exclusive = p->dot.exclusive,
                                  .stops = p->dot.satfinite };
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

/* Lane n of the eight that make product `quad`. */
static unsigned quad_lane(unsigned quad, unsigned n)
{
    return quad * 4 + n % 4 + n / 4 * 16;
}

static void gather_quad(const struct emu_product *p, const struct emu_meeting *m, unsigned quad, struct tile *out)
{
    for (unsigned n = 0; n < 8; n++) {
        const unsigned lane = quad_lane(quad, n), upper = n / 4 * 4;
        const uint64_t *r = m->lane[lane]->r;
        for (unsigned k = 0; k < 4; k++) {
            const uint64_t a = element(r[p->slots.a[k / 2]], 16, k % 2);
            const uint64_t b = element(r[p->slots.b[k / 2]], 16, k % 2);
            if (p->a_column)
                out->a[k + upper][n % 4] = a;
            else
                out->a[n][k] = a;
            if (p->b_row)
                out->b[k + upper][n % 4] = b;
            else
                out->b[n][k] = b;
        }
        for (unsigned k = 0; k < 8; k++) {
            const bool packed = p->dot.addend == REAL_F16;
            unsigned row, column;
            quad_place(!packed, lane, k, &row, &column);
            out->c[row][column] = packed ? element(r[p->slots.c[k / 2]], 16, k % 2) : r[p->slots.c[k]];
        }
    }
}

static void scatter_quad(const struct emu_product *p, const struct emu_meeting *m, unsigned quad,
                         const struct tile *tile)
{
    for (unsigned n = 0; n < 8; n++)
        for (unsigned k = 0; k < 8; k++) {
            const unsigned lane = quad_lane(quad, n);
            unsigned row, column;
            quad_place(p->dot.result == REAL_F32, lane, k, &row, &column);
            store(p, m->lane[lane]->r, k, tile->d[row][column]);
        }
}

static void mma_quads(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_product *p = op->product;
    struct emu_meeting m;
    struct tile tile;

    if (!emu_matrix_meet(t, op, &m))
        return;
    for (unsigned quad = 0; quad < 4; quad++) {
        gather_quad(p, &m, quad, &tile);
        for (unsigned row = 0; row < 8; row++)
            for (unsigned column = 0; column < COLUMNS; column++)
                tile.d[row][column] = alu_dot_quads(&p->dot, tile.a[row], tile.b[column], tile.c[row][column]);
        scatter_quad(p, &m, quad, &tile);
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

/* False for types that do not go together, which the forms of sparse products accept. */
static bool types_of(const struct ptx_instruction *i, struct emu_product *p)
{
    const uint16_t d = i->type[0], a = i->type[1], b = i->type[2], c = i->type[3];

    p->dot.result = d == PTX_f16 ? REAL_F16 : d == PTX_f64 ? REAL_F64 : REAL_F32;
    p->dot.addend = c == PTX_f16 ? REAL_F16 : c == PTX_f64 ? REAL_F64 : REAL_F32;
    p->dot.a_signed = a == PTX_s8 || a == PTX_s4;
    p->dot.b_signed = b == PTX_s8 || b == PTX_s4;
    p->dot.a = factor_of(a);
    p->dot.b = factor_of(b);
    p->dot.bits = p->dot.a == REAL_TYPES ? integer_bits(a) : real_formats[p->dot.a].bits;
    if (p->dot.a == REAL_TYPES)
        return p->dot.bits && p->dot.bits == integer_bits(b) && d == PTX_s32 && c == PTX_s32;
    if (p->dot.b == REAL_TYPES || p->dot.bits != real_formats[p->dot.b].bits ||
        (p->dot.bits > 8 && p->dot.a != p->dot.b))
        return false;
    if (p->dot.a == REAL_F64)
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

/* The metadata and the selector of a sparse product. */
static bool sparse_of(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_product *p)
{
    const struct ptx_operand *selector = ptx_operand(m, i, 5);

    if (p->dot.bits < 4 || p->dot.bits > 32 || p->rows != ROWS || selector->kind != PO_immediate || selector->value > 3)
        return false;
    p->dot.count = p->depth / 2;
    p->selector = (unsigned)selector->value;
    p->metadata = emu_slot(ptx_operand(m, i, 4), PTX_b32);
    return p->selector * metadata_bits(p) <= 48;
}

/* The slots of all fragments; false where one has not as many registers as it needs. `elements`: of C and of D, of a
 * thread. */
static bool slots_of(const struct ptx_module *m, const struct ptx_instruction *i, unsigned elements,
                     struct emu_product *p)
{
    const uint16_t c_type = i->type[3] == PTX_f16 ? PTX_b32 : i->type[3];
    const unsigned d = emu_matrix_slots(m, ptx_operand(m, i, 0), i->type[0], p->slots.d, FRAGMENT);
    const unsigned a = emu_matrix_slots(m, ptx_operand(m, i, 1), PTX_b32, p->slots.a, FRAGMENT);
    const unsigned b = emu_matrix_slots(m, ptx_operand(m, i, 2), PTX_b32, p->slots.b, FRAGMENT);
    const unsigned c = emu_matrix_slots(m, ptx_operand(m, i, 3), c_type, p->slots.c, FRAGMENT);

    return a == p->a_regs && b == p->b_regs && d == elements / (p->dot.result == REAL_F16 ? 2 : 1) &&
           c == elements / (p->dot.addend == REAL_F16 ? 2 : 1);
}

emu_handler *emu_decode_mma(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const uint16_t round = ptx_word_of(m, i, PC_round), shape = ptx_word_of(m, i, PC_shape);
    struct emu_product p = { 0 }, *kept;
    unsigned elements;
    bool quads, together;

    if (i->op != OP_mma)
        return NULL;
    for (unsigned kind = PTX_kind_mxf8f6f4; kind <= PTX_kind_i8; kind++)
        if (ptx_has(m, i, (uint16_t)kind)) /* of other machines */
            return NULL;
    if ((i->n_operands != 4 && i->n_operands != 6) || !shape || !types_of(i, &p))
        return NULL;
    p.depth = depth_of(shape, &p.rows);
    p.dot.count = p.depth;
    if (!p.depth || p.depth > DEPTH || (i->n_operands == 6 && !sparse_of(m, i, &p)))
        return NULL;
    quads = p.rows == 8 && p.dot.a == REAL_F16;
    layouts_of(m, i, &p);
    p.dot.round = round == PTX_rz ? REAL_RZ : round == PTX_rm ? REAL_RM : round == PTX_rp ? REAL_RP : REAL_RN;
    p.dot.satfinite = ptx_has(m, i, PTX_satfinite);
    p.dot.exclusive = ptx_has(m, i, PTX_xor);
    p.a_regs = quads ? 2 : p.dot.bits == 64 ? p.rows * p.dot.count / 32 : p.rows * p.dot.count * p.dot.bits / 1024;
    p.b_regs = quads ? 2 : p.dot.bits == 64 ? p.depth / 4 : p.depth * p.dot.bits / 128;
    elements = quads ? 8 : p.rows / 4; /* of a thread's part of the result */
    kept = emu_kept(sizeof *kept);
    if (!kept || !slots_of(m, i, elements, &p))
        return NULL;
    together = is_together(&p);
    if (p.dot.count < p.depth && !together && p.dot.a != REAL_TYPES)
        return NULL;
    find_tile(&p);
    *kept = p;
    for (unsigned k = 0; k < FRAGMENT; k++) { /* those that are not there are constants' or 0, and not read */
        emu_settle_later(&kept->slots.d[k]);
        emu_settle_later(&kept->slots.a[k]);
        emu_settle_later(&kept->slots.b[k]);
        emu_settle_later(&kept->slots.c[k]);
    }
    emu_settle_later(&kept->metadata);
    op->product = kept;
    emu_matrix_together(op);
    if (!quads) {
        op->whole = mma_whole;
        op->calm = true;
    }
    return quads ? mma_quads : mma;
}
// SPDX-License-Identifier: Apache-2.0
