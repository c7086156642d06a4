/* Locations of memory through which threads synchronise: flags, locks, counters. */
#ifndef COPYCHECK_EMU_JUDGE_FLAG_H
#define COPYCHECK_EMU_JUDGE_FLAG_H

#include "harness/emu/judge/state.h"

/* A strong access of n bytes of memory. */
struct order_strong {
    struct order_flags *flags; /* of this memory */
    uint64_t key, n;
    enum order_sem sem;
    enum order_scope scope;
    bool atomic, no_pattern; /* no_pattern: a reduction, whose read is part of no acquire pattern */
    bool unread;             /* the program drops what it has read: no flag has told it anything */
    bool idle;               /* an atomic that leaves the value as it was: idle.c */
};

/* The thread reads there, and acquires what the value shows; then it writes there, and releases. An atomic access is
 * both. */
void order_flag_read(struct order *o, uint32_t thread, const struct order_strong *x);
void order_flag_write(struct order *o, uint32_t thread, const struct order_strong *x);
/* The thread comes to a fence by which reads before it may acquire. */
void order_flag_fenced(struct order *o, uint32_t thread);

#endif
// SPDX-License-Identifier: Apache-2.0
