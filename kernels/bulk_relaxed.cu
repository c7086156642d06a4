/* The multicast kernel with a wait that acquires nothing. The qualifier of the wait needs a newer PTX than
 * bulk_cluster.cu, so it has a file of its own. */
#include "kernels/bulk_multicast.cuh"

template <int M> __device__ void wait_relaxed(const ck_head &h, uint32_t bar)
{
    uint32_t done = 0;

    for (const uint64_t start = ck_now(); !done;) {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.relaxed.cluster.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(bar)
                     : "memory");
        if (!done && h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, 0);
            return;
        }
    }
}

CK_MUTANT(bulk_multicast, relaxed, RELAXED, bulk_multicast_args)
// SPDX-License-Identifier: Apache-2.0
