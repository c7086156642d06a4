/* What is said of a kernel that was judged: its findings as text or as JSON Lines, and how its launch ended. */
#ifndef COPYCHECK_CHECK_SAID_H
#define COPYCHECK_CHECK_SAID_H

#include <limits.h>
#include <stdio.h>

#include "harness/check/check.h"

/* What a finding is said with, and where to. */
struct check_said {
    FILE *out;
    const struct check_args *args; /* the launch */
    char file[PATH_MAX];           /* the name of the PTX, harmless to show */
    const struct ptx_module *module;
    const struct ptx_function *entry;
    const struct check_result *result;
};

/* An access at fault: its instruction as PTX text, and its CUDA line. */
struct check_line {
    unsigned ptx; /* 0: there is none */
    char text[300], source[1000];
};
struct check_line check_line_of(const struct check_said *to, const struct emu_place *p);

/* Makes harmless what findings quote of the PTX and of the arguments: names of files, maps and parameters. JSON escapes
 * it instead. */
void check_make_harmless(struct check_result *r);

/* A finding that leads, with what is folded under it; the same of a remark; how the launch ended, in one `word`. */
void check_say_finding(const struct check_said *to, const struct check_found *g);
void check_say_remark(const struct check_said *to, const struct check_found *g);
void check_say_end(const struct check_said *to, const char *word);

/* The same as a line of JSON each. */
void check_write_finding(const struct check_said *to, const struct check_found *g);
void check_write_end(const struct check_said *to);

/* As a compiler writes it: FILE:LINE:COLUMN: error: MESSAGE [RULE], with notes behind it; a remark is a warning. */
void check_write_line(const struct check_said *to, const struct check_found *g);
/* An annotation of a pull request on GitHub: a line, with the other access and the remedy in its message. */
void check_write_annotation(const struct check_said *to, const struct check_found *g);
/* A result of SARIF, without a line end: it begins with CHECK_SARIF_RULE and the quoted name of its rule, "" for none.
 */
void check_write_sarif(const struct check_said *to, const struct check_found *g);
#define CHECK_SARIF_RULE "{\"ruleId\":"
/* What stands before the results, which are set apart by commas, and behind them: the rules that they name. `complete`:
 * all launches ran to their end. */
void check_sarif_begin(FILE *out);
void check_sarif_end(FILE *out, const struct ck_rule *const *rules, size_t count, bool complete);

/* "done", "fault", ... */
const char *check_end_name(enum emu_end end);

#endif
// SPDX-License-Identifier: Apache-2.0
