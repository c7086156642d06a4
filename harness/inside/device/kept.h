/* What the device's memory held at a moment. */
#ifndef COPYCHECK_INSIDE_KEPT_H
#define COPYCHECK_INSIDE_KEPT_H

#include "harness/inside/device/device.h"

/* All zeros: nothing is kept. */
struct kept {
    struct kept_piece {
        unsigned char *at, *bytes;
        uint64_t size;
    } * all;
    size_t count, room;
    bool failed;
};

/* Bytes that would be kept now. */
uint64_t kept_bytes(void);
/* All memory of the device, and the variables of its modules; `failed` where there is no room. */
struct kept kept_all(void);
void kept_put_back(const struct kept *k);
/* Whether memory holds now what it held then. */
bool kept_same(const struct kept *k);
void kept_free(struct kept *k);

#endif
// SPDX-License-Identifier: Apache-2.0
