/* Groups of copies of which one comes from far away, a wait, and a read: the host's side of kernels/late.cuh. A wait
 * that is too weak by one leaves the late group's destination poisoned. */
#ifndef COPYCHECK_LATE_GROUPS_H
#define COPYCHECK_LATE_GROUPS_H

#include "harness/ck.h"
#include "kernels/late.h"

struct late {
    struct ck *t;
    struct ck_buf near, far, out;
    struct late_args a;
    uint32_t threads;
};

/* `groups` groups of which group `slow` is late and read. The caller sets `a.wait`. */
struct late late_groups(struct ck *t, uint32_t size, uint32_t groups, uint32_t slow);
enum ck_end late_launch(const struct late *l, const char *kernel);
/* Launches, and compares what came out with the sources of group `read`. */
void late_check(const struct late *l, const char *kernel);
/* Whether the late group was there when it was read. */
bool late_there(const struct late *l);

#endif
// SPDX-License-Identifier: Apache-2.0
