/* Where a run's records come from: what their head says of the machine beside its device and driver. */
#ifndef COPYCHECK_ORIGIN_H
#define COPYCHECK_ORIGIN_H

#include "harness/engines/engine.h"
#include "harness/engines/gpu_probe.h"

struct ck_origin {
    char host[17];           /* ck_origin_hash of the node's name */
    char uuid[CK_GPUS * 17]; /* ck_origin_hash of each device's UUID, comma-separated; "" without one */
    char ptx[16];            /* the newest PTX ISA of the driver: "9.0"; "" without one */
    char ptxas[512];         /* builds of the assemblers among the engines, comma-separated */
};

/* `gpu` is NULL where no engine uses it; `devices` of those that are alike share the points. */
void ck_origin(const struct ck_engine *engines, size_t count, const struct ck_gpu_facts *gpu, unsigned devices,
               struct ck_origin *out);

/* The first 16 hexadecimal digits of the SHA-256 of "copycheck KIND\nSALT\n" and the bytes. SALT is what the
 * environment variable COPYCHECK_SALT holds, else nothing: who knows a site's host names can then find them again. */
void ck_origin_hash(const char *kind, const void *bytes, size_t size, char out[17]);

#endif
// SPDX-License-Identifier: Apache-2.0
