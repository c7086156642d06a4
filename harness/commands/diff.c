/* copycheck diff: two record files compared. */
#include "harness/commands/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clean.h"
#include "harness/commands/diff_many.h"
#include "harness/records/records.h"

static const char help[] =
    "usage: copycheck diff OLD NEW [FILE...] [--part] [--all] [--quiet]\n"
    "\n"
    "Compares two record files point by point: a machine before and after an upgrade, two drivers, two toolkits.\n"
    "\n"
    "Of more files a table: a column for each, a row for each point at which one says something else than the first.\n"
    "\n"
    "  --part    NEW is a selection: what it lacks is no change\n"
    "  --all     name every change (default: the first 20 of a kind)\n"
    "  --quiet   the counts only\n"
    "\n"
    "Verdicts on documented rules are listed apart from observed behaviour. Exit status: 0 nothing changed, 1 a documented\n"
    "rule fails that did not, or a documented point is gone, 3 anything else changed, 2 there is no verdict: a file cannot\n"
    "be read, was edited after its run, or is of a run that did not end.\n";

struct side {
    struct ck_record_file file;
    struct ck_entries results;
};

static bool load(const char *path, struct side *side)
{
    char error[512];

    return ck_load_records(path, &side->file, &side->results, error, sizeof error) || ck_wrong("%s", error);
}

static void unload(struct side *side)
{
    ck_unload_records(&side->file, &side->results);
}

static void print_head(const char *mark, const char *path, const struct side *side)
{
    const struct ck_run_head *h = &side->file.head;

    char name[512];

    printf("%s  %s: %s", mark, ck_clean_copy(name, sizeof name, path), h->device ? h->device : "no GPU");
    if (h->driver)
        printf("  driver %s", h->driver);
    if (h->toolkit)
        printf("  toolkit %s", h->toolkit);
    if (h->delivery)
        printf("  delivery %s", h->delivery);
    printf("  %s results", ck_thousands(side->results.count));
    if (!h->complete)
        printf(" of %s (the run did not end)", ck_thousands(h->planned));
    else if (!h->digested)
        printf("  (no digest: an edit after the run would not be seen)");
    putchar('\n');
}

static void print_counts(const struct ck_comparison *c)
{
    const struct {
        const char *name;
        const unsigned long *counts;
    } rows[] = { { "documented", c->documented }, { "observed", c->observed } };

    printf("%-12s%12s%12s%12s%12s\n", "", "unchanged", "changed", "added", "gone");
    for (size_t i = 0; i < 2; i++) {
        const unsigned long *n = rows[i].counts;
        printf("%-12s%12s%12s%12s%12s\n", rows[i].name, ck_thousands(n[CK_UNCHANGED]), ck_thousands(n[CK_CHANGED]),
               ck_thousands(n[CK_ADDED]), ck_thousands(n[CK_GONE]));
    }
    putchar('\n');
}

/* The last line; returns the exit status. What a run that did not end would have said is not known. */
static int conclude(const struct ck_comparison *c, const struct side *before, const struct side *after)
{
    const bool ended = before->file.head.complete && after->file.head.complete;
    const int status = ck_comparison_status(c);

    if (c->worse)
        puts("a documented rule fails that did not");
    if (c->lost)
        printf("%s documented point%s gone\n", ck_thousands(c->lost), c->lost == 1 ? " is" : "s are");
    if (!ended)
        printf("no verdict on the rest: the %s run did not end\n", after->file.head.complete ? "old" : "new");
    else if (status != 1)
        puts(status ? "no documented rule became worse" : "nothing changed");
    return status == 1 || ended ? status : 2;
}

int cmd_diff(int argc, char **argv)
{
    static const struct option options[] = {
        { "part", no_argument, NULL, 'p' },
        { "all", no_argument, NULL, 'a' },
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    bool part = false, quiet = false;
    size_t limit = 20;
    struct side before, after;
    struct ck_comparison c;
    int status = 2;

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'h')
            return cmd_help(help);
        if (o == 'p')
            part = true;
        else if (o == 'a')
            limit = 0;
        else if (o == 'q')
            quiet = true;
        else
            return ck_bad("diff: bad option '%s'; copycheck diff --help explains them", argv[optind - 1]);
    }
    if (argc - optind < 2)
        return ck_bad("diff: give two files or more: copycheck diff OLD NEW");
    if (argc - optind > 2)
        return cmd_diff_many(argv + optind, (size_t)(argc - optind), part, quiet, limit);
    if (!load(argv[optind], &before))
        return 2;
    if (!load(argv[optind + 1], &after)) {
        unload(&before);
        return 2;
    }
    if (!ck_compare(&before.results, &after.results, part, &c)) {
        ck_bad("out of memory");
    } else {
        print_head("old", argv[optind], &before);
        print_head("new", argv[optind + 1], &after);
        putchar('\n');
        if (!quiet)
            ck_comparison_print(stdout, &c, limit, true);
        print_counts(&c);
        status = conclude(&c, &before, &after);
        ck_comparison_free(&c);
        status = cmd_end(status);
    }
    unload(&before);
    unload(&after);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
