/* What the cases of tensor maps share: two maps of the same box in two tensors, and a home for a map. */
#ifndef COPYCHECK_TESTS_MAP_H
#define COPYCHECK_TESTS_MAP_H

#include "kernels/tensor_map.h"
#include "tests/tensor/box.h"

struct maps {
    struct box b, other; /* the same map and corner, another tensor */
    struct ck_buf home;  /* 512 bytes of global memory for a map */
    struct ck_buf images;
    struct tmap_args a; /* both maps encoded; home and images filled in */
};

/* Makes the maps, and room for so many images. In the variant "step" the kernel loads one step further than `b` says.
 */
struct maps maps_make(struct ck *t, int rank, uint32_t images);
enum ck_end maps_launch(struct ck *t, struct maps *m, const char *kernel, uint32_t blocks);
/* Puts a map into its home from the host, `at` bytes from its start. */
void maps_put(struct ck *t, struct maps *m, const struct ck_tmap *map, uint32_t at);
/* What `images` must hold: image i is the load of `b` where bit i of `others` is 0, of `other` where it is 1. */
unsigned char *maps_loaded(struct ck *t, const struct maps *m, uint64_t others);
/* Compares the images with those; of a breach that has ended, records which map each image shows instead. */
void maps_judge(struct ck *t, const struct maps *m, uint64_t others, enum ck_end end);

#endif
// SPDX-License-Identifier: Apache-2.0
