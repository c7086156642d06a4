/* copycheck: the command line. */
#include "harness/commands/cmd.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/program.h"

static const struct command {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *help;
} commands[] = {
    { "run", cmd_run, "run cases on engines and judge them" },
    { "list", cmd_list, "list the points that a selection names" },
    { "matrix", cmd_matrix, "print record files as a table, or as a report" },
    { "diff", cmd_diff, "compare record files" },
    { "merge", cmd_merge, "merge the record files of many machines, and name the odd one out" },
    { "records", cmd_records, "say what record files are, and whether they are sound" },
    { "keep", cmd_keep, "print what of a record file is kept as a recorded matrix" },
    { "upgrade", cmd_upgrade, "say what an upgrade changed: rules, behaviour, machine code" },
    { "report", cmd_report, "write a folder that shows a point's result without copycheck" },
    { "plot", cmd_plot, "draw what was measured" },
    { "rules", cmd_rules, "list the rules of the catalogue" },
    { "show", cmd_show, "explain a rule or a listing" },
    { "explain", cmd_explain, "say in short what a rule means, and where its page is" },
    { "book", cmd_book, "write the rule book, a page for each rule" },
    { "notes", cmd_notes, "print what the study notes say, and which rules check it" },
    { "assemble", cmd_assemble, "ask assemblers about PTX files" },
    { "check", cmd_check, "run a kernel on the emulator and name the rules that it breaks" },
    { "exec", cmd_exec, "run a CUDA program on the emulator and judge its kernels" },
    { "capture", cmd_capture, "write a launch of a program on a GPU to a file, for check" },
    { "lab", cmd_lab, "start, run and grade labs: exercises that judge themselves" },
    { "encode", cmd_encode, "say which limits a call of cuTensorMapEncodeTiled breaks" },
    { "tile", cmd_tile, "draw what a tile load leaves in shared memory" },
    { "swizzle", cmd_swizzle, "print the permutation of a swizzle mode" },
    { "view", cmd_view, "draw what a tile-space load of CUDA Tile returns" },
    { "lint", cmd_lint, "check the catalogue itself" },
};

/* In a file of its own, which each commit makes anew. */
extern const char ck_revision[];

static int usage(FILE *to)
{
    fputs("usage: copycheck COMMAND [ARGUMENT...]\n"
          "       copycheck --version\n\n"
          "Checks CUDA's asynchronous copies: each documented rule on this machine's GPU, compilers and\n"
          "assemblers, and kernels of your own on an emulator that names the rule they break.\n\n",
          to);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].help);
    fputs("\ncopycheck COMMAND --help explains a command.\n", to);
    return to == stdout ? cmd_end(0) : 2;
}

int main(int argc, char **argv)
{
    cmd_begin();
    ck_program_typed(argc ? argv[0] : NULL);
    if (argc < 2)
        return usage(stderr);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))
        return usage(stdout);
    if (!strcmp(argv[1], "--version"))
        return cmd_end(cmd_version(ck_revision));
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(commands[i].name, argv[1]))
            return cmd_end(commands[i].main(argc - 1, argv + 1));
    return ck_bad("no command '%s'; copycheck --help lists them", argv[1]);
}
// SPDX-License-Identifier: Apache-2.0
