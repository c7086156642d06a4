/* The emulator as the pages of the rule book call it: with harness/emu and harness/check it is compiled to WebAssembly
 * (tools/book.mk). What is printed goes to the page's functions for standard output and standard error. */
#include <stdio.h>
#include <string.h>

#include "harness/commands/cmd.h"
#include "harness/emu/forms/form.h"

/* Judges a PTX text as copycheck check does: `spec` has the lines of a spec file, `format` is "text" or "jsonl".
 * picture.html of the page's files is then the
 * picture of the launch. Returns the exit status of check. */
int check_text(const char *ptx, const char *spec, const char *format);
/* Whether the emulator's assembler takes the text: 0 if it does, else 1, and what is wrong is printed, with the rule
 * that it breaks where one says so. */
int assemble_text(const char *ptx);

/* A file in the page's memory. */
static bool put(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    if (!f)
        return false;
    fputs(text, f);
    return !fclose(f);
}

int check_text(const char *ptx, const char *spec, const char *format)
{
    const char *arguments[] = { "check",  "example.ptx",  "--spec", "example.spec",       "--jobs",
                                "1",      "--format",     format,   "--max-instructions", "20000000",
                                "--html", "picture.html", NULL };
    int status;

    remove("picture.html"); /* of another text */
    if (!put("example.ptx", ptx) || !put("example.spec", spec))
        return 2;
    status = cmd_check((int)(sizeof arguments / sizeof *arguments) - 1, (char **)arguments);
    fflush(NULL);
    return status;
}

int assemble_text(const char *ptx)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_read(ptx, strlen(ptx), NULL, &error);
    char text[1024];

    if (m) {
        puts("accepted");
    } else {
        ptx_error_print(&error, "example.ptx", text, sizeof text);
        fputs(text, stdout);
        if (error.rule)
            printf("  rule      %s: %s\n  source    %s\n", error.rule->id, error.rule->sentence, error.rule->source);
    }
    ptx_free(m);
    fflush(NULL);
    return m ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
