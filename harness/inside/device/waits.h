/* What a kernel's text says of whom it waits for. launch.c includes it. */
#ifndef COPYCHECK_INSIDE_DEVICE_WAITS_H
#define COPYCHECK_INSIDE_DEVICE_WAITS_H

#include <stdbool.h>

struct ptx_function;
struct ptx_module;

/* Whether each thread comes to griddepcontrol.wait before it accesses any memory of the device. False as well where
 * that cannot be told from the text. */
bool waits_first(const struct ptx_module *m, const struct ptx_function *entry);
/* Whether a thread may wait for what others write to memory: it may look there again and again. A kernel without loops
 * and calls does not. */
bool waits_for_others(const struct ptx_module *m, const struct ptx_function *entry);

#endif
// SPDX-License-Identifier: Apache-2.0
