/* What the cases of listings share. */
#include "tests/listings/page.h"

#include "expected/oracle.h"

struct tensor_map page_call(struct ck *t, const char *words)
{
    struct tensor_map map = tensor_map_default(TENSOR_S32, 2);
    char error[256];

    if (!tensor_map_set(&map, words, error, sizeof error))
        ck_skip(t, "the call's words: %s", error);
    return map;
}

struct ck_tmap page_map(struct ck *t, const char *words, struct ck_buf buffer)
{
    const struct tensor_map map = page_call(t, words);
    struct ck_tmap object;

    ck_encode(t, &map, buffer, &object);
    return object;
}
// SPDX-License-Identifier: Apache-2.0
