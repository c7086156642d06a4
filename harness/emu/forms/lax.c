/* What ptxas takes and the PTX ISA does not have: one table of reasons, and where each holds. All as ptxas 13.5 was
 * seen to do; docs/assembler.md has an example of each. */
#include "harness/emu/forms/lax.h"

#include <string.h>

/* Each reason: what it is, for the remark, and whether the instruction does what it does without it. */
static const struct reason {
    const char *remark;
    bool runs;
} reasons[LAXITIES] = {
    [LAX_HUGE] = { "ptxas takes an integer of more than 64 bits; the PTX ISA has constants of 64 bits", false },
    [LAX_SUM] = { "ptxas takes the sum of a register and a constant; the PTX ISA has it in addresses alone", false },
    [LAX_FIELD] = { "ptxas ignores a field of a tensor map here; the PTX ISA has it on tensormap.replace alone", true },
    [LAX_TWICE] = { "ptxas takes a modifier twice; the PTX ISA has it once", true },
    [LAX_IDLE] = { "ptxas ignores a modifier here; the PTX ISA does not have it", true },
    [LAX_MISSING] = { "ptxas takes this without a modifier that the PTX ISA asks for", true },
    [LAX_NARROW_ADDRESS] = { "ptxas takes an address in a register of 8 or 16 bits; the PTX ISA asks for 32 or 64",
                             false },
    [LAX_SHORT_ADDRESS] = { "ptxas takes a global or generic address in a register of 32 bits; the PTX ISA asks for 64",
                            false },
    [LAX_SPACE] = { "ptxas takes a variable of another state space here; the PTX ISA does not", false },
    [LAX_PARAM] = { "ptxas takes a parameter's address here; the PTX ISA does not", false },
    [LAX_OPAQUE] = { "ptxas takes a texture, sampler or surface for memory; the PTX ISA does not", false },
    [LAX_SAMPLER] = { "ptxas takes a sampler in the unified texture mode, in which it is part of the texture", false },
    [LAX_SYMBOL] = { "ptxas takes the address of a variable or function for a constant; the PTX ISA has it with mov",
                     false },
    [LAX_CONSTANT] = { "ptxas takes a constant where the PTX ISA asks for a register", false },
    [LAX_KIND] = { "ptxas takes a register of another type of the same width; the PTX ISA does not", false },
    [LAX_WIDE] = { "ptxas takes a register of more bits than the PTX ISA asks for", false },
    [LAX_SPECIAL] = { "ptxas takes a special register in a vector; the PTX ISA has it with mov alone", false },
    [LAX_PART] = { "ptxas takes a part of a vector register in a vector; the PTX ISA asks for whole registers", false },
    [LAX_VECTOR] = { "ptxas takes a vector where the PTX ISA asks for one register", false },
    [LAX_SCALAR] = { "ptxas takes one register or constant where the PTX ISA asks for a vector", false },
    [LAX_LARGER] = { "ptxas takes a vector of more elements than the PTX ISA asks for", false },
};

/* Where a reason holds for operands: the first row that fits counts. */
static const struct place {
    uint8_t laxity;
    bool refused;      /* it does not hold here */
    bool generic;      /* of instructions that name no state space */
    uint16_t operands; /* bit k: of operand k, from 0; 0: of any */
    uint16_t with;     /* of instructions with this word; 0: of any */
    const char *ops;   /* names of instructions, blanks between them; '*' stands for any text */
} places[] = {
    { LAX_NARROW_ADDRESS, .refused = true, .generic = true,
      .ops = "ldmatrix stmatrix cp.async.mbarrier.arrive st.async red.async" },
    { LAX_NARROW_ADDRESS, .refused = true, .operands = 0x01, .ops = "red.async st.async st.bulk" },
    { LAX_NARROW_ADDRESS, .refused = true, .operands = 0x02, .ops = "createpolicy.range" },
    { LAX_NARROW_ADDRESS, .refused = true, .operands = 0x08, .ops = "cp.async.bulk" },
    { LAX_NARROW_ADDRESS, .refused = true, .with = PTX_tensormap, .ops = "prefetch" },
    { LAX_NARROW_ADDRESS, .refused = true, .ops = "multimem.red wmma.* tensormap.replace tcgen05.*" },
    { LAX_NARROW_ADDRESS, .ops = "*" },
    { LAX_SHORT_ADDRESS, .refused = true, .with = PTX_L2_cache_hint, .ops = "cp.async" },
    { LAX_SHORT_ADDRESS, .ops = "cp.* multimem.cp.* red.async st.async tensormap.* wmma.* fence.proxy" },
    { LAX_SPACE, .refused = true, .ops = "mbarrier.* prefetchu atom mapa getctarank" },
    { LAX_SPACE, .generic = true, .ops = "tcgen05.alloc tcgen05.commit" },
    { LAX_SPACE, .refused = true, .ops = "tcgen05.*" },
    { LAX_SPACE, .generic = true, .ops = "*" },
    { LAX_PARAM, .ops = "fence.proxy" },
    { LAX_OPAQUE, .refused = true, .generic = true, .ops = "cp.async.mbarrier.arrive" },
    { LAX_OPAQUE, .ops = "cp.async cp.async.bulk cp.async.bulk.tensor cp.reduce.* cp.async.mbarrier.arrive" },
    { LAX_OPAQUE, .ops = "cp.async.bulk.prefetch multimem.cp.* multimem.ld_reduce multimem.red" },
    { LAX_OPAQUE, .ops = "clusterlaunchcontrol.* discard applypriority fence.proxy tensormap.*" },
    { LAX_OPAQUE, .refused = true, .generic = true, .ops = "*" },
    { LAX_OPAQUE, .ops = "ldmatrix stmatrix" },
    { LAX_OPAQUE, .operands = 0x04, .ops = "red.async st.async" },
    { LAX_SAMPLER, .with = PTX_n1d, .ops = "tex" },
    { LAX_SAMPLER, .with = PTX_n2d, .ops = "tex tld4" },
    { LAX_SUM, .refused = true, .operands = 0x01, .ops = "*" },
    { LAX_SUM, .refused = true, .ops = "v* createpolicy* call brx" },
    { LAX_SUM, .ops = "*" },
    { LAX_SYMBOL, .ops = "tcgen05.alloc" },
    { LAX_SYMBOL, .refused = true, .with = PTX_release, .ops = "st.async" },
    { LAX_SYMBOL, .refused = true, .with = PTX_s4, .ops = "mma" },
    { LAX_SYMBOL, .refused = true, .with = PTX_u4, .ops = "mma" },
    { LAX_SYMBOL, .refused = true, .with = PTX_b1, .ops = "mma" },
    { LAX_SYMBOL, .refused = true, .with = PTX_b128, .ops = "*" },
    { LAX_SYMBOL, .refused = true, .ops = "tcgen05.* stackrestore div rem red.async" },
    { LAX_SYMBOL, .ops = "*" },
    { LAX_SPECIAL, .refused = true, .ops = "wmma.*" },
    { LAX_SPECIAL, .refused = true, .with = PTX_m8n8k4, .ops = "mma" },
    { LAX_SPECIAL, .refused = true, .with = PTX_e4m3, .ops = "mma" },
    { LAX_SPECIAL, .refused = true, .with = PTX_e5m2, .ops = "mma" },
    { LAX_SPECIAL, .refused = true, .with = PTX_b1, .ops = "mma" },
    { LAX_SPECIAL, .refused = true, .with = PTX_s4, .ops = "mma" },
    { LAX_SPECIAL, .refused = true, .with = PTX_u4, .ops = "mma" },
    { LAX_SPECIAL, .refused = true, .with = PTX_f16x2, .ops = "tex" },
    { LAX_SPECIAL, .refused = true, .with = PTX_grad, .ops = "tex" },
    { LAX_SPECIAL, .ops = "*" },
    { LAX_PART, .refused = true, .ops = "wmma.* tcgen05.*" },
    { LAX_PART, .refused = true, .with = PTX_m8n8k4, .ops = "mma" },
    { LAX_PART, .refused = true, .with = PTX_b1, .ops = "mma" },
    { LAX_PART, .refused = true, .with = PTX_s4, .ops = "mma" },
    { LAX_PART, .refused = true, .with = PTX_u4, .ops = "mma" },
    { LAX_PART, .ops = "*" },
    { LAX_CONSTANT, .refused = true, .with = PTX_grad, .ops = "tex" },
    { LAX_CONSTANT, .refused = true, .operands = 0x08, .ops = "wgmma.mma_async.sp" },
    { LAX_CONSTANT, .refused = true, .operands = 0x1F0, .ops = "mma" },
    { LAX_CONSTANT,
      .ops =
          "mma wmma.mma wmma.store wgmma.* stmatrix tcgen05.* istypep isspacep suld sust sured tex tld4 cp.* st st.async" },
    { LAX_KIND, .refused = true, .operands = 0x09, .ops = "mma" },
    { LAX_KIND, .ops = "*" },
    { LAX_WIDE, .ops = "sust sured" },
    { LAX_VECTOR, .refused = true, .with = PTX_release, .ops = "st.async" },
    { LAX_VECTOR, .ops = "suld sust st.async" },
    { LAX_VECTOR, .refused = true, .with = PTX_expect_tx, .ops = "mbarrier.*" },
    { LAX_VECTOR, .operands = 0x04, .with = PTX_level, .ops = "tex" },
    { LAX_VECTOR, .operands = 0x04, .ops = "mbarrier.arrive*" },
    { LAX_VECTOR, .operands = 0x10, .ops = "mma" },
    { LAX_VECTOR, .operands = 0x08, .ops = "wgmma.mma_async.sp" },
    { LAX_SCALAR, .refused = true, .with = PTX_v2, .ops = "sust" },
    { LAX_SCALAR, .ops = "sust tex tld4" },
    { LAX_LARGER, .ops = "suld sust sured tex tld4" },
};

/* Words that an instruction may have twice, or anywhere, without another meaning, and those that it may lack. */
static const struct lax_word {
    uint8_t laxity;
    uint16_t word;
    const char *ops;
} lax_words[] = {
    { LAX_FIELD, PTX_elemtype, "*" },
    { LAX_FIELD, PTX_box_dim, "*" },
    { LAX_FIELD, PTX_rank, "*" },
    { LAX_FIELD, PTX_global_stride, "*" },
    { LAX_FIELD, PTX_swizzle_mode, "*" },
    { LAX_FIELD, PTX_fill_mode, "*" },
    { LAX_TWICE, PTX_sync, "*" },
    { LAX_TWICE, PTX_approx, "*" },
    { LAX_TWICE, PTX_cc, "*" },
    { LAX_TWICE, PTX_sat, "*" },
    { LAX_TWICE, PTX_satfinite, "*" },
    { LAX_TWICE, PTX_NaN, "*" },
    { LAX_TWICE, PTX_relu, "*" },
    { LAX_TWICE, PTX_shiftamt, "*" },
    { LAX_TWICE, PTX_uni, "*" },
    { LAX_IDLE, PTX_row, "wgmma.mma_async* ldmatrix stmatrix movmatrix tcgen05.cp tcgen05.ld" },
    { LAX_IDLE, PTX_col, "wgmma.mma_async* ldmatrix stmatrix movmatrix tcgen05.cp" },
    { LAX_IDLE, PTX_bf16, "movmatrix" },
    { LAX_IDLE, PTX_bf16x2, "movmatrix" },
    { LAX_IDLE, PTX_uni, "tex" },
    { LAX_IDLE, PTX_pred,
      "multimem.cp.reduce.* multimem.ld_reduce multimem.red multimem.st ldmatrix wgmma.mma_async* red cvt cvt.pack abs "
      "neg rcp rsqrt cos" },
    { LAX_IDLE, PTX_async, "fence fence.mbarrier_init" },
    { LAX_MISSING, PTX_aligned, "wgmma.*" },
    { LAX_MISSING, PTX_global, "prefetch" },
};

/* Words that belong to the name of an instruction if they come first: ptxas takes nothing before them. */
static const struct lax_word of_names[] = {
    { 0, PTX_expect_tx, "mbarrier.*" },
    { 0, PTX_noComplete, "mbarrier.*" },
    { 0, PTX_parity, "mbarrier.*" },
    { 0, PTX_async, "clusterlaunchcontrol.* st red" },
    { 0, PTX_wide, "mul mad" },
    { 0, PTX_hi, "mul mad mad24 mul24 madc" },
    { 0, PTX_lo, "mul mad mad24 mul24 madc" },
    { 0, PTX_full, "div" },
    { 0, PTX_mask, "pmevent" },
    { 0, PTX_cta, "bar barrier" },
    { 0, PTX_warp, "bar" },
    { 0, PTX_red, "bar barrier" },
    { 0, PTX_arrive, "bar barrier" },
    { 0, PTX_sync, "bar barrier" },
    { 0, PTX_inc, "setmaxnreg" },
    { 0, PTX_dec, "setmaxnreg" },
    { 0, PTX_l, "shf" },
    { 0, PTX_r, "shf" },
    { 0, PTX_to, "cvta" },
    { 0, PTX_idx, "brx" },
    { 0, PTX_a, "wmma.*" },
    { 0, PTX_b, "wmma.* suld sust sured" },
    { 0, PTX_c, "wmma.*" },
    { 0, PTX_d, "wmma.*" },
    { 0, PTX_p, "sust sured" },
    { 0, PTX_base, "tex" },
    { 0, PTX_level, "tex txq" },
    { 0, PTX_grad, "tex" },
};

static bool in_list(const char *patterns, const char *name)
{
    for (const char *p = patterns; *p; p += strspn(p, " ")) {
        const size_t length = strcspn(p, " ");
        if (form_pattern(p, length, name))
            return true;
        p += length;
    }
    return false;
}

bool form_lax(struct form_candidate *c, enum ptx_laxity laxity, unsigned k)
{
    if (!c->lenient)
        return false;
    for (size_t j = 0; j < sizeof places / sizeof *places; j++) {
        const struct place *p = &places[j];
        if (p->laxity != laxity || (p->generic && c->i->space[0]) || (p->operands && !(p->operands >> k & 1)) ||
            (p->with && !form_has(c, p->with)) || !in_list(p->ops, ptx_op_text[c->i->op]))
            continue;
        if (!p->refused && !c->laxity)
            c->laxity = (uint8_t)laxity;
        return !p->refused;
    }
    return false;
}

static bool of_word(const struct lax_word *w, size_t count, enum ptx_laxity laxity, uint16_t word, uint16_t op)
{
    for (size_t j = 0; j < count; j++)
        if (w[j].laxity == laxity && w[j].word == word && in_list(w[j].ops, ptx_op_text[op]))
            return true;
    return false;
}

static bool holds(enum ptx_laxity laxity, uint16_t word, uint16_t op)
{
    return of_word(lax_words, sizeof lax_words / sizeof *lax_words, laxity, word, op);
}

static bool of_name(uint16_t word, uint16_t op)
{
    return of_word(of_names, sizeof of_names / sizeof *of_names, LAX_NONE, word, op);
}

bool form_lax_missing(struct form_candidate *c, uint16_t word)
{
    if (!c->lenient || !holds(LAX_MISSING, word, c->i->op))
        return false;
    if (!c->laxity)
        c->laxity = LAX_MISSING;
    return true;
}

static bool among(const uint16_t *words, unsigned count, uint16_t word)
{
    for (unsigned k = 0; k < count; k++)
        if (words[k] == word)
            return true;
    return false;
}

static enum ptx_laxity ignored(uint16_t op, uint16_t word, const uint16_t *before, unsigned count)
{
    if (holds(LAX_FIELD, word, op) && op != OP_tensormap_replace)
        return LAX_FIELD;
    if (holds(LAX_IDLE, word, op))
        return LAX_IDLE;
    return among(before, count, word) && holds(LAX_TWICE, word, op) ? LAX_TWICE : LAX_NONE;
}

enum ptx_laxity form_lax_words(const struct ptx_instruction *i, uint16_t *words, unsigned *count)
{
    enum ptx_laxity first = LAX_NONE;
    unsigned kept = 0;
    bool named = true; /* the words so far belong to the name */

    for (unsigned k = 0; k < *count; k++) {
        const enum ptx_laxity why = ignored(i->op, words[k], words, kept);
        if (!why && first && named && of_name(words[k], i->op))
            return LAX_NONE;
        named &= why || of_name(words[k], i->op);
        if (!why) {
            words[kept] = words[k];
            kept++;
        }
        first = first ? first : why;
    }
    *count = kept;
    return first;
}

bool form_lax_runs(enum ptx_laxity laxity)
{
    return reasons[laxity].runs;
}

const char *form_remark(const struct ptx_module *m, int *line)
{
    for (uint32_t k = 0; k < m->n_instructions; k++)
        if (m->instructions[k].laxity) {
            *line = (int)m->instructions[k].line;
            return reasons[m->instructions[k].laxity].remark;
        }
    return NULL;
}
// SPDX-License-Identifier: Apache-2.0
