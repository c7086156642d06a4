/* The launches of `copycheck check`: parameters laid out, buffers filled, runs made, findings gathered. */
#ifndef COPYCHECK_CHECK_RUN_H
#define COPYCHECK_CHECK_RUN_H

#include "harness/check/options.h"

/* A finding of one schedule or several. It needs the machine that made it no longer. */
struct check_found {
    struct emu_finding finding;
    struct check_where { /* of finding.here, finding.there */
        char bytes[160]; /* "bytes 16 to 19 of --arg 2"; "" where none are at stake */
        uint64_t offset; /* of the first byte in it */
        int arg;         /* the --arg, -1 where it is none */
    } here, there;
    unsigned first, schedules; /* the first schedule that showed it, from 0; how many did */
};

struct check_result {
    enum emu_end end;  /* of the first schedule that did not end well, else EMU_DONE */
    char message[400]; /* and what was said then */
    struct check_found *found;
    size_t count, room;
    uint64_t instructions; /* of all schedules */
    unsigned schedules;    /* that were run */
};

/* The kernel that is meant; NULL after a line that says why there is none. */
const struct ptx_function *check_entry(const struct check_args *args, const struct ptx_module *m);

/* Runs every schedule; stops at the first that the emulator cannot run to its end. False after a line where an argument
 * does not fit the kernel or a file cannot be read or written: then nothing was run, or a dump failed. Free the result
 * with check_result_free in either case. */
bool check_run(struct check_args *args, const struct ptx_module *m, const struct ptx_function *entry,
               struct check_result *result);
void check_result_free(struct check_result *result);

#endif
