/* The self-test: copycheck's own commands over cases and an engine that misbehave. */
#include <stdio.h>
#include <string.h>

#include "harness/commands/cmd.h"

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*main)(int argc, char **argv);
    } commands[] = { { "run", cmd_run }, { "list", cmd_list }, { "matrix", cmd_matrix }, { "diff", cmd_diff } };

    cmd_begin();
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(commands[i].name, argv[1]))
            return cmd_end(commands[i].main(argc - 1, argv + 1));
    return ck_bad("the self-test has run, list, matrix and diff");
}
// SPDX-License-Identifier: Apache-2.0
