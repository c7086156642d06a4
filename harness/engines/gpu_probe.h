/* What this machine's driver and its GPUs are. */
#ifndef COPYCHECK_GPU_PROBE_H
#define COPYCHECK_GPU_PROBE_H

#include <stdbool.h>

enum { CK_GPUS = 16 }; /* that a run uses, at most */

/* What a process that asked the driver and made no context can say of the machine's first GPU, and of those that are
 * like it: with the same name, compute capability, multiprocessors and ECC. */
struct ck_gpu_facts {
    bool present;
    char why[200];    /* not present: one line why */
    char device[100]; /* "NVIDIA H200" */
    int sm;           /* 90 */
    char driver[32];  /* "580.159.04", or "CUDA 13.0" where the module's version cannot be read */
    char libcuda[32]; /* the version of the library that was loaded, from its file's name; "" where that has none */
    int cuda;         /* 1300 for CUDA 13.0, 1260 for 12.6 */
    int sms;          /* multiprocessors */
    bool ecc;         /* its memory corrects errors */
    bool mig;         /* a part of a GPU: its name says so */
    bool exclusive;   /* compute mode: one process only, or none */
    int count;        /* it and those like it: */
    int ordinal[CK_GPUS];
    bool has_uuid; /* each of them */
    unsigned char uuid[CK_GPUS][16];
};

/* Asks in a child process: the caller never touches the driver. */
void ck_gpu_probe(struct ck_gpu_facts *facts);

/* Has this process see no device but the one with this number among those that are alike, where there are several: else
 * cuInit makes ready all of them, in each process anew. Called before cuInit. Returns the ordinal that the device has
 * to the driver then. */
int ck_gpu_choose(const struct ck_gpu_facts *facts, unsigned number);

/* The newest PTX ISA of a driver, from the CUDA version that it reports. */
int ck_gpu_newest_ptx(int cuda);

#endif
// SPDX-License-Identifier: Apache-2.0
