/* How the threads of a warp meet at an instruction that is carried out for all of them together. */
#ifndef COPYCHECK_EMU_WARP_H
#define COPYCHECK_EMU_WARP_H

#include "harness/emu/machine/state.h"

struct emu_meeting {
    struct emu_thread *lane[EMU_WARP]; /* members, NULL elsewhere */
    uint32_t mask;
};

/* Offers this thread's part; true when it is the last of its mask to come, with all members in *m. Members that have
 * exited are not waited for. False: the thread is blocked, and its handler returns. */
bool emu_warp_meet(struct emu_thread *t, const struct emu_op *op, uint32_t mask, uint64_t value, uint64_t extra,
                   struct emu_meeting *m);
/* All members go on behind the instruction. */
void emu_warp_release(struct emu_thread *t, const struct emu_meeting *m);

#endif
