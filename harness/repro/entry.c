/* A module of PTX reduced to what some of its entries need. */
#include "harness/repro/entry.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"

/* A statement of the module's level: a directive of one line, a variable, a function. */
struct item {
    const char *from, *to;
    const char *name; /* what it defines, or NULL */
    size_t name_size;
    bool wanted, looked;
};

struct items {
    struct item *all;
    size_t count, room;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* Behind white space and comments. */
static const char *skipped(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\r\n");
        if (!strncmp(p, "//", 2))
            p += strcspn(p, "\n");
        else if (!strncmp(p, "/*", 2))
            p = strstr(p + 2, "*/") ? strstr(p + 2, "*/") + 2 : p + strlen(p);
        else
            return p;
    }
}

/* Behind a string that begins here. */
static const char *behind_string(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && p[1])
            p++;
    return *p ? p + 1 : p;
}

/* Whether the statement is a directive that ends with its line. */
static bool ends_with_line(const char *p)
{
    static const char *const names[] = { ".version", ".target", ".address_size", ".file", ".loc" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(p, names[i], strlen(names[i])))
            return true;
    return false;
}

/* Whether a directive of this name stands at p. */
static bool is_at(const char *p, const char *name)
{
    const size_t n = strlen(name);

    return !strncmp(p, name, n) && !is_word(p[n]);
}

/* Finds the end of the statement at `p`, and the name that it defines. */
static const char *read_item(const char *p, struct item *item)
{
    int depth = 0;
    bool body = is_at(p, ".section"); /* ends with a brace; else with a semicolon */

    if (ends_with_line(p))
        return p + strcspn(p, "\n");
    while (*p) {
        p = skipped(p);
        if (*p == '"') {
            p = behind_string(p);
            continue;
        }
        body |= *p == '.' && !depth && (is_at(p, ".entry") || is_at(p, ".func"));
        if (*p == '(' || *p == '{')
            depth++;
        depth -= *p == ')' || *p == '}';
        if (!depth && (*p == ';' || (*p == '}' && body)))
            return p + 1;
        const char *start = p;
        p += *p == '.' && is_word(p[1]);
        while (is_word(*p))
            p++;
        if (p == start)
            p += *p != 0;
        else if (!depth && !item->name && *start != '.' && !isdigit((unsigned char)*start)) {
            item->name = start;
            item->name_size = (size_t)(p - start);
        }
    }
    return p;
}

static bool read_items(const char *text, struct items *items)
{
    for (const char *p = skipped(text); *p; p = skipped(p)) {
        struct item *all = ck_room(items->all, items->count, &items->room, 64, sizeof *all);
        if (!all)
            return false;
        items->all = all;
        struct item *item = &all[items->count++];
        *item = (struct item){ .from = p };
        p = item->to = read_item(p, item);
    }
    return items->count != 0;
}

static void want(struct items *items, const char *name, size_t size)
{
    for (size_t i = 0; i < items->count; i++) {
        struct item *item = &items->all[i];
        if (item->name && item->name_size == size && !memcmp(item->name, name, size))
            item->wanted = true;
    }
}

/* Wants what the item names. */
static void look_into(struct items *items, const struct item *item)
{
    for (const char *p = item->from; p < item->to;) {
        const char *start = p;
        while (p < item->to && is_word(*p))
            p++;
        if (p == start) {
            p++;
            continue;
        }
        if (*start != '%' && !isdigit((unsigned char)*start))
            want(items, start, (size_t)(p - start));
    }
}

static void write_item(FILE *to, const struct item *item)
{
    for (const char *p = item->from, *end; p < item->to; p = end) {
        const char *line = memchr(p, '\n', (size_t)(item->to - p));
        end = line ? line + 1 : item->to;
        if (!is_at(p + strspn(p, " \t"), ".loc"))
            fwrite(p, 1, (size_t)(end - p), to);
    }
    fputs("\n\n", to);
}

bool entry_write(FILE *to, const char *text, const char *const *entries, size_t count)
{
    struct items items = { 0 };
    bool ok = read_items(text, &items);

    for (size_t i = 0; i < items.count; i++)
        items.all[i].wanted = !items.all[i].name && !is_at(items.all[i].from, ".section") &&
                              !is_at(items.all[i].from, ".file") && !is_at(items.all[i].from, ".loc");
    for (size_t i = 0; i < count && ok; i++) {
        ok = false;
        for (size_t k = 0; k < items.count && !ok; k++)
            ok = items.all[k].name && items.all[k].name_size == strlen(entries[i]) &&
                 !strncmp(items.all[k].name, entries[i], items.all[k].name_size);
        want(&items, entries[i], strlen(entries[i]));
    }
    for (bool more = ok; more;) {
        more = false;
        for (size_t i = 0; i < items.count; i++)
            if (items.all[i].wanted && !items.all[i].looked) {
                items.all[i].looked = more = true;
                look_into(&items, &items.all[i]);
            }
    }
    for (size_t i = 0; i < items.count && ok; i++)
        if (items.all[i].wanted)
            write_item(to, &items.all[i]);
    free(items.all);
    return ok && !ferror(to);
}
// SPDX-License-Identifier: Apache-2.0
