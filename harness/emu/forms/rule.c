/* Which rule of the catalogue a refused instruction breaks: by its name, by what is wrong, by the word or operand at
 * fault. The first row that fits counts; where none fits, no rule is named. */
#include "harness/emu/forms/rule.h"

#include <string.h>

static const struct row {
    const char *op; /* the instruction's name; a '*' in it stands for any text */
    enum form_fault fault;
    uint16_t word;        /* the word at fault; none: any */
    enum ptx_class class; /* the class of the word at fault; none: any */
    unsigned operand;     /* the operand at fault, counted from 1 as in messages; none: any */
    uint16_t with, too;   /* words that the instruction has besides; none: any */
    const struct ck_rule *rule;
} rows[] = {
    /* cp.async and its groups */
    { "cp.async", FAULT_WORD, .word = PTX_shared_cluster, .rule = &rule_cpasync_space_no_cluster },
    { "cp.async", FAULT_WORD, .class = PC_space, .rule = &rule_cpasync_space_direction },
    { "cp.async", FAULT_WORD, .class = PC_cache, .rule = &rule_cpasync_cacheop_required },
    { "cp.async", FAULT_WORD, .class = PC_evict, .rule = &rule_cpasync_cacheop_required },
    { "cp.async", FAULT_WORD, .class = PC_prefetch_size, .rule = &rule_cpasync_prefetch_sizes },
    { "cp.async", FAULT_WORD, .word = PTX_L2, .rule = &rule_cpasync_prefetch_sizes },
    { "cp.async", FAULT_WORD, .class = PC_type, .rule = &rule_cpasync_notype },
    { "cp.async", FAULT_WORD, .class = PC_vector, .rule = &rule_cpasync_notype },
    { "cp.async", FAULT_WORD, .class = PC_sem, .rule = &rule_cpasync_notype },
    { "cp.async", FAULT_MISSING, .word = PTX_ca, .rule = &rule_cpasync_cacheop_required },
    { "cp.async", FAULT_MISSING, .rule = &rule_cpasync_space_explicit },
    { "cp.async", FAULT_VALUE, .operand = 3, .with = PTX_cg, .rule = &rule_cpasync_cg_size16 },
    { "cp.async", FAULT_VALUE, .operand = 3, .rule = &rule_cpasync_size_set },
    { "cp.async", FAULT_VALUE, .operand = 4, .rule = &rule_cpasync_srcsize_imm_range },
    { "cp.async", FAULT_OPERAND, .operand = 3, .rule = &rule_cpasync_size_constant },
    { "cp.async", FAULT_OPERAND, .operand = 4, .with = PTX_L2_cache_hint, .rule = &rule_cpasync_hint_type64 },
    { "cp.async", FAULT_OPERAND, .operand = 5, .with = PTX_L2_cache_hint, .rule = &rule_cpasync_hint_type64 },
    { "cp.async", FAULT_OPERAND, .operand = 4, .rule = &rule_cpasync_srcsize_type32 },
    { "cp.async", FAULT_OPERAND, .operand = 1, .rule = &rule_cpasync_addr_forms },
    { "cp.async", FAULT_OPERAND, .operand = 2, .rule = &rule_cpasync_addr_forms },
    { "cp.async", FAULT_COUNT, .with = PTX_L2_cache_hint, .rule = &rule_cpasync_hint_pair },
    { "cp.async", FAULT_COUNT, .rule = &rule_cpasync_ignsrc_xor_srcsize },
    { "cp.async", FAULT_VERSION, .word = PTX_L2_cache_hint, .rule = &rule_cpasync_isa_prefetch },
    { "cp.async", FAULT_VERSION, .word = PTX_L2_64B, .rule = &rule_cpasync_isa_prefetch },
    { "cp.async", FAULT_VERSION, .word = PTX_L2_128B, .rule = &rule_cpasync_isa_prefetch },
    { "cp.async", FAULT_VERSION, .word = PTX_L2_256B, .rule = &rule_cpasync_isa_prefetch },
    { "cp.async", FAULT_VERSION, .rule = &rule_cpasync_isa_base },
    { "cp.async", FAULT_TARGET, .rule = &rule_cpasync_target },
    { "cp.async.commit_group", FAULT_TARGET, .rule = &rule_group_target },
    { "cp.async.commit_group", FAULT_VERSION, .rule = &rule_group_isa },
    { "cp.async.commit_group", FAULT_WORD, .rule = &rule_group_commit_form },
    { "cp.async.commit_group", FAULT_COUNT, .rule = &rule_group_commit_form },
    { "cp.async.wait_group", FAULT_TARGET, .rule = &rule_group_target },
    { "cp.async.wait_group", FAULT_VERSION, .rule = &rule_group_isa },
    { "cp.async.wait_group", FAULT_WORD, .rule = &rule_group_wait_form },
    { "cp.async.wait_group", FAULT_COUNT, .rule = &rule_group_wait_form },
    { "cp.async.wait_group", FAULT_OPERAND, .rule = &rule_group_wait_form },
    { "cp.async.wait_all", FAULT_TARGET, .rule = &rule_group_target },
    { "cp.async.wait_all", FAULT_VERSION, .rule = &rule_group_isa },
    { "cp.async.wait_all", FAULT_WORD, .rule = &rule_group_wait_all_form },
    { "cp.async.wait_all", FAULT_COUNT, .rule = &rule_group_wait_all_form },
    { "createpolicy.fractional", FAULT_VALUE, .rule = &rule_cpasync_hint_fraction },

    /* mbarrier */
    { "mbarrier.*", FAULT_WORD, .class = PC_type, .rule = &rule_mbarrier_object_type },
    { "mbarrier.*", FAULT_MISSING, .word = PTX_b64, .rule = &rule_mbarrier_object_type },
    { "mbarrier.init", FAULT_WORD, .word = PTX_shared_cluster, .rule = &rule_mbarrier_init_local_only },
    { "mbarrier.test_wait", FAULT_WORD, .word = PTX_shared_cluster, .rule = &rule_mbarrier_wait_local_only },
    { "mbarrier.try_wait", FAULT_WORD, .word = PTX_shared_cluster, .rule = &rule_mbarrier_wait_local_only },
    { "mbarrier.inval", FAULT_WORD, .word = PTX_shared_cluster, .rule = &rule_mbarrier_inval_form },
    { "mbarrier.pending_count", FAULT_WORD, .class = PC_space, .rule = &rule_mbarrier_pending_count_form },
    { "mbarrier.*", FAULT_WORD, .class = PC_space, .rule = &rule_mbarrier_object_space },
    { "mbarrier.init", FAULT_WORD, .rule = &rule_mbarrier_init_form },
    { "mbarrier.init", FAULT_COUNT, .rule = &rule_mbarrier_init_form },
    { "mbarrier.init", FAULT_OPERAND, .operand = 1, .rule = &rule_mbarrier_object_space },
    { "mbarrier.init", FAULT_OPERAND, .operand = 2, .rule = &rule_mbarrier_init_form },
    { "mbarrier.init", FAULT_TARGET, .rule = &rule_mbarrier_init_target },
    { "mbarrier.init", FAULT_VERSION, .rule = &rule_mbarrier_init_target },
    { "mbarrier.inval", FAULT_WORD, .rule = &rule_mbarrier_inval_form },
    { "mbarrier.inval", FAULT_COUNT, .rule = &rule_mbarrier_inval_form },
    { "mbarrier.pending_count", FAULT_WORD, .rule = &rule_mbarrier_pending_count_form },
    { "mbarrier.pending_count", FAULT_COUNT, .rule = &rule_mbarrier_pending_count_form },
    { "mbarrier.pending_count", FAULT_OPERAND, .rule = &rule_mbarrier_pending_count_form },
    { "mbarrier.expect_tx", FAULT_WORD, .class = PC_sem, .rule = &rule_mbarrier_expect_tx_sem },
    { "mbarrier.expect_tx", FAULT_WORD, .class = PC_scope, .rule = &rule_mbarrier_expect_tx_sem },
    { "mbarrier.expect_tx", FAULT_ORDER, .rule = &rule_mbarrier_expect_tx_sem },
    { "mbarrier.expect_tx", FAULT_COUNT, .rule = &rule_mbarrier_expect_tx_noresult },
    { "mbarrier.expect_tx", FAULT_OPERAND, .operand = 2, .rule = &rule_mbarrier_expect_tx_noresult },
    { "mbarrier.expect_tx", FAULT_TARGET, .rule = &rule_mbarrier_expect_tx_target },
    { "mbarrier.expect_tx", FAULT_VERSION, .rule = &rule_mbarrier_expect_tx_target },
    { "mbarrier.complete_tx", FAULT_WORD, .class = PC_sem, .rule = &rule_mbarrier_complete_tx_sem },
    { "mbarrier.complete_tx", FAULT_WORD, .class = PC_scope, .rule = &rule_mbarrier_complete_tx_sem },
    { "mbarrier.complete_tx", FAULT_ORDER, .rule = &rule_mbarrier_complete_tx_sem },
    { "mbarrier.complete_tx", FAULT_TARGET, .rule = &rule_mbarrier_complete_tx_target },
    { "mbarrier.complete_tx", FAULT_VERSION, .rule = &rule_mbarrier_complete_tx_target },
    { "mbarrier.arrive", FAULT_WORD, .word = PTX_noComplete, .with = PTX_expect_tx,
      .rule = &rule_mbarrier_arrive_expect_no_nocomplete },
    { "mbarrier.arrive", FAULT_WORD, .word = PTX_expect_tx, .rule = &rule_mbarrier_arrive_expect_no_nocomplete },
    { "mbarrier.arrive", FAULT_WORD, .word = PTX_noComplete, .rule = &rule_mbarrier_arrive_nocomplete_form },
    { "mbarrier.arrive", FAULT_WORD, .class = PC_sem, .rule = &rule_mbarrier_arrive_sem_set },
    { "mbarrier.arrive", FAULT_WORD, .class = PC_scope, .rule = &rule_mbarrier_arrive_scope_set },
    { "mbarrier.arrive", FAULT_ORDER, .with = PTX_noComplete, .rule = &rule_mbarrier_arrive_nocomplete_form },
    { "mbarrier.arrive", FAULT_COUNT, .with = PTX_noComplete, .rule = &rule_mbarrier_arrive_nocomplete_form },
    { "mbarrier.arrive", FAULT_COUNT, .with = PTX_expect_tx, .rule = &rule_mbarrier_arrive_expect_count_one },
    { "mbarrier.arrive", FAULT_COUNT, .rule = &rule_mbarrier_arrive_count },
    { "mbarrier.arrive", FAULT_OPERAND, .operand = 1, .with = PTX_shared_cluster,
      .rule = &rule_mbarrier_arrive_remote_sink },
    { "mbarrier.arrive", FAULT_OPERAND, .operand = 1, .rule = &rule_mbarrier_arrive_sink },
    { "mbarrier.arrive", FAULT_OPERAND, .operand = 3, .rule = &rule_mbarrier_arrive_count },
    { "mbarrier.arrive", FAULT_VERSION, .word = PTX_relaxed, .rule = &rule_mbarrier_arrive_relaxed_isa },
    { "mbarrier.arrive", FAULT_TARGET, .word = PTX_relaxed, .rule = &rule_mbarrier_arrive_relaxed_isa },
    { "mbarrier.arrive", FAULT_VERSION, .with = PTX_expect_tx, .rule = &rule_mbarrier_arrive_expect_target },
    { "mbarrier.arrive", FAULT_TARGET, .with = PTX_expect_tx, .rule = &rule_mbarrier_arrive_expect_target },
    { "mbarrier.arrive*", FAULT_ORDER, .rule = &rule_mbarrier_arrive_sem_scope_pair },
    { "mbarrier.arrive_drop", FAULT_WORD, .word = PTX_noComplete, .rule = &rule_mbarrier_arrive_drop_nocomplete },
    { "mbarrier.arrive_drop", FAULT_WORD, .class = PC_sem, .rule = &rule_mbarrier_arrive_drop_release },
    { "mbarrier.arrive_drop", FAULT_WORD, .class = PC_scope, .rule = &rule_mbarrier_arrive_drop_release },
    { "mbarrier.arrive_drop", FAULT_VERSION, .word = PTX_relaxed, .rule = &rule_mbarrier_arrive_drop_release },
    { "mbarrier.arrive_drop", FAULT_TARGET, .word = PTX_relaxed, .rule = &rule_mbarrier_arrive_drop_release },
    { "mbarrier.arrive_drop", FAULT_OPERAND, .operand = 1, .with = PTX_shared_cluster,
      .rule = &rule_mbarrier_arrive_remote_sink },
    { "mbarrier.arrive_drop", FAULT_OPERAND, .operand = 1, .rule = &rule_mbarrier_arrive_drop_state },
    { "mbarrier.arrive_drop", FAULT_OPERAND, .operand = 3, .rule = &rule_mbarrier_arrive_drop_count },
    { "mbarrier.arrive_drop", FAULT_COUNT, .with = PTX_noComplete, .rule = &rule_mbarrier_arrive_drop_nocomplete },
    { "mbarrier.arrive_drop", FAULT_COUNT, .with = PTX_expect_tx, .rule = &rule_mbarrier_arrive_drop_expect },
    { "mbarrier.arrive*", FAULT_TARGET, .rule = &rule_mbarrier_arrive_count_sm80 },
    { "mbarrier.test_wait", FAULT_WORD, .class = PC_sem, .rule = &rule_mbarrier_wait_sem_set },
    { "mbarrier.try_wait", FAULT_WORD, .class = PC_sem, .rule = &rule_mbarrier_wait_sem_set },
    { "mbarrier.test_wait", FAULT_WORD, .class = PC_scope, .rule = &rule_mbarrier_wait_sem_set },
    { "mbarrier.try_wait", FAULT_WORD, .class = PC_scope, .rule = &rule_mbarrier_wait_sem_set },
    { "mbarrier.test_wait", FAULT_ORDER, .rule = &rule_mbarrier_wait_sem_set },
    { "mbarrier.try_wait", FAULT_ORDER, .rule = &rule_mbarrier_wait_sem_set },
    { "mbarrier.test_wait", FAULT_VERSION, .word = PTX_relaxed, .rule = &rule_mbarrier_wait_relaxed_isa },
    { "mbarrier.test_wait", FAULT_TARGET, .word = PTX_relaxed, .rule = &rule_mbarrier_wait_relaxed_isa },
    { "mbarrier.try_wait", FAULT_VERSION, .word = PTX_relaxed, .rule = &rule_mbarrier_wait_relaxed_isa },
    { "mbarrier.test_wait", FAULT_VERSION, .rule = &rule_mbarrier_test_wait_target },
    { "mbarrier.test_wait", FAULT_TARGET, .rule = &rule_mbarrier_test_wait_target },
    { "mbarrier.try_wait", FAULT_VERSION, .rule = &rule_mbarrier_test_wait_target },
    { "mbarrier.try_wait", FAULT_TARGET, .rule = &rule_mbarrier_test_wait_target },
    { "mbarrier.test_wait", FAULT_VALUE, .operand = 3, .rule = &rule_mbarrier_wait_parity_values },
    { "mbarrier.try_wait", FAULT_VALUE, .operand = 3, .rule = &rule_mbarrier_wait_parity_values },
    { "mbarrier.test_wait", FAULT_OPERAND, .operand = 3, .rule = &rule_mbarrier_wait_types },
    { "mbarrier.try_wait", FAULT_OPERAND, .operand = 3, .rule = &rule_mbarrier_wait_types },
    { "mbarrier.test_wait", FAULT_OPERAND, .operand = 1, .rule = &rule_mbarrier_wait_types },
    { "mbarrier.try_wait", FAULT_OPERAND, .operand = 1, .rule = &rule_mbarrier_wait_types },
    { "mbarrier.try_wait", FAULT_OPERAND, .operand = 4, .rule = &rule_mbarrier_try_wait_hint },
    { "mbarrier.test_wait", FAULT_COUNT, .rule = &rule_mbarrier_wait_no_hint_on_test },
    { "mbarrier.try_wait", FAULT_COUNT, .rule = &rule_mbarrier_try_wait_hint },

    /* Bulk copies */
    { "cp.async.bulk", FAULT_WORD, .word = PTX_shared, .rule = &rule_bulk_dir_no_bare_shared },
    { "cp.async.bulk", FAULT_WORD, .word = PTX_const, .rule = &rule_bulk_dir_no_const_src },
    { "cp.async.bulk", FAULT_WORD, .word = PTX_local, .rule = &rule_bulk_dir_no_const_src },
    { "cp.async.bulk", FAULT_WORD, .word = PTX_param, .rule = &rule_bulk_dir_no_const_src },
    { "cp.async.bulk", FAULT_WORD, .word = PTX_cp_mask, .rule = &rule_bulk_cpmask_s2g_only },
    { "cp.async.bulk", FAULT_WORD, .word = PTX_multicast_cluster, .rule = &rule_bulk_mc_g2s_cluster_only },
    { "cp.reduce.async.bulk", FAULT_WORD, .word = PTX_multicast_cluster, .rule = &rule_bulk_mc_g2s_cluster_only },
    { "cp.async.bulk", FAULT_WORD, .word = PTX_ignore_oob, .rule = &rule_bulk_ignoreoob_isa },
    { "cp.async.bulk", FAULT_WORD, .word = PTX_bulk_group, .with = PTX_global, .rule = &rule_bulk_cm_g2s_mbar_only },
    { "cp.async.bulk", FAULT_WORD, .word = PTX_bulk_group, .rule = &rule_bulk_cm_s2cluster_mbar_only },
    { "cp.async.bulk", FAULT_WORD, .word = PTX_global, .with = PTX_bulk_group, .rule = &rule_bulk_dir_no_g2g },
    { "cp.async.bulk", FAULT_MISSING, .word = PTX_bulk_group, .rule = &rule_bulk_cm_required },
    { "cp.async.bulk", FAULT_MISSING, .word = PTX_mbarrier_complete_tx_bytes, .rule = &rule_bulk_cm_required },
    { "cp.async.bulk", FAULT_MISSING, .word = PTX_b128, .rule = &rule_bulk_isa93_sem },
    { "cp.async.bulk", FAULT_MISSING, .word = PTX_cta, .rule = &rule_bulk_isa93_sem },
    { "cp.async.bulk", FAULT_COUNT, .with = PTX_cp_mask, .rule = &rule_bulk_cpmask_operand },
    { "cp.async.bulk", FAULT_COUNT, .with = PTX_multicast_cluster, .rule = &rule_bulk_mc_mask_required },
    { "cp.async.bulk", FAULT_COUNT, .with = PTX_ignore_oob, .rule = &rule_bulk_ignoreoob_isa },
    { "cp.async.bulk", FAULT_COUNT, .with = PTX_L2_cache_hint, .rule = &rule_bulk_hint_pairing },
    { "cp.async.bulk", FAULT_COUNT, .rule = &rule_bulk_cm_mbar_operand },
    { "cp.async.bulk", FAULT_VALUE, .operand = 3, .rule = &rule_bulk_size_mult16_imm },
    { "cp.async.bulk", FAULT_OPERAND, .operand = 3, .rule = &rule_bulk_size_reg32 },
    { "cp.reduce.async.bulk", FAULT_VALUE, .operand = 3, .rule = &rule_bulkred_size },
    { "cp.reduce.async.bulk", FAULT_OPERAND, .operand = 3, .rule = &rule_bulkred_size },
    { "cp.reduce.async.bulk", FAULT_WORD, .word = PTX_L2_cache_hint, .rule = &rule_bulkred_hint },
    { "cp.reduce.async.bulk", FAULT_WORD, .word = PTX_noftz, .rule = &rule_bulkred_noftz_only_half_add },
    { "cp.reduce.async.bulk", FAULT_MISSING, .word = PTX_noftz, .rule = &rule_bulkred_noftz_required },
    { "cp.reduce.async.bulk", FAULT_WORD, .class = PC_type, .with = PTX_global, .rule = &rule_bulkred_types_global },
    { "cp.reduce.async.bulk", FAULT_WORD, .class = PC_type, .rule = &rule_bulkred_types_cluster },
    { "cp.reduce.async.bulk", FAULT_WORD, .word = PTX_bulk_group, .rule = &rule_bulkred_cm },
    { "cp.reduce.async.bulk", FAULT_MISSING, .word = PTX_bulk_group, .rule = &rule_bulkred_cm },
    { "cp.reduce.async.bulk", FAULT_WORD, .word = PTX_mbarrier_complete_tx_bytes, .rule = &rule_bulkred_cm },
    { "cp.reduce.async.bulk", FAULT_MISSING, .word = PTX_mbarrier_complete_tx_bytes, .rule = &rule_bulkred_cm },
    { "cp.reduce.async.bulk", FAULT_COUNT, .with = PTX_L2_cache_hint, .rule = &rule_bulkred_hint },
    { "cp.reduce.async.bulk", FAULT_COUNT, .rule = &rule_bulkred_cm },
    { "cp.reduce.async.bulk", FAULT_VERSION, .with = PTX_relaxed, .rule = &rule_bulkred_sem93 },
    { "cp.reduce.async.bulk", FAULT_VERSION, .rule = &rule_bulkred_req },
    { "cp.reduce.async.bulk", FAULT_TARGET, .rule = &rule_bulkred_req },
    { "cp.async.bulk", FAULT_OPERAND, .operand = 4, .with = PTX_cp_mask, .rule = &rule_bulk_cpmask_operand },
    { "cp.async.bulk", FAULT_OPERAND, .operand = 5, .with = PTX_multicast_cluster, .rule = &rule_bulk_mc_mask16 },
    { "cp.async.bulk", FAULT_OPERAND, .operand = 4, .with = PTX_L2_cache_hint, .rule = &rule_bulk_hint_pairing },
    { "cp.async.bulk", FAULT_OPERAND, .operand = 5, .with = PTX_L2_cache_hint, .rule = &rule_bulk_hint_pairing },
    { "cp.async.bulk", FAULT_TARGET, .word = PTX_cp_mask, .rule = &rule_bulk_cpmask_arch },
    { "cp.async.bulk", FAULT_VERSION, .word = PTX_shared_cta, .rule = &rule_bulk_dir_g2s_cta },
    { "cp.async.bulk", FAULT_VERSION, .word = PTX_ignore_oob, .rule = &rule_bulk_ignoreoob_isa },
    { "cp.async.bulk", FAULT_VERSION, .word = PTX_weak, .rule = &rule_bulk_isa93_sem },
    { "cp.async.bulk", FAULT_VERSION, .with = PTX_relaxed, .rule = &rule_bulk_isa93_sem },
    { "cp.async.bulk", FAULT_VERSION, .rule = &rule_bulk_req_isa80 },
    { "cp.async.bulk", FAULT_TARGET, .with = PTX_multicast_cluster, .rule = &rule_bulk_mc_advised_arch },
    { "cp.async.bulk", FAULT_TARGET, .rule = &rule_bulk_req_sm90 },
    { "multimem.cp.async.bulk", FAULT_VERSION, .rule = &rule_bulk_isa91_multimem },
    { "multimem.cp.reduce.async.bulk", FAULT_VERSION, .rule = &rule_bulk_isa91_multimem },
    { "cp.async.bulk.commit_group", FAULT_WORD, .rule = &rule_bulkgrp_commit_batches },
    { "cp.async.bulk.commit_group", FAULT_COUNT, .rule = &rule_bulkgrp_commit_batches },
    { "cp.async.bulk.commit_group", FAULT_TARGET, .rule = &rule_bulkgrp_req },
    { "cp.async.bulk.commit_group", FAULT_VERSION, .rule = &rule_bulkgrp_req },
    { "cp.async.bulk.wait_group", FAULT_COUNT, .rule = &rule_bulkgrp_wait_const },
    { "cp.async.bulk.wait_group", FAULT_OPERAND, .rule = &rule_bulkgrp_wait_const },
    { "cp.async.bulk.wait_group", FAULT_TARGET, .rule = &rule_bulkgrp_req },
    { "cp.async.bulk.wait_group", FAULT_VERSION, .rule = &rule_bulkgrp_req },
    { "cp.async.bulk.wait_group", FAULT_WORD, .rule = &rule_bulkgrp_wait_no_all },
    { "cp.async.bulk.prefetch", FAULT_COUNT, .with = PTX_L2_cache_hint, .rule = &rule_bulkpf_hint },
    { "cp.async.bulk.prefetch", FAULT_COUNT, .rule = &rule_bulkpf_form },
    { "cp.async.bulk.prefetch", FAULT_MISSING, .rule = &rule_bulkpf_form },
    { "cp.async.bulk.prefetch", FAULT_WORD, .rule = &rule_bulkpf_form },
    { "cp.async.bulk.prefetch", FAULT_VALUE, .operand = 2, .rule = &rule_bulkpf_size },
    { "cp.async.bulk.prefetch", FAULT_OPERAND, .operand = 3, .rule = &rule_bulkpf_hint },
    { "cp.async.bulk.prefetch", FAULT_TARGET, .rule = &rule_bulkpf_req },
    { "cp.async.bulk.prefetch", FAULT_VERSION, .rule = &rule_bulkpf_req },

    /* Tensor copies */
    { "cp.async.bulk.tensor", FAULT_WORD, .word = PTX_multicast_cluster, .rule = &rule_tensor_mc_forms },
    { "cp*", FAULT_WORD, .word = PTX_cta_group_1, .rule = &rule_tensor_ctagroup_values },
    { "cp*", FAULT_WORD, .word = PTX_cta_group_2, .rule = &rule_tensor_ctagroup_values },
    { "cp.async.bulk.tensor", FAULT_WORD, .word = PTX_cp_mask, .rule = &rule_tensor_form_no_cp_mask },
    { "cp.async.bulk.tensor", FAULT_WORD, .word = PTX_bulk_group, .rule = &rule_tensor_form_completion },
    { "cp.async.bulk.tensor", FAULT_WORD, .class = PC_space, .rule = &rule_tensor_form_dir },
    { "cp.async.bulk.tensor", FAULT_MISSING, .word = PTX_bulk_group, .rule = &rule_tensor_form_completion_missing },
    { "cp.async.bulk.tensor", FAULT_MISSING, .word = PTX_mbarrier_complete_tx_bytes,
      .rule = &rule_tensor_form_completion_missing },
    { "cp.async.bulk.tensor", FAULT_COUNT, .with = PTX_multicast_cluster, .rule = &rule_tensor_mc_forms },
    { "cp.async.bulk.tensor", FAULT_COUNT, .with = PTX_L2_cache_hint, .rule = &rule_tensor_hint_no_effect },
    { "cp.async.bulk.tensor", FAULT_COUNT, .rule = &rule_tensor_form_completion },
    { "cp.async.bulk.tensor", FAULT_OPERAND, .operand = 1, .with = PTX_bulk_group,
      .rule = &rule_tensor_form_coord_count },
    { "cp.async.bulk.tensor", FAULT_OPERAND, .operand = 2, .with = PTX_mbarrier_complete_tx_bytes,
      .rule = &rule_tensor_form_coord_count },
    { "cp.async.bulk.tensor", FAULT_OPERAND, .operand = 4, .with = PTX_multicast_cluster,
      .rule = &rule_tensor_mc_forms },
    { "cp.async.bulk.tensor", FAULT_TARGET, .word = PTX_cta_group_1, .rule = &rule_tensor_ctagroup_arch },
    { "cp.async.bulk.tensor", FAULT_TARGET, .word = PTX_cta_group_2, .rule = &rule_tensor_ctagroup_arch },
    { "cp.async.bulk.tensor", FAULT_TARGET, .with = PTX_tile_scatter4, .rule = &rule_tensor_arch_scatter4 },
    { "cp.async.bulk.tensor", FAULT_TARGET, .with = PTX_im2col_w_128, .rule = &rule_tensor_arch_im2col_w_128 },
    { "cp.async.bulk.prefetch.tensor", FAULT_TARGET, .with = PTX_tile_gather4,
      .rule = &rule_tensor_arch_prefetch_modes },
    { "cp.async.bulk.prefetch.tensor", FAULT_TARGET, .with = PTX_im2col_w, .rule = &rule_tensor_arch_prefetch_modes },
    { "cp.async.bulk.prefetch.tensor", FAULT_TARGET, .with = PTX_im2col_w_128,
      .rule = &rule_tensor_arch_prefetch_modes },
    { "cp.async.bulk.tensor", FAULT_TARGET, .with = PTX_tile_gather4, .too = PTX_shared_cta,
      .rule = &rule_tensor_arch_gather4_cta },
    { "cp.async.bulk.tensor", FAULT_TARGET, .with = PTX_tile_gather4, .rule = &rule_tensor_arch_gather4_cluster },
    { "cp.async.bulk.tensor", FAULT_TARGET, .with = PTX_im2col_w, .too = PTX_shared_cta,
      .rule = &rule_tensor_arch_im2col_w_cta },
    { "cp.async.bulk.tensor", FAULT_TARGET, .with = PTX_im2col_w, .rule = &rule_tensor_arch_im2col_w_cluster },
    { "cp.async.bulk.tensor", FAULT_TARGET, .with = PTX_multicast_cluster, .rule = &rule_tensor_arch_multicast },
    { "cp.async.bulk.tensor", FAULT_VERSION, .rule = &rule_tensor_req },
    { "cp*.tensor", FAULT_TARGET, .rule = &rule_tensor_arch_tile },

    /* Tensor maps, proxies */
    { "fence.proxy", FAULT_VALUE, .rule = &rule_tmap_size },
    { "tensormap.cp_fenceproxy", FAULT_VALUE, .rule = &rule_tmap_size },
    { "tensormap.cp_fenceproxy", FAULT_TARGET, .rule = &rule_tmap_arch_fences },
    { "fence.proxy", FAULT_TARGET, .with = PTX_tensormap_generic, .rule = &rule_tmap_arch_fences },
    { "fence.proxy", FAULT_WORD, .word = PTX_const, .with = PTX_async, .rule = &rule_bulk_proxy_fence_space },
    { "fence.proxy", FAULT_WORD, .word = PTX_local, .with = PTX_async, .rule = &rule_bulk_proxy_fence_space },
    { "fence.proxy", FAULT_WORD, .word = PTX_shared, .with = PTX_async, .rule = &rule_bulk_proxy_fence_space },
    { "prefetch", FAULT_TARGET, .with = PTX_tensormap, .rule = &rule_tmap_prefetch_req },
    { "prefetch", FAULT_VERSION, .with = PTX_tensormap, .rule = &rule_tmap_prefetch_req },
    { "prefetch", FAULT_WORD, .with = PTX_tensormap, .rule = &rule_tmap_prefetch_forms },
    { "tensormap.replace", FAULT_VERSION, .with = PTX_elemtype, .rule = &rule_tmap_arch_replace_packed },
    { "tensormap.replace", FAULT_TARGET, .rule = &rule_tmap_arch_replace },

    /* wgmma and setmaxnreg */
    { "wgmma.mma_async.sp", FAULT_TARGET, .rule = &rule_wgmma_sp_target },
    { "wgmma.mma_async.sp", FAULT_VERSION, .rule = &rule_wgmma_sp_isa },
    { "wgmma.mma_async", FAULT_TARGET, .rule = &rule_wgmma_target },
    { "wgmma.mma_async", FAULT_VERSION, .rule = &rule_wgmma_isa },
    { "wgmma.mma_async*", FAULT_MISSING, .word = PTX_sync, .rule = &rule_wgmma_form_sync },
    { "wgmma.mma_async*", FAULT_MISSING, .word = PTX_aligned, .rule = &rule_wgmma_form_aligned },
    { "wgmma.mma_async*", FAULT_WORD, .word = PTX_satfinite, .rule = &rule_wgmma_sat_int_only },
    { "wgmma.fence", FAULT_TARGET, .rule = &rule_wgmma_fence_target },
    { "wgmma.fence", FAULT_VERSION, .rule = &rule_wgmma_fence_target },
    { "wgmma.fence", FAULT_WORD, .rule = &rule_wgmma_fence_form },
    { "wgmma.fence", FAULT_COUNT, .rule = &rule_wgmma_fence_form },
    { "wgmma.fence", FAULT_MISSING, .rule = &rule_wgmma_fence_form },
    { "wgmma.commit_group", FAULT_TARGET, .rule = &rule_wgmma_commit_target },
    { "wgmma.commit_group", FAULT_VERSION, .rule = &rule_wgmma_commit_target },
    { "wgmma.commit_group", FAULT_WORD, .rule = &rule_wgmma_commit_form },
    { "wgmma.commit_group", FAULT_COUNT, .rule = &rule_wgmma_commit_form },
    { "wgmma.commit_group", FAULT_MISSING, .rule = &rule_wgmma_commit_form },
    { "wgmma.wait_group", FAULT_TARGET, .rule = &rule_wgmma_wait_target },
    { "wgmma.wait_group", FAULT_VERSION, .rule = &rule_wgmma_wait_target },
    { "wgmma.wait_group", FAULT_OPERAND, .rule = &rule_wgmma_wait_constant },
    { "wgmma.wait_group", FAULT_WORD, .rule = &rule_wgmma_wait_form },
    { "wgmma.wait_group", FAULT_COUNT, .rule = &rule_wgmma_wait_form },
    { "wgmma.wait_group", FAULT_MISSING, .rule = &rule_wgmma_wait_form },
    { "setmaxnreg", FAULT_TARGET, .rule = &rule_setmaxnreg_target },
    { "setmaxnreg", FAULT_VERSION, .rule = &rule_setmaxnreg_isa },
    { "setmaxnreg", FAULT_OPERAND, .rule = &rule_setmaxnreg_constant },
    { "setmaxnreg", FAULT_MISSING, .word = PTX_u32, .rule = &rule_setmaxnreg_type },
    { "setmaxnreg", FAULT_WORD, .class = PC_type, .rule = &rule_setmaxnreg_type },
    { "setmaxnreg", FAULT_MISSING, .word = PTX_sync, .rule = &rule_setmaxnreg_aligned },
    { "setmaxnreg", FAULT_MISSING, .word = PTX_aligned, .rule = &rule_setmaxnreg_aligned },
};

/* Whether the text is the pattern, in which one '*' may stand for any text. */
static bool matches(const char *pattern, const char *text)
{
    const size_t n = strcspn(pattern, "*");
    if (!pattern[n])
        return !strcmp(pattern, text);
    const size_t length = strlen(text), tail = strlen(pattern + n + 1);
    return length >= n + tail && !strncmp(pattern, text, n) && !strcmp(pattern + n + 1, text + length - tail);
}

static bool fits(const struct row *r, const struct form_candidate *c)
{
    const struct form_failure *is = &c->best;

    return r->fault == is->fault && (!r->word || r->word == is->word) &&
           (!r->class || r->class == ptx_word_class[is->word]) && (!r->operand || r->operand == is->operand + 1u) &&
           (!r->with || form_has(c, r->with)) && (!r->too || form_has(c, r->too)) &&
           matches(r->op, ptx_op_text[c->i->op]);
}

const struct ck_rule *form_rule(const struct form_candidate *c)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (fits(&rows[k], c))
            return rows[k].rule;
    return NULL;
}

const struct ck_rule *form_unknown_word_rule(uint16_t op, const char *word)
{
    static const struct {
        const char *op, *word; /* the instruction's name and the word's text; a '*' stands for any text */
        const struct ck_rule *rule;
    } unknown[] = {
        { "cp.async", "L*", &rule_cpasync_prefetch_sizes },
        { "cp*.tensor", "cta_group*", &rule_tensor_ctagroup_values },
        { "cp*.tensor", "0d", &rule_tensor_form_rank },
        { "cp*.tensor", "6d", &rule_tensor_form_rank },
        { "cp.async.bulk", "wait_all", &rule_bulkgrp_wait_no_all },
    };

    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++)
        if (matches(unknown[k].op, ptx_op_text[op]) && matches(unknown[k].word, word))
            return unknown[k].rule;
    return NULL;
}
