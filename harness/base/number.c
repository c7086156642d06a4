/* Numbers in arguments. */
#include "harness/base/number.h"

#include <errno.h>
#include <stdlib.h>

bool ck_number(const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return !*end && !errno && *out >= least && *out <= most;
}
// SPDX-License-Identifier: Apache-2.0
