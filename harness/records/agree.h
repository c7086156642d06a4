/* The emulator compared with the machine: the column `agree` of the matrix. */
#ifndef COPYCHECK_AGREE_H
#define COPYCHECK_AGREE_H

#include "expected/known.h"
#include "harness/records/tally.h"

/* A point that both `emu` and `gpu` have run. */
struct ck_pair {
    const struct ck_record *emu, *gpu;
    bool equal;
    const struct ck_known *known; /* why they differ, NULL where no reason is known */
};

/* All points that can be compared. Launches are compared by their digests, of every byte that the kernel may write,
 * where the GPU's record has one and both ran with the same seed; encode calls by whether they were accepted. Mutants
 * and breaches are not compared: no document promises what a broken kernel leaves. A point that the emulator could not
 * run is not equal. */
struct ck_agreement {
    const struct ck_run_head *with; /* of the run that the GPU's records are from; NULL where there are none */
    struct ck_pair *pairs;          /* in the order of the emulator's records */
    size_t count;
    unsigned long equal;
    unsigned long known;   /* that differ for a known reason */
    unsigned long skipped; /* that the emulator could not run, and no reason is known */
};

/* Pairs the emulator's records of `files` runs with the GPU's of the same runs, else of `recorded` (may be NULL).
 * False: out of memory. */
bool ck_agreement_make(const struct ck_entries *runs, size_t files, const struct ck_entries *recorded,
                       struct ck_agreement *out);
void ck_agreement_free(struct ck_agreement *a);

unsigned long ck_agreement_unknown(const struct ck_agreement *a); /* that ran, and differ for no known reason */

/* Gives the table its column: "N of M" for each row, by the table's row axis. */
void ck_agreement_column(const struct ck_agreement *a, struct ck_table *table);

/* "emu agrees with H200, driver 580 at 13,071 of 13,162 points; 91 differ for a known reason". */
void ck_agreement_line(const struct ck_agreement *a, char *text, size_t size);
/* The known differences, counted by their reason; each one that has none, with what both records say, at most `limit`
 * of those; and rows of the list that no point needs any more. With a limit of 0 all of them, and what the emulator
 * could not run. */
void ck_agreement_print(FILE *to, const struct ck_agreement *a, size_t limit);

#endif
// SPDX-License-Identifier: Apache-2.0
