/* What a program calls the bytes of shared memory. */
#include "harness/emu/machine/name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/shared.h"

enum { NAME_WIDTH = 32 };

/* The last part of a mangled name, "tile" of _ZZ7reverseE4tile: a length, and so many characters up to the end, or up
 * to the E of a nested name or the _0 of a second variable of this name. Any other name as it is; its length too. */
static const char *plain(const char *name, size_t *length)
{
    const size_t all = strlen(name);

    *length = all;
    for (const char *at = name; !strncmp(name, "_Z", 2) && *at; at++) {
        char *end;
        const unsigned long n = *at >= '1' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        if (!n || n > all - (size_t)(end - name))
            continue;
        if (!end[n] || !strcmp(end + n, "E") || (end[n] == '_' && strspn(end + n, "_0123456789") == strlen(end + n))) {
            *length = n;
            return end;
        }
    }
    return name;
}

void emu_shared_name(const struct emu_grid *g, uint64_t offset, char *out, size_t size)
{
    const struct emu_image *image = g->machine->images;
    const char *name;
    size_t length;
    bool *used = emu_shared_used(g->module, g->entry);

    *out = 0;
    while (image && image->module != g->module)
        image = image->next;
    for (uint32_t i = 0; image && used && i < g->module->n_variables; i++) {
        const struct ptx_variable *v = &g->module->variables[i];
        const uint64_t at = v->unsized ? emu_shared_of(image, g->entry)->dynamic : image->address[i];
        const uint64_t bytes = v->unsized ? g->smem : v->size;
        if (v->space != PTX_shared || v->definition != i || !used[i] || offset < at || offset - at >= bytes)
            continue;
        name = plain(v->name, &length);
        snprintf(out, size, " (%.*s%s + %llu)", (int)(length < NAME_WIDTH ? length : NAME_WIDTH), name,
                 length < NAME_WIDTH ? "" : "...", (unsigned long long)(offset - at));
        break;
    }
    free(used);
}
// SPDX-License-Identifier: Apache-2.0
