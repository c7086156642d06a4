/* Memory that clusters give back when they end, for those that begin: most clusters of a grid need the same again, and
 * memory that the host has just taken back is slow to come by. So do most launches of a program. The scheduler, frames
 * and the judge include it. */
#ifndef COPYCHECK_EMU_MACHINE_SPARE_H
#define COPYCHECK_EMU_MACHINE_SPARE_H

#include <stddef.h>

/* As many pieces are kept; and no more bytes, in all. */
enum { EMU_SPARE_PIECES = 128, EMU_SPARE_BYTES = 64 << 20 };
/* And of these, from one launch to the next. */
enum { EMU_SPARE_KEPT = 1 << 20 };

/* Of one host thread. All zeros: none yet. */
struct emu_spare {
    unsigned n;
    size_t bytes; /* of all pieces together */
    struct emu_piece {
        void *at;
        size_t bytes;
    } pieces[EMU_SPARE_PIECES]; /* the one that was given back last comes last */
};

/* So many bytes at a multiple of 1024, with whatever is in them. NULL: there is no memory. */
void *emu_spare_take(struct emu_spare *spare, size_t bytes);
/* The same, all 0. */
void *emu_spare_zeros(struct emu_spare *spare, size_t bytes);
/* Gives back what emu_spare_take gave for so many bytes, to this or another host thread's; NULL is nothing. */
void emu_spare_give(struct emu_spare *spare, void *piece, size_t bytes);
/* Keeps so many bytes at most, those that were given back last. */
void emu_spare_trim(struct emu_spare *spare, size_t most);
void emu_spare_free(struct emu_spare *spare);

#endif
// SPDX-License-Identifier: Apache-2.0
