/* Files of digests: what programs were and what they left, from one run for later ones. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/async_fuzz/fleet.h"

struct wanted *fleet_read_digests(const char *file, uint64_t most, size_t *count)
{
    FILE *f = fopen(file, "r");
    struct wanted *all = NULL;
    size_t room = 0;
    char line[200];
    unsigned number_of = 0;

    if (!f) {
        fprintf(stderr, "fuzz: %s: %s\n", file, strerror(errno));
        return NULL;
    }
    while (*count < most && fgets(line, sizeof line, f)) {
        unsigned long long seed, text, bytes;
        number_of++;
        if (*line == '#')
            continue;
        if (sscanf(line, "%llx %llx %llx", &seed, &text, &bytes) != 3) {
            fprintf(stderr, "fuzz: %s:%u: not \"SEED TEXT BYTES\"\n", file, number_of);
            free(all);
            fclose(f);
            return NULL;
        }
        if (!all || *count == room) {
            struct wanted *more = realloc(all, (room = room ? room * 2 : 512) * sizeof *all);
            if (!more)
                break;
            all = more;
        }
        all[(*count)++] = (struct wanted){ .seed = seed, .text = text, .bytes = bytes, .known = true };
    }
    fclose(f);
    return all;
}

bool fleet_write_digests(const char *file, const struct wanted *programs, size_t count)
{
    FILE *f = fopen(file, "w");
    bool good = f != NULL;

    if (f)
        fputs("# SEED TEXT BYTES, digests of each program's PTX and of what it leaves\n", f);
    for (size_t i = 0; f && i < count; i++)
        if (programs[i].done)
            fprintf(f, "%llx %016llx %016llx\n", (unsigned long long)programs[i].seed,
                    (unsigned long long)programs[i].text, (unsigned long long)programs[i].bytes);
    if (f)
        good = !ferror(f) & !fclose(f);
    if (!good)
        fprintf(stderr, "fuzz: %s: %s\n", file, strerror(errno));
    return good;
}
// SPDX-License-Identifier: Apache-2.0
