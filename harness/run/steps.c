/* What a case has a host do: copies and launches in streams. */
#include "harness/run/bench.h"

#include <stdlib.h>

void ck_needs_device(struct ck *t)
{
    if (!t->bench->engine->keeps_time)
        ck_skip(t, "needs a device: how long something takes on %s says nothing of one", t->bench->engine->name);
}

void *ck_pinned(struct ck *t, size_t bytes)
{
    struct ck_engine *e = t->bench->engine;
    struct ck_outcome out = { 0 };
    void *p = NULL;

    if (!e->ops->pinned)
        return ck_alloc(t, bytes);
    if (!e->ops->pinned(e, bytes, &p, &out))
        ck_engine_failed(t, &out);
    return p;
}

bool ck_is_pinned(struct ck *t, const void *p)
{
    struct ck_engine *e = t->bench->engine;

    if (!e->ops->is_pinned)
        ck_skip(t, "needs a driver: %s knows nothing of page-locked memory", e->name);
    return e->ops->is_pinned(e, p);
}

void ck_unpin(struct ck *t, void *p)
{
    struct ck_engine *e = t->bench->engine;

    if (e->ops->unpin)
        e->ops->unpin(e, p);
}

int ck_registers(struct ck *t, const char *kernel)
{
    struct ck_engine *e = t->bench->engine;
    struct ck_outcome out = { 0 };
    int count;

    if (!e->ops->registers)
        ck_skip(t, "needs machine code: %s runs PTX, whose registers are as many as it names", e->name);
    count = e->ops->registers(e, kernel, &out);
    if (count < 0)
        ck_engine_failed(t, &out);
    return count;
}

void ck_needs_unlinked(struct ck *t)
{
    const struct ck_engine *e = t->bench->engine;

    if (e->links)
        ck_skip(t, "needs a module that is not linked: %s links, and setmaxnreg is left out of what is to be linked",
                e->name);
}

typedef int encode_fn(void *object, int type, uint32_t rank, void *address, const uint64_t *dims,
                      const uint64_t *strides, const uint32_t *box, const uint32_t *element_strides, int interleave,
                      int swizzle, int l2, int fill);

long ck_encode_through(struct ck *t, const char *name, int version, const struct tensor_map *m, void *object)
{
    struct ck_engine *e = t->bench->engine;
    encode_fn *encode = NULL;

    if (!e->ops->entry_point)
        ck_skip(t, "needs a driver: %s has no functions that go by a name", e->name);
    *(void **)&encode = e->ops->entry_point(e, name, version);
    return encode ? encode(object, (int)m->type, (uint32_t)m->rank, (void *)(uintptr_t)m->address, m->dims, m->strides,
                           m->box, m->element_strides, (int)m->interleave, (int)m->swizzle, (int)m->l2, (int)m->fill)
                  : -1;
}

/* The launches of the steps as the engine takes them; the arguments of each are a copy. */
static struct ck_device_launch *launches_of(struct ck *t, const struct ck_step *steps, size_t count)
{
    struct ck_device_launch *launches = ck_alloc(t, count * sizeof *launches);

    for (size_t i = 0; i < count; i++)
        if (steps[i].kind == CK_STEP_LAUNCH)
            launches[i] = ck_bench_launch(t, steps[i].launch);
    return launches;
}

void ck_steps(struct ck *t, struct ck_step *steps, size_t count)
{
    struct ck_bench *b = t->bench;
    struct ck_engine *e = b->engine;
    struct ck_outcome out = { 0 };
    struct ck_device_launch *launches;

    if (!e->ops->steps)
        ck_skip(t, "%s has no streams", e->name);
    ck_bench_send(t);
    launches = launches_of(t, steps, count);
    e->ops->steps(e, steps, launches, count, &out);
    for (size_t i = 0; i < count; i++)
        free((void *)(uintptr_t)launches[i].args);
    b->launched = true;
    b->outcome = out;
    if (out.kind == CK_O_DIAGNOSED)
        ck_bench_diagnosed(t, &out);
    else if (out.kind != CK_O_DONE)
        ck_engine_failed(t, &out);
    ck_bench_fetch(t);
}
// SPDX-License-Identifier: Apache-2.0
