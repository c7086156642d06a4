/* The engines `gpu` (cubins that the toolkit built) and `jit` (PTX that the driver compiles). */
#ifndef COPYCHECK_GPU_H
#define COPYCHECK_GPU_H

#include "harness/engines/engine.h"

/* What a process that asked the driver and made no context can say of the machine's first GPU. */
struct ck_gpu_facts {
    bool present;
    char why[200];    /* not present: one line why */
    char device[100]; /* "NVIDIA H200" */
    int sm;           /* 90 */
    char driver[32];  /* "580.159.04", or "CUDA 13.0" where the module's version cannot be read */
    int cuda;         /* 1300 for CUDA 13.0, 1260 for 12.6 */
    bool exclusive;   /* compute mode: one process only, or none */
};

/* Asks in a child process: the caller never touches the driver. */
void ck_gpu_probe(struct ck_gpu_facts *facts);

/* The newest PTX ISA of a driver, from the CUDA version that it reports. */
int ck_gpu_newest_ptx(int cuda);

/* `kernels` is the folder with *.cubin or *.ptx and the file `index`; `scratch` keeps what `jit` compiled for the
 * other workers of this run. The strings must outlive the engine. */
void ck_gpu_engine(struct ck_engine *e, const char *name, const char *kernels, const struct ck_gpu_facts *facts);
void ck_jit_engine(struct ck_engine *e, const char *kernels, const char *scratch, const struct ck_gpu_facts *facts);

#endif
