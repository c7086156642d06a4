/* Memory for the cells of lines that are taken apart. */
#ifndef COPYCHECK_EMU_JUDGE_CELLS_H
#define COPYCHECK_EMU_JUDGE_CELLS_H

#include "harness/emu/judge/state.h"

/* LINE_CELLS empty lists, for a line of these pages; NULL: there is no memory. */
struct order_list *order_cells_new(struct order_pages *p);
/* Another line may have them. What the lists have memory for is freed too. */
void order_cells_drop(struct order_pages *p, struct order_list *cells);
/* Room for the only accesses of cells of a line of these pages; NULL: there is no memory. */
struct order_singles *order_singles_new(struct order_pages *p);
void order_singles_drop(struct order_singles *s);
/* Of all lines; their lists have no memory of their own any more. */
void order_cells_free(struct order_pages *p);

#endif
// SPDX-License-Identifier: Apache-2.0
