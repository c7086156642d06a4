/* Instruction table: cp.async, bulk copies and reductions, prefetch, async stores. PTX ISA, "Data Movement and
 * Conversion Instructions". */
#include "harness/emu/check.h"

/* The optional source size of cp.async may not exceed the copy size. */
static bool source_size(struct check *c)
{
    const struct ptx_operand *size = ptx_operand(c->m, c->i, 2), *source = ptx_operand(c->m, c->i, 3);
    if (c->i->n_operands < 4 || source->kind != PO_immediate)
        return true;
    if (source->value > size->value)
        return check_fail(c, source, "the source size %lld is larger than the copy size %lld", (long long)source->value,
                          (long long)size->value);
    return true;
}

#define ASYNC_WORDS "shared|shared::cta@77 global ?$hint ?$prefetch"

const struct ptx_form ptx_forms_copy[] = {
    { OP_cp_async, "ca " ASYNC_WORDS, "as ag i4/8/16 ?su32 <L2::cache_hint>sb64", 70, "80", source_size },
    { OP_cp_async, "ca " ASYNC_WORDS, "as ag i4/8/16 p <L2::cache_hint>sb64", 75, "80" },
    { OP_cp_async, "cg " ASYNC_WORDS, "as ag i16 ?su32 <L2::cache_hint>sb64", 70, "80", source_size },
    { OP_cp_async, "cg " ASYNC_WORDS, "as ag i16 p <L2::cache_hint>sb64", 75, "80" },
    { OP_cp_async_commit_group, "", "", 70, "80" },
    { OP_cp_async_wait_group, "", "i", 70, "80" },
    { OP_cp_async_wait_all, "", "", 70, "80" },
    { OP_cp_async_mbarrier_arrive, "?noinc ?shared|shared::cta@78 b64", "as", 70, "80" },

/* One-dimensional bulk copies. */
#define SIZE "su32"
    { OP_cp_async_bulk, "shared::cta@86 global mbarrier::complete_tx::bytes ?L2::cache_hint",
      "as ag " SIZE " as <L2::cache_hint>sb64", 80, "90" },
    { OP_cp_async_bulk, "shared::cluster global mbarrier::complete_tx::bytes ?multicast::cluster ?L2::cache_hint",
      "as ag " SIZE " as <multicast::cluster>su16 <L2::cache_hint>sb64", 80, "90" },
    { OP_cp_async_bulk, "shared::cluster shared::cta mbarrier::complete_tx::bytes", "as as " SIZE " as", 80, "90" },
    { OP_cp_async_bulk, "global shared::cta bulk_group ?L2::cache_hint ?cp_mask@86/100",
      "ag as " SIZE " <L2::cache_hint>sb64 <cp_mask>su16", 80, "90" },
    { OP_cp_async_bulk_prefetch, "L2 global ?L2::cache_hint", "ag " SIZE " <L2::cache_hint>sb64", 80, "90" },
    { OP_cp_async_bulk_commit_group, "", "", 80, "90" },
    { OP_cp_async_bulk_wait_group, "?read", "i", 80, "90" },

/* Bulk reductions: to shared::cluster, to global. */
#define TO_CLUSTER       "shared::cluster shared::cta mbarrier::complete_tx::bytes "
#define TO_GLOBAL        "global shared::cta bulk_group ?L2::cache_hint "
#define CLUSTER_OPERANDS "as as " SIZE " as"
#define GLOBAL_OPERANDS  "ag as " SIZE " <L2::cache_hint>sb64"
    { OP_cp_reduce_async_bulk, TO_CLUSTER "and|or|xor b32", CLUSTER_OPERANDS, 80, "90" },
    { OP_cp_reduce_async_bulk, TO_CLUSTER "add u32|s32|u64", CLUSTER_OPERANDS, 80, "90" },
    { OP_cp_reduce_async_bulk, TO_CLUSTER "inc|dec u32", CLUSTER_OPERANDS, 80, "90" },
    { OP_cp_reduce_async_bulk, TO_CLUSTER "min|max u32|s32", CLUSTER_OPERANDS, 80, "90" },
    { OP_cp_reduce_async_bulk, TO_GLOBAL "and|or|xor b32|b64", GLOBAL_OPERANDS, 80, "90" },
    { OP_cp_reduce_async_bulk, TO_GLOBAL "add u32|s32|u64|f32|f64", GLOBAL_OPERANDS, 80, "90" },
    { OP_cp_reduce_async_bulk, TO_GLOBAL "add noftz f16|bf16", GLOBAL_OPERANDS, 80, "90" },
    { OP_cp_reduce_async_bulk, TO_GLOBAL "inc|dec u32", GLOBAL_OPERANDS, 80, "90" },
    { OP_cp_reduce_async_bulk, TO_GLOBAL "min|max u32|s32|u64|s64|f16|bf16", GLOBAL_OPERANDS, 80, "90" },

    /* Async stores and reductions to a cluster's shared memory. */
    { OP_st_async, "?weak shared::cluster mbarrier::complete_tx::bytes ?v2|v4 b32|u32|s32|f32", "as wT0 as", 81, "90" },
    { OP_st_async, "?weak shared::cluster mbarrier::complete_tx::bytes ?v2 b64|u64|s64|f64", "as wT0 as", 81, "90" },
    { OP_red_async, "relaxed cluster shared::cluster mbarrier::complete_tx::bytes inc|dec u32", "as sT0 as", 81, "90" },
    { OP_red_async, "relaxed cluster shared::cluster mbarrier::complete_tx::bytes min|max u32|s32", "as sT0 as", 81,
      "90" },
    { OP_red_async, "relaxed cluster shared::cluster mbarrier::complete_tx::bytes and|or|xor b32", "as sT0 as", 81,
      "90" },
    { OP_red_async, "relaxed cluster shared::cluster mbarrier::complete_tx::bytes add u32|s32|u64|s64", "as sT0 as", 81,
      "90" },
    { OP_st_bulk, "?weak ?shared::cta", "as sb64 i0", 86, "100" },

    { OP_prefetch, "?global|local L1|L2", "aS0", 20, NULL },
    { OP_prefetch, "global L2::evict_last|L2::evict_normal", "ag", 74, "80" },
    { OP_prefetch, "?const|param|param::entry|generic tensormap", "acpg", 80, "90" },
    { OP_prefetchu, "L1", "a", 20, NULL },
    { OP_applypriority, "?global L2::evict_normal", "ag i128", 74, "80" },
    { OP_discard, "?global L2", "ag i128", 74, "80" },
    { OP_createpolicy_fractional,
      "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged ?L2::evict_first|L2::evict_unchanged b64",
      "db64 ?sf32", 74, "80" },
    { OP_createpolicy_range,
      "?global L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
      "?L2::evict_first|L2::evict_unchanged b64",
      "db64 ag su32 su32", 74, "80" },
    { OP_createpolicy_cvt, "L2 b64", "db64 sb64", 74, "80" },

    { OP_multimem_ld_reduce, "?weak|relaxed|acquire ?$scope ?global min|max|add u32|u64|s32|s64", "dT0 ag", 81, "90" },
    { OP_multimem_ld_reduce, "?weak|relaxed|acquire ?$scope ?global and|or|xor b32|b64", "dT0 ag", 81, "90" },
    { OP_multimem_st, "?weak|relaxed|release ?$scope ?global u32|u64|s32|s64|b32|b64|f32|f64", "ag sT0", 81, "90" },
    { OP_multimem_red, "?relaxed|release ?$scope ?global min|max|add u32|u64|s32|s64", "ag sT0", 81, "90" },
    { OP_multimem_red, "?relaxed|release ?$scope ?global and|or|xor b32|b64", "ag sT0", 81, "90" },
    { OP_multimem_ld_reduce,
      "?weak|relaxed|acquire ?$scope ?global min|max|add ?v2|v4|v8 f16|bf16|f16x2|bf16x2|f32|f64", "WT0 ag", 81, "90" },
    { OP_multimem_st, "?weak|relaxed|release ?$scope ?global ?v2|v4|v8 f16|bf16|f16x2|bf16x2|f32", "ag wT0", 81, "90" },
    { OP_multimem_red, "?relaxed|release ?$scope ?global add ?v2|v4|v8 f16|bf16|f16x2|bf16x2|f32|f64", "ag wT0", 81,
      "90" },
    { 0 },
};
