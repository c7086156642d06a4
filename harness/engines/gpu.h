/* The engines `gpu` (cubins that the toolkit built) and `jit` (PTX that the driver compiles). */
#ifndef COPYCHECK_GPU_H
#define COPYCHECK_GPU_H

#include "harness/engines/engine.h"
#include "harness/engines/gpu_probe.h"

/* `kernels` is the folder with *.cubin or *.ptx and the file `index`; `scratch` keeps what `jit` compiled for the
 * other workers of this run. The strings must outlive the engine. */
void ck_gpu_engine(struct ck_engine *e, const char *name, const char *kernels, const struct ck_gpu_facts *facts);
void ck_jit_engine(struct ck_engine *e, const char *kernels, const char *scratch, const struct ck_gpu_facts *facts);

#endif
// SPDX-License-Identifier: Apache-2.0
