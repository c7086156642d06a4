/* What every file of tile kernels starts with.
 *
 * A tile kernel takes scalars and pointers, no struct. So its parameters are the members of its case's struct of
 * arguments, in their order and of their types, and the case launches it with .members = true. CT_HEAD stands for
 * struct ck_head; a tile kernel does not wait, so it does not use it. A mutant is a further entry, written out in full.
 */
#ifndef COPYCHECK_CT_CUH
#define COPYCHECK_CT_CUH

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

#define CT_HEAD unsigned *, unsigned long long

#endif
// SPDX-License-Identifier: Apache-2.0
