/* What is said of a submission. It is data of a fixed size, so that the process that judges can leave it in memory that
 * it shares with its parent. */
#ifndef COPYCHECK_LAB_VERDICT_H
#define COPYCHECK_LAB_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/emu/ptx/ptx.h"
#include "harness/lab/lab.h"

enum lab_outcome { LAB_PASS, LAB_REMARK, LAB_FAIL, LAB_NO_VERDICT };

/* The parts of a verdict, in their order. A part is not reached where one before it makes it meaningless. */
enum lab_part { LAB_COMPILES, LAB_RULES, LAB_BYTES, LAB_BY_MEANS, LAB_ON_GPU, LAB_PARTS };
enum lab_state { LAB_NOT_REACHED, LAB_RIGHT, LAB_WRONG };

/* What launches on a GPU have shown. */
enum lab_seen {
    LAB_UNSEEN, /* none were made: there is no GPU, or nobody asked for it */
    LAB_SEEN_RIGHT,
    LAB_SEEN_LUCK, /* in some of them */
    LAB_SEEN_WRONG,
    LAB_SEEN_FAULT, /* `first`: the driver's error */
    LAB_SEEN_HANG,
    LAB_SEEN_REFUSED, /* the driver refuses a tensor map or the launch; `first`: its error */
    LAB_NOT_LAUNCHED, /* `first`: why */
    LAB_SEENS
};

struct lab_gpu {
    enum lab_seen seen;
    unsigned runs, right; /* launches that came to their end; those with the right bytes */
    char device[64];      /* "NVIDIA H200" */
    char first[300];      /* the first wrong bytes in words, or what `seen` says */
    bool disagrees;       /* the emulator has found nothing wrong */
};

enum { LAB_TEXT = 12000, LAB_NAMED = 16, LAB_NAME = 64, LAB_PRINTED = 4000 };

struct lab_verdict {
    enum lab_outcome outcome;
    enum lab_state parts[LAB_PARTS];
    char text[LAB_PARTS][LAB_TEXT]; /* what is wrong, in lines of 80 columns; "" where nothing is */
    char remarks[LAB_TEXT];
    char named[LAB_NAMED]
              [LAB_NAME]; /* rule ids, "bytes", "means:...", "remark:...", "limit", "compile": what leads first */
    unsigned named_count;
    char printed[LAB_PRINTED]; /* what the kernel printed in the first launch, each line with "kernel: " in front */
    char note[500];            /* which compiler was taken in place of another one, a line; "" */
    char why[400];             /* of LAB_NO_VERDICT, one line */
    struct lab_gpu gpu;        /* nothing else here depends on whether there is one, unless it disagrees */
};

/* What is judged. */
struct lab_submission {
    const struct lab *lab;
    const char *path;          /* as the user wrote it */
    const char *name;          /* its last part, harmless to show */
    const char *source;        /* its text; NULL: it is PTX */
    const struct ck_text *ptx; /* what is run */
    const char *html; /* where a picture of a launch is written to: of the first one in which a rule is broken, else of
                         the first; NULL: nowhere */
    uint64_t seed;
    bool flat; /* the launch has one dimension: a thread is one number */
};

/* Judges a module that was compiled from the submission. */
void lab_judge(struct lab_submission *s, const struct ptx_module *m, struct lab_verdict *v);

/* Notes what leads to the verdict: a name as a key has it. Each is noted once. */
void lab_name(struct lab_verdict *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The part is wrong, and so the submission fails. */
void lab_fail(struct lab_verdict *v, enum lab_part part);

/* Writes `label`, then the text in lines of at most 80 columns, all but the first indented by so many blanks. */
void lab_wrap(FILE *to, const char *label, unsigned indent, const char *text);

#endif
// SPDX-License-Identifier: Apache-2.0
