/* The values of options. */
#include "harness/exec/value.h"

#include <string.h>

#include "harness/base/bad.h"

const char *exec_value(const char *command, char **argv, int *i, const char *name, bool *bad)
{
    const size_t n = strlen(name);

    if (strncmp(argv[*i], name, n) || (argv[*i][n] && argv[*i][n] != '='))
        return NULL;
    if (argv[*i][n] == '=')
        return argv[*i] + n + 1;
    if (!argv[*i + 1]) {
        *bad = !ck_wrong("%s: %s needs a value", command, name);
        return NULL;
    }
    return argv[++*i];
}
// SPDX-License-Identifier: Apache-2.0
