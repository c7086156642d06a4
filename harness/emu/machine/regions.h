/* Global memory as a list of allocations, and the budget of host memory. emu.c, image.c, heap.c, address.c, the
 * scheduler and the judge include it. */
#ifndef COPYCHECK_EMU_MACHINE_REGIONS_H
#define COPYCHECK_EMU_MACHINE_REGIONS_H

#include "harness/emu/machine/state.h"

/* The allocation that holds this address, or NULL. */
struct emu_region *emu_region_of(struct emu *e, uint64_t address);
/* The same, or the allocation that the address lies just behind (64 KiB at most); NULL where there is none. */
const struct emu_region *emu_region_near(const struct emu *e, uint64_t address);
/* A new allocation of zeros, aligned to `align` bytes and at least 256; NULL where memory is short or
 * options.max_memory reached. The list may move with the next one. */
struct emu_region *emu_region_add(struct emu *e, uint64_t bytes, unsigned align, const char *name);
/* Memory of the host's own becomes an allocation, at its own address; NULL where memory is short. */
struct emu_region *emu_region_adopt(struct emu *e, void *bytes, uint64_t size, const char *name);
/* Frees the allocation that begins at this address; the host's own memory stays the host's. False: none does. `by`:
 * the call, for findings of accesses that come too late; NULL: it is not remembered. */
bool emu_region_free(struct emu *e, uint64_t at, const char *by);
/* The allocation that had this address and was freed; NULL: none, or too long ago. */
enum { EMU_FREED = 16384 };
const struct emu_freed *emu_freed_of(const struct emu *e, uint64_t address);
/* The same of a module's variable. */
void emu_region_drop(struct emu *e, uint64_t at);
/* Frees all allocations, modules' variables too where `variables` is set. */
void emu_regions_free(struct emu *e, bool variables);

/* Copies between the host and global memory; false where the bytes do not lie in one allocation. */
bool emu_region_write(struct emu *e, uint64_t to, const void *from, uint64_t bytes);
bool emu_region_read(struct emu *e, void *to, uint64_t from, uint64_t bytes);
/* Whether the host has written to the allocation of this address since the launch before. */
bool emu_host_wrote(struct emu *e, uint64_t address);

/* Host memory that stands for shared and local memory counts as global memory does, in bytes: false where
 * options.max_memory is reached. */
bool emu_reserve(struct emu *e, uint64_t bytes);
void emu_unreserve(struct emu *e, uint64_t bytes);
/* While clusters run ahead, each has a share of its own: how many bytes the one that this host thread runs may reserve,
 * and how many it has; 0: no share again. Then what it has reserved by now. */
void emu_reserve_share(uint64_t bytes, uint64_t reserved);
uint64_t emu_reserved(void);

#endif
// SPDX-License-Identifier: Apache-2.0
