/* The swaps of a launch: those within a cluster, which finder.c has found, and those between clusters. */
#include "harness/emu/schedule/swaps.h"

#include <stdlib.h>

#include "harness/base/room.h"

void emu_swaps_take(struct emu_swaps *s, const struct emu_swap *swap)
{
    struct emu_swap *all = ck_room(s->all, s->count, &s->room, 64, sizeof *all);

    s->more |= !all;
    if (!all)
        return;
    s->all = all;
    s->all[s->count] = *swap;
    s->count++;
}

void emu_swaps_begin(struct emu_swaps *s)
{
    s->count = s->end_count = s->changer_count = s->operation_count = 0;
    s->more = s->global = false;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_object(const void *x, const void *y)
{
    const struct emu_swap_end *a = x, *b = y;
    const int object = compare(a->object, b->object);

    return object ? object : compare(a->first.cluster, b->first.cluster);
}

static int by_place(const struct emu_swap *a, const struct emu_swap *b)
{
    const int cluster = compare(a->first.cluster, b->first.cluster);

    return cluster ? cluster : compare(a->number, b->number);
}

static int by_instructions(const void *x, const void *y)
{
    const struct emu_swap *a = x, *b = y;
    int how = compare((uintptr_t)a->first.at, (uintptr_t)b->first.at);

    if (!how)
        how = compare((uintptr_t)a->second.at, (uintptr_t)b->second.at);
    return how ? how : by_place(a, b);
}

static int by_worth(const void *x, const void *y)
{
    const struct emu_swap *a = x, *b = y;
    const int same = compare(a->same, b->same);

    return same ? same : by_place(a, b);
}

/* Between what a warp has looked at before it waits for a change, and the change that comes from another cluster. It is
 * put before all others of the cluster: who looks too late, and has missed the change, waits for ever. */
static void add_looks(struct emu_swaps *s)
{
    for (size_t i = 0, first = 0; i < s->end_count; i++) {
        const struct emu_swap_end *a = &s->ends[i];
        struct emu_swap swap = { .first = a->looked };
        first = s->ends[first].object == a->object ? first : i;
        for (size_t k = first; k < s->end_count && s->ends[k].object == a->object && !swap.second.at; k++)
            if (k != i)
                swap.second = s->ends[k].changed;
        if (swap.first.at && swap.second.at)
            emu_swaps_take(s, &swap);
    }
}

/* Between a cluster and the next one that uses the object: before the first operation of each, and before the last one
 * of the first cluster. */
static void add_between(struct emu_swaps *s)
{
    uint32_t number = EMU_SWAPS_OF_CLUSTER; /* behind those within a cluster */

    if (s->end_count)
        qsort(s->ends, s->end_count, sizeof *s->ends, by_object);
    add_looks(s);
    for (size_t i = 1; i < s->end_count; i++) {
        const struct emu_swap_end *a = &s->ends[i - 1], *b = &s->ends[i];
        struct emu_swap swap = { .first = a->first, .second = b->first, .number = number };
        if (a->object != b->object)
            continue;
        emu_swaps_take(s, &swap);
        swap.first = a->last;
        swap.number++;
        if (!emu_same_event(&a->first, &a->last))
            emu_swaps_take(s, &swap);
        number += 2;
    }
}

static int by_place_looked_at(const void *x, const void *y)
{
    const struct emu_changer *a = x, *b = y;
    const int object = compare(a->object, b->object);

    return object ? object : compare(b->looked, a->looked); /* those that know first */
}

static int by_instruction(const void *x, const void *y)
{
    const struct emu_changer *a = x, *b = y;

    const int at = compare((uintptr_t)a->at, (uintptr_t)b->at);

    return at ? at : compare(a->object, b->object);
}

static int by_warp(const void *x, const void *y)
{
    const struct emu_operations *a = x, *b = y;
    const int warp = compare(a->warp, b->warp);

    return warp ? warp : compare(a->index, b->index);
}

static void settle_operations(struct emu_swaps *s)
{
    if (s->operation_count)
        qsort(s->operations, s->operation_count, sizeof *s->operations, by_warp);
}

/* Keeps the instructions that change a place at which a thread of any cluster looks: each once, in the order of their
 * addresses. */
static void settle_changers(struct emu_swaps *s)
{
    size_t n = 0, kept = 0;

    if (s->changer_count)
        qsort(s->changers, s->changer_count, sizeof *s->changers, by_place_looked_at);
    for (size_t i = 0; i < s->changer_count; i++) {
        struct emu_changer one = s->changers[i];
        if (i && one.object && one.object == s->changers[i - 1].object)
            one.looked = s->changers[i].looked = s->changers[i - 1].looked;
        if (!one.at || !one.looked)
            continue;
        s->global |= one.object != 0;
        s->changers[n++] = one;
    }
    if (n)
        qsort(s->changers, n, sizeof *s->changers, by_instruction);
    for (size_t i = 0; i < n; i++) {
        struct emu_changer one = s->changers[i];
        struct emu_changer *same = kept && s->changers[kept - 1].at == one.at ? &s->changers[kept - 1] : NULL;
        if (same) {
            one.several |= same->several || (one.object && same->object == one.object); /* threads of two clusters */
            one.looks |= same->looks;
        } else {
            kept++;
        }
        s->changers[kept - 1] = one;
    }
    s->changer_count = kept;
}

void emu_swaps_end(struct emu_swaps *s, uint64_t clusters)
{
    s->clusters = clusters > EMU_SWAPS_CLUSTERS ? EMU_SWAPS_CLUSTERS : 0;
    settle_changers(s);
    settle_operations(s);
    add_between(s);
    if (!s->count)
        return;
    qsort(s->all, s->count, sizeof *s->all, by_instructions);
    for (size_t i = 1; i < s->count; i++) {
        const struct emu_swap *a = &s->all[i - 1];
        struct emu_swap *b = &s->all[i];
        b->same = a->first.at == b->first.at && a->second.at == b->second.at ? a->same + 1 : 0;
    }
    qsort(s->all, s->count, sizeof *s->all, by_worth);
}
// SPDX-License-Identifier: Apache-2.0
