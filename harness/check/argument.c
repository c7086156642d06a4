/* One --arg from text. */
#include "harness/check/argument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/check/texture.h"
#include "harness/check/value.h"

/* SIZE, and for in: SIZE@FILE or @FILE. */
static bool read_buffer(struct check_arg *a, const char *text, char *error, size_t size)
{
    const char *at = a->kind == CHECK_IN ? strchr(text, '@') : NULL;
    const size_t length = at ? (size_t)(at - text) : strlen(text);

    a->file = at ? at + 1 : NULL;
    if (at && !*a->file)
        return snprintf(error, size, "no file after @"), false;
    if (at && !length)
        return true; /* the whole file */
    if (!check_size_read(text, length, &a->size) || !a->size)
        return snprintf(error, size, "'%.*s' is no number of bytes", (int)(length > 40 ? 40 : length), text), false;
    return true;
}

static bool read_value(struct check_arg *a, const char *type, size_t length, const char *text, char *error, size_t size)
{
    char why[128];

    a->data = malloc(8);
    if (!a->data)
        return snprintf(error, size, "no memory"), false;
    a->bytes = check_value_read(type, length, text, a->data, why, sizeof why);
    return a->bytes || (snprintf(error, size, "'%.60s' is %s", text, why), false);
}

bool check_argument_read(struct check_arg *a, const char **name, char *error, size_t size)
{
    static const struct {
        const char *word;
        enum check_kind kind;
    } kinds[] = {
        { "in", CHECK_IN }, { "out", CHECK_OUT }, { "map", CHECK_MAP }, { "at", CHECK_AT }, { "bytes", CHECK_BYTES }
    };
    const char *spec = a->spec + (*a->spec == '+'), *colon = strchr(spec, ':');
    const size_t length = colon ? (size_t)(colon - spec) : 0;

    *name = NULL;
    a->joined = spec != a->spec;
    if (!colon)
        return snprintf(error, size, "of the form TYPE:VALUE; copycheck check --help lists them"), false;
    if (check_value_type(spec, length))
        return read_value(a, spec, length, colon + 1, error, size);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strlen(kinds[i].word) != length || strncmp(kinds[i].word, spec, length) != 0)
            continue;
        a->kind = kinds[i].kind;
        if (a->kind == CHECK_IN || a->kind == CHECK_OUT)
            return read_buffer(a, colon + 1, error, size);
        if (a->kind == CHECK_BYTES) {
            a->data = check_bytes_read(colon + 1, &a->bytes);
            return a->data || (snprintf(error, size, "two hexadecimal digits a byte"), false);
        }
        *name = colon + 1;
        return true;
    }
    if ((length == 3 && !strncmp(spec, "tex", 3)) || (length == 4 && !strncmp(spec, "surf", 4)))
        return check_texture_read(colon + 1, length == 4, a, error, size);
    return snprintf(error, size, "no type '%.*s'; copycheck check --help lists them", (int)(length > 40 ? 40 : length),
                    spec),
           false;
}
// SPDX-License-Identifier: Apache-2.0
