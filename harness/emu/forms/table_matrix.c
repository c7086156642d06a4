/* Instruction table: matrix products. PTX ISA, "Warp Level Matrix Instructions", "Asynchronous Warpgroup Level Matrix
 * Instructions". Fragments are held to their sizes. */
#include <string.h>

#include "harness/emu/forms/candidate.h"
#include "harness/emu/forms/tables.h"

/* All shapes of a wgmma with this depth: n is a multiple of 8 up to 256. */
#define SHAPES(k)                                                                                                      \
    "m64n8k" k "|m64n16k" k "|m64n24k" k "|m64n32k" k "|m64n40k" k "|m64n48k" k "|m64n56k" k "|m64n64k" k "|m64n72k" k \
    "|m64n80k" k "|m64n88k" k "|m64n96k" k "|m64n104k" k "|m64n112k" k "|m64n120k" k "|m64n128k" k "|m64n136k" k       \
    "|m64n144k" k "|m64n152k" k "|m64n160k" k "|m64n168k" k "|m64n176k" k "|m64n184k" k "|m64n192k" k "|m64n200k" k    \
    "|m64n208k" k "|m64n216k" k "|m64n224k" k "|m64n232k" k "|m64n240k" k "|m64n248k" k "|m64n256k" k

/* The accumulator of a wgmma of n columns holds n / 2 registers a thread, n / 4 where they hold pairs. */
static bool accumulator(struct form_candidate *c)
{
    const uint16_t shape = ptx_word_of(c->m, c->i, PC_shape);
    const struct ptx_operand *d = ptx_operand(c->m, c->i, 0);
    unsigned n = 0;
    if (strncmp(ptx_word_text[shape], "m64n", 4) != 0)
        return form_fail(c, NULL, "'%s' needs a shape such as .m64n64k16", ptx_op_text[c->i->op]);
    for (const char *t = ptx_word_text[shape] + 4; *t >= '0' && *t <= '9'; t++)
        n = n * 10 + (unsigned)(*t - '0');
    const unsigned count = c->i->type[0] == PTX_f16 ? n / 4 : n / 2;
    const uint16_t type = c->i->type[0] == PTX_f16 ? PTX_b32 : c->i->type[0];
    if (d->kind != PO_vector || d->count != count)
        return form_fail(c, d, "the accumulator must be a vector of %u elements", count);
    for (uint32_t k = 0; k < d->count; k++) {
        const struct ptx_operand *o = &c->m->operands[d->first + k];
        if (o->kind != PO_register || form_register(c, o->reg)->type == PTX_pred ||
            ptx_type_size(form_register(c, o->reg)->type) != ptx_type_size(type))
            return form_fail(c, o, "the accumulator's elements must be registers of 32 bits");
    }
    return true;
}

#define MMA     "sync aligned "
#define ROW_COL MMA "row col "
#define WGMMA(words, operands)                                                                                         \
    {                                                                                                                  \
        OP_wgmma_mma_async, MMA words, operands, 80, "90a", accumulator                                                \
    }
#define SPARSE(words, operands)                                                                                        \
    {                                                                                                                  \
        OP_wgmma_mma_async_sp, MMA words, operands, 82, "90a", accumulator                                             \
    }

const struct ptx_form ptx_forms_matrix[] = {
    { OP_mma, MMA "m8n8k4 row|col row|col f16 f16 f16 f16", "V4b32 v2b32 v2b32 v4b32", 64, "70" },
    { OP_mma, MMA "m8n8k4 row|col row|col f32 f16 f16 f32", "V8f32 v2b32 v2b32 v8f32", 64, "70" },
    { OP_mma, MMA "m8n8k4 row|col row|col f32 f16 f16 f16", "V8f32 v2b32 v2b32 v4b32", 64, "70" },
    { OP_mma, ROW_COL "m16n8k8 f16 f16 f16 f16", "V2b32 v2b32 v1b32 v2b32", 65, "75" },
    { OP_mma, ROW_COL "m16n8k8 f32 f16 f16 f32", "V4f32 v2b32 v1b32 v4f32", 65, "75" },
    { OP_mma, ROW_COL "m16n8k8 f32 bf16 bf16 f32", "V4f32 v2b32 v1b32 v4f32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k16 f16 f16 f16 f16", "V2b32 v4b32 v2b32 v2b32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k16 f32 f16 f16 f32", "V4f32 v4b32 v2b32 v4f32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k16 f32 bf16 bf16 f32", "V4f32 v4b32 v2b32 v4f32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k4 f32 tf32 tf32 f32", "V4f32 v2b32 v1b32 v4f32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k8 f32 tf32 tf32 f32", "V4f32 v4b32 v2b32 v4f32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k32 f32 e4m3|e5m2 e4m3|e5m2 f32", "V4f32 v4b32 v2b32 v4f32", 84, "89" },
    { OP_mma, ROW_COL "m16n8k16 f32 e4m3|e5m2 e4m3|e5m2 f32", "V4f32 v2b32 v1b32 v4f32", 87, "89" },
    { OP_mma, ROW_COL "m16n8k32 f16 e4m3|e5m2 e4m3|e5m2 f16", "V2b32 v4b32 v2b32 v2b32", 87, "89" },
    { OP_mma, ROW_COL "m16n8k16 f16 e4m3|e5m2 e4m3|e5m2 f16", "V2b32 v2b32 v1b32 v2b32", 87, "89" },
    { OP_mma, ROW_COL "m8n8k4 ?$rnd f64 f64 f64 f64", "V2f64 v1f64 v1f64 v2f64", 70, "80" },
    { OP_mma, ROW_COL "m16n8k4 ?$rnd f64 f64 f64 f64", "V4f64 v2f64 v1f64 v4f64", 78, "90" },
    { OP_mma, ROW_COL "m16n8k8 ?$rnd f64 f64 f64 f64", "V4f64 v4f64 v2f64 v4f64", 78, "90" },
    { OP_mma, ROW_COL "m16n8k16 ?$rnd f64 f64 f64 f64", "V4f64 v8f64 v4f64 v4f64", 78, "90" },
    { OP_mma, ROW_COL "m8n8k16 ?satfinite s32 u8|s8 u8|s8 s32", "V2s32 v1b32 v1b32 v2s32", 65, "75" },
    { OP_mma, ROW_COL "m16n8k16 ?satfinite s32 u8|s8 u8|s8 s32", "V4s32 v2b32 v1b32 v4s32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k32 ?satfinite s32 u8|s8 u8|s8 s32", "V4s32 v4b32 v2b32 v4s32", 70, "80" },
    { OP_mma, ROW_COL "m8n8k32 ?satfinite s32 u4|s4 u4|s4 s32", "V2s32 v1b32 v1b32 v2s32", 65, "75" },
    { OP_mma, ROW_COL "m16n8k32 ?satfinite s32 u4|s4 u4|s4 s32", "V4s32 v2b32 v1b32 v4s32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k64 ?satfinite s32 u4|s4 u4|s4 s32", "V4s32 v4b32 v2b32 v4s32", 70, "80" },
    { OP_mma, ROW_COL "m8n8k128 xor|and@71/80 popc s32 b1 b1 s32", "V2s32 v1b32 v1b32 v2s32", 70, "75" },
    { OP_mma, ROW_COL "m16n8k128 xor|and popc s32 b1 b1 s32", "V4s32 v2b32 v1b32 v4s32", 70, "80" },
    { OP_mma, ROW_COL "m16n8k256 xor|and popc s32 b1 b1 s32", "V4s32 v4b32 v2b32 v4s32", 70, "80" },
    /* Sparse and block-scaled products are known, not examined. */
    { OP_mma, "sp|sp::ordered_metadata *", "z z z z z z", 71, "80" },
    { OP_mma, "kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4|kind::f8f6f4 *", "z z z z ?z ?z ?z ?z ?z ?z", 87, "120x" },

    { OP_wmma_load, "*", "z z ?z", 60, "70" },
    { OP_wmma_store, "*", "z z ?z", 60, "70" },
    { OP_wmma_mma, "*", "z z z z", 60, "70" },

    { OP_wgmma_fence, "sync aligned", "", 80, "90a" },
    { OP_wgmma_commit_group, "sync aligned", "", 80, "90a" },
    { OP_wgmma_wait_group, "sync aligned", "i", 80, "90a" },
#define HALF(a)                                                                                                        \
    WGMMA(SHAPES("16") " f32 " a, "z rb64 rb64 p i-1/1 i-1/1 i0/1 i0/1"),                                              \
        WGMMA(SHAPES("16") " f32 " a, "z v4b32 rb64 p i-1/1 i-1/1 i0/1")
    HALF("f16 f16"),
    HALF("bf16 bf16"),
    WGMMA(SHAPES("16") " f16 f16 f16", "z rb64 rb64 p i-1/1 i-1/1 i0/1 i0/1"),
    WGMMA(SHAPES("16") " f16 f16 f16", "z v4b32 rb64 p i-1/1 i-1/1 i0/1"),
    WGMMA(SHAPES("8") " f32 tf32 tf32", "z rb64 rb64 p i-1/1 i-1/1"),
    WGMMA(SHAPES("8") " f32 tf32 tf32", "z v4b32 rb64 p i-1/1 i-1/1"),
    WGMMA(SHAPES("32") " f16|f32 e4m3|e5m2 e4m3|e5m2", "z rb64 rb64 p i-1/1 i-1/1"),
    WGMMA(SHAPES("32") " f16|f32 e4m3|e5m2 e4m3|e5m2", "z v4b32 rb64 p i-1/1 i-1/1"),
    WGMMA(SHAPES("32") " ?satfinite s32 u8|s8 u8|s8", "z rb64 rb64 p"),
    WGMMA(SHAPES("32") " ?satfinite s32 u8|s8 u8|s8", "z v4b32 rb64 p"),
    WGMMA(SHAPES("256") " and popc s32 b1 b1", "z rb64 rb64 p"),
    WGMMA(SHAPES("256") " and popc s32 b1 b1", "z v4b32 rb64 p"),
    SPARSE("*", "z z rb64 sb32 i p ?i ?i ?i ?i"),
    { 0 },
};
