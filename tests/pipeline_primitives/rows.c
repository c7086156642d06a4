/* What nvcc makes of the primitives, and what it refuses. */
#include "harness/ck.h"

#define HEAD   .head = "#include <cuda_pipeline.h>"
#define SHARED "__shared__ alignas(16) char shared[64]; "

static const struct ck_case cases[] = {
    { CK_RULE(prim_memcpy_opcode), HEAD, .cuda = SHARED "__pipeline_memcpy_async(shared, in, $);", .seen = "4|8|16",
      .holds = "cp.async.ca.shared.global cp.async.cg.shared.global" },
    { CK_RULE(prim_memcpy_sizes), .name = "trap", HEAD, .cuda = SHARED "__pipeline_memcpy_async(shared, in, $);",
      .seen = "4|5", .holds = "cp.async trap" },
    { CK_RULE(prim_mbarrier_parity_sm80), HEAD,
      .cuda = "__shared__ __mbarrier_t bar; pi[0] = __mbarrier_test_wait_parity(&bar, n);",
      .options = "-std=c++17 -ptx -arch=$", .seen = "sm_80|sm_90", .holds = "trap mbarrier.test_wait.parity" },
    { CK_RULE(prim_experimental_array_size), HEAD,
      .cuda = "using namespace nvcuda::experimental; pipeline pipe; " SHARED
              "memcpy_async(segment<$>(shared), segment<$>((const char *)in), pipe);",
      .seen = "4|16|2|32" },
    { 0 },
};

const struct ck_suite pipeline_primitives_rows = { "pipeline-primitives-rows", cases };
// SPDX-License-Identifier: Apache-2.0
