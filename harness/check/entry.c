/* The kernel that is launched, and the extents of its launch. */
#include "harness/check/entry.h"

#include <string.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"

const struct ptx_function *check_entry(const struct check_args *args, const struct ptx_module *m)
{
    const struct ptx_function *found = NULL;
    char names[300] = "";
    const char *more = "";
    size_t count = 0;

    for (uint32_t i = 0; i < m->n_functions; i++) {
        const struct ptx_function *f = &m->functions[i];
        if (!f->is_entry || !f->has_body)
            continue;
        if (args->entry && !strcmp(args->entry, f->name))
            return f;
        found = f;
        if (strlen(names) < sizeof names - 60)
            ck_append(names, sizeof names, "%s%.50s", count ? ", " : "", f->name);
        else
            more = " ...";
        count++;
    }
    if (!count)
        ck_bad("check: %s: no kernel in it", args->file);
    else if (args->entry)
        ck_bad("check: %s: no kernel '%.100s'; there is %s%s", args->file, args->entry, names, more);
    else if (count > 1)
        ck_bad("check: %s: --entry is needed: there are %zu kernels: %s%s", args->file, count, names, more);
    return args->entry || count != 1 ? NULL : found;
}

static bool same_extent(const char *option, const char *directive, const uint32_t *required, uint32_t *given,
                        const char *name)
{
    const uint32_t full[3] = { required[0], required[1] ? required[1] : 1, required[2] ? required[2] : 1 };

    if (!required[0])
        return true;
    if (!given[0])
        memcpy(given, full, sizeof full);
    return !memcmp(given, full, sizeof full) || ck_wrong("check: %s is launched with %s %u,%u,%u: its %s says so", name,
                                                         option, full[0], full[1], full[2], directive);
}

bool check_extents(struct check_args *args, const struct ptx_function *f)
{
    uint64_t most = 1;

    if (!same_extent("--block", ".reqntid", f->reqntid, args->block, f->name) ||
        !same_extent("--cluster", ".reqnctapercluster", f->cluster, args->cluster, f->name))
        return false;
    if (!args->block[0])
        return ck_wrong("check: --block is needed: %s has no .reqntid", f->name);
    const uint64_t threads = (uint64_t)args->block[0] * args->block[1] * args->block[2];
    if (threads > 1024)
        return ck_wrong("check: --block: %llu threads; a CTA has at most 1024", (unsigned long long)threads);
    args->explicit_cluster = args->cluster[0];
    for (int i = 0; i < 3; i++) {
        most *= f->maxntid[i] ? f->maxntid[i] : 1;
        if (!args->grid[i])
            args->grid[i] = 1;
        if (!args->cluster[i])
            args->cluster[i] = 1;
        if (args->grid[i] % args->cluster[i])
            return ck_wrong("check: --grid: %u CTAs in %c are no multiple of the cluster's %u", args->grid[i], 'x' + i,
                            args->cluster[i]);
    }
    if (f->maxntid[0] && threads > most)
        return ck_wrong("check: --block: %llu threads; .maxntid of %s allows %llu", (unsigned long long)threads,
                        f->name, (unsigned long long)most);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
