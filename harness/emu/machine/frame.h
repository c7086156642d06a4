/* Frames of called functions, and .local memory, which lies in them. Control flow, the stack and the scheduler include
 * it. */
#ifndef COPYCHECK_EMU_MACHINE_FRAME_H
#define COPYCHECK_EMU_MACHINE_FRAME_H

#include "harness/emu/machine/state.h"

/* What a call passes: for each return, then each parameter, its place in the caller. */
struct emu_call {
    uint32_t function; /* PTX_NO: its address is in a register */
    unsigned n_params, n_returns;
    struct emu_pass {
        bool reg;       /* a register's value, else bytes of a .param variable of the caller */
        bool of_params; /* that variable is a parameter of the caller itself */
        uint32_t slot;
        uint64_t offset, size; /* bytes */
    } pass[];
};

/* All threads of a CTA enter the kernel: their frames lie in cta->frames. False where there is no room; some may have
 * frames then. */
bool emu_frames_make(struct emu_cta *cta, const struct emu_code *code);
/* Lanes of a warp leave the kernel, each from its first frame. */
void emu_frames_leave(struct emu_thread *lanes, uint32_t set);
/* Frees the slots of a CTA's warps, whose frames are gone, and the room of the first frames. */
void emu_frames_free(struct emu_cta *cta);
/* Enters a function: its frame becomes the thread's, whose caller goes on at `back`. False where there is no room. */
bool emu_frame_push(struct emu_thread *t, const struct emu_code *code, const struct emu_op *back);
void emu_frame_pop(struct emu_thread *t);
/* Copies a call's parameters into the callee's frame, which is the thread's; a function's returns into its caller's. */
void emu_frame_pass(struct emu_thread *t, const struct emu_call *c);
void emu_frame_return(struct emu_thread *t, const struct emu_call *c);

/* For functions of the system, which have no frame: the k-th argument of a call, its first 8 bytes; what it returns. */
uint64_t emu_call_argument(struct emu_thread *t, const struct emu_call *c, unsigned k);
/* The first `size` bytes of the k-th argument; what it lacks is left as it was. */
void emu_call_bytes(struct emu_thread *t, const struct emu_call *c, unsigned k, void *out, uint64_t size);
void emu_call_return(struct emu_thread *t, const struct emu_call *c, uint64_t value);

/* Makes the thread's local memory reach to `top` bytes; false where there is no room. */
bool emu_local_room(struct emu_thread *t, uint64_t top);

#endif
// SPDX-License-Identifier: Apache-2.0
