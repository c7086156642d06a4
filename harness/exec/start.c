/* How a program is started with a library of ours before it. */
#include "harness/exec/start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"

bool exec_folder_fits(const char *command, const char *folder)
{
    return !strpbrk(folder, ":;") ||
           ck_wrong(
               "%s: the loader takes ':' and ';' in %.200s for the end of its name: move copycheck to another folder",
               command, folder);
}

bool exec_put_before(const char *variable, const char *first)
{
    const char *now = getenv(variable);
    struct ck_growing text = { 0 };
    const bool fine = (now && *now ? ck_grow(&text, "%s:%s", first, now) : ck_grow(&text, "%s", first)) &&
                      !setenv(variable, text.data, 1);

    ck_growing_free(&text);
    return fine;
}

void exec_become(char **program, int failed)
{
    int error;

    execvp(program[0], program);
    error = errno;
    if (write(failed, &error, sizeof error) < 0)
        _exit(2);
    _exit(2);
}

bool exec_started(const char *command, const char *program, int failed)
{
    int error = 0;
    const ssize_t n = read(failed, &error, sizeof error);

    close(failed);
    return n <= 0 || ck_wrong("%s: %.200s: %s", command, program, strerror(error));
}
// SPDX-License-Identifier: Apache-2.0
