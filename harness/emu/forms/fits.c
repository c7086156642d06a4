/* Which registers and constants go with which type. PTX ISA, "Operand Size Exceeding Instruction-Type Size" and
 * "Operand Type Information". */
#include "harness/emu/forms/fits.h"

enum form_kind form_kind_of(uint16_t type)
{
    switch (type) {
    case PTX_b8:
    case PTX_b16:
    case PTX_b32:
    case PTX_b64:
    case PTX_b128: return FIT_BITS;
    case PTX_u8:
    case PTX_u16:
    case PTX_u32:
    case PTX_u64:
    case PTX_s8:
    case PTX_s16:
    case PTX_s32:
    case PTX_s64: return FIT_INTEGER;
    case PTX_f16:
    case PTX_bf16:
    case PTX_f32:
    case PTX_f64: return FIT_FLOAT;
    default: return FIT_OTHER;
    }
}

bool form_register_fits(const struct ptx_register *r, uint16_t type, bool wider)
{
    if (r->vector != 1)
        return false;
    if ((r->type == PTX_pred) != (type == PTX_pred))
        return false;
    const unsigned has = ptx_type_size(r->type), needs = ptx_type_size(type);
    if (has != needs && !(wider && has > needs && type != PTX_bf16))
        return false;
    if (r->type == type)
        return true;
    const enum form_kind of_register = r->type == PTX_f16x2 ? FIT_BITS : form_kind_of(r->type),
                         of_type = form_kind_of(type);
    if (of_type == FIT_BITS)
        return true;
    if (of_type == FIT_INTEGER)
        return of_register == FIT_INTEGER || of_register == FIT_BITS;
    /* A floating-point or packed type goes with its own registers or untyped ones. */
    return form_kind_of(r->type) == FIT_BITS;
}

bool form_immediate_fits(const struct ptx_operand *o, uint16_t type)
{
    if (type == PTX_pred)
        return !(o->flags & PF_FLOAT);
    const enum form_kind k = form_kind_of(type);
    if (!(o->flags & PF_FLOAT))
        return k == FIT_BITS || k == FIT_INTEGER;
    if (k == FIT_FLOAT)
        return type == PTX_f32 || type == PTX_f64;
    return k == FIT_BITS && type == (o->flags & PF_SINGLE ? PTX_b32 : PTX_b64);
}

bool form_is_register(const struct form_candidate *c, const struct ptx_operand *o, uint16_t type, bool wider)
{
    if (o->kind != PO_register || o->flags & (PF_NOT | PF_NEGATE))
        return false;
    if (o->component) {
        const struct ptx_register *v = form_register(c, o->reg);
        struct ptx_register part = *v;
        if (v->vector == 1 || o->component < 'w' || (o->component == 'z' && v->vector < 3) ||
            (o->component == 'w' && v->vector < 4))
            return false;
        part.vector = 1;
        return form_register_fits(&part, type, wider);
    }
    return form_register_fits(form_register(c, o->reg), type, wider);
}

bool form_fits(const struct form_candidate *c, const struct ptx_operand *o, uint16_t type, bool constant)
{
    return form_is_register(c, o, type, false) || (constant && o->kind == PO_immediate && form_immediate_fits(o, type));
}
