/* Groups of copies of which one comes from far away. */
#include "tests/pipeline_primitives/late.h"

#include <string.h>

struct late late_groups(struct ck *t, uint32_t size, uint32_t groups, uint32_t slow)
{
    struct late l = { .t = t, .threads = groups > 64 ? 16 : 32 };
    const size_t bytes = (size_t)size * l.threads;

    l.near = ck_input(t, groups * bytes);
    l.far = ck_slow_input(t, LATE_ROUNDS * bytes);
    l.out = ck_output(t, bytes);
    l.a = (struct late_args){ .near_by = l.near.device,
                              .far_off = l.far.device,
                              .out = l.out.device,
                              .size = size,
                              .groups = groups,
                              .slow = slow,
                              .read = slow };
    return l;
}

enum ck_end late_launch(const struct late *l, const char *kernel)
{
    return ck_launch(l->t, &(struct ck_launch){ .kernel = kernel,
                                                .block = { l->threads },
                                                .smem = l->a.size * l->a.groups * l->threads,
                                                .args = &l->a,
                                                .size = sizeof l->a });
}

/* The second round is what comes out. */
static const unsigned char *sources(const struct late *l)
{
    const size_t bytes = l->out.size;

    return l->a.read == l->a.slow ? l->far.host + bytes : l->near.host + l->a.read * bytes;
}

void late_check(const struct late *l, const char *kernel)
{
    late_launch(l, kernel);
    ck_equal(l->t, l->out, sources(l));
}

bool late_there(const struct late *l)
{
    return !memcmp(l->out.host, sources(l), l->out.size);
}
// SPDX-License-Identifier: Apache-2.0
