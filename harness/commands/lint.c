/* copycheck lint: checks the catalogue and its cases, for people who change them. */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/clean.h"
#include "harness/commands/cmd.h"
#include "harness/engines/engines.h"
#include "harness/lint/lint.h"

static const char help[] =
    "usage: copycheck lint [--kernels DIR] [DOCUMENT...]\n"
    "\n"
    "Checks what a compiler cannot see: ids and C names, rules without a case or a reason, cases\n"
    "without a mutant or a reason, variants that change nothing or that are misspelt, run functions\n"
    "without a sentence, names of points, kernels that points launch, mutants whose PTX is the\n"
    "original's, and rules that documents name (default: docs/findings.md).\n";

int cmd_lint(int argc, char **argv)
{
    static const struct option options[] = {
        { "kernels", required_argument, NULL, 'k' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    const char *kernels = ck_kernels_folder();
    char name[512];
    struct ck_lint l = { .to = stdout };

    optind = 0;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'h')
            return cmd_help(help);
        if (o != 'k')
            return ck_bad("lint: bad option '%s'; copycheck lint --help explains", argv[optind - 1]);
        kernels = optarg;
    }
    ck_lint_rules(&l, ck_suites);
    ck_lint_listings(&l, ck_suites);
    ck_lint_cases(&l, ck_suites);
    ck_lint_sources(&l, ck_suites);
    ck_lint_kernels(&l, ck_suites, kernels);
    for (int i = optind; i < argc; i++)
        ck_lint_document(&l, argv[i]);
    if (optind == argc && access("docs/findings.md", R_OK) == 0)
        ck_lint_document(&l, "docs/findings.md");
    if (!l.kernels_known)
        printf("kernels: not looked at, %s has no PTX\n", ck_clean_copy(name, sizeof name, kernels));
    printf("%zu complaints; %zu kernels looked at\n", l.complaints, l.kernels);
    return cmd_end(l.complaints ? 1 : 0);
}
// SPDX-License-Identifier: Apache-2.0
