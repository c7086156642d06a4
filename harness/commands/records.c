/* copycheck records: what record files are, and whether they are sound. */
#include "harness/commands/cmd.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/clean.h"
#include "harness/records/records.h"

static const char help[] =
    "usage: copycheck records FILE... [--quiet]\n"
    "\n"
    "Says of each record file what it is (schema, machine, records), and whether it is sound: each line is one that a run\n"
    "writes, no line was edited, lost or added, and the records are those of its plan. The first line that is not so is\n"
    "named. docs/records.md describes the lines. A sum is no signature: who computes all sums anew is not found out.\n"
    "\n"
    "  --quiet   name only files that are not sound, or whose run did not end\n"
    "\n"
    "Exit status: 0 all are sound, 1 one is not, or cannot be read, 3 all are sound, but a run did not end (go on with\n"
    "copycheck run --resume FILE).\n";

/* What holds the lines to what the run wrote. */
static const char *guard(const struct ck_run_head *h)
{
    if (h->schema >= 2)
        return "a sum in each line";
    return h->digested ? "a digest at the end" : h->complete ? "no digest: an edit would not be seen" : "no sums";
}

static void print_origin(const struct ck_run_head *h)
{
    printf("      %s", h->device ? h->device : "machine without a GPU");
    if (h->driver)
        printf(", driver %s", h->driver);
    if (h->libcuda && h->driver && strcmp(h->libcuda, h->driver) != 0)
        printf(", forward compatibility library %s", h->libcuda);
    if (h->ptx)
        printf(", PTX ISA %s", h->ptx);
    if (h->toolkit)
        printf(", toolkit %s", h->toolkit);
    if (h->ptxas)
        printf(", ptxas %s", h->ptxas);
    if (h->uuid)
        printf(", GPU %s%s%s", h->uuid, h->ecc ? " with ECC" : " without ECC", h->mig ? ", a part of one (MIG)" : "");
    if (h->host)
        printf(", host %s", h->host);
    if (h->shard)
        printf(", shard %s", h->shard);
    putchar('\n');
}

/* 0, 1 or 3 of one file. */
static int tell(const char *path, bool quiet)
{
    struct ck_record_file file;
    char error[512], name[512];

    if (!ck_read_records(path, &file, error, sizeof error)) {
        ck_wrong("%s", error);
        return 1;
    }
    const struct ck_run_head *h = &file.head;
    if (!quiet || !h->complete) {
        printf("%s: %s, schema %d, %s record%s", ck_clean_copy(name, sizeof name, path),
               h->complete ? "sound" : "sound, but the run did not end", h->schema ? h->schema : 1,
               ck_thousands(file.count), file.count == 1 ? "" : "s");
        if (!h->complete && h->planned)
            printf(" of %s", ck_thousands(h->planned));
        printf(", %s\n", guard(h));
        if (!quiet)
            print_origin(h);
    }
    const int status = h->complete ? 0 : 3;
    ck_free_records(&file);
    return status;
}

int cmd_records(int argc, char **argv)
{
    static const struct option options[] = {
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    bool quiet = false;
    int status = 0;

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'h')
            return cmd_help(help);
        if (o != 'q')
            return ck_bad("records: bad option '%s'; copycheck records --help explains them", argv[optind - 1]);
        quiet = true;
    }
    if (optind == argc)
        return ck_bad("records: which file? copycheck records --help explains");
    for (int i = optind; i < argc; i++) {
        const int one = tell(argv[i], quiet);
        status = one == 1 || !status ? one : status;
    }
    return cmd_end(status);
}
// SPDX-License-Identifier: Apache-2.0
