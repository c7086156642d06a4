/* What a rule alone tells about a finding: what to do about it, and which rule of another family says the same. */
#include "harness/emu/machine/remedy.h"

static const struct remedy {
    const struct ck_rule *rule;
    const char *line;
} remedies[] = {
    { &rule_wgmma_warpgroup, "launch a multiple of 128 threads a CTA" },
    { &rule_wgmma_uniform, "compute descriptors from what all warps have alike" },
    { &rule_wgmma_uniform_scale_d, "compute scale-d from what all lanes have alike" },
    { &rule_wgmma_sp_pairs, "two different numbers in each four bits; of tf32 0b0100 or 0b1110" },
    { &rule_wgmma_fence_first, "wgmma.fence.sync.aligned before the first product" },
    { &rule_bulk_align_global16, "give the global address a multiple of 16" },
    { &rule_bulk_align_shared16, "__align__(16) on the buffer, and offsets that are multiples of 16" },
    { &rule_bulk_mbar_align8, "an mbarrier is a 64-bit object: __align__(8)" },
    { &rule_bulk_size_mult16_reg, "round the size to 16 and pad the buffer, or copy the rest by other means" },
    { &rule_bulk_range_src, "compare address and size with the source buffer" },
    { &rule_bulk_range_dst, "compare address and size with the destination buffer" },
    { &rule_bulk_cta_dst_own, "use the .shared::cluster form for another CTA's memory" },
    { &rule_bulk_s2cluster_other_cta, "copy within a CTA by ordinary loads and stores" },
    { &rule_bulk_mbar_remote_s2cluster, "mapa the mbarrier to the CTA that the destination is in" },
    { &rule_bulk_mc_rank_exists,
      "set only bits of CTAs of the cluster, and a cluster barrier before any of them ends" },
    { &rule_bulk_exit_dst_alive, "wait on the copy's mbarrier before the CTA ends" },
    { &rule_bulkpf_align16, "give the address a multiple of 16" },
    { &rule_bulkpf_size, "round the size to 16" },
    { &rule_cpasync_align_dst, "give the destination a multiple of the copy size" },
    { &rule_cpasync_align_src, "give the source a multiple of the copy size, or copy in smaller pieces" },
    { &rule_cpasync_oob_src, "compare the source with its buffer; a src-size of 0 or ignore-src reads nothing" },
    { &rule_cpasync_oob_dst, "compare the destination with the CTA's shared memory" },
    { &rule_cpasync_srcsize_reg_over, "limit src-size to the copy size" },
    { &rule_swz_flip_load_only, "store through a map without the 8-byte flip, and swap the halves before" },
    { &rule_tensor_tile_mode_match, "use the instruction of the map's mode" },
    { &rule_tmap_size, "copy all 128 bytes of the map, and give each map 128 bytes of its own" },
    { &rule_tmap_align, "give the map an address that is a multiple of 64" },
    { &rule_tmap_rep_mode, "encode a map on the host for each address, or copy by tiles" },
    { &rule_tensor_i2c_offset_range, "compare the offset with the limit of the rank; a lower corner moves all pixels" },
    { &rule_tensor_i2c_base_in_box, "start between the lower corner and the tensor's end moved by the upper one" },
    { &rule_tensor_i2c_store_corners, "store by a map whose box lies inside the tensor, from a position in it" },
    { &rule_swz_reader_as_writer, "encode both maps with the same swizzle, or reorder the tile between the copies" },
    { &rule_mbarrier_init_count_zero, "init with a count from 1 to 2^20-1" },
    { &rule_mbarrier_init_count_over, "init with a count from 1 to 2^20-1" },
    { &rule_mbarrier_inval_quiescent, "wait for the phase before inval" },
    { &rule_mbarrier_expect_tx_limit, "expect at most 2^20-1 bytes in a phase" },
    { &rule_mbarrier_complete_tx_limit, "expect the bytes before so many of them come" },
    { &rule_mbarrier_arrive_count_reg_zero, "arrive with a count of 1 or more" },
    { &rule_mbarrier_arrive_count_over, "arrive with no more than are pending" },
    { &rule_mbarrier_phase_over_arrive, "init with as many arrivals as threads arrive, or let fewer arrive" },
    { &rule_mbarrier_arrive_nocomplete_completing, "arrive without .noComplete where it may be the last" },
    { &rule_mbarrier_arrive_drop_nocomplete, "drop without .noComplete where it may be the last" },
    { &rule_mbarrier_arrive_drop_to_zero, "init again before the object is used once more" },
    { &rule_mbarrier_wait_parity_values, "wait for parity 0 or 1" },
    { &rule_mbarrier_init_generic_window, "give the address of an object in the own CTA's shared memory" },
    { &rule_mbarrier_arrive_generic_window, "give the address of an object in shared memory" },
    { &rule_mbarrier_wait_remote_generic, "wait in the CTA that owns the object" },
    { &rule_mbarrier_object_align, "an mbarrier is a 64-bit object: __align__(8)" },
    { &rule_mbarrier_cluster_owner_alive, "barrier.cluster before the owner's end" },
    { &rule_mbarrier_cluster_local_form, "the .shared::cluster form with the address that mapa gave" },
    { &rule_bar_id_range, "number barriers from 0 to 15" },
    { &rule_bar_count_multiple, "count whole warps" },
    { &rule_bar_count_same, "give the number of threads that arrive or wait, the same in each" },
    { &rule_bar_next_use, "a barrier number of its own for each group of threads, or wait for the use before" },
    { &rule_bar_aligned, "barrier.sync without .aligned, or the same instruction for all of the warp" },
    { &rule_bar_red_mix, "use the same form in all threads" },
    { &rule_cluster_barrier_arrive_once, "one barrier.cluster.arrive, then one barrier.cluster.wait" },
    { &rule_cluster_barrier_aligned, "leave .aligned out, or arrive by the same instruction" },
    { &rule_dsmem_exit, "barrier.cluster behind the last access" },
    { &rule_dsmem_rank_range, "map to a rank below %cluster_nctarank" },
    { &rule_setmaxnreg_warpgroup, "let all four warps of the warpgroup execute it" },
    { &rule_setmaxnreg_pool, "let other warps release as many by setmaxnreg.dec first" },
    { &rule_setmaxnreg_inc_owned, "setmaxnreg.dec, or a larger number" },
    { &rule_setmaxnreg_dec_owned, "setmaxnreg.inc, a smaller number, or a larger .maxnreg" },
    { &rule_setmaxnreg_sync, "a barrier of the warpgroup between the two" },
    { &rule_warp_member, "name the executing lane in the mask" },
    { &rule_warp_source, "take the value of a lane that is in the mask and executes the instruction" },
    { &rule_warp_same_mask, "compute the mask once for all lanes that it names" },
    { &rule_tmap_cpf_warp, "let all threads of the warp execute it, and one of them edit before" },
    { &rule_warp_aligned, "let all 32 threads of the warp execute it" },
    { &rule_access_align, "give the address a multiple of the access's size, or access smaller pieces" },
    { &rule_access_bounds, "compare the index with the size of what is accessed" },
    { &rule_access_read_only, "write to a copy in local or global memory" },
    { &rule_access_own_window, "use .shared::cluster for another CTA's shared memory" },
    { &rule_access_heap, "use what malloc gave, and free it once" },
    { &rule_tmap_space_local, "pass the map as a const __grid_constant__ parameter" },
    { &rule_tmap_space_shared, "copy the map to global memory with tensormap.cp_fenceproxy, and use it there" },
    { &rule_fence_tensormap_global_only, "acquire maps in global memory: parameters and constants need no fence" },
    { &rule_tensor_smem_align128, "__align__(128) on the tile, and offsets that are multiples of 128" },
    { &rule_tensor_mbar_align8, "an mbarrier is a 64-bit object: __align__(8)" },
    { &rule_tensor_dst_cta_own, "use the .shared::cluster form for another CTA's memory" },
    { &rule_tensor_mbar_cta_dst_remote, "name an mbarrier of the executing CTA" },
    { &rule_tensor_mbar_same_cta_as_dst, "mapa the mbarrier to the CTA that receives the tile" },
    { &rule_tensor_tile_rank_match, "use the instruction of the map's rank" },
    { &rule_tensor_tile_coord0_align16, "start the box at a multiple of 16 bytes along dimension 0" },
    { &rule_tensor_tile_oob_store_negative, "store from coordinate 0 on, with a map whose tensor begins there" },
};

const char *emu_remedy(const struct ck_rule *rule)
{
    for (size_t i = 0; rule && i < sizeof remedies / sizeof *remedies; i++)
        if (remedies[i].rule == rule)
            return remedies[i].line;
    return "";
}

static const struct ck_rule *const twins[][2] = {
    { &rule_group_bulk_separate, &rule_bulkgrp_separate_nonbulk },
    { &rule_mbarrier_expect_tx_limit, &rule_bulk_tx_limit },
};

const struct ck_rule *emu_twin(const struct ck_rule *rule)
{
    for (size_t i = 0; rule && i < sizeof twins / sizeof *twins; i++)
        for (int k = 0; k < 2; k++)
            if (twins[i][k] == rule)
                return twins[i][!k];
    return NULL;
}
// SPDX-License-Identifier: Apache-2.0
