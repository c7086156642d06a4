/* Memory for the cells of lines that are taken apart: for a few lines at a time, and all is freed with the pages. */
#include "harness/emu/judge/cells.h"

#include <stdlib.h>

#include "harness/emu/machine/bytes.h"

/* Lines of the first piece of memory, and of each further one. */
enum { FIRST_LINES = 2, MORE_LINES = 16 };

struct order_cells {
    struct order_cells *next;
    unsigned used, room; /* lines */
    struct order_list of[][LINE_CELLS];
};

static struct order_cells *piece_with_room(struct order_pages *p)
{
    struct order_cells *piece = p->cells;
    const unsigned room = piece ? MORE_LINES : FIRST_LINES;

    if (piece && piece->used < piece->room)
        return piece;
    piece = malloc(sizeof *piece + room * sizeof *piece->of);
    if (!piece)
        return NULL;
    piece->next = p->cells;
    piece->used = 0;
    piece->room = room;
    p->cells = piece;
    return piece;
}

struct order_list *order_cells_new(struct order_pages *p)
{
    struct order_list *cells = p->dropped;

    if (cells) {
        p->dropped = cells->dropped;
    } else {
        struct order_cells *piece = piece_with_room(p);
        if (!piece)
            return NULL;
        cells = piece->of[piece->used++];
    }
    emu_fill(cells, 0, sizeof *p->cells->of);
    return cells;
}

void order_cells_drop(struct order_pages *p, struct order_list *cells)
{
    for (unsigned c = 0; c < LINE_CELLS; c++)
        free(cells[c].more);
    cells->dropped = p->dropped;
    p->dropped = cells;
}

void order_cells_free(struct order_pages *p)
{
    for (struct order_cells *piece = p->cells, *next; piece; piece = next) {
        next = piece->next;
        free(piece);
    }
    p->cells = NULL;
    p->dropped = NULL;
}
// SPDX-License-Identifier: Apache-2.0
