/* Programs run in several ways, and the bytes that they left compared. */
#include "tools/async_fuzz/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/hash.h"

uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t digest_of(const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    uint64_t h = FNV1A_BASIS, word;

    for (; size >= 8; size -= 8, b += 8) {
        memcpy(&word, b, 8);
        h = (h ^ word) * SPLITMIX64_STEP;
        h ^= h >> 32;
    }
    return fnv1a(h, b, size);
}

/* The first difference, in words; false where there is none. */
static bool bytes_differ(const struct program *p, const unsigned char *expected, const unsigned char *got,
                         const char *name, char *message, size_t size)
{
    const size_t bytes = program_bytes(p);
    size_t first = bytes, n = 0, shown = 0;
    char place[100], a[64] = "", b[64] = "";

    for (size_t i = 0; i < bytes; i++)
        if (expected[i] != got[i]) {
            if (first == bytes)
                first = i;
            n++;
        }
    if (!n)
        return false;
    program_place(p, first, place, sizeof place);
    for (size_t i = first; i < bytes && i < first + 16; i++, shown += 2) {
        snprintf(a + shown, sizeof a - shown, "%02x", expected[i]);
        snprintf(b + shown, sizeof b - shown, "%02x", got[i]);
    }
    snprintf(message, size, "%zu bytes differ from those of %s, first at %s: %s here, %s there", n, name, place, b, a);
    return true;
}

void judge_batch(const struct fuzz_judge *j, const struct program *programs, size_t count,
                 const struct ck_growing *text)
{
    unsigned char **first = calloc(count, sizeof *first);
    char message[900];

    for (size_t w = 0; first && w < j->way_count; w++) {
        uint64_t begin = now_ns(), loaded;
        size_t ran = 0;
        struct batch *b;
        if (!j->start(j->context, w, count))
            continue;
        struct way way = j->ways[w];
        way.level = j->level;
        b = batch_load(&way, text, message, sizeof message);
        loaded = now_ns() - begin;
        if (!b) {
            if (!j->report(j->context, w, count, message))
                break;
            continue;
        }
        begin = now_ns();
        for (size_t i = 0; i < count && j->ways[w].kind != ENGINE_PTXAS; i++) {
            const size_t bytes = program_bytes(&programs[i]);
            unsigned char *memory = malloc(bytes);
            if (!memory || !j->start(j->context, w, i)) {
                free(memory);
                continue;
            }
            program_input(&programs[i], memory);
            ran++;
            if (batch_run(b, &programs[i], memory, message, sizeof message) == BROKE) {
                free(memory);
                if (j->report(j->context, w, i, message))
                    continue;
                batch_free(b);
                goto done;
            }
            if (!first[i]) {
                j->digest(j->context, i, digest_of(memory, bytes));
                first[i] = memory;
                continue;
            }
            if (bytes_differ(&programs[i], first[i], memory, j->ways[0].name, message, sizeof message))
                j->report(j->context, w, i, message);
            free(memory);
        }
        j->spent(j->context, w, loaded, now_ns() - begin, ran);
        batch_free(b);
    }
done:
    for (size_t i = 0; first && i < count; i++)
        free(first[i]);
    free(first);
}
// SPDX-License-Identifier: Apache-2.0
