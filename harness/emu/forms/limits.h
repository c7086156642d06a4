/* How much constant, shared and parameter space a module may use. */
#ifndef COPYCHECK_EMU_FORMS_LIMITS_H
#define COPYCHECK_EMU_FORMS_LIMITS_H

#include "harness/emu/ptx/ptx.h"

/* False with line, column and message of *error filled in where the module exceeds a limit of ptxas. */
bool form_limits(const struct ptx_module *m, struct ptx_error *error);

#endif
// SPDX-License-Identifier: Apache-2.0
