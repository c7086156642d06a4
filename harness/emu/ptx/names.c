/* Names and scopes: what an identifier means. Inner meanings hide outer ones. */
#include <stdio.h>
#include <string.h>

#include "harness/base/hash.h"
#include "harness/emu/ptx/parser.h"

static uint32_t hash_name(const char *text, size_t length)
{
    const uint64_t h = fnv1a(FNV1A_BASIS, text, length);

    return (uint32_t)(h ^ h >> 32);
}

static bool grow(struct parser *p)
{
    const uint32_t slots = p->name_slots ? p->name_slots * 2 : 1024;
    uint32_t *table = arena_alloc(p->scratch, (size_t)slots * sizeof *table, 8);
    if (!table)
        return fail_memory(p);
    for (uint32_t i = 0; i < p->names.count; i++) {
        uint32_t at = name_at(p, i)->hash & (slots - 1);
        while (table[at])
            at = (at + 1) & (slots - 1);
        table[at] = i + 1;
    }
    p->name_table = table;
    p->name_slots = slots;
    return true;
}

static uint32_t lookup(struct parser *p, const char *text, size_t length, uint32_t hash)
{
    if (!p->name_slots)
        return PTX_NO;
    for (uint32_t at = hash & (p->name_slots - 1); p->name_table[at]; at = (at + 1) & (p->name_slots - 1)) {
        const struct name *n = name_at(p, p->name_table[at] - 1);
        if (n->hash == hash && n->length == length && !memcmp(n->text, text, length))
            return p->name_table[at] - 1;
    }
    return PTX_NO;
}

uint32_t name_intern(struct parser *p, const char *text, size_t length)
{
    const uint32_t hash = hash_name(text, length);
    const uint32_t old = lookup(p, text, length, hash);
    if (old != PTX_NO)
        return old;
    if (p->names.count >= p->name_slots / 2 && !grow(p))
        return PTX_NO;
    char *copy = arena_alloc(p->arena, length + 1, 1);
    struct name *n = copy ? vec_add(p->scratch, &p->names, 1) : NULL;
    if (!n) {
        fail_memory(p);
        return PTX_NO;
    }
    memcpy(copy, text, length);
    *n = (struct name){ copy, (uint32_t)length, hash, PTX_NO };
    uint32_t at = hash & (p->name_slots - 1);
    while (p->name_table[at])
        at = (at + 1) & (p->name_slots - 1);
    p->name_table[at] = p->names.count;
    return p->names.count - 1;
}

static const struct binding *meaning(struct parser *p, const char *text, size_t length)
{
    const uint32_t n = lookup(p, text, length, hash_name(text, length));
    if (n == PTX_NO || name_at(p, n)->binding == PTX_NO)
        return NULL;
    return binding_at(p, name_at(p, n)->binding);
}

const struct binding *name_find(struct parser *p, const char *text, size_t length, uint32_t *number)
{
    const struct binding *whole = meaning(p, text, length);
    *number = 0;
    while (whole && whole->kind == SY_range) /* the bare name of a range is not a register */
        whole = whole->next == PTX_NO ? NULL : binding_at(p, whole->next);
    size_t digits = 0;
    while (digits < length && digits < 8 && text[length - digits - 1] >= '0' && text[length - digits - 1] <= '9')
        digits++;
    uint32_t n = 0;
    for (size_t take = 0, unit = 1; take < digits; take++, unit *= 10) {
        n += (uint32_t)(text[length - take - 1] - '0') * (uint32_t)unit;
        const struct binding *b = meaning(p, text, length - take - 1);
        while (b && (b->kind != SY_range || n >= b->count)) /* of an outer range inner ones hide some alone */
            b = b->next == PTX_NO ? NULL : binding_at(p, b->next);
        if (b && (!whole || b->scope > whole->scope)) {
            *number = n;
            return b;
        }
    }
    return whole;
}

/* Whether a name of this scope may not be bound again in the current one: the parameters of a function are in the scope
 * of its body. */
static bool same_scope(const struct parser *p, uint32_t scope)
{
    enum { PARAMETERS = 1, BODY = 2 };

    return scope == p->scope || (p->scope == BODY && scope == PARAMETERS);
}

/* Whether name number `n` has a meaning in the current scope, as a range or as something else. */
static bool taken(struct parser *p, uint32_t n, bool range)
{
    const struct binding *b = name_at(p, n)->binding == PTX_NO ? NULL : binding_at(p, name_at(p, n)->binding);

    while (b && same_scope(p, b->scope) && (b->kind == SY_range) != range)
        b = b->next == PTX_NO ? NULL : binding_at(p, b->next);
    return b && same_scope(p, b->scope);
}

/* Whether one of `count` registers of a range, which begin with this text, is declared by itself. */
static bool member_taken(struct parser *p, const char *text, size_t length, uint32_t count)
{
    enum { MOST = 256, DIGITS = 10 };
    char name[MOST + DIGITS];

    if (length >= MOST)
        return false;
    memcpy(name, text, length);
    for (uint32_t k = 0; k < count; k++) {
        const size_t all = length + (size_t)snprintf(name + length, DIGITS, "%u", k);
        const uint32_t n = lookup(p, name, all, hash_name(name, all));
        if (n != PTX_NO && name_at(p, n)->binding != PTX_NO &&
            binding_at(p, name_at(p, n)->binding)->kind != SY_label && taken(p, n, false))
            return true;
    }
    return false;
}

/* Whether the name is that of a register of a range of the current scope. */
static bool is_member(struct parser *p, const char *text, size_t length)
{
    uint32_t number;
    const struct binding *b = name_find(p, text, length, &number);

    return b && b->kind == SY_range && same_scope(p, b->scope);
}

bool name_bind(struct parser *p, const struct token *at, const char *text, size_t length, enum symbol_kind kind,
               uint32_t index, uint32_t count)
{
    const uint32_t n = name_intern(p, text, length);
    if (n == PTX_NO)
        return false;
    if ((length == 1 && *text == '_') || (length == 7 && !memcmp(text, "WARP_SZ", 7)))
        return fail_at(p, at, "'%.*s' is not a name", (int)length, text);
    const uint32_t hidden = name_at(p, n)->binding;
    if (taken(p, n, kind == SY_range) || (kind == SY_range && member_taken(p, text, length, count)) ||
        ((kind == SY_register || kind == SY_variable) && is_member(p, text, length)))
        return fail_at(p, at, "'%.*s' is declared twice", (int)(length > 100 ? 100 : length), text);
    struct binding *b = vec_add(p->scratch, &p->bindings, 1);
    if (!b)
        return fail_memory(p);
    *b = (struct binding){
        .kind = (uint8_t)kind, .scope = p->scope, .index = index, .count = count, .next = hidden, .name = n
    };
    name_at(p, n)->binding = p->bindings.count - 1;
    return true;
}

bool scope_open(struct parser *p)
{
    if (p->scope + 1 >= SCOPES)
        return fail(p, "blocks are nested more than %d deep", SCOPES - 3);
    p->scope++;
    p->scope_bindings[p->scope] = p->bindings.count;
    p->scope_fixups[p->scope] = p->fixups.count;
    return true;
}

/* Completes the operand of a label that was used before it was defined, if its name has a meaning now. */
static bool settle(struct parser *p, const struct fixup *f, bool *done)
{
    const uint32_t b = name_at(p, f->name)->binding;
    *done = b != PTX_NO;
    if (!*done)
        return true;
    const struct binding *is = binding_at(p, b);
    if (is->kind != SY_label && (f->branch || (is->kind != SY_targets && is->kind != SY_prototype))) {
        if (is->scope < p->scope || p->scope > 2) { /* a label of an outer block may still come */
            *done = false;
            return true;
        }
        return fail_at(p, &f->at, "'%.*s' is not a label", TOK_S(&f->at));
    }
    struct ptx_operand *o = operand_at(p, f->operand);
    o->second = is->count;
    o->reg = is->index;
    o->kind = is->kind == SY_label ? PO_label : is->kind == SY_targets ? PO_targets : PO_prototype;
    if (is->kind == SY_prototype)
        o->symbol = is->index;
    return true;
}

bool scope_close(struct parser *p)
{
    uint32_t keep = p->scope_fixups[p->scope];
    for (uint32_t i = keep; i < p->fixups.count; i++) {
        const struct fixup f = *fixup_at(p, i);
        bool done;
        if (!settle(p, &f, &done))
            return false;
        if (!done) {
            if (p->scope == 1)
                return fail_at(p, &f.at, "'%.*s' is not declared", TOK_S(&f.at));
            *fixup_at(p, keep++) = f;
        }
    }
    p->fixups.count = keep;
    for (uint32_t i = p->bindings.count; i > p->scope_bindings[p->scope]; i--) {
        const struct binding *b = binding_at(p, i - 1);
        name_at(p, b->name)->binding = b->next;
    }
    p->bindings.count = p->scope_bindings[p->scope];
    p->scope--;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
