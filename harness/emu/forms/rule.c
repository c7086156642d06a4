/* Which rule of the catalogue a refused instruction breaks: by its name, by what was wrong, by the word or operand at
 * fault. The first row that fits holds; where none does, no rule is named. */
#include <string.h>

#include "harness/emu/forms/check.h"
#include "harness/emu/ptx/front.h"

enum { ANY = 0, ANYWHERE = -1 };

static const struct row {
    const char *op; /* the instruction's name, or its beginning where it ends in '*' */
    enum check_fault fault;
    uint16_t word;        /* the word at fault, ANY for any */
    enum ptx_class class; /* or its class */
    int operand;          /* the operand at fault, from 0 */
    uint16_t with;        /* a word that the instruction has */
    const struct ck_rule *rule;
    uint16_t too; /* a further word that it has */
} rows[] = {
#define TARGET_TO(op, with, too, symbol)                                                                               \
    {                                                                                                                  \
        op, FAULT_TARGET, ANY, PC_none, ANYWHERE, PTX_##with, &rule_##symbol, PTX_##too                                \
    }
#define WORDS(op, word, symbol)                                                                                        \
    {                                                                                                                  \
        op, FAULT_WORD, PTX_##word, PC_none, ANYWHERE, ANY, &rule_##symbol                                             \
    }
#define CLASS(op, class, symbol)                                                                                       \
    {                                                                                                                  \
        op, FAULT_WORD, ANY, PC_##class, ANYWHERE, ANY, &rule_##symbol                                                 \
    }
#define WITH(op, word, with, symbol)                                                                                   \
    {                                                                                                                  \
        op, FAULT_WORD, PTX_##word, PC_none, ANYWHERE, PTX_##with, &rule_##symbol                                      \
    }
#define FAULT(op, fault, symbol)                                                                                       \
    {                                                                                                                  \
        op, FAULT_##fault, ANY, PC_none, ANYWHERE, ANY, &rule_##symbol                                                 \
    }
#define FAULT_WITH(op, fault, with, symbol)                                                                            \
    {                                                                                                                  \
        op, FAULT_##fault, ANY, PC_none, ANYWHERE, PTX_##with, &rule_##symbol                                          \
    }
#define FAULT_OF(op, fault, word, symbol)                                                                              \
    {                                                                                                                  \
        op, FAULT_##fault, PTX_##word, PC_none, ANYWHERE, ANY, &rule_##symbol                                          \
    }
#define OPERAND(op, index, symbol)                                                                                     \
    {                                                                                                                  \
        op, FAULT_OPERAND, ANY, PC_none, index, ANY, &rule_##symbol                                                    \
    }
#define VALUE(op, index, symbol)                                                                                       \
    {                                                                                                                  \
        op, FAULT_VALUE, ANY, PC_none, index, ANY, &rule_##symbol                                                      \
    }
#define VALUE_WITH(op, index, with, symbol)                                                                            \
    {                                                                                                                  \
        op, FAULT_VALUE, ANY, PC_none, index, PTX_##with, &rule_##symbol                                               \
    }
#define OPERAND_WITH(op, index, with, symbol)                                                                          \
    {                                                                                                                  \
        op, FAULT_OPERAND, ANY, PC_none, index, PTX_##with, &rule_##symbol                                             \
    }

    /* cp.async and its groups */
    WORDS("cp.async", shared_cluster, cpasync_space_no_cluster),
    CLASS("cp.async", space, cpasync_space_direction),
    CLASS("cp.async", cache, cpasync_cacheop_required),
    CLASS("cp.async", evict, cpasync_cacheop_required),
    CLASS("cp.async", prefetch_size, cpasync_prefetch_sizes),
    WORDS("cp.async", L2, cpasync_prefetch_sizes),
    CLASS("cp.async", type, cpasync_notype),
    CLASS("cp.async", vector, cpasync_notype),
    CLASS("cp.async", sem, cpasync_notype),
    FAULT_OF("cp.async", MISSING, ca, cpasync_cacheop_required),
    FAULT("cp.async", MISSING, cpasync_space_explicit),
    VALUE_WITH("cp.async", 2, cg, cpasync_cg_size16),
    VALUE("cp.async", 2, cpasync_size_set),
    VALUE("cp.async", 3, cpasync_srcsize_imm_range),
    OPERAND("cp.async", 2, cpasync_size_constant),
    OPERAND_WITH("cp.async", 3, L2_cache_hint, cpasync_hint_type64),
    OPERAND_WITH("cp.async", 4, L2_cache_hint, cpasync_hint_type64),
    OPERAND("cp.async", 3, cpasync_srcsize_type32),
    OPERAND("cp.async", 0, cpasync_addr_forms),
    OPERAND("cp.async", 1, cpasync_addr_forms),
    FAULT_WITH("cp.async", COUNT, L2_cache_hint, cpasync_hint_pair),
    FAULT("cp.async", COUNT, cpasync_ignsrc_xor_srcsize),
    FAULT_OF("cp.async", VERSION, L2_cache_hint, cpasync_isa_prefetch),
    FAULT_OF("cp.async", VERSION, L2_64B, cpasync_isa_prefetch),
    FAULT_OF("cp.async", VERSION, L2_128B, cpasync_isa_prefetch),
    FAULT_OF("cp.async", VERSION, L2_256B, cpasync_isa_prefetch),
    FAULT("cp.async", VERSION, cpasync_isa_base),
    FAULT("cp.async", TARGET, cpasync_target),
    FAULT("cp.async.commit_group", TARGET, group_target),
    FAULT("cp.async.commit_group", VERSION, group_isa),
    FAULT("cp.async.commit_group", WORD, group_commit_form),
    FAULT("cp.async.commit_group", COUNT, group_commit_form),
    FAULT("cp.async.wait_group", TARGET, group_target),
    FAULT("cp.async.wait_group", VERSION, group_isa),
    FAULT("cp.async.wait_group", WORD, group_wait_form),
    FAULT("cp.async.wait_group", COUNT, group_wait_form),
    FAULT("cp.async.wait_group", OPERAND, group_wait_form),
    FAULT("cp.async.wait_all", TARGET, group_target),
    FAULT("cp.async.wait_all", VERSION, group_isa),
    FAULT("cp.async.wait_all", WORD, group_wait_all_form),
    FAULT("cp.async.wait_all", COUNT, group_wait_all_form),
    FAULT("createpolicy.fractional", VALUE, cpasync_hint_fraction),

    /* mbarrier */
    CLASS("mbarrier.*", type, mbarrier_object_type),
    FAULT_OF("mbarrier.*", MISSING, b64, mbarrier_object_type),
    WORDS("mbarrier.init", shared_cluster, mbarrier_init_local_only),
    WORDS("mbarrier.test_wait", shared_cluster, mbarrier_wait_local_only),
    WORDS("mbarrier.try_wait", shared_cluster, mbarrier_wait_local_only),
    WORDS("mbarrier.inval", shared_cluster, mbarrier_inval_form),
    CLASS("mbarrier.pending_count", space, mbarrier_pending_count_form),
    CLASS("mbarrier.*", space, mbarrier_object_space),
    FAULT("mbarrier.init", WORD, mbarrier_init_form),
    FAULT("mbarrier.init", COUNT, mbarrier_init_form),
    OPERAND("mbarrier.init", 0, mbarrier_object_space),
    OPERAND("mbarrier.init", 1, mbarrier_init_form),
    FAULT("mbarrier.init", TARGET, mbarrier_init_target),
    FAULT("mbarrier.init", VERSION, mbarrier_init_target),
    FAULT("mbarrier.inval", WORD, mbarrier_inval_form),
    FAULT("mbarrier.inval", COUNT, mbarrier_inval_form),
    FAULT("mbarrier.pending_count", WORD, mbarrier_pending_count_form),
    FAULT("mbarrier.pending_count", COUNT, mbarrier_pending_count_form),
    FAULT("mbarrier.pending_count", OPERAND, mbarrier_pending_count_form),
    CLASS("mbarrier.expect_tx", sem, mbarrier_expect_tx_sem),
    CLASS("mbarrier.expect_tx", scope, mbarrier_expect_tx_sem),
    FAULT("mbarrier.expect_tx", ORDER, mbarrier_expect_tx_sem),
    FAULT("mbarrier.expect_tx", COUNT, mbarrier_expect_tx_noresult),
    OPERAND("mbarrier.expect_tx", 1, mbarrier_expect_tx_noresult),
    FAULT("mbarrier.expect_tx", TARGET, mbarrier_expect_tx_target),
    FAULT("mbarrier.expect_tx", VERSION, mbarrier_expect_tx_target),
    CLASS("mbarrier.complete_tx", sem, mbarrier_complete_tx_sem),
    CLASS("mbarrier.complete_tx", scope, mbarrier_complete_tx_sem),
    FAULT("mbarrier.complete_tx", ORDER, mbarrier_complete_tx_sem),
    FAULT("mbarrier.complete_tx", TARGET, mbarrier_complete_tx_target),
    FAULT("mbarrier.complete_tx", VERSION, mbarrier_complete_tx_target),
    WITH("mbarrier.arrive", noComplete, expect_tx, mbarrier_arrive_expect_no_nocomplete),
    WORDS("mbarrier.arrive", expect_tx, mbarrier_arrive_expect_no_nocomplete),
    WORDS("mbarrier.arrive", noComplete, mbarrier_arrive_nocomplete_form),
    CLASS("mbarrier.arrive", sem, mbarrier_arrive_sem_set),
    CLASS("mbarrier.arrive", scope, mbarrier_arrive_scope_set),
    FAULT_WITH("mbarrier.arrive", ORDER, noComplete, mbarrier_arrive_nocomplete_form),
    FAULT_WITH("mbarrier.arrive", COUNT, noComplete, mbarrier_arrive_nocomplete_form),
    FAULT_WITH("mbarrier.arrive", COUNT, expect_tx, mbarrier_arrive_expect_count_one),
    FAULT("mbarrier.arrive", COUNT, mbarrier_arrive_count),
    OPERAND_WITH("mbarrier.arrive", 0, shared_cluster, mbarrier_arrive_remote_sink),
    OPERAND("mbarrier.arrive", 0, mbarrier_arrive_sink),
    OPERAND("mbarrier.arrive", 2, mbarrier_arrive_count),
    FAULT_OF("mbarrier.arrive", VERSION, relaxed, mbarrier_arrive_relaxed_isa),
    FAULT_OF("mbarrier.arrive", TARGET, relaxed, mbarrier_arrive_relaxed_isa),
    FAULT_WITH("mbarrier.arrive", VERSION, expect_tx, mbarrier_arrive_expect_target),
    FAULT_WITH("mbarrier.arrive", TARGET, expect_tx, mbarrier_arrive_expect_target),
    FAULT("mbarrier.arrive*", ORDER, mbarrier_arrive_sem_scope_pair),
    WORDS("mbarrier.arrive_drop", noComplete, mbarrier_arrive_drop_nocomplete),
    CLASS("mbarrier.arrive_drop", sem, mbarrier_arrive_drop_release),
    CLASS("mbarrier.arrive_drop", scope, mbarrier_arrive_drop_release),
    FAULT_OF("mbarrier.arrive_drop", VERSION, relaxed, mbarrier_arrive_drop_release),
    FAULT_OF("mbarrier.arrive_drop", TARGET, relaxed, mbarrier_arrive_drop_release),
    OPERAND_WITH("mbarrier.arrive_drop", 0, shared_cluster, mbarrier_arrive_remote_sink),
    OPERAND("mbarrier.arrive_drop", 0, mbarrier_arrive_drop_state),
    OPERAND("mbarrier.arrive_drop", 2, mbarrier_arrive_drop_count),
    FAULT_WITH("mbarrier.arrive_drop", COUNT, noComplete, mbarrier_arrive_drop_nocomplete),
    FAULT_WITH("mbarrier.arrive_drop", COUNT, expect_tx, mbarrier_arrive_drop_expect),
    FAULT("mbarrier.arrive*", TARGET, mbarrier_arrive_count_sm80),
    CLASS("mbarrier.test_wait", sem, mbarrier_wait_sem_set),
    CLASS("mbarrier.try_wait", sem, mbarrier_wait_sem_set),
    CLASS("mbarrier.test_wait", scope, mbarrier_wait_sem_set),
    CLASS("mbarrier.try_wait", scope, mbarrier_wait_sem_set),
    FAULT("mbarrier.test_wait", ORDER, mbarrier_wait_sem_set),
    FAULT("mbarrier.try_wait", ORDER, mbarrier_wait_sem_set),
    FAULT_OF("mbarrier.test_wait", VERSION, relaxed, mbarrier_wait_relaxed_isa),
    FAULT_OF("mbarrier.test_wait", TARGET, relaxed, mbarrier_wait_relaxed_isa),
    FAULT_OF("mbarrier.try_wait", VERSION, relaxed, mbarrier_wait_relaxed_isa),
    FAULT("mbarrier.test_wait", VERSION, mbarrier_test_wait_target),
    FAULT("mbarrier.test_wait", TARGET, mbarrier_test_wait_target),
    FAULT("mbarrier.try_wait", VERSION, mbarrier_test_wait_target),
    FAULT("mbarrier.try_wait", TARGET, mbarrier_test_wait_target),
    VALUE("mbarrier.test_wait", 2, mbarrier_wait_parity_values),
    VALUE("mbarrier.try_wait", 2, mbarrier_wait_parity_values),
    OPERAND("mbarrier.test_wait", 2, mbarrier_wait_types),
    OPERAND("mbarrier.try_wait", 2, mbarrier_wait_types),
    OPERAND("mbarrier.test_wait", 0, mbarrier_wait_types),
    OPERAND("mbarrier.try_wait", 0, mbarrier_wait_types),
    OPERAND("mbarrier.try_wait", 3, mbarrier_try_wait_hint),
    FAULT("mbarrier.test_wait", COUNT, mbarrier_wait_no_hint_on_test),
    FAULT("mbarrier.try_wait", COUNT, mbarrier_try_wait_hint),

    /* Bulk copies */
    WORDS("cp.async.bulk", shared, bulk_dir_no_bare_shared),
    WORDS("cp.async.bulk", const, bulk_dir_no_const_src),
    WORDS("cp.async.bulk", local, bulk_dir_no_const_src),
    WORDS("cp.async.bulk", param, bulk_dir_no_const_src),
    WORDS("cp.async.bulk", cp_mask, bulk_cpmask_s2g_only),
    WORDS("cp.async.bulk", multicast_cluster, bulk_mc_g2s_cluster_only),
    WORDS("cp.reduce.async.bulk", multicast_cluster, bulk_mc_g2s_cluster_only),
    WORDS("cp.async.bulk", ignore_oob, bulk_ignoreoob_isa),
    WITH("cp.async.bulk", bulk_group, global, bulk_cm_g2s_mbar_only),
    WORDS("cp.async.bulk", bulk_group, bulk_cm_s2cluster_mbar_only),
    WITH("cp.async.bulk", global, bulk_group, bulk_dir_no_g2g),
    FAULT_OF("cp.async.bulk", MISSING, bulk_group, bulk_cm_required),
    FAULT_OF("cp.async.bulk", MISSING, mbarrier_complete_tx_bytes, bulk_cm_required),
    FAULT_OF("cp.async.bulk", MISSING, b128, bulk_isa93_sem),
    FAULT_OF("cp.async.bulk", MISSING, cta, bulk_isa93_sem),
    FAULT_WITH("cp.async.bulk", COUNT, cp_mask, bulk_cpmask_operand),
    FAULT_WITH("cp.async.bulk", COUNT, multicast_cluster, bulk_mc_mask_required),
    FAULT_WITH("cp.async.bulk", COUNT, ignore_oob, bulk_ignoreoob_isa),
    FAULT_WITH("cp.async.bulk", COUNT, L2_cache_hint, bulk_hint_pairing),
    FAULT("cp.async.bulk", COUNT, bulk_cm_mbar_operand),
    VALUE("cp.async.bulk", 2, bulk_size_mult16_imm),
    OPERAND("cp.async.bulk", 2, bulk_size_reg32),
    VALUE("cp.reduce.async.bulk", 2, bulk_size_mult16_imm),
    OPERAND_WITH("cp.async.bulk", 3, cp_mask, bulk_cpmask_operand),
    OPERAND_WITH("cp.async.bulk", 4, multicast_cluster, bulk_mc_mask16),
    OPERAND_WITH("cp.async.bulk", 3, L2_cache_hint, bulk_hint_pairing),
    OPERAND_WITH("cp.async.bulk", 4, L2_cache_hint, bulk_hint_pairing),
    FAULT_OF("cp.async.bulk", TARGET, cp_mask, bulk_cpmask_arch),
    FAULT_OF("cp.async.bulk", VERSION, shared_cta, bulk_dir_g2s_cta),
    FAULT_OF("cp.async.bulk", VERSION, ignore_oob, bulk_ignoreoob_isa),
    FAULT_OF("cp.async.bulk", VERSION, weak, bulk_isa93_sem),
    FAULT_WITH("cp.async.bulk", VERSION, relaxed, bulk_isa93_sem),
    FAULT("cp.async.bulk", VERSION, bulk_req_isa80),
    FAULT_WITH("cp.async.bulk", TARGET, multicast_cluster, bulk_mc_advised_arch),
    FAULT("cp.async.bulk", TARGET, bulk_req_sm90),
    FAULT("multimem.cp.async.bulk", VERSION, bulk_isa91_multimem),
    FAULT("multimem.cp.reduce.async.bulk", VERSION, bulk_isa91_multimem),
    FAULT("cp.async.bulk.commit_group", WORD, bulkgrp_commit_batches),
    FAULT("cp.async.bulk.commit_group", COUNT, bulkgrp_commit_batches),
    FAULT("cp.async.bulk.commit_group", TARGET, bulkgrp_req),
    FAULT("cp.async.bulk.commit_group", VERSION, bulkgrp_req),
    FAULT("cp.async.bulk.wait_group", COUNT, bulkgrp_wait_const),
    FAULT("cp.async.bulk.wait_group", OPERAND, bulkgrp_wait_const),
    FAULT("cp.async.bulk.wait_group", TARGET, bulkgrp_req),
    FAULT("cp.async.bulk.wait_group", VERSION, bulkgrp_req),
    FAULT("cp.async.bulk.wait_group", WORD, bulkgrp_wait_no_all),
    FAULT_WITH("cp.async.bulk.prefetch", COUNT, L2_cache_hint, bulkpf_hint),
    FAULT("cp.async.bulk.prefetch", COUNT, bulkpf_form),
    FAULT("cp.async.bulk.prefetch", MISSING, bulkpf_form),
    FAULT("cp.async.bulk.prefetch", WORD, bulkpf_form),
    VALUE("cp.async.bulk.prefetch", 1, bulkpf_size),
    OPERAND("cp.async.bulk.prefetch", 2, bulkpf_hint),
    FAULT("cp.async.bulk.prefetch", TARGET, bulkpf_req),
    FAULT("cp.async.bulk.prefetch", VERSION, bulkpf_req),

    /* Tensor copies */
    WORDS("cp.async.bulk.tensor", multicast_cluster, tensor_mc_forms),
    WORDS("cp*", cta_group_1, tensor_ctagroup_values),
    WORDS("cp*", cta_group_2, tensor_ctagroup_values),
    WORDS("cp.async.bulk.tensor", cp_mask, tensor_form_no_cp_mask),
    WORDS("cp.async.bulk.tensor", bulk_group, tensor_form_completion),
    CLASS("cp.async.bulk.tensor", space, tensor_form_dir),
    FAULT_OF("cp.async.bulk.tensor", MISSING, bulk_group, tensor_form_completion_missing),
    FAULT_OF("cp.async.bulk.tensor", MISSING, mbarrier_complete_tx_bytes, tensor_form_completion_missing),
    FAULT_WITH("cp.async.bulk.tensor", COUNT, multicast_cluster, tensor_mc_forms),
    FAULT_WITH("cp.async.bulk.tensor", COUNT, L2_cache_hint, tensor_hint_no_effect),
    FAULT("cp.async.bulk.tensor", COUNT, tensor_form_completion),
    OPERAND_WITH("cp.async.bulk.tensor", 0, bulk_group, tensor_form_coord_count),
    OPERAND_WITH("cp.async.bulk.tensor", 1, mbarrier_complete_tx_bytes, tensor_form_coord_count),
    OPERAND_WITH("cp.async.bulk.tensor", 3, multicast_cluster, tensor_mc_forms),
    FAULT_OF("cp.async.bulk.tensor", TARGET, cta_group_1, tensor_ctagroup_arch),
    FAULT_OF("cp.async.bulk.tensor", TARGET, cta_group_2, tensor_ctagroup_arch),
    FAULT_WITH("cp.async.bulk.tensor", TARGET, tile_scatter4, tensor_arch_scatter4),
    FAULT_WITH("cp.async.bulk.tensor", TARGET, im2col_w_128, tensor_arch_im2col_w_128),
    FAULT_WITH("cp.async.bulk.prefetch.tensor", TARGET, tile_gather4, tensor_arch_prefetch_modes),
    FAULT_WITH("cp.async.bulk.prefetch.tensor", TARGET, im2col_w, tensor_arch_prefetch_modes),
    FAULT_WITH("cp.async.bulk.prefetch.tensor", TARGET, im2col_w_128, tensor_arch_prefetch_modes),
    TARGET_TO("cp.async.bulk.tensor", tile_gather4, shared_cta, tensor_arch_gather4_cta),
    FAULT_WITH("cp.async.bulk.tensor", TARGET, tile_gather4, tensor_arch_gather4_cluster),
    TARGET_TO("cp.async.bulk.tensor", im2col_w, shared_cta, tensor_arch_im2col_w_cta),
    FAULT_WITH("cp.async.bulk.tensor", TARGET, im2col_w, tensor_arch_im2col_w_cluster),
    FAULT_WITH("cp.async.bulk.tensor", TARGET, multicast_cluster, tensor_arch_multicast),
    FAULT("cp.async.bulk.tensor", VERSION, tensor_req),
    FAULT("cp*.tensor", TARGET, tensor_arch_tile),

    /* Tensor maps, proxies */
    FAULT("fence.proxy", VALUE, tmap_size),
    FAULT("tensormap.cp_fenceproxy", VALUE, tmap_size),
    FAULT("tensormap.cp_fenceproxy", TARGET, tmap_arch_fences),
    FAULT_WITH("fence.proxy", TARGET, tensormap_generic, tmap_arch_fences),
    WITH("fence.proxy", const, async, bulk_proxy_fence_space),
    WITH("fence.proxy", local, async, bulk_proxy_fence_space),
    WITH("fence.proxy", shared, async, bulk_proxy_fence_space),
    FAULT_WITH("prefetch", TARGET, tensormap, tmap_prefetch_req),
    FAULT_WITH("prefetch", VERSION, tensormap, tmap_prefetch_req),
    FAULT_WITH("prefetch", WORD, tensormap, tmap_prefetch_forms),
    FAULT_WITH("tensormap.replace", VERSION, elemtype, tmap_arch_replace_packed),
    FAULT("tensormap.replace", TARGET, tmap_arch_replace),
};

static bool named(const char *pattern, const char *op)
{
    const size_t n = strcspn(pattern, "*");
    if (!pattern[n])
        return !strcmp(pattern, op);
    /* what stands behind the star is the end of the name */
    const size_t length = strlen(op), tail = strlen(pattern + n + 1);
    return length >= n + tail && !strncmp(pattern, op, n) && !strcmp(pattern + n + 1, op + length - tail);
}

const struct ck_rule *check_rule(const struct check *c)
{
    const char *op = ptx_op_text[c->i->op];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct row *r = &rows[k];
        if (r->fault == c->fault && (!r->word || r->word == c->word) &&
            (!r->class || r->class == ptx_word_class[c->word]) && (r->operand < 0 || r->operand == c->operand) &&
            (!r->with || check_has(c, r->with)) && (!r->too || check_has(c, r->too)) && named(r->op, op))
            return r->rule;
    }
    return NULL;
}

const struct ck_rule *check_unknown_word(uint16_t op, const char *word, size_t length)
{
    static const struct {
        const char *op, *word; /* the word's text; a '*' at its end for any that starts so */
        const struct ck_rule *rule;
    } unknown[] = {
        { "cp.async", "L*", &rule_cpasync_prefetch_sizes },
        { "cp*.tensor", "cta_group*", &rule_tensor_ctagroup_values },
        { "cp*.tensor", "0d", &rule_tensor_form_rank },
        { "cp*.tensor", "6d", &rule_tensor_form_rank },
        { "cp.async.bulk", "wait_all", &rule_bulkgrp_wait_no_all },
    };
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        const size_t n = strcspn(unknown[k].word, "*");
        if (named(unknown[k].op, ptx_op_text[op]) && length >= n && !memcmp(unknown[k].word, word, n) &&
            (unknown[k].word[n] || length == n))
            return unknown[k].rule;
    }
    return NULL;
}
