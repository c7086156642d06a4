/* This machine's own memory in the place of a device's: for engines that have no device. */
#ifndef COPYCHECK_HOST_H
#define COPYCHECK_HOST_H

#include "harness/engines/engine.h"

/* Operations of an engine (engine.h). Allocations are zeroed and belong to the process; ck_host_reset frees them. */
bool ck_host_open(struct ck_engine *e, struct ck_outcome *out);
uint64_t ck_host_alloc(struct ck_engine *e, enum ck_memory kind, size_t bytes, struct ck_outcome *out);
bool ck_host_write(struct ck_engine *e, uint64_t to, const void *from, size_t bytes, struct ck_outcome *out);
bool ck_host_read(struct ck_engine *e, void *to, uint64_t from, size_t bytes, struct ck_outcome *out);
void ck_host_reset(struct ck_engine *e);

#endif
// SPDX-License-Identifier: Apache-2.0
