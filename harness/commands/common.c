/* What commands share. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/commands/cmd.h"

int cmd_help(const char *text)
{
    fputs(text, stdout);
    return cmd_end(0);
}

int cmd_end(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return ck_bad("cannot write standard output: %s", strerror(errno));
    return status;
}
