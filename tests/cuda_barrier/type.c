/* cuda::barrier as a type: what its members are, what does not compile, and what nvcc makes of a call. */
#include "harness/ck.h"

#define STATIC "static assertion failed"
/* Names of the scopes, and a completion function. */
#define SCOPES                                                                                                         \
    "struct done { __device__ void operator()() {} };\n"                                                               \
    "template <cuda::thread_scope S, class... C> constexpr auto most = cuda::barrier<S, C...>::max();\n"               \
    "constexpr auto block = cuda::thread_scope_block, device = cuda::thread_scope_device;\n"                           \
    "constexpr auto everywhere = cuda::thread_scope_system, thread = cuda::thread_scope_thread;\n"                     \
    "constexpr auto int_max = 2147483647ll, ptrdiff_max = 9223372036854775807ll;\n"

static const struct ck_case cases[] = {
    { CK_RULE(cxx_barrier_size), .cuda = "",
      .declare = "static_assert(sizeof(block_barrier) == $ && alignof(block_barrier) == $);", .accept = "8",
      .refuse = "16", .says = STATIC },
    { CK_RULE(cxx_barrier_max_block), .cuda = "", .declare = "static_assert(block_barrier::max() == $);",
      .accept = "(1 << 20) - 1", .refuse = "1 << 20", .says = STATIC },
    { CK_RULE(cxx_barrier_max_block_completion), .cuda = "", .declare = SCOPES "static_assert(most<block, done> == $);",
      .seen = "(1 << 20) - 1|ptrdiff_max" },
    { CK_RULE(cxx_barrier_max_other), .cuda = "", .declare = SCOPES "static_assert($);",
      .accept = "most<device> == int_max && most<everywhere> == int_max && most<device, done> == ptrdiff_max && "
                "most<everywhere, done> == ptrdiff_max && most<thread> == (1 << 20) - 1",
      .refuse = "most<device> == ptrdiff_max", .says = STATIC },
    { CK_RULE(cxx_barrier_not_copyable), .cuda = "$;", .accept = "block_barrier &copy = bar",
      .refuse = "block_barrier copy(bar)|bar = *other" },
    { CK_RULE(cxx_barrier_token_move), .cuda = "auto token = bar.arrive(); bar.wait($);",
      .accept = "cuda::std::move(token)|bar.arrive()", .refuse = "token", .says = "rvalue reference" },
    { CK_RULE(cxx_barrier_thread_scope),
      .cuda = "cuda::barrier<cuda::thread_scope_thread> one(1); bool over = true; $; pi[0] = over;",
      .accept = "init(&one, 1); one.wait(one.arrive()); one.arrive_and_wait(); one.arrive_and_drop()",
      .refuse = "over = one.try_wait_for(one.arrive(), cuda::std::chrono::nanoseconds(1))" },
    { CK_RULE(cxx_barrier_lowering), .cuda = "$.arrive_and_wait();", .accept = "bar",
      .holds = "mbarrier.arrive mbarrier.try_wait !atom.",
      .mutants = { { "wide", "a barrier of device scope", .set = "$=(*wide)" } } },
    { CK_RULE(cxx_barrier_lowering), .name = "wide", .cuda = "$.arrive_and_wait();", .accept = "(*wide)",
      .holds = "atom. !mbarrier.",
      .mutants = { { "block", "a barrier of block scope in shared memory", .set = "$=bar" } } },
    { CK_RULE(cxx_barrier_init_range), .name = "compiles", .cuda = "init(&bar, $);", .seen = "0|-1|1 << 20",
      .holds = "mbarrier.init" },
    { CK_RULE(cxx_barrier_coalesced_arrive), .name = "instructions", .cuda = "(void)bar.arrive();", .seen = "",
      .holds = "mbarrier.arrive match. shfl. activemask" },
    { CK_RULE(cxx_barrier_native_handle), .name = "scope",
      .cuda = "pi[0] = *cuda::device::barrier_native_handle($) != 0;", .accept = "bar", .refuse = "*wide" },
    { CK_RULE(cxx_barrier_arrive_tx_atomic), .cuda = "(void)cuda::device::barrier_arrive_tx(bar, $, 16);",
      .seen = "1|2", .holds = "mbarrier.arrive.expect_tx mbarrier.expect_tx.relaxed mbarrier.arrive.release" },
    { CK_RULE(cxx_barrier_tx_target),
      .cuda = "(void)cuda::device::barrier_arrive_tx(bar, 1, 16); cuda::device::barrier_expect_tx(bar, 16);",
      .options = "-std=c++17 -cubin -arch=$", .accept = "sm_90", .refuse = "sm_80",
      .says = "is_not_supported_before_SM_90" },
    { CK_RULE(cxx_ptx_missing), .cuda = "", .head = "#include <cuda/ptx>", .declare = "using cuda::ptx::$;",
      .seen = "elect_sync|mbarrier_inval|mbarrier_arrive" },
    { CK_RULE(cxx_ptx_guide_example), .head = "#include <cuda/ptx>",
      .cuda = "__shared__ uint64_t b; namespace ptx = cuda::ptx; (void)ptx::mbarrier_arrive_expect_tx($);",
      .accept = "ptx::sem_release, ptx::scope_cta, ptx::space_shared, &b, 16",
      .refuse = "ptx::sem_release, ptx::scope_cta, ptx::space_shared, &b, 1, 16",
      .says = "no instance of overloaded function" },
    { 0 },
};

const struct ck_suite cuda_barrier_type = { "cuda-barrier-type", cases };
// SPDX-License-Identifier: Apache-2.0
