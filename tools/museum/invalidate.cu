// CUTLASS's barrier with transactions: made and ended.
#include <cutlass/cutlass.h>
#include <cutlass/arch/barrier.h>

__global__ void end_of_barrier()
{
    __shared__ alignas(8) unsigned long long barrier;

    if (threadIdx.x == 0) {
        auto *b = (cutlass::arch::ClusterTransactionBarrier *)&barrier;
        b->init(1);
        cutlass::arch::ClusterTransactionBarrier::invalidate(
            (cutlass::arch::ClusterTransactionBarrier::ValueType *)&barrier);
    }
}

int main()
{
    end_of_barrier<<<1, 32>>>();
}
// SPDX-License-Identifier: Apache-2.0
