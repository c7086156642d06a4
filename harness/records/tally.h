/* Records counted: parts of points' names, results found by name, tables of two axes. */
#ifndef COPYCHECK_TALLY_H
#define COPYCHECK_TALLY_H

#include "harness/base/index.h"
#include "harness/records/names.h"
#include "harness/records/record.h"

/* ---- entries: one for each point and engine ---- */
struct ck_entry {
    const struct ck_record *record;
    unsigned runs; /* how often it ran (--repeat) */
    unsigned same; /* in how many runs it had this verdict */
    bool mutant;
};

struct ck_entries {
    const struct ck_record_file *file;
    struct ck_entry *all; /* in the order of the file */
    size_t count;
    struct ck_index keys; /* by point and engine */
};

bool ck_entries_make(const struct ck_record_file *file, struct ck_entries *out); /* false: out of memory */
void ck_entries_free(struct ck_entries *results);
/* Reads a record file and makes its entries, which point into *file; false with one line in `error`. */
bool ck_load_records(const char *path, struct ck_record_file *file, struct ck_entries *entries, char *error,
                     size_t size);
void ck_unload_records(struct ck_record_file *file, struct ck_entries *entries);
const struct ck_entry *ck_entries_find(const struct ck_entries *results, const char *point, const char *engine);

bool ck_verdict_is_bad(enum ck_verdict v); /* fail, hang, fault, broken, unproven, survived */

/* ---- counts ---- */
struct ck_tally {
    unsigned long of[CK_V_COUNT];
};

unsigned long ck_tally_total(const struct ck_tally *t);
/* What follows the number of passes: " 1F 6s", "" where all passed; ck_legend explains the letters. */
void ck_tally_flags(const struct ck_tally *t, char *text, size_t size);
/* The letters' meanings: those of fail, hang, fault and skip always, the others where `t` has some. */
void ck_legend(const struct ck_tally *t, char *text, size_t size);
/* 1234567 as "1,234,567". The text lives in a ring of 16. */
const char *ck_thousands(unsigned long n);

/* ---- tables ---- */
enum { CK_TABLE_LABEL = 96, CK_TABLE_FILES = 16 };

struct ck_table {
    const char *row_axis, *col_axis;
    char (*rows)[CK_TABLE_LABEL];
    size_t row_count;
    struct ck_table_column {
        char label[CK_TABLE_LABEL];
        size_t file; /* which of the files it belongs to */
    } * cols;
    size_t col_count;
    struct ck_tally *cells; /* row_count * col_count, by row */
    unsigned long *rules;   /* of each row: how many rules it holds */
    unsigned long rules_total;
    struct ck_tally *totals; /* of each column */
    char (*agree)[32];       /* a last column, one text a row and one for the total; NULL: there is none (agree.h) */
};

/* A record's label on an axis; false where it has none. */
bool ck_record_label(const struct ck_record *record, const char *axis, char text[CK_TABLE_LABEL]);

/* Counts the points (no mutants) of `files` files. Axes are "family", "rule", "engine", "verdict", "evidence",
 * "phase", "case" or an axis of the points; points without such an axis are not counted. */
void ck_table_make(struct ck_table *out, const struct ck_entries *results, size_t files, const char *row_axis,
                   const char *col_axis);
void ck_table_free(struct ck_table *table);
/* Prints it as text. `titles` are the files' names, used where there are several. */
void ck_table_print(FILE *to, const struct ck_table *table, const char *const *titles, size_t files);

#endif
// SPDX-License-Identifier: Apache-2.0
