/* Which rule of a library stands on which of PTX. */
#include "expected/layer.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define LAYER(rule, side, functions, below) { &rule_##rule, CK_LAYER_##side, functions, below },

const struct ck_layer ck_layers[] = {
#include "expected/layers.def"
    { 0 }
};

/* Takes the next word off the list into `word`; false where there is none. */
static bool next_word(const char **list, char *word, size_t size)
{
    const size_t n = strcspn(*list, " ");

    snprintf(word, size, "%.*s", (int)n, *list);
    *list += n + ((*list)[n] == ' ');
    return n;
}

bool ck_layer_is_above(const struct ck_layer *l, const struct ck_rule *below)
{
    const char *list = l->below;
    char word[80];

    while (next_word(&list, word, sizeof word))
        if (!(below ? fnmatch(word, below->id, 0) : strcmp(word, "trap")))
            return true;
    return false;
}

bool ck_layer_has(const struct ck_layer *l, const char *plain, const char *mangled)
{
    const char *list = l->functions;
    char word[80];

    while (next_word(&list, word, sizeof word)) {
        char *type = strchr(word, '(');
        if (type) {
            *type++ = 0;
            type[strcspn(type, ")")] = 0;
        }
        if (!fnmatch(word, plain, 0) && (!type || strstr(mangled, type)))
            return true;
    }
    return false;
}
// SPDX-License-Identifier: Apache-2.0
