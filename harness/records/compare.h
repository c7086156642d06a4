/* Two record files compared: what a new driver, toolkit or machine changed. */
#ifndef COPYCHECK_COMPARE_H
#define COPYCHECK_COMPARE_H

#include "harness/records/tally.h"

enum ck_change_kind { CK_ADDED, CK_GONE, CK_CHANGED, CK_UNCHANGED, CK_CHANGE_KINDS };

struct ck_change {
    const struct ck_record *before, *after; /* NULL where it is added or gone */
    enum ck_change_kind kind;               /* never unchanged */
    bool documented;                        /* a verdict on a documented rule, else observed behaviour */
    bool worse;                             /* a documented rule fails now and did not before, or is gone */
};

struct ck_comparison {
    struct ck_change *changes; /* in the order of the new file, then what is gone */
    size_t count, room;
    unsigned long documented[CK_CHANGE_KINDS], observed[CK_CHANGE_KINDS];
    unsigned long worse; /* documented rules that fail now and did not before */
    unsigned long lost;  /* documented points that are gone */
};

/* A verdict on a documented rule gates; the rest is behaviour that was observed. */
bool ck_record_gates(const struct ck_record *r);
/* An engine that works on a device: gpu, gpu@13.5, jit. The same instructions reach the same machine through each. */
bool ck_engine_is_of_device(const char *engine);
/* Both say the same: verdict, outcome with its code, what was seen. Bytes are not looked at. */
bool ck_record_says(const struct ck_record *r, const struct ck_record *other);

/* Compares `after` with `before`, point by point and engine by engine: the verdicts, what was seen, the outcome with
 * its code, and the digest where both ran with the same seed. What varies from run to run is compared by its verdict
 * only. With `part`, points that the new file lacks are no change: it holds a selection. False: out of memory. */
bool ck_compare(const struct ck_entries *before, const struct ck_entries *after, bool part, struct ck_comparison *out);
void ck_comparison_free(struct ck_comparison *c);

/* 0 nothing changed, 1 a documented rule's verdict is worse or gone, 3 anything else changed. */
int ck_comparison_status(const struct ck_comparison *c);

/* "as recorded for H200, driver 580", with " except for 1 change" or " except for 2 changes, and 40 not recorded". */
void ck_comparison_line(const struct ck_comparison *c, const struct ck_run_head *recorded, char *text, size_t size);
/* "H200, driver 580" of a run's head; "machine without a GPU". */
void ck_machine_name(const struct ck_run_head *head, char *text, size_t size);
/* Some point is in both. */
bool ck_comparison_met(const struct ck_comparison *c);
/* How many points are in both and differ. */
unsigned long ck_comparison_changed(const struct ck_comparison *c);
/* Each change as a line or two, documented rules first; at most `limit` of each kind, 0: all. Without `all`, only what
 * is in both and differs: new points of a run tell their own story. */
void ck_comparison_print(FILE *to, const struct ck_comparison *c, size_t limit, bool all);

/* The runner's comparison of a finished run with recorded files: part is true. The first file that has the point and
 * engine counts; further files stand in for engines that the first lacks. */
bool ck_compare_recorded(const struct ck_entries *run, const struct ck_entries *recorded, size_t count,
                         struct ck_comparison *out);

/* Where recorded matrices are: expected/recorded here, else beside this program or the folder that it is in. */
const char *ck_recorded_folder(void);
/* Finds the file in `folder` that was recorded on the head's device with its driver (the same release, or else the same
 * branch: "580"), made with its toolkit where there are several. False where there is none. */
bool ck_recorded_for(const char *folder, const struct ck_run_head *head, char *path, size_t size);
/* Finds the file in `folder` that was recorded on no device and holds results of this engine: an assembler, emu. */
bool ck_recorded_of(const char *folder, const char *engine, char *path, size_t size);
/* Finds the first file in `folder` that holds results of this engine. */
bool ck_recorded_with(const char *folder, const char *engine, char *path, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
