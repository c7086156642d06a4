/* How the threads of a warp meet at an instruction that is carried out for all of them together: a thread that comes to
 * it waits until all members of its mask have come; the last one carries it out. Instructions and copies include it. */
#ifndef COPYCHECK_EMU_MACHINE_MEETING_H
#define COPYCHECK_EMU_MACHINE_MEETING_H

#include "harness/emu/machine/state.h"

struct emu_meeting {
    struct emu_thread *lane[EMU_WARP]; /* members, NULL elsewhere */
    uint32_t mask;
};

/* Brings this thread's values. True when it is the last of its mask to come, with all members in *m; members that have
 * exited are not waited for. False: the thread is blocked, and its handler returns. */
bool emu_warp_meet(struct emu_thread *t, const struct emu_op *op, uint32_t mask, uint64_t value, uint64_t extra,
                   struct emu_meeting *m);
/* All members go on behind the instruction. At an EMU_MEETING of all lanes of a warp, where threads have turns in
 * order, they do so in turns that are yet to come: this one's ends. */
void emu_warp_release(struct emu_thread *t, const struct emu_meeting *m);
/* Whether a lane that waits at op b, with the same member mask, has come to what a lane at op a does: they need not be
 * at one instruction. PTX ISA, shfl.sync: all members execute it "with the same qualifiers and same membermask value".
 */
bool emu_warp_same(const struct emu_op *a, const struct emu_op *b);
/* What the thread has brought to the operation that it came to last. */
struct emu_offer *emu_warp_offer(struct emu_thread *t);

#endif
// SPDX-License-Identifier: Apache-2.0
