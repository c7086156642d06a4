/* Functions of CUDA's runtime on the device, by which a kernel launches grids. system.c has their table. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_LAUNCH_H
#define COPYCHECK_EMU_INSTRUCTIONS_LAUNCH_H

#include "harness/emu/machine/frame.h"

/* A buffer for the parameters of a grid; its launch. */
void emu_launch_buffer(struct emu_thread *t, const struct emu_call *c);
void emu_launch_device(struct emu_thread *t, const struct emu_call *c);
/* A stream or an event is made: a handle is stored. */
void emu_launch_handle(struct emu_thread *t, const struct emu_call *c);
/* cudaMalloc on the device; copies and fills in a stream; the name of an error. */
void emu_launch_malloc(struct emu_thread *t, const struct emu_call *c);
void emu_launch_copy(struct emu_thread *t, const struct emu_call *c);
void emu_launch_fill(struct emu_thread *t, const struct emu_call *c);
void emu_launch_error_text(struct emu_thread *t, const struct emu_call *c);
/* What has nothing to do here, and succeeds: grids are launched one after the other. */
void emu_launch_success(struct emu_thread *t, const struct emu_call *c);

#endif
// SPDX-License-Identifier: Apache-2.0
