/* Where the variables of shared memory lie.
 *
 * Entries do not call each other, so the variables of one may lie over those of another: an entry has those that it
 * names itself, or that a function names which it can call. A variable of several entries has one address in all. */
#include "harness/emu/machine/shared.h"

#include <stdlib.h>
#include <string.h>

/* What is walked through from an entry. */
struct walk {
    const struct ptx_module *m;
    uint32_t entry;
    uint32_t *seen; /* of each function: the entry, plus 1, that has reached it last */
    uint32_t *todo; /* functions still to be looked at */
    uint32_t count;
    bool *used;    /* variables that this entry can use; cleared by whoever takes them */
    uint32_t *own; /* their numbers, in the order in which they are met */
    uint32_t own_count;
    bool indirect; /* it calls what a register says */
    bool *taken;   /* functions whose address is somewhere: what a register may say */
    bool dynamic;  /* it calls a function that names a dynamic array */
};

static bool walk_make(struct walk *w, const struct ptx_module *m)
{
    *w = (struct walk){ .m = m };
    w->seen = calloc(m->n_functions + 1, sizeof *w->seen);
    w->todo = calloc(m->n_functions + 1, sizeof *w->todo);
    w->taken = calloc(m->n_functions + 1, sizeof *w->taken);
    w->used = calloc(m->n_variables + 1, sizeof *w->used);
    w->own = calloc(m->n_variables + 1, sizeof *w->own);
    return w->seen && w->todo && w->taken && w->used && w->own;
}

static void walk_free(struct walk *w)
{
    free(w->seen);
    free(w->todo);
    free(w->taken);
    free(w->used);
    free(w->own);
}

static void use(struct walk *w, uint32_t variable, bool in_entry)
{
    const uint32_t i = w->m->variables[variable].definition;
    const struct ptx_variable *v = &w->m->variables[i];

    if (v->space != PTX_shared)
        return;
    w->dynamic |= v->unsized && !in_entry;
    if (!w->used[i]) {
        w->used[i] = true;
        w->own[w->own_count++] = i;
    }
}

static void reach(struct walk *w, uint32_t function)
{
    const uint32_t f = w->m->functions[function].definition;

    if (w->seen[f] == w->entry + 1 || !w->m->functions[f].has_body)
        return;
    w->seen[f] = w->entry + 1;
    w->todo[w->count++] = f;
}

static void look_at(struct walk *w, const struct ptx_operand *o, bool in_entry)
{
    switch (o->kind) {
    case PO_variable: use(w, o->symbol, in_entry); break;
    case PO_function: reach(w, o->symbol); break;
    case PO_address:
        if (o->flags & PF_BASE_VARIABLE)
            use(w, o->symbol, in_entry);
        break;
    case PO_vector:
    case PO_tensor:
    case PO_list:
    case PO_targets:
        for (uint32_t i = 0; i < o->count; i++)
            look_at(w, &w->m->operands[o->first + i], in_entry);
        break;
    default: break;
    }
}

/* Notes which functions have their address somewhere: in an initialiser, or in an instruction that is no call of it. */
static void find_taken(struct walk *w)
{
    enum { CALLEE = 1 };
    const struct ptx_module *m = w->m;

    for (uint32_t i = 0; i < m->n_relocs; i++)
        if (m->relocs[i].is_function)
            w->taken[m->functions[m->relocs[i].symbol].definition] = true;
    for (uint32_t i = 0; i < m->n_instructions; i++)
        for (unsigned k = 0; k < m->instructions[i].n_operands; k++) {
            const struct ptx_operand *o = ptx_operand(m, &m->instructions[i], k);
            if (o->kind == PO_function && !(m->instructions[i].op == OP_call && k == CALLEE))
                w->taken[m->functions[o->symbol].definition] = true;
        }
}

/* All that an entry can use, into w->own. */
static void walk_from(struct walk *w, uint32_t entry)
{
    enum { CALLEE = 1 };
    const struct ptx_module *m = w->m;

    for (uint32_t i = 0; i < w->own_count; i++)
        w->used[w->own[i]] = false;
    w->own_count = w->count = 0;
    w->indirect = w->dynamic = false;
    w->entry = entry;
    reach(w, entry);
    while (w->count) {
        const uint32_t number = w->todo[--w->count];
        const struct ptx_function *f = &m->functions[number];
        for (uint32_t i = f->instructions; i < f->instructions + f->n_instructions; i++) {
            const struct ptx_instruction *at = &m->instructions[i];
            for (unsigned k = 0; k < at->n_operands; k++)
                look_at(w, ptx_operand(m, at, k), number == entry);
            if (at->op != OP_call || w->indirect || ptx_operand(m, at, CALLEE)->kind == PO_function)
                continue;
            w->indirect = true;
            for (uint32_t t = 0; t < m->n_functions; t++)
                if (w->taken[t])
                    reach(w, t);
        }
    }
    for (uint32_t i = 0; i < m->n_relocs; i++) /* an address that is kept somewhere */
        if (!m->relocs[i].is_function)
            use(w, m->relocs[i].symbol, false);
}

static uint64_t aligned(uint64_t n, uint64_t align)
{
    return align > 1 ? (n + align - 1) / align * align : n;
}

/* Which entries use a variable: a list for each variable. */
struct users {
    uint32_t *first, *next, *entry; /* PTX_NO ends a list; `entry` of each place in a list */
    uint32_t count, room;
};

static bool add_user(struct users *u, uint32_t variable, uint32_t entry)
{
    if (u->count == u->room) {
        const uint32_t room = u->room ? 2 * u->room : 64;
        uint32_t *next = realloc(u->next, room * sizeof *next), *entries;
        if (next)
            u->next = next;
        entries = next ? realloc(u->entry, room * sizeof *entries) : NULL;
        if (!entries)
            return false;
        u->entry = entries;
        u->room = room;
    }
    u->next[u->count] = u->first[variable];
    u->entry[u->count] = entry;
    u->first[variable] = u->count++;
    return true;
}

/* Places the variables of several entries (`several`), or those of one: each behind what its entries have so far. */
static void place(struct emu_image *image, const struct users *u, bool several)
{
    const struct ptx_module *m = image->module;

    for (uint32_t i = 0; i < m->n_variables; i++) {
        const struct ptx_variable *v = &m->variables[i];
        uint64_t top = EMU_SHARED_BASE;
        if (v->space != PTX_shared || v->unsized || v->definition != i || u->first[i] == PTX_NO ||
            (u->next[u->first[i]] != PTX_NO) != several)
            continue;
        for (uint32_t k = u->first[i]; k != PTX_NO; k = u->next[k])
            if (image->shared[u->entry[k]].top > top)
                top = image->shared[u->entry[k]].top;
        image->address[i] = aligned(top, v->align);
        for (uint32_t k = u->first[i]; k != PTX_NO; k = u->next[k])
            image->shared[u->entry[k]].top = image->address[i] + v->size;
    }
}

/* Where dynamic shared memory begins: behind the static part of an entry. Entries that call functions which name it
 * have one beginning, as the functions have one code. */
static void place_dynamic(struct emu_image *image, const unsigned *align, const bool *together)
{
    const struct ptx_module *m = image->module;
    uint64_t common = EMU_SHARED_BASE, most = EMU_SHARED_BASE;

    for (uint32_t i = 0; i < m->n_functions; i++) {
        struct emu_shared *s = &image->shared[i];
        s->dynamic = s->top == EMU_SHARED_BASE ? s->top : aligned(s->top, align[i]);
        if (together[i] && s->dynamic > common)
            common = s->dynamic;
    }
    for (uint32_t i = 0; i < m->n_functions; i++) {
        if (together[i] || !m->functions[i].is_entry)
            image->shared[i].dynamic = common;
        if (image->shared[i].dynamic > most)
            most = image->shared[i].dynamic;
    }
    for (uint32_t i = 0; i < m->n_variables; i++)
        if (m->variables[i].space == PTX_shared && m->variables[i].unsized)
            image->address[i] = most; /* only code knows the entry */
}

/* An entry has the variables that its own body declares also where nobody names them; with one entry, all of them. */
static bool find_users(const struct ptx_module *m, struct walk *w, struct users *u, unsigned *align, bool *together)
{
    enum { LEAST = 16 };
    uint32_t entries = 0;

    for (uint32_t i = 0; i < m->n_functions; i++) {
        align[i] = LEAST;
        entries += m->functions[i].is_entry && m->functions[i].definition == i;
    }
    for (uint32_t i = 0; i < m->n_functions; i++) {
        if (!m->functions[i].is_entry || m->functions[i].definition != i)
            continue;
        walk_from(w, i);
        for (uint32_t k = 0; k < m->n_variables; k++)
            if (entries == 1 || m->variables[k].function == i)
                use(w, k, true);
        for (uint32_t k = 0; k < w->own_count; k++) {
            const struct ptx_variable *v = &m->variables[w->own[k]];
            if (v->unsized && v->align > align[i])
                align[i] = v->align;
            if (!add_user(u, w->own[k], i))
                return false;
        }
        together[i] = w->dynamic;
    }
    return true;
}

bool emu_shared_place(struct emu_image *image)
{
    const struct ptx_module *m = image->module;
    struct users u = { .first = malloc((m->n_variables + 1) * sizeof *u.first) };
    unsigned *align = calloc(m->n_functions + 1, sizeof *align);
    bool *together = calloc(m->n_functions + 1, sizeof *together);
    struct walk w;
    bool fine = walk_make(&w, m) && u.first && align && together;

    image->shared = calloc(m->n_functions + 1, sizeof *image->shared);
    fine = fine && image->shared;
    if (fine) {
        find_taken(&w);
        for (uint32_t i = 0; i < m->n_variables; i++)
            u.first[i] = PTX_NO;
        for (uint32_t i = 0; i < m->n_functions; i++)
            image->shared[i].top = EMU_SHARED_BASE;
        fine = find_users(m, &w, &u, align, together);
    }
    if (fine) {
        place(image, &u, true);
        place(image, &u, false);
        place_dynamic(image, align, together);
    }
    walk_free(&w);
    free(u.first);
    free(u.next);
    free(u.entry);
    free(align);
    free(together);
    return fine;
}

const struct emu_shared *emu_shared_of(const struct emu_image *image, const struct ptx_function *f)
{
    return &image->shared[f->definition];
}

bool *emu_shared_used(const struct ptx_module *m, const struct ptx_function *entry)
{
    struct walk w;
    bool *used = NULL;

    if (walk_make(&w, m)) {
        find_taken(&w);
        walk_from(&w, entry->definition);
        used = w.used;
        w.used = NULL;
    }
    walk_free(&w);
    return used;
}
// SPDX-License-Identifier: Apache-2.0
