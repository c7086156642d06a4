/* cuda::pipeline as a type, and what nvcc makes of it. */
#include "harness/ck.h"

#define HEAD                                                                                                           \
    .head = "#include <cuda/pipeline>\n"                                                                               \
            "#include <cuda/std/utility>\n"                                                                            \
            "#pragma nv_diag_suppress static_var_with_dynamic_init\n"                                                  \
            "struct one { __device__ unsigned size() const { return 1; } __device__ unsigned thread_rank() const "     \
            "{ return 0; } __device__ void sync() const {} };\n"                                                       \
            "template <cuda::thread_scope S, int N> using state = cuda::pipeline_shared_state<S, N>;\n"                \
            "constexpr auto block = cuda::thread_scope_block, thread = cuda::thread_scope_thread;\n"
#define BLOCK  "__shared__ state<block, 2> s; auto pipe = cuda::make_pipeline(one(), &s); "
#define THREAD "auto pipe = cuda::make_pipeline(); "
#define SHARED "__shared__ alignas(128) char shared[1024]; "

static const struct ck_case cases[] = {
    { CK_RULE(cxx_pipeline_no_default), HEAD, .cuda = BLOCK "using type = cuda::pipeline<block>; $;",
      .accept = "type other(cuda::std::move(pipe))|type &other = pipe",
      .refuse = "type other|type other(pipe)|pipe = cuda::make_pipeline(one(), &s)" },
    { CK_RULE(cxx_pipeline_state_scope), HEAD, .cuda = "__shared__ state<$, 2> s; pi[0] = sizeof s;",
      .seen = "block|thread" },
    { CK_RULE(cxx_pipeline_state_stages), HEAD,
      .cuda = "__shared__ cuda::pipeline_shared_state<block, $> s; pi[0] = sizeof s;", .seen = "0|255|256" },
    { CK_RULE(cxx_pipeline_wait_prior_thread_only), HEAD,
      .cuda = BLOCK "auto own = cuda::make_pipeline(); cuda::pipeline_consumer_wait_prior<1>($);", .accept = "own",
      .refuse = "pipe" },
    { CK_RULE(cxx_pipeline_wait_prior_cap), .name = "compiles", HEAD,
      .cuda = THREAD "cuda::pipeline_consumer_wait_prior<$>(pipe);", .seen = "255|256" },
    { CK_RULE(cxx_pipeline_thread_scope), HEAD,
      .cuda = BLOCK "auto own = cuda::make_pipeline(); $.producer_commit(); $.consumer_wait();", .seen = "own|pipe",
      .holds = "cp.async.commit_group cp.async.wait_group cp.async.mbarrier.arrive" },
    { CK_RULE(cxx_pipeline_no_bulk), HEAD,
      .cuda = BLOCK SHARED "cuda::memcpy_async(shared, in, cuda::aligned_size_t<$>(128), pipe);", .seen = "4|16|128",
      .holds = "cp.async.ca.shared.global cp.async.cg.shared.global cp.async.bulk" },
    { 0 },
};

const struct ck_suite cuda_pipeline_rows = { "cuda-pipeline-rows", cases };
// SPDX-License-Identifier: Apache-2.0
