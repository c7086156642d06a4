/* The engines of this machine, by name. */
#include "harness/engines/engines.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/program.h"
#include "harness/engines/cutile.h"
#include "harness/engines/emulator.h"
#include "harness/engines/toolkits.h"

static struct ck_places places;
static char kernels[PATH_MAX], scratch[200];

void ck_engines_places(const struct ck_places *given)
{
    places = *given;
}

const struct ck_gpu_facts *ck_engines_gpu(void)
{
    static struct ck_gpu_facts facts;
    static bool asked;

    if (!asked)
        ck_gpu_probe(&facts);
    asked = true;
    return &facts;
}

const char *ck_kernels_folder(void)
{
    if (places.kernels)
        return places.kernels;
    if (!kernels[0])
        snprintf(kernels, sizeof kernels, "%s/kernels", ck_program_folder());
    return kernels;
}

/* From the comment that nvcc leaves in PTX. */
void ck_kernels_toolkit(char *out, size_t size)
{
    char path[PATH_MAX + 16], line[512];
    FILE *f;

    snprintf(path, sizeof path, "%s/index", ck_kernels_folder());
    out[0] = 0;
    f = fopen(path, "r");
    if (!f)
        return;
    if (fgets(line, sizeof line, f) && !strncmp(line, "# toolkit ", 10))
        snprintf(out, size, "%.*s", (int)strcspn(line + 10, "\n"), line + 10);
    fclose(f);
}

static const char *scratch_folder(void)
{
    if (!scratch[0]) {
        const char *const base = getenv("TMPDIR");
        snprintf(scratch, sizeof scratch, "%s/copycheck-XXXXXX", base && *base == '/' ? base : "/tmp");
        if (!mkdtemp(scratch))
            snprintf(scratch, sizeof scratch, "/nonexistent"); /* then every worker compiles for itself */
    }
    return scratch;
}

void ck_engines_done(void)
{
    DIR *folder = scratch[0] ? opendir(scratch) : NULL;
    char path[sizeof scratch + NAME_MAX + 2];

    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", scratch, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    if (folder)
        closedir(folder);
    if (scratch[0])
        rmdir(scratch);
    scratch[0] = 0;
}

/* build/kernels@12.4, kept for as long as the process lives. */
static const char *toolkit_kernels(const char *version)
{
    char *path = NULL;

    return asprintf(&path, "%s@%s", ck_kernels_folder(), version) < 0 ? NULL : path;
}

bool ck_engine_find(const char *name, struct ck_engine *out, char *error, size_t size)
{
    const struct ck_gpu_facts *facts;

    if (!strncmp(name, "ptxas", 5))
        return ck_toolkit_engine(name, out, error, size);
    if (!strncmp(name, "tile", 4))
        return ck_toolkit_tile_engine(name, out, error, size);
    if (!strncmp(name, "nvcc", 4))
        return ck_toolkit_nvcc_engine(name, out, error, size);
    if (!strcmp(name, "cutile") || !strncmp(name, "cutile-", 7))
        return ck_cutile_engine(name, out, error, size);
    if (!strcmp(name, "emu"))
        return ck_emu_engine(out, ck_kernels_folder());
    if (strcmp(name, "gpu") != 0 && strncmp(name, "gpu@", 4) != 0 && strcmp(name, "jit") != 0) {
        snprintf(error, size,
                 "no engine '%s': there are emu, gpu, gpu@VERSION, jit, ptxas, ptxas-VERSION, tile, "
                 "tile-VERSION, nvcc, nvcc-VERSION, cutile and cutile-VERSION",
                 name);
        return false;
    }
    facts = ck_engines_gpu();
    if (!facts->present) {
        snprintf(error, size, "engine %s: %s", name, facts->why);
        return false;
    }
    if (!strcmp(name, "jit"))
        ck_jit_engine(out, ck_kernels_folder(), scratch_folder(), facts);
    else
        ck_gpu_engine(out, name, name[3] ? toolkit_kernels(name + 4) : ck_kernels_folder(), facts);
    return true;
}

/* The compilers of those toolkits that were asked for: a source takes each a second or two, so the machine's own one
 * runs only where it is named. */
static int compilers(const struct ck_engine *toolkits, int count, struct ck_engine *out, size_t max)
{
    int n = 0;

    for (int i = 0; i < count && (size_t)n < max; i++)
        if (toolkits[i].asked_for)
            n += ck_toolkit_nvcc_beside(&toolkits[i], &out[n]);
    return n;
}

int ck_engines_default(struct ck_engine *out, size_t max, char *error, size_t size)
{
    struct ck_engine toolkits[CK_TOOLKITS_MAX];
    const int found = ck_toolkits(places.toolkits, places.toolkit_count, CK_TOOLKITS_OWN, toolkits, error, size);
    const bool gpu = ck_engines_gpu()->present;
    int n = 0;

    if (found < 0)
        return -1;
    for (int i = 0; i < found && (size_t)n < max; i++)
        out[n++] = toolkits[i];
    for (int i = 0; i < found && (size_t)n < max; i++)
        n += ck_toolkit_tile_beside(&toolkits[i], &out[n]);
    n += compilers(toolkits, found, out + n, max - (size_t)n);
    if (gpu && (size_t)n + 2 <= max) {
        ck_engine_find("gpu", &out[n++], error, size);
        ck_engine_find("jit", &out[n++], error, size);
    }
    for (int i = 0; gpu && i < found && (size_t)n < max; i++) {
        char name[48];
        snprintf(name, sizeof name, "gpu@%.40s",
                 strchr(toolkits[i].name, '-') ? strchr(toolkits[i].name, '-') + 1 : "");
        const char *folder = toolkit_kernels(name + 4);
        if (folder && access(folder, R_OK) == 0)
            ck_engine_find(name, &out[n++], error, size);
    }
    if ((size_t)n < max)
        ck_engine_find("emu", &out[n++], error, size);
    return n;
}
// SPDX-License-Identifier: Apache-2.0
