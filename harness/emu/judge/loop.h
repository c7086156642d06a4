/* A thread that waits by going round a loop: what it looks at there. deadlock.c asks. */
#ifndef COPYCHECK_EMU_JUDGE_LOOP_H
#define COPYCHECK_EMU_JUDGE_LOOP_H

#include "harness/emu/machine/state.h"

/* What says best what the thread waits for; NULL: it does not go round a loop, or looks at nothing there. */
const struct emu_look *deadlock_look(const struct emu_thread *t);
/* What it looks at, in a few words with its value: "4 bytes at offset 0 of --arg 2, where 4 is". */
void deadlock_look_words(const struct emu_thread *t, const struct emu_look *look, char *out, size_t size);
/* The loop's lines and all that is looked at there. */
void deadlock_loop_words(const struct emu_thread *t, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
