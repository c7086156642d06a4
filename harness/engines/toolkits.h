/* The assemblers of this machine's toolkits, as engines. */
#ifndef COPYCHECK_TOOLKITS_H
#define COPYCHECK_TOOLKITS_H

#include "harness/engines/engine.h"

enum { CK_TOOLKITS_MAX = 32 };

/* The engines of this machine's own toolkit (if OWN is in `which`), then of those in `named` (folders, or versions that
 * were fetched), then of every fetched one in the order of their versions (FETCHED). Two of one release are one engine;
 * if only their last number differs, the later one's name has it: ptxas-13.0.48.
 * Returns how many, or -1 with one line in `error`. A machine without any has 0, which is no error unless named. */
enum { CK_TOOLKITS_OWN = 1, CK_TOOLKITS_FETCHED = 2 };
int ck_toolkits(const char *const *named, size_t count, unsigned which, struct ck_engine out[CK_TOOLKITS_MAX],
                char *error, size_t size);

/* The engine called "ptxas" or "ptxas-12.4". False, with one line in `error`, where this machine has none. */
bool ck_toolkit_engine(const char *name, struct ck_engine *out, char *error, size_t size);

/* The engine called "tile" or "tile-13.5", as ck_toolkit_engine. */
bool ck_toolkit_tile_engine(const char *name, struct ck_engine *out, char *error, size_t size);

/* The engine called "nvcc" or "nvcc-13.0", likewise. */
bool ck_toolkit_nvcc_engine(const char *name, struct ck_engine *out, char *error, size_t size);

/* The tile or nvcc engine of the toolkit that a ptxas engine belongs to; false where it has none. */
bool ck_toolkit_tile_beside(const struct ck_engine *ptxas, struct ck_engine *out);
bool ck_toolkit_nvcc_beside(const struct ck_engine *ptxas, struct ck_engine *out);

#endif
// SPDX-License-Identifier: Apache-2.0
