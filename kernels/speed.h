/* Arguments of the kernels that measure time: kernels/speed*.cu. */
#ifndef COPYCHECK_KERNELS_SPEED_H
#define COPYCHECK_KERNELS_SPEED_H

#include "kernels/args.h"

enum { SPEED_MAPS = 24 }; /* tensor maps of a kernel that uses new ones in each round, one for each way */

/* Where a map is. */
enum speed_space { SPEED_CONSTANT, SPEED_GLOBAL, SPEED_PARAMETER };

/* The kernel does the same in two ways, in turn, `rounds` times. */
struct speed_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in;
    CK_PTR(uint64_t) ticks; /* two of each round, zero: of the first way, of the second */
    CK_PTR(uint32_t) sums;  /* what each thread of the grid got: of the first way, then of the second */
    uint32_t rounds;
    uint32_t bytes;  /* of a copy, or of a tile */
    uint32_t choice; /* what the first way has and the second has not: a stride, an offset, a number of stages ... */
    uint32_t times;  /* how often within a round */
};

/* The two ways use a map each. */
struct speed_map_args {
    struct speed_args s;
    struct ck_tmap first, second;
};

/* Each round uses maps that no round before it has used. */
struct speed_maps_args {
    struct speed_args s;
    CK_PTR(const struct ck_tmap) global; /* SPEED_MAPS maps */
    struct ck_tmap parameter[SPEED_MAPS];
};

#ifndef __CUDACC__
_Static_assert(sizeof(struct speed_maps_args) <= 4096, "parameters of a kernel have 4 KB");
#endif
#endif
// SPDX-License-Identifier: Apache-2.0
