/* Memory for the cells of lines that are taken apart, and for those accesses that need none yet: for a few lines at a
 * time, and all is freed with the pages. */
#include "harness/emu/judge/cells.h"

#include <stdlib.h>

#include "harness/emu/machine/bytes.h"

/* Lines of the first piece of memory, and of each further one. */
enum { FIRST_LINES = 2, MORE_LINES = 16 };

struct order_piece {
    struct order_piece *next;
    unsigned used, room; /* lines */
    _Alignas(16) unsigned char bytes[];
};

struct order_unused {
    struct order_unused *next;
};

static __attribute__((noinline)) struct order_piece *more(struct order_memory *m, size_t size)
{
    const unsigned room = m->pieces ? MORE_LINES : FIRST_LINES;
    struct order_piece *piece = malloc(sizeof *piece + room * size);
    if (!piece)
        return NULL;
    piece->next = m->pieces;
    piece->used = 0;
    piece->room = room;
    m->pieces = piece;
    return piece;
}

/* So many bytes for a line, of any content. */
static inline void *take(struct order_memory *m, size_t size)
{
    struct order_unused *old = m->dropped;
    struct order_piece *piece = m->pieces;

    if (old) {
        m->dropped = old->next;
        return old;
    }
    if (!piece || piece->used == piece->room)
        piece = more(m, size);
    return piece ? piece->bytes + size * piece->used++ : NULL;
}

static void drop(struct order_memory *m, void *bytes)
{
    struct order_unused *old = bytes;

    old->next = m->dropped;
    m->dropped = old;
}

struct order_list *order_cells_new(struct order_pages *p)
{
    struct order_list *cells = take(&p->cells, LINE_CELLS * sizeof *cells);

    if (cells)
        emu_fill(cells, 0, LINE_CELLS * sizeof *cells);
    return cells;
}

void order_cells_drop(struct order_pages *p, struct order_list *cells)
{
    for (unsigned c = 0; c < LINE_CELLS; c++)
        free(cells[c].more);
    drop(&p->cells, cells);
}

struct order_singles *order_singles_new(struct order_pages *p)
{
    struct order_singles *s = take(&p->singles, sizeof *s);

    if (s)
        s->pages = p;
    return s;
}

void order_singles_drop(struct order_singles *s)
{
    drop(&s->pages->singles, s);
}

static void free_all(struct order_memory *m)
{
    for (struct order_piece *piece = m->pieces, *next; piece; piece = next) {
        next = piece->next;
        free(piece);
    }
    *m = (struct order_memory){ 0 };
}

void order_cells_free(struct order_pages *p)
{
    free_all(&p->cells);
    free_all(&p->singles);
}
// SPDX-License-Identifier: Apache-2.0
