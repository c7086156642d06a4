/* What commands share: how the program begins and ends. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/commands/cmd.h"

void cmd_begin(void)
{
    /* A file that was opened in the place of a closed stream would take what is printed. Standard input may only be
     * written to and standard output only read, so that their use is an error as before. */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY) != fd)
            _exit(2);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a file that cannot be written */
}

int cmd_help(const char *text)
{
    fputs(text, stdout);
    return cmd_end(0);
}

int cmd_end(int status)
{
    static bool told;
    bool fine = fflush(stdout) == 0;

    if (fine && !ferror(stdout))
        return status;
    if (fine) /* an earlier write failed, whose reason is gone: this one fails for the same reason */
        fine = putchar('\n') != EOF && fflush(stdout) == 0;
    if (!told && (fine || errno != EPIPE)) /* who closes a pipe wants no more, not even this line */
        ck_bad("cannot write standard output: %s", fine ? "a part of it is lost" : strerror(errno));
    told = true;
    return 2;
}

void cmd_sources(const char *text, void (*field)(const char *label, const char *text))
{
    const char *label = "source";

    while (*text) {
        const char *end = strstr(text, "; ");
        char one[512];

        snprintf(one, sizeof one, "%.*s", end ? (int)(end - text) : (int)strlen(text), text);
        field(label, one);
        label = "";
        text = end ? end + 2 : text + strlen(text);
    }
}
// SPDX-License-Identifier: Apache-2.0
