/* A number for each of some pointers: what a watcher of the emulator remembers of a copy, a thread, a cluster. */
#ifndef COPYCHECK_NOTES_H
#define COPYCHECK_NOTES_H

#include <stddef.h>
#include <stdint.h>

#include "harness/base/index.h"

/* Starts as { 0 }. */
struct ck_notes {
    struct ck_note {
        const void *of;
        uint64_t is;
    } * all;
    size_t count, room;
    struct ck_index by_pointer;
};

/* The number of a pointer, made with 0 where there is none yet; NULL where memory is short. It may move with the next
 * call. */
uint64_t *ck_note_of(struct ck_notes *notes, const void *of);
void ck_notes_free(struct ck_notes *notes);

#endif
// SPDX-License-Identifier: Apache-2.0
