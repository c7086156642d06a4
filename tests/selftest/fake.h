/* What the self-test's cases hand to their engine. */
#ifndef COPYCHECK_FAKE_H
#define COPYCHECK_FAKE_H

#include "harness/ck.h"

/* Arguments of every kernel of the fake engine; what it does is in its name. */
struct fake_args {
    struct ck_head head;
    uint64_t to, from, bytes;
};

#endif
// SPDX-License-Identifier: Apache-2.0
