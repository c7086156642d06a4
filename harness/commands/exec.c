/* copycheck exec: runs a CUDA program whose kernels are judged. */
#include "harness/exec/exec.h"

#include <errno.h>
#include <string.h>

#include "harness/commands/cmd.h"

int cmd_exec(int argc, char **argv)
{
    struct exec_args args;
    struct exec_result result;
    FILE *to = stderr;
    bool fine;

    if (!exec_read(argc, argv, &args))
        return 2;
    if (args.help)
        return cmd_help(exec_help);
    if (args.log && !(to = fopen(args.log, "w")))
        return ck_bad("exec: --log %.200s: %s", args.log, strerror(errno));
    fine = exec_run(&args, to, &result);
    if (args.log && fclose(to))
        return ck_bad("exec: --log %.200s: %s", args.log, strerror(errno));
    if (!fine)
        return 2;
    if (result.findings)
        return args.error_status;
    if (result.signalled)
        return 128 + result.status;
    return result.status || !result.not_run ? result.status : 2;
}
// SPDX-License-Identifier: Apache-2.0
