/* Two runs around an upgrade, compared for a reader who decides about it: what changed, by rule; since which version;
 * which rows and kernels are other machine code now. */
#ifndef COPYCHECK_UPGRADE_H
#define COPYCHECK_UPGRADE_H

#include "harness/records/records.h"

enum upgrade_section {
    UPGRADE_DOCUMENTED, /* the verdict on a documented rule changed */
    UPGRADE_OBSERVED,   /* what documents leave open changed */
    UPGRADE_MACHINE,    /* another machine code, the same behaviour */
    UPGRADE_SECTIONS
};

/* Points of one rule on one engine that changed in the same way. */
struct upgrade_change {
    enum upgrade_section section;
    const char *rule, *engine, *was_engine; /* of the old file: another one where assemblers are paired */
    char was[200], is[200];
    bool worse; /* it fails now and did not, or is gone */
    unsigned long points;
    const char *point; /* the one with the shortest name */
    char since[64];    /* the first recorded version that answers as the new one, or "" */
};

struct upgrade_side {
    struct ck_record_file file;
    struct ck_entries entries;
};

struct upgrade {
    struct upgrade_side before, after;
    struct ck_comparison comparison;
    struct upgrade_change *changes; /* by section, what is worse first, then by points */
    size_t count, room;
    unsigned long of[UPGRADE_SECTIONS]; /* points */
    unsigned long machine_known;        /* pairs of results whose machine code is known of both */
};

/* Reads both files, pairs engines, compares. `folder` has the recorded matrices, NULL: none. `part`: what the new file
 * lacks is no change. False with one line in `error`; else free it with upgrade_free. */
bool upgrade_make(const char *before, const char *after, const char *folder, bool part, struct upgrade *out,
                  char *error, size_t size);
void upgrade_free(struct upgrade *u);

/* 0 no rule and no behaviour changed, 1 a documented rule is worse, 3 other changes, 2 a run did not end. */
int upgrade_status(const struct upgrade *u);

/* The verdict in a sentence. */
const char *upgrade_verdict(const struct upgrade *u);

enum upgrade_format { UPGRADE_TEXT, UPGRADE_HTML, UPGRADE_JSON };

/* Writes the page. False where the stream refused it. */
bool upgrade_write(FILE *to, const struct upgrade *u, enum upgrade_format format);

#endif
// SPDX-License-Identifier: Apache-2.0
