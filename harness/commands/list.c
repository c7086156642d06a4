/* copycheck list: the points that a selection names, one a line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/commands/cmd.h"
#include "harness/plan/plan.h"

static const char help[] =
    "usage: copycheck list [SELECT...] [--mutants] [--cases]\n"
    "\n"
    "Lists the points that SELECT names: a glob over point names, rule:ID, family:NAME or failed:FILE.\n"
    "\n"
    "  --mutants   list mutants too\n"
    "  --cases     one line for each case: its place, its rule, how many points it has\n";

int cmd_list(int argc, char **argv)
{
    struct ck_plan plan;
    const struct ck_point **points;
    bool mutants = false, cases = false;
    char error[512];
    size_t count, selects = 0;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help"))
            return cmd_help(help);
        if (!strcmp(argv[i], "--mutants"))
            mutants = true;
        else if (!strcmp(argv[i], "--cases"))
            cases = true;
        else if (argv[i][0] == '-')
            return ck_bad("list: no option '%s'; --help lists them", argv[i]);
        else
            argv[selects++] = argv[i];
    }
    if (!ck_plan_make(ck_suites, mutants, &plan, error, sizeof error))
        return ck_bad("%s", error);
    points = ck_select(&plan, argv, selects, &count, error, sizeof error);
    if (!points) {
        ck_plan_free(&plan);
        return ck_bad("list: %s", error);
    }
    for (size_t i = 0, n; i < count; i += cases ? n : 1) {
        for (n = 1; i + n < count && points[i + n]->c == points[i]->c;)
            n++;
        if (cases)
            printf("%s\t%s%s%s\t%zu\n", points[i]->c->at, points[i]->c->rule->id, points[i]->c->name ? "/" : "",
                   points[i]->c->name ? points[i]->c->name : "", n);
        else
            puts(points[i]->name);
    }
    free(points);
    ck_plan_free(&plan);
    return cmd_end(0);
}
// SPDX-License-Identifier: Apache-2.0
