/* Two maps of the same box in two tensors, and a home for a map. */
#include "tests/tensor_map/map.h"

#include <string.h>

enum { HOME_BYTES = 512 };

struct maps maps_make(struct ck *t, int rank, uint32_t images)
{
    const struct tensor_map map = box_map(TENSOR_U16, rank);
    struct maps m = { .b = box_to_load(t, &map), .other = box_to_load(t, &map) };
    struct box b = m.b;

    if (ck_variant(t, "step"))
        box_move_on(&b);
    m.home = ck_input(t, HOME_BYTES); /* no output: maps hold addresses, which differ from run to run */
    memset(m.home.host, 0, m.home.size);
    m.images = ck_output(t, (size_t)images * m.b.image_bytes);
    m.a = (struct tmap_args){ .home = m.home.device,
                              .out = m.images.device,
                              .bytes = m.b.image_bytes,
                              .offset = m.b.offset,
                              .expect = (uint32_t)tensor_tile_bytes(&map),
                              .rank = (uint32_t)rank,
                              .acquire = TMAP_GPU,
                              .loads = 1 };
    memcpy(m.a.corner, b.corner, sizeof m.a.corner);
    ck_encode(t, &map, m.b.tensor, &m.a.map);
    ck_encode(t, &map, m.other.tensor, &m.a.other);
    return m;
}

enum ck_end maps_launch(struct ck *t, struct maps *m, const char *kernel, uint32_t blocks)
{
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                             .grid = { blocks },
                                             .block = { 128 },
                                             .smem = 2 * m->b.image_bytes + 512,
                                             .args = &m->a,
                                             .size = sizeof m->a });
}

void maps_put(struct ck *t, struct maps *m, const struct ck_tmap *map, uint32_t at)
{
    memcpy(m->home.host + at, map, sizeof *map);
    ck_changed(t, m->home);
    m->a.home = m->home.device + at;
}

unsigned char *maps_loaded(struct ck *t, const struct maps *m, uint64_t others)
{
    unsigned char *images = ck_alloc(t, m->images.size);
    const unsigned char *const first = box_loaded(t, &m->b), *const other = box_loaded(t, &m->other);

    for (size_t i = 0; (i + 1) * m->b.image_bytes <= m->images.size; i++)
        memcpy(images + i * m->b.image_bytes, others >> (i % 64) & 1 ? other : first, m->b.image_bytes);
    return images;
}

/* Says which map each image shows; runs of equal ones count as one. */
static void see(struct ck *t, const struct maps *m)
{
    const unsigned char *const first = box_loaded(t, &m->b), *const other = box_loaded(t, &m->other);
    const size_t size = m->b.image_bytes;
    const char *last = "";

    for (size_t i = 0; (i + 1) * size <= m->images.size; i++) {
        const unsigned char *const got = m->images.host + i * size;
        const char *const what = !memcmp(got, first, size)   ? "the map as it was"
                                 : !memcmp(got, other, size) ? "the map as edited"
                                                             : "neither map";
        if (strcmp(what, last) != 0)
            ck_see(t, "%s", what);
        last = what;
    }
}

void maps_judge(struct ck *t, const struct maps *m, uint64_t others, enum ck_end end)
{
    if (ck_conforming(t))
        ck_equal(t, m->images, maps_loaded(t, m, others));
    else if (end == CK_DONE)
        see(t, m);
}
// SPDX-License-Identifier: Apache-2.0
