/* What a GPU has shown of a submission, in words. */
#ifndef COPYCHECK_LAB_GPU_SAID_H
#define COPYCHECK_LAB_GPU_SAID_H

#include "harness/lab/verdict.h"

/* Puts into the verdict what v->gpu says. A GPU that disagrees with an emulator which found nothing wrong turns the
 * verdict; else the verdict is the emulator's. */
void lab_gpu_say(struct lab_verdict *v);

/* "right", "hang": a record's words. */
const char *lab_seen_word(enum lab_seen seen);

/* What has been seen, in one sentence or two, without a line's end; "" where nothing has. */
void lab_gpu_words(const struct lab_verdict *v, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
