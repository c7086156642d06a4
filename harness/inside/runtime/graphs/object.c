/* User objects: something of the program's that graphs hold references to. The last one destroys it. */
#include <stdlib.h>

#include "harness/inside/runtime/graphs/nodes.h"

struct object {
    void *data;
    cudaHostFn_t destroy;
    uint64_t count;
    struct object *next;
};

struct reference {
    const struct graph *graph;
    struct object *object;
    uint64_t count;
    struct reference *next;
};

static struct object *objects;
static struct reference *references;

static bool is_known(const struct object *o)
{
    const struct object *k = objects;

    while (k && k != o)
        k = k->next;
    return k != NULL;
}

static void drop(struct object *o, uint64_t count)
{
    o->count -= count < o->count ? count : o->count;
    if (o->count)
        return;
    for (struct object **at = &objects; *at; at = &(*at)->next)
        if (*at == o) {
            *at = o->next;
            break;
        }
    o->destroy(o->data);
    free(o);
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *data, cudaHostFn_t destroy, unsigned count,
                                 unsigned flags)
{
    CUresult result = runtime_begin_anyway();
    struct object *o;

    if (result == CUDA_SUCCESS && (!out || !destroy || !count || flags != cudaUserObjectNoDestructorSync))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return runtime_end(result);
    o = malloc(sizeof *o);
    if (!o)
        return runtime_end(CUDA_ERROR_OUT_OF_MEMORY);
    *o = (struct object){ data, destroy, count, objects };
    objects = o;
    *out = (cudaUserObject_t)o;
    return runtime_end(CUDA_SUCCESS);
}

/* A call about so many references to an object. */
static CUresult begin_with(cudaUserObject_t object, unsigned count)
{
    const CUresult result = runtime_begin_anyway();

    return result == CUDA_SUCCESS && (!count || !is_known((struct object *)object)) ? CUDA_ERROR_INVALID_VALUE : result;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count)
{
    const CUresult result = begin_with(object, count);

    if (result == CUDA_SUCCESS)
        ((struct object *)object)->count += count;
    return runtime_end(result);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
    const CUresult result = begin_with(object, count);

    if (result == CUDA_SUCCESS)
        drop((struct object *)object, count);
    return runtime_end(result);
}

static bool refer(const struct graph *g, struct object *o, uint64_t count)
{
    struct reference *r = malloc(sizeof *r);

    if (!r)
        return false;
    *r = (struct reference){ g, o, count, references };
    references = r;
    return true;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags)
{
    struct object *o = (struct object *)object;
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS &&
        (!count || !is_known(o) || !graph_known((struct graph *)graph) || (flags & ~(unsigned)cudaGraphUserObjectMove)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !refer((struct graph *)graph, o, count))
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS && !(flags & cudaGraphUserObjectMove))
        o->count += count;
    return runtime_end(result);
}

/* Gives back `count` references of a graph to an object, or all of them to all objects. */
static void leave(const struct graph *g, const struct object *o, uint64_t count)
{
    for (struct reference **at = &references; *at && count;) {
        struct reference *r = *at;
        const uint64_t n = r->count < count ? r->count : count;
        if (r->graph != g || (o && r->object != o)) {
            at = &r->next;
            continue;
        }
        struct object *object = r->object;
        r->count -= n;
        count -= o ? n : 0;
        if (!r->count) {
            *at = r->next;
            free(r);
        }
        drop(object, n);
    }
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count)
{
    const CUresult result = begin_with(object, count);

    if (result == CUDA_SUCCESS)
        leave((struct graph *)graph, (struct object *)object, count);
    return runtime_end(result);
}

void objects_copy(const struct graph *from, const struct graph *to)
{
    for (struct reference *r = references; r; r = r->next)
        if (r->graph == from && refer(to, r->object, r->count))
            r->object->count += r->count;
}

void objects_leave(const struct graph *g)
{
    leave(g, NULL, UINT64_MAX);
}
// SPDX-License-Identifier: Apache-2.0
