/* Instruction table: fences, proxies, clusters, warp-wide election and votes, dependent launches. */
#include "harness/emu/forms/candidate.h"
#include "harness/emu/forms/tables.h"

/* The forms without .sync are gone from sm_70 on, in PTX ISA 6.4. */
static bool before_sync(struct form_candidate *c)
{
    if (c->m->sm >= 70 && c->m->version >= 64)
        return form_fail(c, NULL, "'%s' needs .sync from sm_70 on", ptx_op_text[c->i->op]);
    return true;
}

const struct ptx_form ptx_forms_order[] = {
    { OP_fence, "?sc|acq_rel|acquire@86/90|release@86/90 $scope", "", 60, "70" },
    { OP_fence, "acquire sync_restrict::shared::cluster cluster", "", 86, "90" },
    { OP_fence, "release sync_restrict::shared::cta cluster", "", 86, "90" },
    { OP_fence_mbarrier_init, "release cluster", "", 80, "90" },
    { OP_fence_proxy, "alias", "", 75, "70" },
    { OP_fence_proxy, "async ?global|shared::cta|shared::cluster", "", 80, "90" },
    { OP_fence_proxy, "tensormap::generic release $scope", "", 83, "90" },
    { OP_fence_proxy, "tensormap::generic acquire $scope", "agsc i128", 83, "90" },
    { OP_fence_proxy, "async::generic acquire sync_restrict::shared::cluster cluster", "", 86, "90" },
    { OP_fence_proxy, "async::generic release sync_restrict::shared::cta cluster", "", 86, "90" },
    { OP_membar, "cta|gl|sys@20", "", 0, NULL },
    { OP_membar_proxy, "alias", "", 75, "70" },

    { OP_mapa, "?shared::cluster u32|u64", "dT0 As su32", 78, "90" },
    { OP_getctarank, "?shared::cluster u32|u64", "du32 As", 78, "90" },
    { OP_elect, "sync", "Xu32 su32", 80, "90" },
    { OP_griddepcontrol, "launch_dependents|wait", "", 78, "90" },
    { OP_setmaxnreg, "^inc|dec sync aligned u32", "i24..256*8", 80, "9xa" },
    { OP_clusterlaunchcontrol_try_cancel,
      "^async ?shared::cta mbarrier::complete_tx::bytes ?multicast::cluster::all/1xx b128", "as as", 86, "100" },
    { OP_clusterlaunchcontrol_query_cancel, "is_canceled pred b128", "q rb128", 86, "100" },
    { OP_clusterlaunchcontrol_query_cancel, "get_first_ctaid v4 b32 b128", "V4b32 rb128", 86, "100" },
    { OP_clusterlaunchcontrol_query_cancel, "get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z b32 b128",
      "db32 rb128", 86, "100" },

    { OP_activemask, "b32", "db32", 62, "30" },
    { OP_vote, "sync all|any|uni pred", "q p su32", 60, "30" },
    { OP_vote, "sync ballot b32", "db32 p su32", 60, "30" },
    { OP_match, "sync any b32|b64", "du32 sT0 su32", 60, "70" },
    { OP_match, "sync all b32|b64", "xu32 sT0 su32", 60, "70" },
    { OP_redux, "sync add|min|max u32|s32", "dT0 sT0 su32", 70, "80" },
    { OP_redux, "sync and|or|xor b32", "du32 su32 su32", 70, "80" },
    { OP_redux, "sync min|max ?abs ?NaN f32", "df32 rf32 su32", 86, "10x" },
    { OP_shfl, "sync up|down|bfly|idx b32", "xb32 rb32 su32 su32 su32", 60, "30" },
    { OP_shfl, "up|down|bfly|idx b32", "xb32 rb32 su32 su32", 30, "30", before_sync },
    { OP_nanosleep, "u32", "su32", 63, "70" },
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
