/* copycheck merge: the record files of a fleet as one matrix. */
#include "harness/commands/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/whole.h"
#include "harness/fleet/fleet.h"
#include "harness/records/tally.h"

static const char help[] =
    "usage: copycheck merge FILE|FOLDER... [--format F] [--out FILE] [--profile]\n"
    "\n"
    "Merges record files of many machines into one matrix, whose cells say on how many machines which verdict came, and\n"
    "names first who is unlike the others: the same device, driver and toolkit, but another verdict or other bytes. Of a\n"
    "folder the files that end in .jsonl are taken. Files are read one after the other; memory grows with machines and\n"
    "points, not with records.\n"
    "\n"
    "  --format F    text (default), jsonl (a line for each machine, and for each point with all its results), prometheus\n"
    "  --out FILE    written beside it and renamed when it is whole; default: standard output\n"
    "  --profile     a line on standard error: how much was read, and how fast\n"
    "\n"
    "A machine is known by its GPU's UUID, without one by its host. Files with shards of one machine make one column. Of\n"
    "two files of the same machine the later named one counts whose run ended. A file that is not sound does not count,\n"
    "and is named with the line; one whose run did not end counts as far as it goes.\n"
    "\n"
    "Exit status: 0 all machines are alike and no documented rule fails, 1 one fails somewhere, 2 a file did not count or\n"
    "is cut, a shard is missing, or there was an interruption (nothing is written then), 3 only that machines differ.\n";

static void (*const formats[])(FILE *to, const struct fleet *f) = { fleet_text, fleet_jsonl, fleet_prometheus };
static const char *const format_names[] = { "text", "jsonl", "prometheus" };

enum { FORMATS = sizeof formats / sizeof *formats };

static volatile sig_atomic_t interrupted;
static size_t files_done;

static void interrupt(int signal)
{
    interrupted = signal;
}

static bool stop(size_t done, size_t all)
{
    files_done = done;
    if (isatty(STDERR_FILENO)) {
        if (done % 10 == 0)
            fprintf(stderr, "\r%zu of %zu files\033[K", done, all);
        if (interrupted || done + 1 == all)
            fputs("\r\033[K", stderr);
    }
    return interrupted;
}

static bool write_out(const struct fleet *f, const char *path, size_t format)
{
    struct whole_file file;

    if (!path) {
        formats[format](stdout, f);
        return true; /* main says what standard output does not take */
    }
    if (!whole_open(&file, path))
        return ck_wrong("merge: cannot write %s: %s", path, strerror(errno));
    formats[format](file.to, f);
    return whole_close(&file, true) || ck_wrong("merge: cannot write %s: %s", path, strerror(errno));
}

static void print_profile(const struct fleet *f)
{
    const double seconds = (double)clock() / CLOCKS_PER_SEC;

    fprintf(stderr, "merged %.1f MB, %s records in %.2f s of processor time: %.0f MB/s\n", (double)f->bytes / 1e6,
            ck_thousands(f->records), seconds, seconds > 0 ? (double)f->bytes / 1e6 / seconds : 0);
}

static int merge(struct fleet *f, char **paths, size_t count, size_t format, const char *out)
{
    for (size_t i = 0; i < count; i++)
        if (!fleet_add(f, paths[i]))
            return 2;
    if (!f->file_count)
        return ck_bad("merge: no file whose name ends in .jsonl in %s", paths[0]);
    if (!fleet_read(f, stop))
        return interrupted
                   ? ck_bad("merge: interrupted after %zu of %zu files; nothing was written", files_done, f->file_count)
                   : 2;
    fleet_judge(f);
    if (!write_out(f, out, format))
        return 2;
    if (f->bad)
        return 1;
    if (f->of[FLEET_BROKEN] || f->of[FLEET_CUT] || f->lacking)
        return 2;
    for (size_t i = 0; i < f->cell_count; i++)
        if (f->cells[i].count > 1)
            return 3;
    return 0;
}

int cmd_merge(int argc, char **argv)
{
    static const struct option options[] = {
        { "format", required_argument, NULL, 'f' },
        { "out", required_argument, NULL, 'o' },
        { "profile", no_argument, NULL, 'p' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    const struct sigaction action = { .sa_handler = interrupt };
    struct fleet fleet = { 0 };
    const char *out = NULL;
    bool profile = false;
    size_t format = 0;
    int status;

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'h')
            return cmd_help(help);
        if (o == 'o')
            out = optarg;
        else if (o == 'p')
            profile = true;
        else if (o != 'f')
            return ck_bad("merge: bad option '%s'; copycheck merge --help explains them", argv[optind - 1]);
        else
            for (format = 0; format < FORMATS && strcmp(format_names[format], optarg) != 0;)
                format++;
        if (format == FORMATS)
            return ck_bad("merge: no format is called '%s': take text, jsonl or prometheus", optarg);
    }
    if (optind == argc)
        return ck_bad("merge: which files? copycheck merge --help explains");
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    status = merge(&fleet, argv + optind, (size_t)(argc - optind), format, out);
    if (profile && !interrupted)
        print_profile(&fleet);
    fleet_free(&fleet);
    return cmd_end(status);
}
// SPDX-License-Identifier: Apache-2.0
