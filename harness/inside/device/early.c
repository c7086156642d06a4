/* Launches that may begin before the one before them has ended.
 *
 * Operations of other streams take place when they are issued, and the judge keeps what one launch has accessed: a
 * launch behind them is compared with none. */
#include "harness/inside/device/early.h"

#include <stddef.h>

/* The stream whose launch was the last operation of all, with nothing that waited since; NULL: there is none. */
static const struct stream *launched;

bool early_behind_launch(const struct stream *s, bool is_launch)
{
    const bool behind = launched == s;

    launched = is_launch ? s : NULL;
    return behind;
}

void early_waited(void)
{
    launched = NULL;
}
// SPDX-License-Identifier: Apache-2.0
