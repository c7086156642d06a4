/* copycheck book: writes the rule book. */
#include "harness/book/book.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/commands/cmd.h"
#include "harness/records/records.h"

static const char help[] =
    "usage: copycheck book FOLDER [--recorded FOLDER] [--sources FOLDER]\n"
    "\n"
    "Writes the rule book into a folder: index.html, a page for each rule with its source, examples, and what was\n"
    "recorded of it, the findings, programs to change, and the words. The pages need no server and no network.\n"
    "\n"
    "  --recorded FOLDER   folder of record files (default: expected/recorded)\n"
    "  --sources FOLDER    the folder that has kernels/, tests/ and docs/, which kernels are shown from (default: .);\n"
    "                      without them pages show the table rows alone\n"
    "\n"
    "Where the folder has emulator.js (make book), the pages have a playground.\n";

int cmd_book(int argc, char **argv)
{
    static const struct option options[] = {
        { "recorded", required_argument, NULL, 'r' },
        { "sources", required_argument, NULL, 's' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    struct book_options book = { .recorded = ck_recorded_folder(), .sources = "." };
    char error[4400], play[4096];
    unsigned pages;

    optind = 0; /* starts over, also where another command has parsed before */
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (o) {
        case 'h': return cmd_help(help);
        case 'r': book.recorded = optarg; break;
        case 's': book.sources = optarg; break;
        default: return ck_bad("book: bad option '%s'; copycheck book --help explains", argv[optind - 1]);
        }
    }
    if (optind + 1 != argc)
        return ck_bad("book: %s; copycheck book --help explains",
                      optind == argc ? "into which folder?" : "one folder only");
    book.folder = argv[optind];
    snprintf(play, sizeof play, "%s/emulator.js", book.folder);
    book.play = access(play, R_OK) == 0;
    if (!book_write(&book, &pages, error, sizeof error))
        return ck_bad("book: %s", error);
    printf("%s/index.html: %u pages\n", book.folder, pages);
    return cmd_end(0);
}
// SPDX-License-Identifier: Apache-2.0
