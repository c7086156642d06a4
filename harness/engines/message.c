/* Which rule an assembler's complaint is about.
 *
 * Assemblers say what they dislike in a few dozen fixed sentences, and name the instruction. A sentence alone often
 * fits several rules ("Arguments mismatch"); the instruction's modifiers and its number of operands tell most of them
 * apart. Where they do not, no rule is named: no rule is better than a wrong one. */
#include "harness/engines/engine.h"

#include <stdio.h>
#include <string.h>

/* One row; the first row that fits applies. In `opcode` and `says`, '*' matches any characters. */
static const struct pattern {
    const char *opcode; /* of the whole opcode with its modifiers */
    const char *has;    /* a modifier that the opcode has, or NULL */
    const char *lacks;  /* one that it has not, or NULL */
    int operands;       /* how many operands the instruction was given; ANY for any number */
    const char *says;
    const struct ck_rule *rule;
} patterns[] = {
#define ANY       -1
#define MISMATCH  "Arguments mismatch for*"
#define VERSION   "*requires PTX ISA .version*"
#define TARGET    "*requires .target*"
#define UNTARGET  "*not supported on .target*"
#define MULTIPLE  "*expected to be multiple of 16"
#define RANGE     "*out of range*"
#define SPACE     "State space incorrect*"
#define HINT      ".L2::cache_hint"
#define MULTICAST ".multicast::cluster"
    { "*", NULL, NULL, ANY, "Predicate expression expected", NULL },

    /* ---- tensor copies ---- */
    { "cp*.async.bulk*.tensor*", ".cta_group", NULL, ANY, "Feature '.cta_group*" UNTARGET, &rule_tensor_ctagroup_arch },
    { "cp*.async.bulk*.tensor*", ".cta_group", NULL, ANY, "Unknown modifier '.cta_group*",
      &rule_tensor_ctagroup_values },
    { "cp*.async.bulk*.tensor*", ".cta_group", NULL, ANY, "Illegal modifier '.cta_group*",
      &rule_tensor_ctagroup_values },
    { "cp.async.bulk.tensor*", ".cta_group", MULTICAST, ANY, MISMATCH, &rule_tensor_ctagroup_values },
    { "cp.async.bulk.prefetch.tensor*", NULL, NULL, ANY, "Feature '*with cp.async.bulk.prefetch.tensor'*",
      &rule_tensor_arch_prefetch_modes },
    { "cp.reduce.async.bulk.tensor*", ".tile::scatter4", NULL, ANY, "Feature '.tile::scatter4'*",
      &rule_tensor_arch_reduce_scatter4 },
    { "cp.async.bulk.tensor*", NULL, NULL, ANY, "Feature '.tile::gather4*.shared::cluster'*",
      &rule_tensor_arch_gather4_cluster },
    { "cp.async.bulk.tensor*", NULL, NULL, ANY, "Feature '.tile::gather4*.shared::cta'*",
      &rule_tensor_arch_gather4_cta },
    { "cp.async.bulk.tensor*", NULL, NULL, ANY, "Feature '.tile::scatter4'*", &rule_tensor_arch_scatter4 },
    { "cp.async.bulk.tensor*", NULL, NULL, ANY, "Feature '.im2col::w::128*", &rule_tensor_arch_im2col_w_128 },
    { "cp.async.bulk.tensor*", NULL, NULL, ANY, "Feature '.im2col::w with*.shared::cluster'*",
      &rule_tensor_arch_im2col_w_cluster },
    { "cp.async.bulk.tensor*", NULL, NULL, ANY, "Feature '.im2col::w with*.shared::cta'*",
      &rule_tensor_arch_im2col_w_cta },
    { "cp*.async.bulk*.tensor*", NULL, NULL, ANY, VERSION, &rule_tensor_req },
    { "cp*.async.bulk*.tensor*", MULTICAST, NULL, ANY, TARGET, &rule_tensor_arch_multicast },
    { "cp*.async.bulk*.tensor*", NULL, NULL, ANY, TARGET, &rule_tensor_arch_tile },
    { "cp.async.bulk.tensor*", NULL, NULL, ANY, ".completion_mechanism modifier required*",
      &rule_tensor_form_completion_missing },
    { "cp.async.bulk.tensor*", NULL, NULL, ANY, "Illegal modifier '.bulk_group'*", &rule_tensor_form_completion },
    { "cp.async.bulk.tensor*", NULL, NULL, ANY, "Illegal modifier '.mbarrier::complete_tx::bytes'*",
      &rule_tensor_form_completion },
    { "cp.async.bulk.tensor*", NULL, NULL, ANY, "Illegal modifier '.multicast::cluster'*", &rule_tensor_mc_forms },
    { "cp*.async.bulk.tensor*", NULL, NULL, ANY, "Illegal modifier '.cp_mask'*", &rule_tensor_form_no_cp_mask },
    { "cp*.async.bulk*.tensor*", NULL, NULL, ANY, "State space mismatch between*", &rule_tmap_space_shared },
    { "cp*.async.bulk*.tensor*", NULL, NULL, ANY, SPACE, &rule_tensor_form_dir },
    { "cp*.async.bulk*.tensor*", NULL, NULL, ANY, "*Argument vector size mismatch", &rule_tensor_form_coord_count },
    { "cp*.async.bulk*.tensor*", NULL, NULL, ANY, "Vector expected for argument*", &rule_tensor_form_coord_braces },
    { "cp*.async.bulk*.tensor*", NULL, NULL, ANY, "Incompatible elements of vector*", &rule_tensor_form_coord_type },
    { "cp*.async.bulk*.tensor*", ".tiled", NULL, ANY, "Unknown modifier '.tiled'", &rule_tensor_form_default_tile },
    { "cp.async.bulk.tensor*", MULTICAST, NULL, ANY, MISMATCH, &rule_tensor_mc_forms },
    { "cp.async.bulk.tensor*", ".mbarrier::complete_tx::bytes", NULL, 2, MISMATCH, &rule_tensor_form_completion },
    { "cp.async.bulk.tensor*", ".mbarrier::complete_tx::bytes", MULTICAST, 4, MISMATCH, &rule_tensor_hint_no_effect },
    { "cp.async.bulk.tensor*", HINT, MULTICAST, 3, MISMATCH, &rule_tensor_hint_no_effect },
    { "cp*.async.bulk*.tensor.0d*", NULL, NULL, ANY, "Parsing error*", &rule_tensor_form_rank },
    { "cp*.async.bulk*.tensor.6d*", NULL, NULL, ANY, "Parsing error*", &rule_tensor_form_rank },
    { "cp*.async.bulk*.tensor*", NULL, NULL, ANY, "*", NULL },

    /* ---- bulk groups and bulk prefetch ---- */
    { "cp.async.bulk.commit_group*", NULL, NULL, ANY, VERSION, &rule_bulkgrp_req },
    { "cp.async.bulk.commit_group*", NULL, NULL, ANY, TARGET, &rule_bulkgrp_req },
    { "cp.async.bulk.wait_group*", NULL, NULL, ANY, VERSION, &rule_bulkgrp_req },
    { "cp.async.bulk.wait_group*", NULL, NULL, ANY, TARGET, &rule_bulkgrp_req },
    { "cp.async.bulk.commit_group*", NULL, NULL, ANY, MISMATCH, &rule_bulkgrp_commit_batches },
    { "cp.async.bulk.commit_group*", NULL, NULL, ANY, "Illegal modifier*", &rule_bulkgrp_commit_batches },
    { "cp.async.bulk.wait_group*", NULL, NULL, ANY, MISMATCH, &rule_bulkgrp_wait_const },
    { "cp.async.bulk.wait_group*", NULL, NULL, ANY, "Illegal modifier '.all'*", &rule_bulkgrp_wait_no_all },
    { "cp.async.bulk.wait_all*", NULL, NULL, ANY, "Unknown modifier '.wait_all'", &rule_bulkgrp_wait_no_all },
    { "cp.async.bulk.prefetch*", NULL, NULL, ANY, VERSION, &rule_bulkpf_req },
    { "cp.async.bulk.prefetch*", NULL, NULL, ANY, TARGET, &rule_bulkpf_req },
    { "cp.async.bulk.prefetch*", NULL, ".tensor", ANY, MULTIPLE, &rule_bulkpf_size },
    { "cp.async.bulk.prefetch*", NULL, ".tensor", ANY, RANGE, &rule_bulkpf_size },
    { "cp.async.bulk.prefetch*", HINT, ".tensor", 2, MISMATCH, &rule_bulkpf_hint },
    { "cp.async.bulk.prefetch*", NULL, HINT, 3, MISMATCH, &rule_bulkpf_hint },
    { "cp.async.bulk.prefetch*", NULL, ".tensor", 1, MISMATCH, &rule_bulkpf_form },
    { "cp.async.bulk.prefetch*", NULL, ".tensor", ANY, "Illegal modifier*", &rule_bulkpf_form },
    { "cp.async.bulk.prefetch*", NULL, ".tensor", ANY, "State space*", &rule_bulkpf_form },
    { "cp.async.bulk.prefetch*", NULL, ".tensor", ANY, ".level modifier required*", &rule_bulkpf_form },

    /* ---- one-dimensional bulk copies ---- */
    { "cp.async.bulk*", NULL, ".tensor", ANY, "*destination state space as .shared::cta' requires PTX ISA*",
      &rule_bulk_dir_g2s_cta },
    { "cp.async.bulk*", ".cp_mask", ".tensor", ANY, TARGET, &rule_bulk_cpmask_arch },
    { "cp.async.bulk*", NULL, ".tensor", ANY, "Feature 'cp.async.bulk' requires PTX ISA*", &rule_bulk_req_isa80 },
    { "cp.async.bulk*", NULL, ".tensor", ANY, "Feature 'cp.async.bulk' requires .target*", &rule_bulk_req_sm90 },
    { "cp.reduce.async.bulk*", NULL, ".tensor", ANY, MULTIPLE, &rule_bulkred_size },
    { "cp*.async.bulk*", NULL, ".tensor", ANY, MULTIPLE, &rule_bulk_size_mult16_imm },
    { "cp.async.bulk*", MULTICAST, ".tensor", ANY, "Argument 4*out of range*", &rule_bulk_mc_mask16 },
    { "cp.async.bulk*", MULTICAST, ".tensor", ANY, "Argument 4*must be 16-bit*", &rule_bulk_mc_mask16 },
    { "cp.async.bulk*", NULL, ".tensor", ANY, RANGE, &rule_bulk_size_imm_range },
    { "cp.async.bulk*", NULL, ".tensor", ANY, ".completion_mechanism modifier required*", &rule_bulk_cm_required },
    { "cp.async.bulk.shared::cluster.shared::cta*", NULL, NULL, ANY, "Illegal modifier '.bulk_group'*",
      &rule_bulk_cm_s2cluster_mbar_only },
    { "cp.async.bulk*", NULL, ".tensor", ANY, "Illegal modifier '.bulk_group'*", &rule_bulk_cm_g2s_mbar_only },
    { "cp.async.bulk*", NULL, ".tensor", ANY, "Illegal modifier '.mbarrier::complete_tx::bytes'*",
      &rule_bulk_cm_s2g_group_only },
    { "cp.async.bulk*", NULL, ".tensor", ANY, "Illegal modifier '.cp_mask'*with*", &rule_bulk_cpmask_s2g_only },
    { "cp.async.bulk.global.*", ".cp_mask", ".tensor", ANY, "Illegal modifier '.cp_mask'*", &rule_bulk_cpmask_operand },
    { "cp*.async.bulk*", NULL, ".tensor", ANY, "Illegal modifier '.multicast::cluster'*",
      &rule_bulk_mc_g2s_cluster_only },
    { "cp.async.bulk*", NULL, ".tensor", ANY, "Illegal modifier '.L2::cache_hint'*", &rule_bulk_hint_global_only },
    { "cp.async.bulk.global.global.*", NULL, NULL, ANY, SPACE, &rule_bulk_dir_no_g2g },
    { "cp.async.bulk.shared::cta.shared::cta.*", NULL, NULL, ANY, SPACE, &rule_bulk_dir_no_cta2cta },
    { "cp.async.bulk.*.const.*", NULL, ".tensor", ANY, SPACE, &rule_bulk_dir_no_const_src },
    { "cp.async.bulk.shared.*", NULL, NULL, ANY, SPACE, &rule_bulk_dir_no_bare_shared },
    { "cp.async.bulk.*.shared.*", NULL, ".tensor", ANY, SPACE, &rule_bulk_dir_no_bare_shared },
    { "cp.async.bulk.*.shared::cluster.*", NULL, ".tensor", ANY, SPACE, &rule_bulk_dir_no_cluster_src },
    { "cp.async.bulk.*.ignore_oob*", NULL, NULL, ANY, "Unknown modifier '.ignore_oob'", &rule_bulk_ignoreoob_isa },
    { "cp.async.bulk.*.ignore_oob*", NULL, NULL, ANY, VERSION, &rule_bulk_ignoreoob_isa },
    { "cp.async.bulk.weak.*", NULL, NULL, ANY, VERSION, &rule_bulk_isa93_sem },
    { "cp.async.bulk.relaxed.*", NULL, NULL, ANY, VERSION, &rule_bulk_isa93_sem },
    { "multimem.cp.*", NULL, NULL, ANY, "Unknown modifier*", &rule_bulk_isa91_multimem },
    { "multimem.cp.*", NULL, NULL, ANY, VERSION, &rule_bulk_isa91_multimem },
    { "cp.async.bulk.global.*", MULTICAST, ".tensor", ANY, MISMATCH, &rule_bulk_mc_g2s_cluster_only },
    { "cp.async.bulk.*", ".cp_mask", ".tensor", ANY, MISMATCH, &rule_bulk_cpmask_operand },
    { "cp.async.bulk.*.mbarrier*", NULL, ".tensor", 3, MISMATCH, &rule_bulk_cm_mbar_operand },
    { "cp.async.bulk.*" MULTICAST "*", NULL, HINT, 4, MISMATCH, &rule_bulk_mc_mask_required },
    { "cp.async.bulk.*" MULTICAST "*", NULL, HINT, 5, MISMATCH, &rule_bulk_mc_mask16 },
    { "cp.async.bulk.*" MULTICAST "*", HINT, ".tensor", 6, MISMATCH, &rule_bulk_hint_operand_order },
    { "cp.async.bulk.*.mbarrier*" HINT "*", NULL, ".tensor", 4, MISMATCH, &rule_bulk_hint_pairing },
    { "cp.async.bulk.*.bulk_group*" HINT "*", NULL, ".tensor", 3, MISMATCH, &rule_bulk_hint_pairing },
    { "cp.async.bulk.*.mbarrier*", NULL, HINT, 5, MISMATCH, &rule_bulk_hint_pairing },
    { "cp.async.bulk.*.bulk_group*", NULL, HINT, 4, MISMATCH, &rule_bulk_hint_pairing },
    { "cp.async.bulk.*.mbarrier*", NULL, HINT, 4, MISMATCH, &rule_bulk_size_reg32 },
    { "cp.async.bulk.*.bulk_group*", NULL, HINT, 3, MISMATCH, &rule_bulk_size_reg32 },
    { "cp.async.bulk.*", NULL, NULL, ANY, "Illegal modifier '.weak'*", &rule_bulk_isa93_sem },
    { "cp.async.bulk.*", NULL, NULL, ANY, "Illegal modifier '.relaxed'*", &rule_bulk_isa93_sem },
    { "cp*.async.bulk*", NULL, NULL, ANY, "*", NULL },
    { "fence.proxy.async*", NULL, NULL, ANY, SPACE, &rule_bulk_proxy_fence_space },

    /* ---- cp.async and its groups ---- */
    { "cp.async.commit_group*", NULL, NULL, ANY, VERSION, &rule_group_isa },
    { "cp.async.wait_*", NULL, NULL, ANY, VERSION, &rule_group_isa },
    { "cp.async.commit_group*", NULL, NULL, ANY, TARGET, &rule_group_target },
    { "cp.async.wait_*", NULL, NULL, ANY, TARGET, &rule_group_target },
    { "cp.async.commit_group*", NULL, NULL, ANY, "*", &rule_group_commit_form },
    { "cp.async.wait_all*", NULL, NULL, ANY, "*", &rule_group_wait_all_form },
    { "cp.async.wait_group*", NULL, NULL, ANY, "*", &rule_group_wait_form },
    { "cp.async.mbarrier.arrive*", NULL, NULL, ANY, "*", NULL },
    { "cp.async*", NULL, ".bulk", ANY, "Feature 'cp.async' requires PTX ISA*", &rule_cpasync_isa_base },
    { "cp.async*", NULL, ".bulk", ANY, "Feature 'cp.async' requires .target*", &rule_cpasync_target },
    { "cp.async*", NULL, ".bulk", ANY, "Feature '*src on cp.async' requires PTX ISA*", &rule_cpasync_isa_ignsrc },
    { "cp.async*", NULL, ".bulk", ANY, "*cache prefetching' requires PTX ISA*", &rule_cpasync_isa_prefetch },
    { "cp.async*", NULL, ".bulk", ANY, "*.L2::cache_hint' requires PTX ISA*", &rule_cpasync_isa_prefetch },
    { "cp.async*", NULL, ".bulk", ANY, "*expected to be 4 or 8 or 16", &rule_cpasync_size_set },
    { "cp.async*", NULL, ".bulk", ANY, "*expected to be 16", &rule_cpasync_cg_size16 },
    { "cp.async*", NULL, ".bulk", ANY, RANGE, &rule_cpasync_srcsize_imm_range },
    { "cp.async*", NULL, ".bulk", ANY, "'.ca or .cg' modifier required*", &rule_cpasync_cacheop_required },
    { "cp.async*", NULL, ".bulk", ANY, "Multiple cache operation modifiers*", &rule_cpasync_cacheop_required },
    { "cp.async*", NULL, ".bulk", ANY, "Multiple cache prefetching modifiers*", &rule_cpasync_prefetch_sizes },
    { "cp.async*", NULL, ".bulk", ANY, "Multiple .L2::cache_hint modifiers*", &rule_cpasync_hint_combines },
    { "cp.async*", NULL, ".bulk", ANY, "Illegal modifier '.L2'*", &rule_cpasync_prefetch_sizes },
    { "cp.async*", NULL, ".bulk", ANY, "Unknown modifier '.L2::*", &rule_cpasync_prefetch_sizes },
    { "cp.async*", NULL, ".bulk", ANY, "Illegal modifier '::cluster'*", &rule_cpasync_space_no_cluster },
    { "cp.async*", NULL, ".bulk", ANY, "Illegal modifier '.c?'*", &rule_cpasync_cacheop_required },
    { "cp.async*", NULL, ".bulk", ANY, "Illegal modifier '.w?'*", &rule_cpasync_cacheop_required },
    { "cp.async*", NULL, ".bulk", ANY, "Illegal modifier '.lu'*", &rule_cpasync_cacheop_required },
    { "cp.async*", NULL, ".bulk", ANY, "Illegal modifier '.level::eviction_priority'*",
      &rule_cpasync_cacheop_required },
    { "cp.async*", NULL, ".bulk", ANY, "Illegal modifier*", &rule_cpasync_notype },
    { "cp.async*", NULL, ".bulk", ANY, "Unexpected instruction types*", &rule_cpasync_notype },
    { "cp.async*", NULL, ".bulk", ANY, "Unexpected number of state spaces*", &rule_cpasync_space_explicit },
    { "cp.async*", NULL, ".bulk", ANY, SPACE, &rule_cpasync_space_direction },
    { "cp.async*", HINT, ".bulk", 3, MISMATCH, &rule_cpasync_hint_pair },
    { "cp.async*", HINT, ".bulk", 4, MISMATCH, &rule_cpasync_hint_type64 },
    { "cp.async*", NULL, HINT, 3, MISMATCH, &rule_cpasync_size_constant },
    { "cp.async*", NULL, HINT, 4, MISMATCH, &rule_cpasync_srcsize_type32 },
    { "cp.async*", NULL, HINT, 5, ".L2::cache_hint modifier required*", &rule_cpasync_hint_pair },
    { "cp.ca*", NULL, NULL, ANY, "Not a name of any known instruction: 'cp'", &rule_cpasync_async_required },
    { "cp.cg*", NULL, NULL, ANY, "Not a name of any known instruction: 'cp'", &rule_cpasync_async_required },
    { "createpolicy.fractional*", NULL, NULL, ANY, RANGE, &rule_cpasync_hint_fraction },

    /* ---- mbarrier ---- */
    { "mbarrier.pending_count*", NULL, NULL, ANY, "*", &rule_mbarrier_pending_count_form },
    { "mbarrier.*", NULL, NULL, ANY, "Unexpected instruction types*", &rule_mbarrier_object_type },
    { "mbarrier.init*", NULL, NULL, ANY, "Illegal modifier '::cluster'*", &rule_mbarrier_init_local_only },
    { "mbarrier.init*", NULL, NULL, ANY, VERSION, &rule_mbarrier_init_target },
    { "mbarrier.init*", NULL, NULL, ANY, TARGET, &rule_mbarrier_init_target },
    { "mbarrier.expect_tx*", NULL, NULL, ANY, VERSION, &rule_mbarrier_expect_tx_target },
    { "mbarrier.expect_tx*", NULL, NULL, ANY, TARGET, &rule_mbarrier_expect_tx_target },
    { "mbarrier.complete_tx*", NULL, NULL, ANY, VERSION, &rule_mbarrier_complete_tx_target },
    { "mbarrier.complete_tx*", NULL, NULL, ANY, TARGET, &rule_mbarrier_complete_tx_target },
    { "mbarrier.arrive*", ".relaxed", NULL, ANY, "Modifier '.relaxed' on*", &rule_mbarrier_arrive_relaxed_isa },
    { "mbarrier.t*_wait*", ".relaxed", NULL, ANY, "Modifier '.relaxed' on*", &rule_mbarrier_wait_relaxed_isa },
    { "mbarrier.arrive.expect_tx*", NULL, NULL, ANY, VERSION, &rule_mbarrier_arrive_expect_target },
    { "mbarrier.arrive.expect_tx*", NULL, NULL, ANY, TARGET, &rule_mbarrier_arrive_expect_target },
    { "mbarrier.arrive*", NULL, ".expect_tx", ANY, TARGET, &rule_mbarrier_arrive_count_sm80 },
    { "mbarrier.t*_wait*", NULL, NULL, ANY, VERSION, &rule_mbarrier_test_wait_target },
    { "mbarrier.t*_wait*", NULL, NULL, ANY, TARGET, &rule_mbarrier_test_wait_target },
    { "mbarrier.*", NULL, NULL, ANY, "Illegal state space for address*", &rule_mbarrier_object_space },
    { "mbarrier.*.global.*", NULL, NULL, ANY, SPACE, &rule_mbarrier_object_space },
    { "mbarrier.*.local.*", NULL, NULL, ANY, SPACE, &rule_mbarrier_object_space },
    { "mbarrier.*.const.*", NULL, NULL, ANY, SPACE, &rule_mbarrier_object_space },
    { "mbarrier.*.param.*", NULL, NULL, ANY, SPACE, &rule_mbarrier_object_space },
    { "mbarrier.init*", NULL, NULL, ANY, "*value '0' out of range*", &rule_mbarrier_init_count_zero },
    { "mbarrier.init*", NULL, NULL, ANY, RANGE, &rule_mbarrier_init_count_over },
    { "mbarrier.init*", NULL, NULL, ANY, "*", &rule_mbarrier_init_form },
    { "mbarrier.inval*", NULL, NULL, ANY, "*", &rule_mbarrier_inval_form },
    { "mbarrier.t*_wait*", NULL, NULL, ANY, "Illegal modifier '::cluster'*", &rule_mbarrier_wait_local_only },
    { "mbarrier.t*_wait*", NULL, NULL, ANY, "Illegal modifier*", &rule_mbarrier_wait_sem_set },
    { "mbarrier.t*_wait*", NULL, NULL, ANY, "Modifier*requires*", &rule_mbarrier_wait_sem_set },
    { "mbarrier.t*_wait.parity*", NULL, NULL, ANY, "*expected to be 0 or 1", &rule_mbarrier_wait_parity_values },
    { "mbarrier.t*_wait*", NULL, NULL, ANY, "Result discard mode*", &rule_mbarrier_wait_types },
    { "mbarrier.t*_wait*", NULL, NULL, 3, MISMATCH, &rule_mbarrier_wait_types },
    { "mbarrier.test_wait*", NULL, NULL, 4, MISMATCH, &rule_mbarrier_wait_no_hint_on_test },
    { "mbarrier.try_wait*", NULL, NULL, 4, MISMATCH, &rule_mbarrier_try_wait_hint },
    { "mbarrier.arrive*", NULL, NULL, ANY, "Sink '_' is expected*", &rule_mbarrier_arrive_remote_sink },
    { "mbarrier.arrive*", NULL, NULL, ANY, "Result discard mode*", &rule_mbarrier_arrive_sink },
    { "mbarrier.arrive*", NULL, ".noComplete", ANY, "Modifier*requires scope*", &rule_mbarrier_arrive_sem_scope_pair },
    { "mbarrier.arrive*", NULL, ".noComplete", ANY, "Modifier*requires order*", &rule_mbarrier_arrive_sem_scope_pair },
    { "mbarrier.arrive.expect_tx*", NULL, NULL, ANY, "*'.no?omplete'*", &rule_mbarrier_arrive_expect_no_nocomplete },
    { "mbarrier.arrive_drop*", NULL, NULL, ANY, "*'.no?omplete'*", &rule_mbarrier_arrive_drop_nocomplete },
    { "mbarrier.arrive*", NULL, NULL, ANY, "*'.no?omplete'*", &rule_mbarrier_arrive_nocomplete_form },
    { "mbarrier.arrive*", ".noComplete", NULL, ANY, "*", &rule_mbarrier_arrive_nocomplete_form },
    { "mbarrier.arrive_drop*", NULL, NULL, ANY, "Illegal modifier '.acquire'*", &rule_mbarrier_arrive_drop_release },
    { "mbarrier.arrive*", NULL, NULL, ANY, "Illegal modifier '.gpu'*", &rule_mbarrier_arrive_scope_set },
    { "mbarrier.arrive*", NULL, NULL, ANY, "Illegal modifier '.sys'*", &rule_mbarrier_arrive_scope_set },
    { "mbarrier.arrive*", NULL, NULL, ANY, "Illegal modifier '.a*", &rule_mbarrier_arrive_sem_set },
    { "mbarrier.arrive*", NULL, NULL, ANY, "Unknown modifier '.seq_cst'", &rule_mbarrier_arrive_sem_set },
    { "mbarrier.arrive*", NULL, NULL, ANY, "*expected to be a non-zero positive", &rule_mbarrier_arrive_count_imm },
    { "mbarrier.arrive_drop.expect_tx*", NULL, NULL, ANY, MISMATCH, &rule_mbarrier_arrive_drop_expect },
    { "mbarrier.arrive_drop*", NULL, NULL, 3, MISMATCH, &rule_mbarrier_arrive_drop_count },
    { "mbarrier.arrive_drop*", NULL, NULL, 1, MISMATCH, &rule_mbarrier_arrive_drop_state },
    { "mbarrier.arrive*", NULL, ".expect_tx", 3, MISMATCH, &rule_mbarrier_arrive_count },
    { "mbarrier.arrive*", NULL, ".expect_tx", 1, MISMATCH, &rule_mbarrier_arrive_sink },
    { "mbarrier.arrive.expect_tx*", NULL, NULL, 4, MISMATCH, &rule_mbarrier_arrive_expect_count_one },
    { "mbarrier.expect_tx*", NULL, NULL, 3, MISMATCH, &rule_mbarrier_expect_tx_noresult },
    { "mbarrier.expect_tx*", NULL, NULL, ANY, "Illegal modifier*", &rule_mbarrier_expect_tx_sem },
    { "mbarrier.expect_tx*", NULL, NULL, ANY, "Modifier*requires*", &rule_mbarrier_expect_tx_sem },
    { "mbarrier.complete_tx*", NULL, NULL, ANY, "Illegal modifier*", &rule_mbarrier_complete_tx_sem },
    { "mbarrier.complete_tx*", NULL, NULL, ANY, "Modifier*requires*", &rule_mbarrier_complete_tx_sem },

    /* ---- tensor maps ---- */
    { "tensormap.replace*", NULL, NULL, ANY, "*.swizzle_mode modifier is used.", &rule_tmap_arch_replace_96b },
    { "tensormap.replace*", NULL, NULL, ANY, "*.elemtype modifier is used.", &rule_tmap_arch_replace_packed },
    { "tensormap.replace*", NULL, NULL, ANY, "*'tensormap.replace.*", &rule_tmap_arch_replace_packed },
    { "tensormap.replace*", NULL, NULL, ANY, "Instruction 'tensormap.replace'*", &rule_tmap_arch_replace },
    { "tensormap.cp_fenceproxy*", NULL, NULL, ANY, UNTARGET, &rule_tmap_arch_fences },
    { "fence.proxy.tensormap*", NULL, NULL, ANY, UNTARGET, &rule_tmap_arch_fences },
    { "tensormap.cp_fenceproxy*", NULL, NULL, ANY, "*expected to be 128", &rule_tmap_size },
    { "fence.proxy.tensormap*", NULL, NULL, ANY, "*expected to be 128", &rule_tmap_size },
    { "fence.proxy.tensormap*", NULL, NULL, 2, MISMATCH, &rule_tmap_size },
    { "tensormap.cp_fenceproxy*", NULL, NULL, 3, MISMATCH, &rule_tmap_size },
    { "fence.proxy.tensormap*", NULL, NULL, ANY, "Unknown modifier*", &rule_tmap_acquire_scope },
    { "prefetch*.tensormap*", NULL, NULL, ANY, VERSION, &rule_tmap_prefetch_req },
    { "prefetch*.tensormap*", NULL, NULL, ANY, TARGET, &rule_tmap_prefetch_req },
    { "prefetch*.tensormap*", NULL, NULL, ANY, "*", &rule_tmap_prefetch_forms },
};

/* '*' is any run of characters, '?' any one. */
static bool fits(const char *pattern, const char *text)
{
    const char *star = NULL, *again = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            again = text;
        } else if (*pattern == *text || *pattern == '?') {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++again;
        } else {
            return false;
        }
    }
    return !pattern[strspn(pattern, "*")];
}

/* Operands are separated by commas outside brackets and braces. */
static int operand_count(const char *p)
{
    int n, depth = 0;

    p += strspn(p, " ");
    n = *p ? 1 : 0;
    for (; *p; p++) {
        depth += (*p == '[' || *p == '{') - (*p == ']' || *p == '}');
        n += *p == ',' && depth == 0;
    }
    return n;
}

const struct ck_rule *ck_message_rule(const char *statement, const char *message)
{
    char opcode[256];
    const size_t n = strcspn(statement, " ");
    const int operands = operand_count(statement + n);

    if (n >= sizeof opcode)
        return NULL;
    snprintf(opcode, sizeof opcode, "%.*s", (int)n, statement);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const struct pattern *p = &patterns[i];
        if (fits(p->opcode, opcode) && (!p->has || strstr(opcode, p->has)) &&
            (!p->lacks || !strstr(opcode, p->lacks)) && (p->operands == ANY || p->operands == operands) &&
            fits(p->says, message))
            return p->rule;
    }
    return NULL;
}
// SPDX-License-Identifier: Apache-2.0
