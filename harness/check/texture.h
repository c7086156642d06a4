/* Textures and surfaces as --arg names them: tex:u8x4,64x32,linear,normalized,float. */
#ifndef COPYCHECK_CHECK_TEXTURE_H
#define COPYCHECK_CHECK_TEXTURE_H

#include "harness/check/check.h"

/* Reads what stands behind `tex:` or `surf:` (a->surface is set then) into *a; false with what is wrong in `error`. */
bool check_texture_read(const char *text, bool surface, struct check_arg *a, char *error, size_t size);

/* Once all arguments are known: whether the buffer that it names, if it does, is one that can hold its texels. */
bool check_texture_settle(const struct check_args *args, size_t k);

/* Makes the object of argument k, whose texels are at this address, and puts its handle into the parameter at `param`,
 * or into the variable that the argument is bound to. */
bool check_texture_make(const struct check_args *args, size_t k, struct emu *e, const struct ptx_module *m,
                        uint64_t texels, unsigned char *param);

#endif
// SPDX-License-Identifier: Apache-2.0
