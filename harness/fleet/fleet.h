/* Record files of many machines, merged: on how many machines a point had which result, and who is the odd one out.
 *
 * Files are read one after the other, each whole, and count only if they are sound; what is kept is a cell for each
 * point, engine and group. A group is what should behave alike: machines with the same device, driver and toolkit, and
 * the same run. Memory grows with the number of points and of machines, not with that of records. */
#ifndef COPYCHECK_FLEET_H
#define COPYCHECK_FLEET_H

#include "harness/base/index.h"
#include "harness/records/record.h"

enum fleet_state {
    FLEET_WAITS,   /* not read yet */
    FLEET_COUNTED, /* whole */
    FLEET_CUT,     /* counted, but its run did not end */
    FLEET_AGAIN,   /* the same machine, and shard, as a file that counts */
    FLEET_BROKEN,  /* cannot be read, or is not sound */
    FLEET_STATES
};

enum {
    FLEET_NAMED = 8,    /* machines of a result that are known by name */
    FLEET_RESULTS = 16, /* of a cell that are kept apart */
    FLEET_CELLS_MAX = 1 << 22,
};

struct fleet_file {
    char *path;
    char *why; /* broken: FILE:LINE and what is wrong; again: the file that counts */
    enum fleet_state state;
    bool ended; /* it has an end line, as far as a look at its last bytes tells */
    size_t machine;
    unsigned long shard, shards; /* of its head; 0: it has all */
    unsigned long records, planned;
};

struct fleet_machine {
    char id[48]; /* the device's UUID or the host, hashed; else a number for the file */
    size_t file; /* the first one that counts */
    size_t group;
    unsigned long shards, have; /* of its files that count: how many there should be, and are */
    bool whole;                 /* a file without a shard counts */
    unsigned long odd;          /* results unlike those of most machines of its group */
    size_t odd_cell;            /* the first of them */
};

struct fleet_group {
    struct ck_record_file file; /* its head, without what differs between machines */
    unsigned long machines;
};

/* One result of a cell, and how many machines had it. */
struct fleet_result {
    enum ck_verdict verdict;
    uint64_t says, digest; /* of outcome, code and what was seen; of the bytes. 0 where they are not compared */
    char *outcome;         /* NULL where it is not compared */
    char *seen;            /* NULL where nothing was */
    long code;
    unsigned machines;
    unsigned named[FLEET_NAMED]; /* the first of them */
};

struct fleet_cell {
    char *point;                 /* with the engine behind its NUL */
    const char *engine, *family; /* the family lives with the fleet */
    size_t group;
    bool gates;
    struct fleet_result *results; /* the most frequent one first, after fleet_judge */
    unsigned count;
    unsigned others; /* machines with still other results */
};

struct fleet {
    struct fleet_file *files;
    size_t file_count, file_room;
    struct fleet_machine *machines;
    size_t machine_count, machine_room;
    struct ck_index by_id;
    struct fleet_group *groups;
    size_t group_count, group_room;
    struct fleet_cell *cells;
    size_t cell_count, cell_room;
    struct ck_index by_point;
    char **families;
    size_t family_count, family_room;
    unsigned long records;
    unsigned long long bytes;
    unsigned long of[FLEET_STATES]; /* files */
    unsigned long odd;              /* machines */
    unsigned long bad;              /* cells that gate, and have a bad verdict on some machine */
    unsigned long lacking;          /* machines that lack shards */
};

/* Adds a file, or those of a folder whose names end in .jsonl. Only heads are read. False after a line: no memory. */
bool fleet_add(struct fleet *f, const char *path);
/* Reads all files; `stop` is asked before each. False where it said so, or after a line where memory ran out. */
bool fleet_read(struct fleet *f, bool (*stop)(size_t done, size_t all));
/* Finds the odd machines, and orders the results of each cell. */
void fleet_judge(struct fleet *f);
void fleet_free(struct fleet *f);

/* ---- cells.c ---- */
/* Counts the records of a machine's file. False: out of memory, or more points than FLEET_CELLS_MAX. */
bool fleet_count(struct fleet *f, size_t machine, const struct ck_record_file *records);
/* The machines of a cell. */
unsigned long fleet_cell_machines(const struct fleet_cell *c);

/* ---- what is printed: text.c, export.c ---- */
void fleet_text(FILE *to, const struct fleet *f);
void fleet_jsonl(FILE *to, const struct fleet *f);
void fleet_prometheus(FILE *to, const struct fleet *f);

#endif
// SPDX-License-Identifier: Apache-2.0
