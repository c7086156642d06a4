/* Instruction table: cp.async, bulk copies and reductions, prefetch, async stores. PTX ISA, "Data Movement and
 * Conversion Instructions". */
#include <string.h>

#include "harness/emu/forms/extra.h"
#include "harness/emu/forms/tables.h"

/* The optional source size of cp.async may not exceed the copy size. */
static bool source_size(struct form_candidate *c)
{
    const struct ptx_operand *size = ptx_operand(c->m, c->i, 2), *source = ptx_operand(c->m, c->i, 3);
    if (c->i->n_operands < (form_has(c, PTX_L2_cache_hint) ? 5 : 4) || source->kind != PO_immediate)
        return true;
    c->now.fault = FAULT_VALUE;
    c->now.operand = 3;
    if (source->value > size->value)
        return form_fail(c, source, "the source size %lld is larger than the copy size %lld", (long long)source->value,
                         (long long)size->value);
    return true;
}

#define ASYNC_WORDS "shared|shared::cta global ?$hint ?$prefetch"

/* The primary size of a policy's range is no more than the whole. */
static bool sizes(struct form_candidate *c)
{
    const struct ptx_operand *primary = ptx_operand(c->m, c->i, 2), *whole = ptx_operand(c->m, c->i, 3);
    if (primary->kind == PO_immediate && whole->kind == PO_immediate && primary->value > whole->value)
        return form_fail(c, primary, "the primary size %lld is larger than the whole, %lld", (long long)primary->value,
                         (long long)whole->value);
    return true;
}

/* A constant fraction lies in (0, 1]. */
static bool fraction(struct form_candidate *c)
{
    const struct ptx_operand *o = ptx_operand(c->m, c->i, c->i->n_operands - 1u);
    double v;
    if (o->kind != PO_immediate)
        return true;
    if (o->flags & PF_SINGLE) {
        float f;
        const uint32_t bits = (uint32_t)o->value;
        memcpy(&f, &bits, 4);
        v = (double)f;
    } else {
        memcpy(&v, &o->value, 8);
    }
    c->now.fault = FAULT_VALUE;
    c->now.operand = 1;
    if (!(v > 0.0 && v <= 1.0))
        return form_fail(c, o, "the fraction %g is outside (0.0, 1.0]", v);
    return true;
}

/* The size of a bulk store is a multiple of 8, 16 MiB at most. ptxas 13.5 takes no variable in place of an address in
 * .shared::cta. */
static bool bulk_store(struct form_candidate *c)
{
    enum { MOST = 16 << 20, UNIT = 8 };
    const struct ptx_operand *to = ptx_operand(c->m, c->i, 0), *size = ptx_operand(c->m, c->i, 1);

    if (to->flags & PF_BASE_VARIABLE && c->i->space[0])
        return form_fail(c, to, "operand 1 of 'st.bulk' in '.shared::cta' must be an address in a register");
    if (size->kind == PO_immediate && (size->value % UNIT || size->value > MOST))
        return form_fail(c, size, "the size %llu must be a multiple of %d, %d at most", (unsigned long long)size->value,
                         UNIT, MOST);
    return true;
}

static bool reduced_load(struct form_candidate *c)
{
    return form_ordered(c) && form_whole(c);
}

const struct ptx_form ptx_forms_copy[] = {
    { OP_cp_async, "ca " ASYNC_WORDS, "as ag i4/8/16 ?su32 <L2::cache_hint>su64", 70, "80", source_size },
    { OP_cp_async, "ca " ASYNC_WORDS, "as ag i4/8/16 P <L2::cache_hint>su64", 75, "80" },
    { OP_cp_async, "cg " ASYNC_WORDS, "as ag i16 ?su32 <L2::cache_hint>su64", 70, "80", source_size },
    { OP_cp_async, "cg " ASYNC_WORDS, "as ag i16 P <L2::cache_hint>su64", 75, "80" },
    { OP_cp_async_commit_group, "", "", 70, "80" },
    { OP_cp_async_wait_group, "", "i", 70, "80" },
    { OP_cp_async_wait_all, "", "", 70, "80" },
    { OP_cp_async_mbarrier_arrive, "?noinc ?shared|shared::cta@78 b64", "as", 70, "80" },

/* One-dimensional bulk copies. */
#define SIZE   "J0..1048560*16"
#define SCOPES "cta|cluster|gpu|sys"
#define BULK(words, operands)                                                                                          \
    { OP_cp_async_bulk, "?weak@93 " words, operands, 80, "90" },                                                       \
        { OP_cp_async_bulk, "b128 " words, operands, 93, "90" },                                                       \
    {                                                                                                                  \
        OP_cp_async_bulk, "relaxed " SCOPES " b128 " words, operands, 93, "90"                                         \
    }
    BULK("shared::cta@86 global mbarrier::complete_tx::bytes ?L2::cache_hint",
         "as ag " SIZE " as <L2::cache_hint>su64"),
    BULK("shared::cta global mbarrier::complete_tx::bytes ignore_oob@92 ?L2::cache_hint",
         "as ag " SIZE " I0..15 I0..15 as <L2::cache_hint>su64"),
    BULK("shared::cluster global mbarrier::complete_tx::bytes ?multicast::cluster ?L2::cache_hint",
         "as ag " SIZE " as <multicast::cluster>su16 <L2::cache_hint>su64"),
    { OP_cp_async_bulk, "?weak@93 shared::cluster shared::cta mbarrier::complete_tx::bytes", "as as " SIZE " as", 80,
      "90" },
    { OP_cp_async_bulk, "b128 shared::cluster shared::cta mbarrier::complete_tx::bytes", "as as " SIZE " as", 93,
      "90" },
    { OP_cp_async_bulk, "relaxed cta|cluster b128 shared::cluster shared::cta mbarrier::complete_tx::bytes",
      "as as " SIZE " as", 93, "90" },
    BULK("global shared::cta bulk_group ?L2::cache_hint ?cp_mask@86/100",
         "ag as " SIZE " <L2::cache_hint>su64 <cp_mask>su16"),
    { OP_multimem_cp_async_bulk, "?weak@93 global shared::cta bulk_group ?cp_mask/100", "ag as " SIZE " <cp_mask>su16",
      91, "90" },
    { OP_multimem_cp_async_bulk, "b128 global shared::cta bulk_group ?cp_mask/100", "ag as " SIZE " <cp_mask>su16", 93,
      "90" },
    { OP_multimem_cp_async_bulk, "relaxed cta|cluster|gpu|sys b128 global shared::cta bulk_group ?cp_mask/100",
      "ag as " SIZE " <cp_mask>su16", 93, "90" },
    { OP_cp_async_bulk_prefetch, "L2 global ?L2::cache_hint", "ag " SIZE " <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_commit_group, "", "", 80, "90" },
    { OP_cp_async_bulk_wait_group, "?read", "i", 80, "90" },

/* Bulk reductions: to shared::cluster, to global. */
#define RELAXED "?relaxed@93 ?cta@93|cluster@93|gpu@93|sys@93 "
#define NEAR    "?relaxed@93 ?cta@93|cluster@93 "
#define TO_CLUSTER(operation)                                                                                          \
    {                                                                                                                  \
        OP_cp_reduce_async_bulk, NEAR "shared::cluster shared::cta mbarrier::complete_tx::bytes " operation,           \
            "as as " SIZE " as", 80, "90", form_ordered                                                                \
    }
#define TO_GLOBAL(operation)                                                                                           \
    { OP_cp_reduce_async_bulk,                                                                                         \
      RELAXED "global shared::cta bulk_group ?L2::cache_hint " operation,                                              \
      "ag as " SIZE " <L2::cache_hint>su64",                                                                           \
      80,                                                                                                              \
      "90",                                                                                                            \
      form_ordered },                                                                                                  \
    {                                                                                                                  \
        OP_multimem_cp_reduce_async_bulk, RELAXED "global shared::cta bulk_group " operation, "ag as " SIZE, 91, "90", \
            form_ordered                                                                                               \
    }
    TO_CLUSTER("and|or|xor b32"),
    TO_CLUSTER("add u32|s32|u64"),
    TO_CLUSTER("inc|dec u32"),
    TO_CLUSTER("min|max u32|s32"),
    TO_GLOBAL("and|or|xor b32|b64"),
    TO_GLOBAL("add u32|s32|u64|f32|f64"),
    TO_GLOBAL("add noftz f16|bf16|f32@94"),
    TO_GLOBAL("inc|dec u32"),
    TO_GLOBAL("min|max u32|s32|u64|s64|f16|bf16"),

#define RELEASED "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"
    /* Async stores and reductions to a cluster's shared memory. */
    { OP_st_async, "?weak ?shared::cluster mbarrier::complete_tx::bytes b32|u32|s32|f32|b64|u64|s64|f64", "as sT0 as",
      81, "90" },
    { OP_st_async, "?weak ?shared::cluster mbarrier::complete_tx::bytes v2|v4 b32|u32|s32|f32", "as wT0 as", 81, "90" },
    { OP_st_async, "?weak ?shared::cluster mbarrier::complete_tx::bytes v2 b64|u64|s64|f64", "as wT0 as", 81, "90" },
    /* ptxas takes these without the barrier; the PTX ISA does not list them */
    { OP_st_async, "?weak ?shared::cluster mbarrier::complete_tx::bytes b32|u32|s32|f32|b64|u64|s64|f64", "as sT0", 81,
      "90" },
    { OP_st_async, "release gpu|sys ?global " RELEASED, "ag sT0", 87, "100", form_whole },
    { OP_st_async, "mmio release sys ?global " RELEASED, "ag sT0", 87, "100", form_whole },
/* `value`: what is added to global memory; ptxas takes no floating-point value there, not even as bits. */
#define RED_ASYNC(operation, value)                                                                                    \
    { OP_red_async, "relaxed cluster ?shared::cluster mbarrier::complete_tx::bytes " operation, "as sT0 ?as", 81,      \
      "90" },                                                                                                          \
        { OP_red_async, "release gpu|sys ?global " operation, "ag " value, 87, "100", form_whole },                    \
    {                                                                                                                  \
        OP_red_async, "mmio release sys ?global " operation, "ag " value, 87, "100", form_whole                        \
    }
    RED_ASYNC("inc|dec u32", "sT0"),
    RED_ASYNC("min|max u32|s32", "sT0"),
    RED_ASYNC("and|or|xor b32", "su32"),
    RED_ASYNC("add u32|s32|u64|s64", "sT0"),
    { OP_st_bulk, "?weak ?shared::cta", "as su64 i0", 86, "100", bulk_store },

    { OP_prefetch, "?global|local L1|L2", "aS0", 20, NULL },
    { OP_prefetch, "global L2::evict_last|L2::evict_normal", "ag", 74, "80" },
    { OP_prefetch, "tensormap", "ag", 80, "90" },
    { OP_prefetch, "const|param tensormap", "aS0", 80, "90" },
    { OP_prefetchu, "L1", "ag", 20, NULL },
    { OP_applypriority, "?global L2::evict_normal", "ag i128", 74, "80" },
    { OP_discard, "?global L2", "ag i128", 74, "80" },
    { OP_createpolicy_fractional,
      "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged ?L2::evict_first|L2::evict_unchanged b64",
      "du64 ?sf32", 74, "80", fraction },
    { OP_createpolicy_range,
      "?global L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
      "?L2::evict_first|L2::evict_unchanged b64",
      "du64 ag su32 su32", 74, "80", sizes },
    { OP_createpolicy_cvt, "L2 b64", "du64 su64", 74, "80" },

#define LOADS   "?weak|relaxed|acquire ?$scope ?global "
#define STORES  "?weak|relaxed|release ?$scope ?global "
#define REDUCES "?relaxed|release ?$scope ?global "
    { OP_multimem_ld_reduce, LOADS "min|max u32|s32|u64|s64", "dT0 ag", 81, "90", reduced_load },
    { OP_multimem_ld_reduce, LOADS "add u32|s32|u64", "dT0 ag", 81, "90", reduced_load },
    { OP_multimem_ld_reduce, LOADS "and|or|xor b32|b64", "dT0 ag", 81, "90", reduced_load },
    { OP_multimem_ld_reduce, LOADS "add f32|f64", "dT0 ag", 81, "90", reduced_load },
    { OP_multimem_ld_reduce, LOADS "add v2|v4 f32", "WT0 ag", 81, "90", reduced_load },
    { OP_multimem_ld_reduce, LOADS "add ?acc::f32@82 ?v2|v4 f16x2|bf16x2", "WT0 ag", 81, "90", reduced_load },
    { OP_multimem_ld_reduce, LOADS "add ?acc::f32@82 v2|v4|v8 f16|bf16", "WT0 ag", 81, "90", reduced_load },
    { OP_multimem_ld_reduce, LOADS "min|max ?v2|v4 f16x2|bf16x2", "WT0 ag", 81, "90", reduced_load },
    { OP_multimem_ld_reduce, LOADS "min|max v2|v4|v8 f16|bf16", "WT0 ag", 81, "90", reduced_load },
    { OP_multimem_st, STORES "b32|u32|s32|b64|u64|s64|f32|f64|f16x2|bf16x2", "ag sT0", 81, "90", form_ordered },
    { OP_multimem_st, STORES "v2|v4 f32|f16x2|bf16x2", "ag wT0", 81, "90", form_ordered },
    { OP_multimem_st, STORES "v2|v4|v8 f16|bf16", "ag wT0", 81, "90", form_ordered },
    { OP_multimem_red, REDUCES "min|max u32|s32|u64|s64", "ag sT0", 81, "90", form_ordered },
    { OP_multimem_red, REDUCES "add u32|s32|u64", "ag sT0", 81, "90", form_ordered },
    { OP_multimem_red, REDUCES "and|or|xor b32|b64", "ag sT0", 81, "90", form_ordered },
    { OP_multimem_red, REDUCES "add f32|f64", "ag sT0", 81, "90", form_ordered },
    { OP_multimem_red, REDUCES "add v2|v4 f32", "ag wT0", 81, "90", form_ordered },
    { OP_multimem_red, REDUCES "add ?v2|v4 f16x2|bf16x2", "ag wT0", 81, "90", form_ordered },
    { OP_multimem_red, REDUCES "add v2|v4|v8 f16|bf16", "ag wT0", 81, "90", form_ordered },
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
