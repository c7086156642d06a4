/* The axes of a point: their values, and the one way in which a case that asks for a missing one ends. */
#include "harness/plan/axes.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/text.h"

/* ---- values --------------------------------------------------------------------------------------------------- */

/* What a variant's `set` gives an axis: the text after "axis=" up to the next blank, its length in *length; NULL where
 * the axis keeps its value. */
static const char *find_set(const char *set, const char *axis, size_t *length)
{
    const size_t name = strlen(axis);

    for (const char *p = set; p && *p; p += strspn(p, " ")) {
        const size_t word = strcspn(p, " ");
        if (word > name && !strncmp(p, axis, name) && p[name] == '=') {
            *length = word - name - 1;
            return p + name + 1;
        }
        p += word;
    }
    return NULL;
}

const char *ck_point_plain(const struct ck_point *p, const char *axis)
{
    for (int i = 0; i < CK_AXES && p->c->axes[i].name; i++)
        if (!strcmp(p->c->axes[i].name, axis))
            return p->values[i];
    return NULL;
}

const char *ck_point_value(const struct ck_point *p, const char *axis)
{
    static _Thread_local char value[CK_VALUES_ALIVE][128];
    static _Thread_local unsigned turn;
    size_t length;
    const char *set = p->variant ? find_set(p->variant->set, axis, &length) : NULL;

    if (!set)
        return ck_point_plain(p, axis);
    turn = (turn + 1) % CK_VALUES_ALIVE;
    snprintf(value[turn], sizeof value[turn], "%.*s", (int)length, set);
    return value[turn];
}

/* What `$` is replaced with. */
static const char *alternative(const struct ck_point *p)
{
    const char *set = p->variant ? p->variant->set : NULL;

    if (set && !strncmp(set, "$=", 2))
        return set + 2;
    return p->alternative ? p->alternative : "";
}

char *ck_point_text(const struct ck_point *p, const char *text)
{
    char *out = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&out, &size);

    if (!f)
        return NULL;
    for (; *text; text++) {
        char axis[32];
        int used = 0;

        if (*text != '$') {
            fputc(*text, f);
        } else if (sscanf(text, "${%31[^}]}%n", axis, &used) == 1 && used) {
            const char *value = ck_point_value(p, axis);
            if (!value) {
                fclose(f);
                free(out);
                errno = EINVAL;
                return NULL;
            }
            fputs(value, f);
            text += used - 1;
        } else {
            fputs(alternative(p), f);
        }
    }
    ck_text_close(f, &out);
    return out;
}

/* ---- how a point ends ----------------------------------------------------------------------------------------- */

static void note(struct ck *t, const char *format, va_list args)
{
    if (t->detail[0])
        ck_append(t->detail, t->detail_size, "\n");
    ck_append_list(t->detail, t->detail_size, format, args);
}

void ck_note(struct ck *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    note(t, format, args);
    va_end(args);
}

void ck_end(struct ck *t, enum ck_verdict verdict)
{
    t->verdict = verdict;
    longjmp(t->end, 1);
}

void ck_broken(struct ck *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    note(t, format, args);
    va_end(args);
    ck_end(t, CK_V_BROKEN);
}

void ck_skip(struct ck *t, const char *format, ...)
{
    va_list args;

    t->detail[0] = 0;
    va_start(args, format);
    note(t, format, args);
    va_end(args);
    ck_end(t, CK_V_SKIP);
}

/* ---- what a case asks ----------------------------------------------------------------------------------------- */

const char *ck_word(struct ck *t, const char *axis)
{
    const char *value = ck_point_value(t->point, axis);

    if (!value)
        ck_broken(t, "the case asks for axis '%s', which it lacks", axis);
    return value;
}

int64_t ck_int(struct ck *t, const char *axis)
{
    const char *value = ck_word(t, axis);
    char *rest;
    const long long number = strtoll(value, &rest, 0);

    if (rest == value || *rest)
        ck_broken(t, "axis %s=%s is no integer", axis, value);
    return number;
}

bool ck_is(struct ck *t, const char *axis, const char *value)
{
    return !strcmp(ck_word(t, axis), value);
}

bool ck_variant(struct ck *t, const char *name)
{
    return t->point->variant && !strcmp(t->point->variant->name, name);
}

bool ck_conforming(struct ck *t)
{
    return !t->point->variant || t->point->mutant;
}

bool ck_point_valid(const struct ck_point *point)
{
    char ignored[256] = "";
    struct ck t = { .point = point, .detail = ignored, .detail_size = sizeof ignored };

    if (setjmp(t.end))
        return true; /* the case asks for an axis that it lacks: the run will say so */
    return point->c->valid(&t);
}
// SPDX-License-Identifier: Apache-2.0
