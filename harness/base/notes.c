/* A number for each of some pointers. */
#include "harness/base/notes.h"

#include <stdbool.h>
#include <stdlib.h>

#include "harness/base/room.h"

/* Spreads neighbouring pointers over the index: the fractional part of the golden ratio in 64 bits, made odd. */
#define SPREAD 0x9e3779b97f4a7c15u

/* What is looked for among the notes. */
struct wanted {
    const struct ck_notes *in;
    const void *of;
};

static bool is_of(const void *key, size_t element)
{
    const struct wanted *w = key;

    return w->in->all[element].of == w->of;
}

static size_t *place_of(const struct ck_notes *notes, const void *of)
{
    return ck_index_find(&notes->by_pointer, (uintptr_t)of * SPREAD, is_of, &(struct wanted){ notes, of });
}

/* Makes room for more notes, at most half as many as the index has places. */
static bool grow(struct ck_notes *notes)
{
    struct ck_note *more = ck_room(notes->all, notes->count, &notes->room, 512, sizeof *more);

    if (more)
        notes->all = more;
    if (!more || !ck_index_make(&notes->by_pointer, notes->room))
        return false;
    for (size_t i = 0; i < notes->count; i++)
        *place_of(notes, notes->all[i].of) = i + 1;
    return true;
}

uint64_t *ck_note_of(struct ck_notes *notes, const void *of)
{
    size_t *place = place_of(notes, of);

    if (!place || !*place) {
        if (notes->count == notes->room && !grow(notes))
            return NULL;
        place = place_of(notes, of);
        if (!place)
            return NULL;
        notes->all[notes->count] = (struct ck_note){ .of = of };
        notes->count++;
        *place = notes->count;
    }
    return &notes->all[*place - 1].is;
}

void ck_notes_free(struct ck_notes *notes)
{
    free(notes->all);
    ck_index_free(&notes->by_pointer);
    *notes = (struct ck_notes){ 0 };
}
// SPDX-License-Identifier: Apache-2.0
