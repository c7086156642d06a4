/* Threads that wait, and the table that says so. */
#ifndef COPYCHECK_EMU_JUDGE_WAITERS_H
#define COPYCHECK_EMU_JUDGE_WAITERS_H

#include "harness/emu/machine/state.h"

bool waiter_waits(const struct emu_thread *t);
/* The instruction at which it waits, and its line; 0: there is none. */
const struct ptx_instruction *waiter_at(const struct emu_thread *t);
unsigned waiter_line(const struct emu_thread *t);
bool waiter_same(const struct emu_thread *a, const struct emu_thread *b); /* they wait at one place for the same */

/* Whole lines alone, as many as there is room for. */
struct waiter_table {
    char *at;
    size_t used, size;
};

void waiter_add(struct waiter_table *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line for each thread of the cluster that waits; neighbours in a CTA that wait for the same get one. */
void waiter_add_all(struct waiter_table *x, const struct emu_cluster *c);
/* Each mbarrier that one of them waits for, with what came to its phase. */
void waiter_add_objects(struct waiter_table *x, const struct emu_cluster *c);

#endif
// SPDX-License-Identifier: Apache-2.0
