/* Instruction table: video instructions. PTX ISA, "Scalar Video Instructions", "SIMD Video Instructions". */
#include <string.h>

#include "harness/emu/forms/fits.h"
#include "harness/emu/forms/tables.h"

/* What an operand may have beside a 32-bit register. */
enum { SELECTOR = 1, CONSTANT = 2, MINUS = 4, LANES = 8, WHOLE = 16 };

static bool word(struct form_candidate *c, unsigned k, unsigned may)
{
    struct ptx_operand o = *ptx_operand(c->m, c->i, k);

    if (may & MINUS)
        o.flags &= (uint16_t)~PF_NEGATE;
    /* .b0 to .b3, .h0 and .h1 are parts of a 32-bit register, here alone */
    const unsigned byte = o.component - 'B', half = o.component - 'H';
    if (may & SELECTOR && o.kind == PO_register && (byte < 4 || half < 2))
        o.component = 0;
    if (may & LANES)
        o.component = 0;
    if (form_fits(c, &o, PTX_u32, may & CONSTANT) && !(may & WHOLE && o.component))
        return true;
    return form_fail(c, ptx_operand(c->m, c->i, k), "operand %u of '%s' must be a 32-bit register%s%s", k + 1,
                     ptx_op_text[c->i->op], may & SELECTOR ? ", or a byte or half of one" : "",
                     may & CONSTANT ? ", or a constant" : "");
}

/* d, a, b; with a fourth operand c, d may be a part of a register into which the result is merged, or c is the operand
 * of a second operation. */
static bool scalar(struct form_candidate *c)
{
    const bool second = form_has(c, PTX_add) || form_has(c, PTX_min) || form_has(c, PTX_max);
    const bool merges = c->i->n_operands == 4 && !second;

    if (!word(c, 0, merges ? SELECTOR : 0) || !word(c, 1, SELECTOR | CONSTANT) || !word(c, 2, SELECTOR | CONSTANT))
        return false;
    if (second && c->i->n_operands != 4)
        return form_fail(c, NULL, "'%s' with a second operation takes 4 operands", ptx_op_text[c->i->op]);
    return c->i->n_operands == 3 || word(c, 3, CONSTANT);
}

/* d = a * b + c; a, b or c may be negated, but for .po, which adds one. */
static bool multiply(struct form_candidate *c)
{
    const unsigned minus = form_has(c, PTX_po) ? 0 : MINUS;

    return word(c, 0, 0) && word(c, 1, SELECTOR | CONSTANT | minus) && word(c, 2, SELECTOR | CONSTANT | minus) &&
           word(c, 3, CONSTANT | minus);
}

/* The lanes of d that are written, each one once, from the highest on: .h10, .b0, .b310. */
static bool mask(struct form_candidate *c, bool four)
{
    const struct ptx_operand *d = ptx_operand(c->m, c->i, 0);
    unsigned above = four ? 4 : 2; /* the lane before */

    if (!d->component)
        return true;
    if (d->component == (four ? 'b' : 'h')) {
        for (uint32_t k = d->second; k > 0; k--) {
            const unsigned lane = d->value >> 4 * (k - 1) & 15;
            if (lane >= above)
                return form_fail(c, d, "the mask of '%s' must name its lanes from the highest on",
                                 ptx_op_text[c->i->op]);
            above = lane;
        }
        return true;
    }
    if (four ? d->component >= 'B' && d->component < 'B' + 4 : d->component >= 'H' && d->component < 'H' + 2)
        return true;
    return form_fail(c, d, "a part of operand 1 of '%s' is a %s", ptx_op_text[c->i->op], four ? "byte" : "half");
}

/* Two or four lanes: of a and b a selector may choose them from both registers, .h32 or .b7531; those of d that a mask
 * leaves out are taken from c. */
static bool lanes(struct form_candidate *c)
{
    const bool four = strchr(ptx_op_text[c->i->op], '4') != NULL;

    if (form_has(c, PTX_sat) && form_has(c, PTX_add))
        return form_fail(c, NULL, "'%s' takes .sat or .add, not both", ptx_op_text[c->i->op]);
    if (!mask(c, four))
        return false;
    for (unsigned k = 1; k < 3; k++) {
        const struct ptx_operand *o = ptx_operand(c->m, c->i, k);
        if (o->kind == PO_register && o->component &&
            (o->component != (four ? 'b' : 'h') || o->second != (four ? 4 : 2)))
            return form_fail(c, o, "a selector of '%s' is .%s", ptx_op_text[c->i->op],
                             four ? "b and 4 digits" : "h and 2 digits");
    }
    return word(c, 0, LANES) && word(c, 1, LANES) && word(c, 2, LANES) && word(c, 3, WHOLE);
}

#define COMPARE "eq|ne|lt|le|gt|ge"
#define TYPES   "u32|s32 u32|s32"
#define VIDEO(op)                                                                                                      \
    {                                                                                                                  \
        op, "?sat " TYPES " u32|s32 ?add|min|max", "z z z ?z", 20, "20", scalar                                        \
    }
#define LANES(op)                                                                                                      \
    {                                                                                                                  \
        op, "?sat " TYPES " u32|s32 ?add", "z z z z", 30, "30", lanes                                                  \
    }

const struct ptx_form ptx_forms_video[] = {
    VIDEO(OP_vadd),
    VIDEO(OP_vsub),
    VIDEO(OP_vabsdiff),
    VIDEO(OP_vmin),
    VIDEO(OP_vmax),
    { OP_vshl, "?sat " TYPES " u32 clamp|wrap ?add|min|max", "z z z ?z", 20, "20", scalar },
    { OP_vshr, "?sat " TYPES " u32 clamp|wrap ?add|min|max", "z z z ?z", 20, "20", scalar },
    { OP_vmad, "?sat " TYPES " u32|s32 ?po ?shr7|shr15", "z z z z", 20, "20", multiply },
    { OP_vset, COMPARE " " TYPES " ?add|min|max", "z z z ?z", 20, "20", scalar },
    { OP_vset2, COMPARE " " TYPES " ?add", "z z z z", 30, "30", lanes },
    { OP_vset4, COMPARE " " TYPES " ?add", "z z z z", 30, "30", lanes },
    LANES(OP_vadd2),
    LANES(OP_vsub2),
    LANES(OP_vavrg2),
    LANES(OP_vabsdiff2),
    LANES(OP_vmin2),
    LANES(OP_vmax2),
    LANES(OP_vadd4),
    LANES(OP_vsub4),
    LANES(OP_vavrg4),
    LANES(OP_vabsdiff4),
    LANES(OP_vmin4),
    LANES(OP_vmax4),
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
