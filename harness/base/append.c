/* Text that is put together piece by piece. */
#include "harness/base/append.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ck_append_list(char *to, size_t size, const char *format, va_list args)
{
    const size_t have = strnlen(to, size);

    if (have + 1 < size)
        vsnprintf(to + have, size - have, format, args);
}

void ck_append(char *to, size_t size, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    ck_append_list(to, size, format, args);
    va_end(args);
}

/* Makes room for `more` bytes and a NUL. */
static bool make_room(struct ck_growing *t, size_t more)
{
    size_t room = t->room ? t->room : 4096;
    char *data;

    while (room - t->size <= more)
        room *= 2;
    if (room == t->room)
        return true;
    data = realloc(t->data, room);
    if (!data)
        return false;
    t->data = data;
    t->room = room;
    return true;
}

bool ck_grow_list(struct ck_growing *t, const char *format, va_list args)
{
    va_list again;
    int length;

    va_copy(again, args);
    length = vsnprintf(t->data ? t->data + t->size : NULL, t->room - t->size, format, args);
    if (length >= 0 && (size_t)length >= t->room - t->size) {
        if (make_room(t, (size_t)length))
            length = vsnprintf(t->data + t->size, t->room - t->size, format, again);
        else
            length = -1;
    }
    va_end(again);
    if (length < 0) {
        if (t->data)
            t->data[t->size] = 0;
        return false;
    }
    t->size += (size_t)length;
    return true;
}

bool ck_grow(struct ck_growing *t, const char *format, ...)
{
    va_list args;
    bool grown;

    va_start(args, format);
    grown = ck_grow_list(t, format, args);
    va_end(args);
    return grown;
}

void ck_growing_free(struct ck_growing *t)
{
    free(t->data);
    *t = (struct ck_growing){ 0 };
}
// SPDX-License-Identifier: Apache-2.0
