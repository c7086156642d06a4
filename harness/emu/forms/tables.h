/* The instruction table, in parts. Each part ends with a form whose op is 0. Where two parts have forms of one
 * instruction, those of the part that compile.c names first are tried first. */
#ifndef COPYCHECK_EMU_FORMS_TABLES_H
#define COPYCHECK_EMU_FORMS_TABLES_H

#include "harness/emu/forms/form.h"

extern const struct ptx_form ptx_forms_barrier[], ptx_forms_control[], ptx_forms_copy[], ptx_forms_float[],
    ptx_forms_integer[], ptx_forms_matrix[], ptx_forms_memory[], ptx_forms_order[], ptx_forms_tcgen05[],
    ptx_forms_tensor[], ptx_forms_texture[], ptx_forms_video[], ptx_forms_wmma[];

#endif
// SPDX-License-Identifier: Apache-2.0
