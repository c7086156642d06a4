/* copycheck capture: writes a launch of a program on a GPU to a file. */
#include "harness/exec/capture.h"

#include "harness/commands/cmd.h"

int cmd_capture(int argc, char **argv)
{
    struct capture_args args;

    if (!capture_args_read(argc, argv, &args))
        return 2;
    return args.help ? cmd_help(capture_help) : capture_run(&args);
}
// SPDX-License-Identifier: Apache-2.0
