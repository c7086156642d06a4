/* Launches that may begin before the one before them has ended: programmatic dependent launch. issue.c and what waits
 * include it. */
#ifndef COPYCHECK_INSIDE_DEVICE_EARLY_H
#define COPYCHECK_INSIDE_DEVICE_EARLY_H

#include <stdbool.h>

struct stream;

/* An operation is put into the stream. Whether the operation before it, of all streams, was a launch in this stream,
 * and nothing has waited since. */
bool early_behind_launch(const struct stream *s, bool is_launch);
/* The host has waited: what was issued has ended. */
void early_waited(void);

#endif
// SPDX-License-Identifier: Apache-2.0
