/* The bytes that a launch has left. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/lab/judging.h"

/* Whether a word is likely to be a float: one of a usual size. */
static bool is_float(uint32_t word)
{
    float f;

    memcpy(&f, &word, sizeof f);
    return fabsf(f) >= 1e-4F && fabsf(f) < 1e7F;
}

/* Whether n bytes of a buffer, up to 4, are as they should be. */
static bool same(const struct lab_buffer *b, const unsigned char *want, const unsigned char *got, size_t n)
{
    float x, y;

    if (!memcmp(want, got, n))
        return true;
    if (b->tolerance <= 0 || n < sizeof x)
        return false;
    memcpy(&x, want, sizeof x);
    memcpy(&y, got, sizeof y);
    return fabsf(x - y) <= b->tolerance * fabsf(x);
}

/* The first wrong word of a buffer in words. */
static void describe(const struct lab_buffer *b, size_t at, const unsigned char *got, size_t n, char *first,
                     size_t room)
{
    uint32_t x = 0, y = 0;
    float fx, fy;

    memcpy(&x, b->expected + at, n);
    memcpy(&y, got + at, n);
    memcpy(&fx, &x, sizeof fx);
    memcpy(&fy, &y, sizeof fy);
    if (n == sizeof x && is_float(x ? x : y))
        snprintf(first, room, "float %zu (bytes %zu to %zu) of %s: expected %g, got %g", at / 4, at, at + n - 1,
                 b->name, (double)fx, (double)fy);
    else
        snprintf(first, room, "word %zu (bytes %zu to %zu) of %s: expected 0x%08x, got 0x%08x", at / 4, at, at + n - 1,
                 b->name, x, y);
    if (b->in)
        ck_append(first, room, " (the kernel is only to read it)");
}

bool lab_buffer_right(const struct lab_buffer *b, const unsigned char *got, char *first, size_t room)
{
    for (size_t at = 0, n; b->expected && at < b->size; at += n) {
        n = b->size - at < 4 ? b->size - at : 4;
        if (!same(b, b->expected + at, got + at, n)) {
            if (!*first)
                describe(b, at, got, n, first, room);
            return false;
        }
    }
    return true;
}

/* Compares all buffers; those of the first launch are kept for the next step. */
bool lab_bytes_right(struct lab_judging *j, const struct check_launched *launched)
{
    struct lab_launch *l = j->launch;
    bool right = true;

    for (unsigned i = 0; i < l->buffer_count && right; i++) {
        const struct lab_buffer *b = &l->buffers[i];
        unsigned char *got = malloc(b->size + 1);
        right = got && emu_read(launched->machine, got, launched->at[b->arg], b->size) &&
                lab_buffer_right(b, got, j->first, sizeof j->first);
        if (!l->left[i])
            l->left[i] = got;
        else
            free(got);
    }
    return right;
}
