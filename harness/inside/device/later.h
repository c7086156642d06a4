/* Operations that have not taken place when their call returns: a kernel that waits for what the host, or another
 * stream, does after its launch, and what comes behind it in its stream.
 *
 * A kernel that may wait for others, or a graph of such, runs in a thread of its own, for which the call waits; so all
 * has taken place when the call returns, as device.h says. Only where no thread of the kernel can go on, and one of
 * them looks at memory again and again, the call returns before. The kernel goes on beside the host, until it has
 * ended, or until nobody is left who could write what it waits for: then it is a deadlock. Of all such threads, and
 * those of the host within the API, one runs at a time: the one that has the device's lock. */
#ifndef COPYCHECK_INSIDE_LATER_H
#define COPYCHECK_INSIDE_LATER_H

#include "harness/inside/device/stream.h"

/* Puts an operation into a stream that captures nothing, behind what it has to wait for; what the operation owns is
 * taken, whatever comes of it. The error is that of the operation where it has taken place. */
CUresult later_put(struct stream *s, struct operation *op);
/* The same of a graph that stays the caller's. */
CUresult later_put_graph(struct stream *s, struct graph *g);
/* Waits for all that was put into the stream, and for what this waits for; NULL: for everything. */
void later_wait(const struct stream *s);
/* Whether something is left of it; NULL: of anything. */
bool later_is_left(const struct stream *s);
/* The same of the last record of an event. */
void later_wait_event(const struct event *e);
bool later_is_event_left(const struct event *e);
/* Nobody will record it, or wait for it. */
void later_forget_event(const struct event *e);

#endif
// SPDX-License-Identifier: Apache-2.0
