/* The engines of this machine: by name, and what commands set or ask of single ones. */
#ifndef COPYCHECK_ENGINES_H
#define COPYCHECK_ENGINES_H

#include "harness/engines/driver.h"
#include "harness/engines/emulator.h"
#include "harness/engines/gpu.h"
#include "harness/engines/ptxas.h"
#include "harness/engines/toolkit.h"
#include "harness/engines/toolkits.h"

/* Where engines look, set by options before any is asked for. */
struct ck_places {
    const char *kernels;         /* folder with *.ptx, *.cubin and index; NULL: kernels/ beside the program */
    const char *const *toolkits; /* named toolkits, or none: this machine's own */
    size_t toolkit_count;
};

void ck_engines_places(const struct ck_places *places);

/* What the driver of this machine says of its GPU; asked once, in a child. */
const struct ck_gpu_facts *ck_engines_gpu(void);

/* The engine called gpu, gpu@VERSION, jit, emu, ptxas, ptxas-VERSION, tile, nvcc, and the latter three with -VERSION.
 * False with one line where there is none here. */
bool ck_engine_find(const char *name, struct ck_engine *out, char *error, size_t size);

/* The engines that run where none is named: the assemblers; the compilers of CUDA Tile beside them; then gpu and jit
 * where there is a GPU, and gpu@VERSION for each named toolkit whose kernels are built; emu everywhere. Returns how
 * many, or -1 with one line. */
int ck_engines_default(struct ck_engine *out, size_t max, char *error, size_t size);

/* The folder with the kernels, and that of a toolkit's own: build/kernels, build/kernels@12.4. */
const char *ck_kernels_folder(void);
/* The toolkit that built these kernels, "13.0.88"; "" where there are none. */
void ck_kernels_toolkit(char *out, size_t size);

/* Removes what engines left in their scratch folder. */
void ck_engines_done(void);

#endif
// SPDX-License-Identifier: Apache-2.0
