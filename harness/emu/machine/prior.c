/* What the grid before wrote, while the one that depends on it may not see it yet. */
#include "harness/emu/machine/prior.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"

/* An allocation as it was before the first grid, and as that grid left it. */
struct piece {
    unsigned char *bytes; /* the memory itself */
    uint64_t at, size;
    unsigned char *old, *new;
};

struct emu_prior {
    struct piece *pieces;
    size_t count;
    bool released; /* the first grid let dependent grids begin */
    bool hidden;
};

bool emu_prior_begin(struct emu *e)
{
    struct emu_prior *p = calloc(1, sizeof *p);

    e->prior = p;
    if (!p)
        return false;
    p->pieces = calloc(e->region_count + 1, sizeof *p->pieces);
    if (!p->pieces)
        return false;
    for (size_t i = 0; i < e->region_count; i++) {
        const struct emu_region *r = &e->regions[i];
        struct piece *x = &p->pieces[p->count];
        if (r->heap)
            continue;
        *x = (struct piece){ .bytes = r->bytes, .at = r->at, .size = r->size, .old = malloc(r->size) };
        p->count++;
        if (!x->old)
            return false;
        memcpy(x->old, r->bytes, r->size);
    }
    return true;
}

bool emu_prior_hide(struct emu *e)
{
    struct emu_prior *p = e->prior;

    for (size_t i = 0; p->released && i < p->count; i++) {
        struct piece *x = &p->pieces[i];
        x->new = malloc(x->size);
        if (!x->new)
            return false;
        memcpy(x->new, x->bytes, x->size);
        memcpy(x->bytes, x->old, x->size);
        p->hidden = true;
    }
    return true;
}

/* Bytes that the second grid has written meanwhile stay. */
static void show(struct emu_prior *p)
{
    for (size_t i = 0; p->hidden && i < p->count; i++) {
        const struct piece *x = &p->pieces[i];
        for (uint64_t k = 0; k < x->size; k++)
            if (x->new[k] != x->old[k] && x->bytes[k] == x->old[k])
                x->bytes[k] = x->new[k];
    }
    p->hidden = false;
}

void emu_prior_end(struct emu *e)
{
    struct emu_prior *p = e->prior;

    if (!p)
        return;
    show(p);
    for (size_t i = 0; i < p->count; i++) {
        free(p->pieces[i].old);
        free(p->pieces[i].new);
    }
    free(p->pieces);
    free(p);
    e->prior = NULL;
}

void emu_prior_release(struct emu_thread *t)
{
    struct emu *e = emu_machine_of(t);

    pthread_mutex_lock(&e->lock);
    if (e->prior)
        e->prior->released = true;
    pthread_mutex_unlock(&e->lock);
}

void emu_prior_wait(struct emu_thread *t)
{
    struct emu *e = emu_machine_of(t);

    pthread_mutex_lock(&e->lock);
    if (e->prior)
        show(e->prior);
    pthread_mutex_unlock(&e->lock);
}

void emu_prior_read(struct emu_thread *t, uint64_t address, uint64_t n)
{
    const struct emu_prior *p = emu_machine_of(t)->prior;

    for (size_t i = 0; p->hidden && i < p->count; i++) {
        const struct piece *x = &p->pieces[i];
        const uint64_t at = address - x->at;
        if (at >= x->size || n > x->size - at)
            continue;
        if (memcmp(x->old + at, x->new + at, n) != 0)
            emu_complain(t, &rule_pdl_wait_required, NULL, address, n,
                         "the grid before writes what is read here, and griddepcontrol.wait has not been executed");
        return;
    }
}
// SPDX-License-Identifier: Apache-2.0
