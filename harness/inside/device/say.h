/* Messages to exec: what findings and settings need of say.c, beside what device.h declares of it. */
#ifndef COPYCHECK_INSIDE_SAY_H
#define COPYCHECK_INSIDE_SAY_H

#include "harness/exec/channel.h"
#include "harness/inside/device/device.h"

void say_through(int fd);   /* a socket */
void say_counts_in(int fd); /* the memory of the counts, which is closed */
/* Where they are, or NULL. */
struct channel_counts *say_counts(void);
/* A message; standard error has it where the channel is closed. Beyond CHANNEL_MOST bytes it is cut off. */
void say_send(enum channel_kind kind, const char *text, size_t bytes);
void say_format(enum channel_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
// SPDX-License-Identifier: Apache-2.0
