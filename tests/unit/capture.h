/* What a command prints, in a buffer: for tests of commands. Include after cmocka's header. */
#ifndef COPYCHECK_CAPTURE_H
#define COPYCHECK_CAPTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CAPTURE_ARGS = 24 };

static char *captured_out, *captured_err;

static char *capture_slurp(FILE *from)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    rewind(from);
    for (int c; (c = getc(from)) != EOF;)
        putc(c, to);
    fclose(to);
    fclose(from);
    return text;
}

static void capture_free(void)
{
    free(captured_out);
    free(captured_err);
    captured_out = captured_err = NULL;
}

/* Runs a command with the words of `line` (separated by single blanks) and keeps what it printed. */
static int capture(int (*command)(int argc, char **argv), const char *line)
{
    char words[4096], *argv[CAPTURE_ARGS + 1] = { 0 }, *rest = words;
    FILE *out = tmpfile(), *err = tmpfile();
    const int old_out = dup(STDOUT_FILENO), old_err = dup(STDERR_FILENO);
    int argc = 0, status;

    snprintf(words, sizeof words, "%s", line);
    for (char *word; argc < CAPTURE_ARGS && (word = strsep(&rest, " ")) != NULL;)
        argv[argc++] = word;
    capture_free();
    fflush(NULL);
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    status = command(argc, argv);
    fflush(NULL);
    dup2(old_out, STDOUT_FILENO);
    dup2(old_err, STDERR_FILENO);
    close(old_out);
    close(old_err);
    captured_out = capture_slurp(out);
    captured_err = capture_slurp(err);
    return status;
}

#define assert_has(text, part)                                                                                         \
    do {                                                                                                               \
        if (!strstr((text), (part)))                                                                                   \
            fail_msg("no '%s' in:\n%s", (part), (text));                                                               \
    } while (0)
#define assert_lacks(text, part)                                                                                       \
    do {                                                                                                               \
        if (strstr((text), (part)))                                                                                    \
            fail_msg("'%s' in:\n%s", (part), (text));                                                                  \
    } while (0)

#endif
// SPDX-License-Identifier: Apache-2.0
