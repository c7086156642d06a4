/* cuTensorMapEncodeTiled: where the object may lie, what the call writes, null pointers. */
#include <string.h>

#include "expected/oracle.h"
#include "harness/ck.h"

enum { ROOM = 512, OBJECT = 256, FILLER = 0x5A };

/* The object that receives the map may lie at any multiple of 64 bytes; at other addresses, what the call does is
 * recorded. */
static void object_at(struct ck *t)
{
    const struct tensor_map map = tensor_map_default(TENSOR_F32, 2);
    const int64_t offset = ck_int(t, "offset");
    _Alignas(128) unsigned char room[ROOM];

    memset(room, FILLER, sizeof room);
    if (offset % 64)
        ck_see(t, "%s", ck_encode_call(t, &map, room + OBJECT + offset, 0) ? "refused" : "accepted");
    else
        ck_expect(t, "code", (uint64_t)ck_encode_call(t, &map, room + OBJECT + offset, 0), 0);
}

/* A call writes 128 bytes at the object and nothing else, and the same bytes for the same arguments. */
static void writes_object_only(struct ck *t)
{
    const struct tensor_map map = tensor_map_default(TENSOR_F32, ck_int(t, "rank"));
    const size_t begin = ck_variant(t, "guard") ? OBJECT - 64 : OBJECT;
    _Alignas(128) unsigned char room[ROOM];
    struct ck_tmap first, second;
    size_t outside = 0;

    memset(room, FILLER, sizeof room);
    if (!ck_expect(t, "code", (uint64_t)ck_encode_call(t, &map, room + OBJECT, 0), 0))
        return;
    for (size_t i = 0; i < ROOM; i++)
        outside += (i < begin || i >= begin + TENSOR_MAP_BYTES) && room[i] != FILLER;
    ck_expect(t, "bytes written outside the object", outside, 0);
    memset(&first, 0x11, sizeof first);
    memset(&second, 0xEE, sizeof second);
    ck_encode_call(t, &map, &first, 0);
    ck_encode_call(t, &map, &second, 0);
    ck_expect(t, "maps of equal arguments differ", memcmp(&first, &second, sizeof first) != 0, 0);
}

static const struct ck_case cases[] = {
    { CK_RULE(tmap_tiled_obj_align), .run = object_at, .axes = { { "offset", "0 64 128" } },
      .no_mutant = "driver 580 accepts every alignment: see tmap.tiled.seen.obj-any-align" },
    { CK_RULE(tmap_tiled_seen_obj_any_align), .run = object_at,
      .axes = { { "offset", "1 2 4 8 16 24 32 48 72 96 112" } }, .seen_only = true },
    { CK_RULE(tmap_tiled_pure), .run = writes_object_only, .axes = { { "rank", "1..5" } },
      .mutants = { { "guard", "expect the object 64 bytes before its place" } } },
    { 0 }
};

const struct ck_suite encode_object = { "encode/object", cases };
// SPDX-License-Identifier: Apache-2.0
