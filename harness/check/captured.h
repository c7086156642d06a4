/* copycheck check with a capture in place of PTX and arguments: harness/capture/capture.h. */
#ifndef COPYCHECK_CHECK_CAPTURED_H
#define COPYCHECK_CHECK_CAPTURED_H

#include "harness/check/check.h"

/* Takes a capture apart, where `text` is one: the launch goes into *args, and `text` becomes its PTX. False after a
 * line that says what is wrong with it, or which option contradicts it. check_captured_end frees it. */
bool check_captured_take(struct check_args *args, struct ck_text *text);
void check_captured_end(struct check_args *args);

/* Puts the memory of a capture into a machine, at the addresses that it had on the GPU, and the parameters into
 * `params`. False after a line. */
bool check_captured_make(const struct check_args *args, struct emu *e, const struct ptx_module *m,
                         const struct ptx_function *entry, unsigned char *params);
/* Compares memory with what the GPU left there; says so in result->bytes_said. */
void check_captured_compare(const struct check_args *args, struct emu *e, const struct ptx_module *m,
                            struct check_result *result);

#endif
// SPDX-License-Identifier: Apache-2.0
