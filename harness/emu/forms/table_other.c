/* Instruction table: tensor cores of later machines. They are here so that a module with them can be read; their
 * operands are not examined. */
#include "harness/emu/forms/tables.h"

#define ANY "?z ?z ?z ?z ?z ?z ?z ?z ?z ?z ?z ?z"

const struct ptx_form ptx_forms_other[] = {
    { OP_tcgen05_alloc, "*", ANY, 86, "100x" },
    { OP_tcgen05_commit, "*", ANY, 86, "100x" },
    { OP_tcgen05_cp, "*", ANY, 86, "100x" },
    { OP_tcgen05_dealloc, "*", ANY, 86, "100x" },
    { OP_tcgen05_ld, "*", ANY, 86, "100x" },
    { OP_tcgen05_ld_red, "*", ANY, 88, "100x" },
    { OP_tcgen05_mma, "*", ANY, 86, "100x" },
    { OP_tcgen05_mma_sp, "*", ANY, 86, "100x" },
    { OP_tcgen05_mma_ws, "*", ANY, 86, "100x" },
    { OP_tcgen05_mma_ws_sp, "*", ANY, 86, "100x" },
    { OP_tcgen05_relinquish_alloc_permit, "*", ANY, 86, "100x" },
    { OP_tcgen05_shift, "*", ANY, 86, "100x" },
    { OP_tcgen05_st, "*", ANY, 86, "100x" },
    { OP_tcgen05_wait_ld, "*", ANY, 86, "100x" },
    { OP_tcgen05_wait_st, "*", ANY, 86, "100x" },
    { OP_tcgen05_fence_before_thread_sync, "*", ANY, 86, "100x" },
    { OP_tcgen05_fence_after_thread_sync, "*", ANY, 86, "100x" },
    { 0 },
};
