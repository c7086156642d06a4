/* What the pages of the book are made from. Not for other folders. */
#ifndef COPYCHECK_BOOK_PARTS_H
#define COPYCHECK_BOOK_PARTS_H

#include "harness/book/page.h"
#include "harness/plan/plan.h"
#include "harness/records/records.h"
#include "harness/reports/parts.h"

/* ---- what was recorded: evidence.c ------------------------------------------------------------------------------- */

enum { BOOK_COLUMNS = 40 };

/* An engine of a record file. */
struct book_column {
    char engine[48];
    char machine[160]; /* "NVIDIA H200, driver 580.159.04, toolkit 13.0.88"; "" of an engine that needs no device */
    int file;
};

/* Something that was seen at `count` points of a rule. */
struct book_saying {
    size_t column;
    bool breach;
    char *point; /* the first of them */
    char *seen;
    unsigned count;
};

struct book_evidence {
    struct book_column columns[BOOK_COLUMNS];
    size_t column_count;
    struct ck_tally (*of)[BOOK_COLUMNS]; /* by rule, breaches and mutants apart */
    struct book_sayings {
        struct book_saying *all;
        size_t count, room;
    } * said; /* by rule */
};

enum book_rely { BOOK_YES, BOOK_AS_RECORDED, BOOK_NO, BOOK_UNCHECKED };

size_t book_rule_count(void);
/* The rule's place in ck_rules, or book_rule_count() of what is none. */
size_t book_rule_number(const char *id);
/* Reads all record files of a folder; false with one line in `error`. Free it in either case. */
bool book_evidence_read(const char *folder, struct book_evidence *e, char *error, size_t size);
void book_evidence_free(struct book_evidence *e);
enum book_rely book_rely(const struct book_evidence *e, size_t rule);

/* ---- texts of the sources: sources.c ------------------------------------------------------------------------------
 */

struct book_source {
    char *path; /* below the folder */
    char *text; /* NULL: it cannot be read */
};

struct book_sources {
    const char *folder;
    struct book_source *all;
    size_t count, room;
    struct book_kernel {
        char name[96];
        size_t source;
    } * kernels; /* the entries of kernels/ */
    size_t kernel_count, kernel_room;
};

bool book_sources_open(struct book_sources *s, const char *folder); /* false: out of memory */
void book_sources_free(struct book_sources *s);
const char *book_source(struct book_sources *s, const char *path); /* its text, or NULL */
const struct book_kernel *book_kernel_find(const struct book_sources *s, const char *name);

/* A function's text, with the comment before it. False where the text defines no function of this name. */
bool book_function(const char *text, const char *name, const char **begin, const char **end);

/* The function around a place of the text, with what stands right before it; false where the place is in none. */
bool book_around(const char *text, const char *at, const char **begin, const char **end);

/* ---- the findings: findings.c -------------------------------------------------------------------------------------
 */

/* A text in Markdown, as docs/findings.md and docs/vocabulary.md have it, as a page. It has anchors for each section,
 * s1, s2 ..., for each entry, f1, f2 ..., and for what the tables of the first section explain, w-WORD. */
void book_markdown(FILE *to, const char *markdown);
/* Calls `found` for each entry that names the rule, or a glob that fits it, with its number and title. */
void book_findings_of(const char *markdown, const char *rule,
                      void (*found)(void *user, unsigned number, const char *title), void *user);

/* ---- the labs: labs.c ---------------------------------------------------------------------------------------------
 */

struct book_labs {
    struct book_lab { /* a file of a lab, as its key has it */
        char lab[8], file[100], verdict[16], named[80];
    } * all;
    size_t count, room;
    struct book_lab_seen { /* what a GPU has shown of one */
        char lab[8], file[100], seen[16], device[100];
        unsigned right, runs; /* launches with the right bytes; all */
    } * seen;
    size_t seen_count, seen_room;
};

/* Reads the labs' keys and records; what is not there is left out. False: out of memory. Free it in either case. */
bool book_labs_read(struct book_labs *labs, const char *sources, const char *recorded);
void book_labs_free(struct book_labs *labs);

/* ---- pages ------------------------------------------------------------------------------------------------------- */

struct book {
    const char *folder;
    bool play; /* pages with PTX get a playground */
    struct book_evidence evidence;
    struct book_sources sources;
    struct ck_plan plan;
    struct book_labs labs;
    struct book_firsts *firsts; /* by case */
    size_t first_count;
    const char *findings; /* the text, or NULL */
};

/* Of a case the first point on each side, or NULL. */
struct book_firsts {
    const struct ck_case *c;
    const struct ck_point *of[CK_SEEN + 1];
};

bool book_examples_open(struct book *book); /* makes book->firsts of book->plan; false: out of memory */

void book_rule_page(FILE *to, struct book *book, size_t rule);               /* rule_page.c */
void book_examples(FILE *to, struct book *book, const struct ck_rule *rule); /* examples.c */
/* ---- small programs, and playgrounds: play.c ---- */
void book_programs(FILE *to, struct book *book,
                   const char *rule);                /* those of docs/examples that show the rule; all, if it is NULL */
void book_play_module(FILE *to, const char *module); /* a text that is assembled, not run */

void book_labs_part(FILE *to, const struct book *book, const char *rule); /* labs.c; nothing where no lab breaks it */
void book_rely_part(FILE *to, const struct book *book, size_t rule);      /* rely.c */
void book_broken_part(FILE *to, const struct book *book, size_t rule);
const char *book_rely_word(enum book_rely rely); /* "yes", "as recorded", "no", "not checked" */

#endif
// SPDX-License-Identifier: Apache-2.0
