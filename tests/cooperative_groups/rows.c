/* What nvcc makes of cooperative_groups::memcpy_async, and what it refuses. */
#include "harness/ck.h"

#define HEAD                                                                                                           \
    .head = "#include <cooperative_groups.h>\n"                                                                        \
            "#include <cooperative_groups/memcpy_async.h>\n"                                                           \
            "#include <cuda/barrier>\n"                                                                                \
            "namespace cg = cooperative_groups;\n"
#define SHARED "__shared__ alignas(16) char shared[1024]; "

static const struct ck_case cases[] = {
    { CK_RULE(cg_memcpy_runtime_align), HEAD,
      .cuda = "extern __shared__ char s[]; cg::memcpy_async(cg::this_thread_block(), ($ *)(s + n), ($ *)in, n);",
      .seen = "char|int4", .holds = "cp.async.ca.shared.global cp.async.cg.shared.global" },
    { CK_RULE(cg_memcpy_groups), HEAD, .cuda = SHARED "cg::memcpy_async($, shared, in, n);",
      .seen = "cg::this_thread_block()|cg::coalesced_threads()|cg::this_grid()|cg::this_cluster()" },
    { CK_RULE(cg_memcpy_aligned_power), HEAD,
      .cuda = SHARED "cg::memcpy_async(cg::this_thread_block(), shared, in, cuda::aligned_size_t<$>(24));",
      .seen = "4|3|12" },
    { CK_RULE(cg_memcpy_layouts_same_align), HEAD,
      .cuda = SHARED
      "cg::memcpy_async(cg::this_thread_block(), (int *)shared, cuda::aligned_size_t<$>(n), (const int *)in, "
      "cuda::aligned_size_t<16>(n));",
      .seen = "8|16", .holds = "cp.async.ca.shared.global cp.async.cg.shared.global" },
    { 0 },
};

const struct ck_suite cooperative_groups_rows = { "cooperative-groups-rows", cases };
// SPDX-License-Identifier: Apache-2.0
