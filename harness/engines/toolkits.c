/* The assemblers of this machine's toolkits, as engines. */
#include "harness/engines/toolkits.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "harness/engines/nvcc.h"
#include "harness/engines/ptxas.h"
#include "harness/engines/tile.h"
#include "harness/engines/toolkit.h"

/* Adds the engine of a toolkit. Where that release has one already, the toolkit that was asked for takes its place.
 * Returns the new count, or -1. */
static int add(struct ck_engine out[CK_TOOLKITS_MAX], int count, const char *toolkit, bool asked_for, char *error,
               size_t size)
{
    struct ck_engine e;

    if (!ck_ptxas_engine(toolkit, &e, error, size))
        return -1;
    e.asked_for = asked_for;
    for (int i = 0; i < count; i++)
        if (!strcmp(out[i].facts, e.facts)) {
            if (asked_for && !out[i].asked_for)
                out[i] = e;
            return count;
        }
    if (count == CK_TOOLKITS_MAX) {
        snprintf(error, size, "more than %d toolkits", CK_TOOLKITS_MAX);
        return -1;
    }
    for (int i = 0; i < count; i++)
        if (!strcmp(out[i].name, e.name)) {
            snprintf(e.name, sizeof e.name, "ptxas-%.32s", ck_ptxas_version(&e));
            break;
        }
    out[count] = e;
    return count + 1;
}

static int add_named(struct ck_engine out[CK_TOOLKITS_MAX], int count, const char *named, char *error, size_t size)
{
    char path[PATH_MAX];

    if (named[strspn(named, "0123456789.")])
        return add(out, count, named, true, error, size);
    if (ck_toolkit_fetched(named, path, sizeof path))
        return add(out, count, path, true, error, size);
    snprintf(error, size, "no toolkit %s in build/toolkits: tools/toolkit %s fetches it", named, named);
    return -1;
}

int ck_toolkits(const char *const *named, size_t count, unsigned which, struct ck_engine out[CK_TOOLKITS_MAX],
                char *error, size_t size)
{
    char path[PATH_MAX];
    glob_t found = { 0 };
    int n = 0;

    if ((which & CK_TOOLKITS_OWN) && ck_toolkit_ptxas(NULL, path, sizeof path))
        n = add(out, n, path, false, error, size);
    for (size_t i = 0; i < count && n >= 0; i++)
        n = add_named(out, n, named[i], error, size);
    if (n < 0 || !(which & CK_TOOLKITS_FETCHED))
        return n;
    const size_t there = ck_toolkits_fetched(&found);
    for (size_t i = 0; i < there && n >= 0; i++)
        n = add(out, n, found.gl_pathv[i], false, error, size);
    globfree(&found);
    return n;
}

bool ck_toolkit_engine(const char *name, struct ck_engine *out, char *error, size_t size)
{
    static const char prefix[] = "ptxas-";
    struct ck_engine own;
    char path[PATH_MAX];

    if (!strcmp(name, "ptxas"))
        return ck_ptxas_engine(NULL, out, error, size);
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) {
        snprintf(error, size, "'%s' is no ptxas engine: ptxas, or ptxas-VERSION", name);
        return false;
    }
    const char *version = name + sizeof prefix - 1;
    if (ck_toolkit_fetched(version, path, sizeof path))
        return ck_ptxas_engine(path, out, error, size);
    if (ck_ptxas_engine(NULL, &own, error, size) &&
        (!strcmp(own.name, name) || !strcmp(ck_ptxas_version(&own), version))) {
        *out = own;
        return true;
    }
    if (ck_toolkit_installed(version, path, sizeof path))
        return ck_ptxas_engine(path, out, error, size);
    snprintf(error, size, "no ptxas %s on this machine: tools/toolkit %s fetches it", version, version);
    return false;
}

typedef bool engine_of(const char *folder, struct ck_engine *out, char *error, size_t size);

/* The engine of the toolkit that a ptxas engine belongs to. */
static bool beside(const struct ck_engine *ptxas, engine_of *make, struct ck_engine *out)
{
    char folder[PATH_MAX], error[256];

    snprintf(folder, sizeof folder, "%s", ptxas->config);
    for (int up = 0; up < 2; up++) { /* of FOLDER/bin/ptxas */
        char *slash = strrchr(folder, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    return make(folder, out, error, sizeof error);
}

bool ck_toolkit_tile_beside(const struct ck_engine *ptxas, struct ck_engine *out)
{
    return beside(ptxas, ck_tile_engine, out);
}

bool ck_toolkit_nvcc_beside(const struct ck_engine *ptxas, struct ck_engine *out)
{
    return beside(ptxas, ck_nvcc_engine, out);
}

/* The engine `name`, which is `kind` or `kind`-VERSION. False with a line in `error` where it is neither; with an empty
 * one where no toolkit of this machine has that. */
static bool compiler(const char *name, const char *kind, engine_of *make, struct ck_engine *out, char *error,
                     size_t size)
{
    const size_t n = strlen(kind);
    struct ck_engine own;
    char path[PATH_MAX];

    error[0] = 0;
    if (strcmp(name, kind) != 0 && (strncmp(name, kind, n) != 0 || name[n] != '-')) {
        snprintf(error, size, "'%s' is no %s engine: %s, or %s-VERSION", name, kind, kind, kind);
        return false;
    }
    const char *version = name[n] ? name + n + 1 : NULL;
    if (version && ck_toolkit_fetched(version, path, sizeof path))
        return make(path, out, error, size);
    if (ck_ptxas_engine(NULL, &own, error, size) && beside(&own, make, out) && (!version || !strcmp(out->name, name)))
        return true;
    if (version && ck_toolkit_installed(version, path, sizeof path))
        return make(path, out, error, size);
    error[0] = 0;
    return false;
}

bool ck_toolkit_tile_engine(const char *name, struct ck_engine *out, char *error, size_t size)
{
    const char *version = name[4] ? name + 5 : NULL;

    if (compiler(name, "tile", ck_tile_engine, out, error, size))
        return true;
    if (!error[0])
        snprintf(error, size, "no compiler of CUDA Tile %s%son this machine: tools/toolkit %s fetches one",
                 version ? version : "", version ? " " : "", version ? version : "13.5");
    return false;
}

bool ck_toolkit_nvcc_engine(const char *name, struct ck_engine *out, char *error, size_t size)
{
    const char *version = name[4] ? name + 5 : NULL;

    if (compiler(name, "nvcc", ck_nvcc_engine, out, error, size))
        return true;
    if (!error[0])
        snprintf(error, size, "no nvcc %s%son this machine: tools/toolkit %s fetches one", version ? version : "",
                 version ? " " : "", version ? version : "13.5");
    return false;
}
// SPDX-License-Identifier: Apache-2.0
