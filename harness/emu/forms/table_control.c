/* Instruction table: control flow, the stack, and some single instructions. */
#include "harness/emu/forms/extra.h"
#include "harness/emu/forms/tables.h"

const struct ptx_form ptx_forms_control[] = {
    { OP_bra, "?uni", "l" },
    { OP_brx, "idx ?uni", "ru32 z", 60, "30", form_branch_targets },
    { OP_call, "?uni", "z z z z", 0, NULL, form_call },
    { OP_ret, "?uni", "" },
    { OP_exit, "", "" },
    { OP_trap, "", "" },
    { OP_brkpt, "", "" },
    { OP_pmevent, "", "i0..15", 14 },
    { OP_pmevent, "mask", "i", 30, "20" },
    { OP_alloca, "u32|u64", "dT0 sT0 ?i", 73, "52" },
    { OP_stacksave, "u32|u64", "dT0", 73, "52" },
    { OP_stackrestore, "u32|u64", "rT0", 73, "52" },
    { 0 },
};
