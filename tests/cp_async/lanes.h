/* What the cases over kernels/cp_async.cu share: one copy a lane, and the image that it must leave. */
#ifndef COPYCHECK_TESTS_CP_ASYNC_LANES_H
#define COPYCHECK_TESTS_CP_ASYNC_LANES_H

#include <stdio.h>
#include <string.h>

#include "harness/ck.h"
#include "kernels/cp_async.h"

#define FORMS "ca4 ca8 ca16 cg16"

enum { LANES = 32, IMAGE = 2048, SOURCE = 2048, VALUE_BYTES = 4 * LANES };

struct lanes {
    struct ck_buf in, out, values;
    struct cp_async_args a;
    uint32_t size;           /* of a copy, bytes */
    unsigned char *expected; /* the image */
};

/* The copy form that the axis `form` names. */
static inline uint32_t form_of(struct ck *t)
{
    return ck_is(t, "form", "ca4")    ? CP_CA4
           : ck_is(t, "form", "ca8")  ? CP_CA8
           : ck_is(t, "form", "ca16") ? CP_CA16
                                      : CP_CG16;
}

/* Bytes that one copy of this form brings. */
static inline uint32_t form_size(uint32_t form)
{
    return form == CP_CA4 ? 4 : form == CP_CA8 ? 8 : 16;
}

/* All lanes copy, side by side from source byte 64 to image byte 64. */
static inline struct lanes lanes_with(struct ck *t, struct ck_buf in, uint32_t form)
{
    struct lanes l = { .in = in, .out = ck_output(t, IMAGE), .values = ck_zeroed(t, VALUE_BYTES) };

    l.a.form = form;
    l.size = form_size(form);
    l.a.in = in.device;
    l.a.out = l.out.device;
    l.a.values = l.values.device;
    l.a.bytes = IMAGE;
    l.a.lanes = 0xFFFFFFFF;
    l.a.src = l.a.dst = 64;
    l.a.src_step = l.a.dst_step = l.size;
    l.expected = ck_alloc(t, IMAGE);
    memset(l.expected, CK_POISON, IMAGE);
    return l;
}

/* The same in the form of the axis `form`. */
static inline struct lanes lanes_of(struct ck *t, struct ck_buf in)
{
    return lanes_with(t, in, form_of(t));
}

static inline unsigned char *lane_source(const struct lanes *l, uint32_t lane)
{
    return l->in.host + l->a.src + (size_t)lane * l->a.src_step;
}

static inline uint32_t lane_slot(const struct lanes *l, uint32_t lane)
{
    return l->a.dst + lane * l->a.dst_step;
}

/* The lane's copy brings `bytes` from its source and zeros behind them. */
static inline void expect_lane(struct lanes *l, uint32_t lane, uint32_t bytes)
{
    memcpy(l->expected + lane_slot(l, lane), lane_source(l, lane), bytes);
    memset(l->expected + lane_slot(l, lane) + bytes, 0, l->size - bytes);
}

static inline void expect_lanes(struct lanes *l, uint32_t bytes)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (l->a.lanes >> lane & 1)
            expect_lane(l, lane, bytes);
}

/* The word that the kernel's lane finds: a source size or a truth value. */
static inline void set_value(struct lanes *l, uint32_t lane, uint32_t value)
{
    memcpy(l->values.host + (size_t)4 * lane, &value, 4);
}

static inline void set_values(struct lanes *l, uint32_t value)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        set_value(l, lane, value);
}

static inline enum ck_end launch_lanes(struct ck *t, const struct lanes *l, const char *kernel)
{
    ck_changed(t, l->values);
    return ck_launch(t, &(struct ck_launch){
                            .kernel = kernel, .block = { LANES }, .smem = IMAGE, .args = &l->a, .size = sizeof l->a });
}

/* What one lane's destination holds, in words. `source` may be NULL where there is none to compare with. */
static inline const char *slot_words(struct ck *t, const struct lanes *l, uint32_t lane, const unsigned char *source)
{
    const unsigned char *slot = l->out.host + lane_slot(l, lane);
    uint32_t zeros = 0, poison = 0, copied = 0;
    char *words;

    while (zeros < l->size && slot[zeros] == 0)
        zeros++;
    while (poison < l->size && slot[poison] == CK_POISON)
        poison++;
    while (source && copied < l->size && slot[copied] == source[copied])
        copied++;
    if (copied == l->size)
        return "all bytes copied";
    if (zeros == l->size)
        return "zeros";
    if (poison == l->size)
        return "unchanged";
    for (uint32_t i = copied; i < l->size; i++)
        if (slot[i] != 0)
            return "other bytes";
    words = ck_alloc(t, 48);
    snprintf(words, 48, "%u bytes copied, then zeros", copied);
    return words;
}

#endif
// SPDX-License-Identifier: Apache-2.0
