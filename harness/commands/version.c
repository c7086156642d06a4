/* copycheck --version: what a report of a fault begins with. */
#include <stdio.h>

#include "harness/base/version.h"
#include "harness/commands/cmd.h"
#include "harness/engines/engines.h"
#include "harness/records/record.h"

int cmd_version(const char *revision)
{
    char toolkit[64];

    printf("copycheck %s\n", ck_version);
    if (*revision)
        printf("revision  %s\n", revision);
    printf("records   schema %d\n", CK_SCHEMA);
#ifdef __clang__
    printf("compiler  %s\n", __VERSION__);
#else
    printf("compiler  gcc %s\n", __VERSION__);
#endif
    ck_kernels_toolkit(toolkit, sizeof toolkit);
    if (*toolkit)
        printf("toolkit   %s, which built the kernels in %s\n", toolkit, ck_kernels_folder());
    else
        printf("toolkit   none: no kernels in %s\n", ck_kernels_folder());
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
