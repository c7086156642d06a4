/* Known exceptions: a row for each, with its reason. */
#include "expected/known.h"

#include <fnmatch.h>
#include <stddef.h>

#define KNOWN(points, reason) { points, reason },

const struct ck_known ck_known_differences[] = {
#include "expected/known/differences.def"
    { 0 }
};

const struct ck_known ck_known_breaches[] = {
#include "expected/known/breaches.def"
    { 0 }
};

const struct ck_known *ck_known_find(const struct ck_known *rows, const char *point)
{
    for (; rows->points; rows++)
        if (!fnmatch(rows->points, point, FNM_NOESCAPE))
            return rows;
    return NULL;
}
// SPDX-License-Identifier: Apache-2.0
