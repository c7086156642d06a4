/* A watcher that counts by which means a kernel does its work: enum lab_means. */
#ifndef COPYCHECK_LAB_MEANS_H
#define COPYCHECK_LAB_MEANS_H

#include "harness/emu/machine/watch.h"
#include "harness/lab/lab.h"

enum { LAB_RANGES = 16, LAB_CTAS = 64 };

/* The state of lab_means_watch: its first member is what options.watch_state points to. */
struct lab_count {
    uint64_t of[LAB_MEANS];
    struct lab_range { /* the buffers of lab_in */
        uint64_t at, size;
    } ranges[LAB_RANGES];
    unsigned range_count;
    struct lab_flying { /* copies in flight that threads of a CTA have issued */
        const void *cta;
        uint64_t now;
    } flying[LAB_CTAS];
};

extern const struct emu_watch lab_means_watch;

#endif
// SPDX-License-Identifier: Apache-2.0
