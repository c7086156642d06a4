/* A picture of a launch: one page of HTML that needs nothing else, with its events, its findings and the lines of
 * source that they come from. docs/check.md says what it shows.
 *
 * A log watches the launch: options.watch is picture_watch, options.watch_state what picture_log_new made, and
 * options.jobs is 1. picture_write then makes the page of it. The module has to live until then; the machine need not.
 */
#ifndef COPYCHECK_PICTURE_H
#define COPYCHECK_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/emu/machine/finding.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/ptx/ptx.h"

struct picture_log; /* the events of a launch: of a long one the first, and those around its findings */

extern const struct emu_watch picture_watch;

struct picture_log *picture_log_new(void); /* NULL: out of memory */
void picture_log_free(struct picture_log *log);

/* A finding as the page tells it. */
struct picture_finding {
    const struct emu_finding *finding;
    const char *bytes_here, *bytes_there; /* which bytes are at stake, in words; "" where none are */
    uint64_t at_here, at_there;           /* of the first of them, its offset in shared memory or in its buffer */
    size_t leader;                        /* the finding that it is folded under, by its number; its own, if it leads */
};

struct picture {
    const struct picture_log *log;
    const struct ptx_module *module;
    const char *ptx; /* the text of the module, `ptx_size` bytes */
    size_t ptx_size;
    const char *file;    /* its name */
    const char *run;     /* which run it is: "schedule 3, seed 1" */
    const char *verdict; /* in one line */
    const struct picture_finding *findings;
    size_t count;
    const char *cuda_name, *cuda; /* the text of the CUDA file whose name ends so, in place of what could be read of it;
                                     NULL: none is given */
    bool read_sources; /* the CUDA files that .file directives name are read, where they are there: not for PTX of
                          strangers, who could name any file */
};

/* Writes the page. False, with errno, where memory runs out or `to` takes no more. */
bool picture_write(FILE *to, const struct picture *p);

#endif
// SPDX-License-Identifier: Apache-2.0
