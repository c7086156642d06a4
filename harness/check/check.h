/* `copycheck check`: its arguments, and the launches that they ask for. */
#ifndef COPYCHECK_CHECK_H
#define COPYCHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/text.h"
#include "harness/emu/emu.h"

/* ---- what is launched, with which arguments, and how it is judged: options.c ------------------------------------- */

enum { CHECK_ARGS = 256, CHECK_MAPS = 32, CHECK_SPECS = 8 };

enum check_kind {
    CHECK_VALUE,   /* u32:5 and its like: `bytes` of them in `data` */
    CHECK_BYTES,   /* bytes:HEX: the same, for parameters that are structs */
    CHECK_IN,      /* in:SIZE[@FILE]: a buffer, seeded or from a file */
    CHECK_OUT,     /* out:SIZE: a buffer that is not written */
    CHECK_MAP,     /* map:NAME: a tensor map, by value or by its address */
    CHECK_AT,      /* at:K+BYTES: an address in the buffer of --arg K */
    CHECK_TEXTURE, /* tex:FORMAT,EXTENTS,... or surf:...: a texture or surface object, by its handle */
};

/* One --arg, in the order given. */
struct check_arg {
    enum check_kind kind;
    const char *spec;    /* as it was written */
    bool apart;          /* a buffer that only maps reach: it is no parameter */
    bool joined;         /* +SPEC: it is a further part of the parameter of the --arg before */
    unsigned char *data; /* of CHECK_VALUE and CHECK_BYTES; of CHECK_IN what the file holds, or a program gave; owned */
    size_t bytes;
    uint64_t size;              /* of a buffer; 0 with a file: as many bytes as the file has */
    const char *file;           /* of CHECK_IN, or NULL */
    size_t map;                 /* of CHECK_MAP, into maps */
    struct emu_texture texture; /* of CHECK_TEXTURE; `size` and `file` are those of its texels, */
    bool unwritten, of_buffer;  /* which have no value yet; which lie in the buffer of argument number `buffer` */
    size_t buffer;              /* of that, and of CHECK_AT */
    uint64_t offset;            /* of CHECK_AT, bytes from the start of that buffer */
    char *bind;       /* --bind: the .texref or .surfref variable that gets the handle; the argument is no parameter */
    const char *dump; /* --dump: the file that the buffer is written to after the launch, or NULL */
    const char *name; /* what findings call the buffer; NULL: "--arg 1" */
};

/* One --map. */
struct check_map {
    char name[64];
    struct tensor_map map; /* its address is an offset into the buffer */
    size_t buffer;         /* into args */
};

/* One launch that has ended, while its machine is still there. */
struct check_launched {
    const struct emu_options *schedule; /* its order of threads and its deliveries are in it */
    const struct emu_report *report;
    struct emu *machine;
    const uint64_t *at; /* the address of each argument's buffer */
};

/* A program that makes the arguments itself, and looks into every launch. */
struct check_program {
    void (*begins)(void *state, const uint64_t *at);                   /* the buffers are there and filled */
    bool (*ended)(void *state, const struct check_launched *launched); /* false: no further schedules */
    const struct emu_watch *watch; /* watches schedule 0, beside the judge; options.watch_state is `state` */
    void *state;
    FILE *print;                  /* where the kernel's printf goes in schedule 0 */
    const char *cuda_name, *cuda; /* for a picture: the name of the CUDA file and its text; NULL: none. Others that the
                                     PTX names are not read. */
};

struct check_args {
    const char *file, *entry;
    uint32_t grid[3], block[3], cluster[3]; /* 0 where not given */
    bool explicit_cluster;                  /* it was, or the kernel names one */
    uint32_t smem;
    struct check_arg args[CHECK_ARGS];
    size_t arg_count;
    struct check_map maps[CHECK_MAPS];
    size_t map_count;
    enum check_format { CHECK_TEXT, CHECK_JSONL, CHECK_GCC, CHECK_SARIF, CHECK_GITHUB } format;
    const char *trace;          /* --trace: the file that the first schedule's events are written to, or NULL */
    const char *html;           /* --html: the file that a picture of a schedule is written to, or NULL */
    bool html_of_findings;      /* only where there are any */
    const struct ck_text *text; /* of the PTX file: the caller sets it where there is an `html` */
    bool delivery_given;
    bool at_once; /* copies of the schedule in order arrive at once, and those of the one backwards late */
    struct emu_options options;
    unsigned schedules; /* --schedules; 0: not given */
    unsigned randoms;   /* schedules are run until so many were in random order; 0: as many as take little time */
    const struct check_program *program; /* NULL: the arguments come from a command line */
    bool schedule_given;                 /* --schedule: this one alone, from 0 */
    unsigned schedule;
    struct check_captured *captured; /* captured.c; NULL: the file is PTX */
    bool help;                       /* asked for */
    struct ck_text specs[CHECK_SPECS];
    size_t spec_count;
};

/* Whether the argument has an allocation of its own, of `size` bytes. */
static inline bool check_has_bytes(const struct check_arg *a)
{
    return a->kind == CHECK_IN || a->kind == CHECK_OUT || (a->kind == CHECK_TEXTURE && !a->of_buffer);
}

extern const char check_help[];

/* Reads the arguments into *out, which check_args_free releases whatever is returned. False after one line that says
 * what is wrong and where. Maps are settled: each names a buffer and is one that cuTensorMapEncodeTiled accepts. */
bool check_args_read(int argc, char **argv, struct check_args *out);
void check_args_free(struct check_args *args);

/* ---- parameters laid out, buffers filled, runs made, findings gathered: launches.c ------------------------------- */

/* A finding stands for itself, or tells the mistake of another one at another place, or what may follow from it. */
enum check_role { CHECK_LEADS, CHECK_PLACE, CHECK_FOLLOWS };

/* A finding of one schedule or several. It needs the machine that made it no longer. */
struct check_found {
    struct emu_finding finding;
    enum check_role role;
    bool settled;        /* the role is */
    size_t leader;       /* the finding that it belongs to, by its number in the result; itself, if it leads */
    struct check_where { /* of finding.here, finding.there */
        char bytes[160]; /* "bytes 16 to 19 of --arg 2"; "" where none are at stake */
        uint64_t offset; /* of the first byte in it */
        int arg;         /* the --arg, -1 where it is none */
    } here, there;
    unsigned first, schedules; /* the number of the first schedule that showed it; how many did */
};

struct check_result {
    enum emu_end end;  /* of the first schedule that did not end well, else EMU_DONE */
    char message[400]; /* and what was said then */
    struct check_found *found;
    size_t count, remarks, room;            /* remarks: how many of the `count` are no more than that */
    size_t leaders;                         /* how many of the findings, without remarks, lead */
    uint64_t instructions;                  /* of all schedules */
    unsigned schedules;                     /* that were run to their end, or to that of the program */
    unsigned covered[EMU_TURNS_RANDOM + 1]; /* how many of them were of each kind */
    bool forgot;                            /* as in emu_report, in a schedule */
    bool settled;                           /* the same, of schedule 0 */
    bool one_for_all;                       /* it stands for all: no other one was run */
    bool bytes_differ;                      /* of a capture: schedule 0 left other bytes than the GPU; */
    char bytes_said[300];                   /* in words, "" of PTX */
    size_t swaps;                           /* that schedule 0 allows */
    bool more_swaps;                        /* there are more */
    uint64_t swap_clusters;                 /* they are those of so many clusters; 0: of all */
};

/* The kernel that is meant; NULL after a line that says why there is none. */
const struct ptx_function *check_entry(const struct check_args *args, const struct ptx_module *m);

/* Runs the schedules that are asked for, or some that take little time; stops at the first that the emulator cannot run
 * to its end. False after a line where an argument
 * does not fit the kernel or a file cannot be read or written: then nothing was run, or a dump failed. Free the result
 * with check_result_free in either case. */
bool check_run(struct check_args *args, const struct ptx_module *m, const struct ptx_function *entry,
               struct check_result *result);
void check_result_free(struct check_result *result);

#endif
// SPDX-License-Identifier: Apache-2.0
