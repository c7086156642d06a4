/* Instruction table: matrix instructions. Their operands are held to counts only where execution depends on them. */
#include "harness/emu/check.h"

const struct ptx_form ptx_forms_matrix[] = {
    { 0 },
};
