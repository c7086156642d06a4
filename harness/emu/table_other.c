/* Instruction table: textures and surfaces, recognised but not examined closely. */
#include "harness/emu/check.h"

const struct ptx_form ptx_forms_other[] = {
    { 0 },
};
