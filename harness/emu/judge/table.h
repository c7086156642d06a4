/* Things by their key, which is a uint64_t and their first member. */
#ifndef COPYCHECK_EMU_JUDGE_TABLE_H
#define COPYCHECK_EMU_JUDGE_TABLE_H

#include <stdint.h>

struct order_table {
    void **slots; /* hashed by key; NULL: nothing is there. At most half are taken */
    uint32_t count, room;
};

/* NULL: there is none of this key. */
void *order_table_there(const struct order_table *t, uint64_t key);
/* Where that of this key is, or is to be put: then t->count is to be one more. NULL: there is no memory. */
void **order_table_place(struct order_table *t, uint64_t key);

#endif
// SPDX-License-Identifier: Apache-2.0
