/* What goes from the program that `copycheck exec` runs to exec: messages over a socket that keeps them apart, and
 * counts in memory that both have. A message is a letter, then text. harness/inside/device/say.c sends,
 * harness/exec/exec.c receives. */
#ifndef COPYCHECK_EXEC_CHANNEL_H
#define COPYCHECK_EXEC_CHANNEL_H

#include <stdint.h>

/* The environment variable that has what exec chose, words with blanks between them:
 *   fd=N counts=N           the socket; the memory, a struct channel_counts
 *   format=text|jsonl|gcc|sarif|github
 *   schedules=N delivery=late|eager|random seed=N jobs=N sms=N memory=BYTES instructions=N
 *   leaks=1                 memory that was not freed is told of
 *   guard=1                 device memory is kept from the host by mprotect where there are no protection keys
 *   races=1                 the host's accesses to memory that a kernel may be using are told of
 *   skip=N count=N          launches that are not judged at first; how many are judged then
 *   name=TEXT               in the names of kernels that are judged; it comes last, and may hold blanks */
#define CHANNEL_VARIABLE "COPYCHECK_EXEC"

enum channel_kind {
    CHANNEL_FINDING = 'F', /* a finding, in the format that was asked for */
    CHANNEL_REMARK = 'R',  /* the same of a remark */
    CHANNEL_LINE = 'L',    /* a line that is said at once */
    CHANNEL_NOT_RUN = 'N', /* a launch that the emulator could not run to its end: a line that says why */
    CHANNEL_MISSING = 'M', /* the name of a function of the API that is not there */
};

/* All so far: the program may end in any way. A message for each launch would take longer than a small launch. */
struct channel_counts {
    _Atomic uint64_t launches, judged, instructions, again; /* again: findings that were seen again */
};

enum { CHANNEL_MOST = 60000 }; /* bytes of a message; what is longer is cut off */

#endif
// SPDX-License-Identifier: Apache-2.0
