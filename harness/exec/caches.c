/* What compilers in Python keep in files, and whom they call. */
#include "harness/exec/caches.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define TRITON_CACHE "TRITON_CACHE_DIR"

/* Without a folder Triton keeps PTX in the user's: its keys hold the version of what stands for ptxas. */
void exec_caches_begin(struct exec_caches *c)
{
    const char *base = getenv("TMPDIR");

    c->triton[0] = 0;
    if (getenv(TRITON_CACHE))
        return;
    snprintf(c->triton, sizeof c->triton, "%.3000s/copycheck-triton-XXXXXX", base && *base == '/' ? base : "/tmp");
    if (!mkdtemp(c->triton))
        c->triton[0] = 0;
}

bool exec_caches_name(const struct exec_caches *c, const char *folder)
{
    char ptxas[PATH_MAX + 8];

    snprintf(ptxas, sizeof ptxas, "%s/ptxas", folder);
    /* CuPy keeps what NVRTC made for it: machine code of a GPU is of no use here, nor PTX of here there. */
    return !setenv("CUPY_CACHE_IN_MEMORY", "1", false) && !setenv("TRITON_PTXAS_PATH", ptxas, false) &&
           !setenv("TRITON_PTXAS_BLACKWELL_PATH", ptxas, false) &&
           (!c->triton[0] || !setenv(TRITON_CACHE, c->triton, true));
}

static int take_away(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    remove(path);
    return 0;
}

void exec_caches_end(const struct exec_caches *c)
{
    enum { OPEN = 16 }; /* folders at a time */

    if (c->triton[0])
        nftw(c->triton, take_away, OPEN, FTW_DEPTH | FTW_PHYS);
}
// SPDX-License-Identifier: Apache-2.0
