/* A module loaded into the machine: its variables get addresses, its initialisers are carried out. emu.c, control flow
 * and the scheduler include it. */
#ifndef COPYCHECK_EMU_MACHINE_IMAGE_H
#define COPYCHECK_EMU_MACHINE_IMAGE_H

#include "harness/emu/machine/state.h"

/* Loads a module, whose functions `ready` will make ready when they are first called. False with a line. */
bool emu_image_load(struct emu *e, const struct ptx_module *m, emu_ready *ready, char *error, size_t size);
/* Takes a module out again, with its variables. */
void emu_image_unload(struct emu *e, const struct ptx_module *m);
void emu_images_free(struct emu *e);
/* The image of a loaded module, or NULL. */
struct emu_image *emu_image_of(struct emu *e, const struct ptx_module *m);
/* Where a global variable is, or the bytes of a constant one; false where there is none. */
bool emu_image_variable(struct emu *e, const struct ptx_module *m, const char *name, uint64_t *at, uint64_t *bytes);
/* The global or constant variable of any module that an address, as emu_image_variable gives it, lies in. False: none.
 */
bool emu_image_variable_at(const struct emu *e, uint64_t address, uint64_t *at, uint64_t *bytes);
/* Writes bytes over a global or constant variable from its start; false where it is smaller or there is none. */
bool emu_image_set(struct emu *e, const struct ptx_module *m, const char *name, const void *bytes, size_t size);
/* The code of a function by its number in the module, made ready at its first call; NULL where it has no body, or where
 * memory is short. */
const struct emu_code *emu_code_of(struct emu_image *image, uint32_t function);

#endif
// SPDX-License-Identifier: Apache-2.0
