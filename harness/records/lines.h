/* The lines of a record file: which members each kind of line has, and where its struct keeps them. */
#ifndef COPYCHECK_RECORD_LINES_H
#define COPYCHECK_RECORD_LINES_H

#include "harness/records/record.h"

/* How a member of a line is kept in its struct. */
enum form { TEXT, INT, UINT, LONG, ULONG, BOOL, HEX64, REAL, VERDICT };

struct member {
    const char *name;
    enum form form;
    size_t offset;
    bool must; /* a line without it is bad */
};

struct line_kind {
    const struct member *members;
    size_t count;
};

struct record_end {
    unsigned long records;
    uint64_t digest;
};

extern const struct line_kind head_line, record_line, end_line;

#endif
// SPDX-License-Identifier: Apache-2.0
