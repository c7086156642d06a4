/* What nvcc makes of cuda::memcpy_async, and what it refuses. A pointer whose memory is not known leaves the
 * synchronous copy in, so that rows look for what is there beside it. */
#include "harness/ck.h"

#define ALIGNED "cuda::memcpy_async(shared, in, cuda::aligned_size_t<$>(64), bar);"
#define OWN     "struct own { int n; __device__ own(const own &o) : n(o.n) {} __device__ own() {} };"

static const struct ck_case cases[] = {
    { CK_RULE(cxx_memcpy_dispatch_bulk), .cuda = ALIGNED, .seen = "8|16|32",
      .holds = "cp.async.bulk.shared::cluster.global cp.async.bulk.shared::cta.global mbarrier.expect_tx" },
    { CK_RULE(cxx_memcpy_dispatch_ldgsts), .cuda = ALIGNED, .seen = "2|4|8",
      .holds = "cp.async.ca.shared.global cp.async.cg.shared.global cp.async.bulk" },
    { CK_RULE(cxx_memcpy_dispatch_ldgsts), .name = "wide",
      .cuda = "cuda::memcpy_async(shared, in, cuda::aligned_size_t<16>(64), $);", .seen = "bar|*wide",
      .holds = "cp.async.ca.shared.global cp.async.cg.shared.global cp.async.bulk" },
    { CK_RULE(cxx_memcpy_dispatch_sync), .cuda = "cuda::memcpy_async($, cuda::aligned_size_t<16>(64), bar);",
      .seen = "out, in|out, shared|shared, in", .holds = "cp.async" },
    { CK_RULE(cxx_memcpy_dispatch_plain), .cuda = "cuda::memcpy_async(($ *)shared, (const $ *)in, 64, bar);",
      .seen = "void|char|int|int4", .holds = "cp.async.ca.shared.global cp.async.bulk" },
    { CK_RULE(cxx_memcpy_smem_barrier_defer), .cuda = ALIGNED, .seen = "4|8",
      .holds = "cp.async.mbarrier.arrive.shared cp.async.mbarrier.arrive.noinc cp.async.wait_all" },
    { CK_RULE(cxx_memcpy_other_barrier_blocks),
      .cuda = "cuda::memcpy_async(shared, in, cuda::aligned_size_t<4>(64), $);", .seen = "*wide|bar",
      .holds = "cp.async.mbarrier.arrive cp.async.wait_all" },
    { CK_RULE(cxx_memcpy_trivial), .declare = OWN, .cuda = "cuda::memcpy_async(($ *)shared, (const $ *)in, 64, bar);",
      .accept = "int", .refuse = "own", .says = "memcpy_async requires a trivially copyable type" },
    { CK_RULE(cxx_memcpy_aligned_power), .cuda = "cuda::memcpy_async(shared, in, cuda::aligned_size_t<$>(64), bar);",
      .accept = "4", .refuse = "3|12" },
    { CK_RULE(cxx_memcpy_explicit), .cuda = "cuda::aligned_size_t<16> bytes $; pi[0] = (int)(size_t)bytes;",
      .accept = "(64)", .refuse = "= 64" },
    { CK_RULE(cxx_tx_align), .cuda = "cuda::device::memcpy_async_tx(shared, in, $, bar);",
      .accept = "cuda::aligned_size_t<16>(64)", .refuse = "cuda::aligned_size_t<8>(64)|64" },
    { CK_RULE(cxx_tx_scope), .cuda = "cuda::device::memcpy_async_tx(shared, in, cuda::aligned_size_t<16>(64), $);",
      .accept = "bar", .refuse = "*wide" },
    { CK_RULE(cxx_tx_trivial), .declare = OWN,
      .cuda = "cuda::device::memcpy_async_tx(($ *)shared, (const $ *)in, cuda::aligned_size_t<16>(64), bar);",
      .accept = "int", .refuse = "own", .says = "memcpy_async_tx requires a trivially copyable type" },
    { 0 },
};

const struct ck_suite memcpy_async_rows = { "memcpy-async-rows", cases };
// SPDX-License-Identifier: Apache-2.0
