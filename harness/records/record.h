/* Records: one line of results for one point on one engine, and the file that holds them.
 *
 * A record file is JSON Lines. Its first line describes the machine and the run (member "copycheck"), then comes a
 * line for each record (member "point"), in the order in which points ended; a run that came to its end closes with a
 * line that counts them (member "end") and holds their digest (member "digest", ck_record_digest). Reports read such
 * files and nothing else. Unknown members are ignored; members with an empty value are left out; 64-bit numbers are
 * strings of hexadecimal digits. docs/records.md describes all members. In a file of schema 2, what runs write, each
 * line ends in a sum (chain.h); recorded matrices are of schema 1.
 *
 * A run that goes on with the file of an interrupted one writes the same head line again before its first record. Two
 * records of the same point and engine are an error within one run; where a further head line lies between them, the
 * later one counts. The end line is about the records that count.
 */
#ifndef COPYCHECK_RECORD_H
#define COPYCHECK_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum ck_verdict {
    CK_V_NONE,
    CK_V_PASS,
    CK_V_FAIL,
    CK_V_SKIP,     /* this engine cannot do it: `detail` says what was needed and what was found */
    CK_V_SEEN,     /* the rule leaves it open: `seen` says what happened */
    CK_V_HANG,     /* a conforming point did not end, or a wait in it ran out */
    CK_V_FAULT,    /* a conforming point ended in an error of the device */
    CK_V_BROKEN,   /* the case itself is wrong: it died, asked for an axis that it lacks, overran a buffer of its own */
    CK_V_UNPROVEN, /* it judged nothing, or all its mutants survive */
    CK_V_KILLED,   /* of a mutant: the verdict turned */
    CK_V_SURVIVED, /* of a mutant: it passed, though it should not */
    CK_V_EXCUSED,  /* of a mutant: it passed, and the case says why this engine cannot show it */
    CK_V_COUNT
};

extern const char *const ck_verdict_names[CK_V_COUNT]; /* "pass", "fail", ... */

/* All strings belong to the record's owner; NULL is an absent one. */
struct ck_record {
    const char *point; /* RULE[/CASE][:axis=value,...][~BREACH][!MUTANT] */
    const char *rule;  /* its id */
    const char *family;
    const char *engine;   /* "gpu", "jit", "emu", "ptxas-13.0", "gpu@12.4" */
    const char *phase;    /* "assemble", "encode", "compile", "launch" */
    const char *evidence; /* "documented", "observed", "folklore" */
    enum ck_verdict verdict;
    const char *expected; /* "accept", "refuse", "done": what the rule demands */
    const char *outcome;  /* "accept", "refused", "done", "fault", "hang", "crashed", "timeout", "memory" */
    long code;            /* CUresult, or the assembler's exit status or signal */
    const char *seen;     /* what was observed, in stable words */
    bool varies;          /* `seen` differs from run to run: not compared */
    const char *detail;   /* for a reader: lines "expected  ...", "got       ...", "message   ..."; a skip's reason */
    const char *at;       /* FILE:LINE of the case */
    uint64_t digest;      /* FNV-1a of the observable bytes of a launch point, 0 where there are none */
    uint64_t machine;     /* hash of the machine code that was launched, or made of the row's text; 0: not known */
    uint64_t seed;        /* absent in a file: that of its head */
    int gpu;              /* which of the head's devices it ran on, from 0. Never compared */
    unsigned runs, same;  /* with --repeat: how often it ran, and had this verdict; 0 without */
    /* Of a point that measured two ways to do the same: the time of the first over that of the second, as the median
     * and the quartiles of so many rounds; 0 where nothing was measured. `seen` says which two. Never compared. */
    double ratio, low, high;
    unsigned rounds;
    double ms;
};

struct ck_run_head {
    const char *version; /* of copycheck */
    int schema;          /* of the file: 2, or 0 for schema 1, whose heads do not say so */
    const char *device;  /* "NVIDIA H200", NULL without one */
    int sm;              /* 90 */
    int sms;             /* its multiprocessors */
    const char *uuid;    /* of the device, hashed: ck_origin; with commas where several shared the points */
    bool ecc;            /* its memory corrects errors */
    bool mig;            /* it is a part of a GPU */
    const char *driver;  /* of the kernel: "580.159.04" */
    const char *libcuda; /* of the library; another version than the kernel's: forward compatibility */
    int cuda;            /* 1300: that the library says */
    const char *ptx;     /* the newest PTX ISA that it takes: "9.0" */
    const char *ptxas;   /* builds of the assemblers among the engines: "13.0.88 36424714_0", comma-separated */
    const char *host;    /* hashed; a run may go on on another one */
    const char *toolkit; /* the toolkit that built the kernels: "13.0.88" */
    const char *engines; /* comma-separated */
    const char
        *selection; /* the SELECT arguments, space-separated; a backslash before a space or a backslash of theirs */
    const char *delivery; /* of the emulator: "eager", "random"; NULL: late */
    const char *shard;    /* "1/4"; NULL: all */
    bool schedules;       /* launches that break no rule only */
    unsigned repeat;      /* times that each point ran; 0: once */
    uint64_t seed;
    unsigned long planned; /* points times engines, mutants included */
    uint64_t plan;         /* their names: ck_record_hash of each, added up; 0: not known */
    bool mutants;
    bool no_faults; /* on a device no breach that may fault */
    bool brief;     /* on a device one fault of each rule, as `copycheck run` does without --all */
    bool kinds;     /* a device's first engine shows each fault, its others one of each kind: --all */
    bool usual;     /* lines leave out what most of them say: usual.h */
    bool complete;  /* read from a file: its end line was there */
    bool digested;  /* read from a file: its end line held a digest, and it was right; files made by early
                     * versions have none */
};

struct ck_record_file {
    struct ck_run_head head;
    struct ck_record *records;
    size_t count;
    size_t good_bytes;   /* all but a last line that was cut short */
    size_t record_bytes; /* what a resumed run keeps of the file: without an end line too */
    uint64_t digest;     /* ck_record_digest of the records that count, added up */
    uint64_t chain;      /* of schema 2: of the bytes that a resumed run keeps */
    void *storage;       /* what the strings live in */
    char **rules;        /* ids of rules that lines left out: usual.h */
    size_t rule_count, rule_room;
};

enum { CK_SCHEMA = 2 }; /* the newest, which runs write */

/* Writers: one line each, flushed by the caller. False (with errno) if the stream refused it. A line of schema 2 gets
 * its sum and takes *chain on, which is CK_CHAIN_BASIS before the first line; one of schema 1 has NULL. */
bool ck_write_head(FILE *to, const struct ck_run_head *head, uint64_t *chain);
bool ck_write_record(FILE *to, const struct ck_record *record, uint64_t *chain);
/* `digest`: ck_record_digest of all of them, added up modulo 2^64, so that their order does not matter. */
bool ck_write_end(FILE *to, unsigned long records, uint64_t digest, uint64_t *chain);
/* The head of a file of schema 1 with the same records, or with some of them: a recorded matrix, a report. It says
 * nothing of the host and of the device's UUID. */
struct ck_run_head ck_head_kept(const struct ck_run_head *head);

/* The digest of what a record says about behaviour: all that comparisons look at. Left out are the time it took, its
 * detail and its line of the sources, which recorded matrices do not keep. FNV-1a over the members' printable ASCII but
 * for '?', which is what reading leaves as it was written. */
uint64_t ck_record_digest(const struct ck_record *record);

/* What in a record contradicts itself ("verdict pass, but ..."), or NULL: nobody wrote such a record, it was edited. */
const char *ck_record_contradiction(const struct ck_record *record);

/* Reads a whole file. On bad input fills `error` with FILE:LINE and what was wrong, and returns false: lines that are
 * no records, a later version's file, a line with another sum than its file's, records that contradict themselves or
 * are not those of the plan, or of the end line's count and digest. A last line cut short (a killed run, a full disk)
 * is dropped, and head.complete is false. All heads must be the same. What a terminal would obey in the texts is '?'
 * (base/clean.h). ck_free_records is called after a success only. */
bool ck_read_records(const char *path, struct ck_record_file *out, char *error, size_t error_size);
/* Reads the first line only: *out has a head and no records. */
bool ck_read_head(const char *path, struct ck_record_file *out, char *error, size_t error_size);
void ck_free_records(struct ck_record_file *file);

/* The first member of the head line that differs ("engines"), or NULL: the two belong to one run. The host may. */
const char *ck_head_difference(const struct ck_run_head *a, const struct ck_run_head *b);

/* "1.93 (1.91 to 1.94 in the middle half of 40 rounds)" of a record that measured; "" of any other. */
void ck_record_ratio(const struct ck_record *record, char *text, size_t size);

unsigned ck_head_gpus(const struct ck_run_head *head); /* how many GPUs shared the points; 1 where none is named */
bool ck_head_has_engine(const struct ck_run_head *head, const char *engine); /* among those that the run names */

/* The hash of a record's key, for an index of records. */
uint64_t ck_record_hash(const char *point, const char *engine);

#endif
// SPDX-License-Identifier: Apache-2.0
