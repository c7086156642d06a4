// CUTLASS's pipeline of TMA loads in a cluster of two: the leader's copies go to both CTAs and signal the mbarriers of
// both.
#include <cutlass/cutlass.h>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cutlass/cluster_launch.hpp>
#include <cutlass/pipeline/pipeline.hpp>
#include <cute/arch/cluster_sm90.hpp>

using Cluster = cute::Shape<cute::_2, cute::_1, cute::_1>;
using Pipeline = cutlass::PipelineTmaAsync<2>;
enum { BYTES = 1024 };

struct Shared {
    alignas(128) unsigned char tile[2][BYTES];
    Pipeline::SharedStorage pipeline;
};

__global__ void __cluster_dims__(2, 1, 1) load(const unsigned char *from, unsigned char *to)
{
    __shared__ alignas(128) unsigned char storage[sizeof(Shared)];
    Shared &shared = *reinterpret_cast<Shared *>(storage);
    const bool producer = threadIdx.x < 32;
    Pipeline::Params params;
    params.transaction_bytes = BYTES;
    params.role = producer ? Pipeline::ThreadCategory::Producer : Pipeline::ThreadCategory::Consumer;
    params.is_leader = threadIdx.x % 32 == 0;
    params.num_consumers = 128;
    Pipeline pipeline(shared.pipeline, params, Cluster{});
    auto write = cutlass::make_producer_start_state<Pipeline>();
    cutlass::PipelineState<2> read;

    cute::cluster_arrive_relaxed();
    cute::cluster_wait();
    for (int k = 0; k < 2; k++) {
        if (threadIdx.x == 0) {
            pipeline.producer_acquire(write);
            const unsigned half = BYTES / 2, rank = cute::block_rank_in_cluster();
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                "[%0], [%1], %2, [%3], 3;" ::"r"(cute::cast_smem_ptr_to_uint(shared.tile[write.index()] + rank * half)),
                "l"(from + k * BYTES + rank * half), "r"(half),
                "r"(cute::cast_smem_ptr_to_uint(pipeline.producer_get_barrier(write)))
                : "memory");
            ++write;
        }
        if (threadIdx.x >= 128) {
            pipeline.consumer_wait(read);
            const unsigned i = threadIdx.x - 128;
            if (cute::block_rank_in_cluster() == 0)
                for (unsigned b = i; b < BYTES; b += 128)
                    to[k * BYTES + b] = shared.tile[read.index()][b];
            asm volatile("bar.sync 1, 128;" ::: "memory"); // one thread releases for all
            pipeline.consumer_release(read);
            ++read;
        }
    }
    cute::cluster_arrive();
    cute::cluster_wait();
}

int main()
{
    unsigned char *from, *to;
    unsigned char values[2 * BYTES] = { 1, 2, 3 };

    cudaMalloc(&from, sizeof values);
    cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMalloc(&to, sizeof values);
    load<<<2, 256>>>(from, to);
}
// SPDX-License-Identifier: Apache-2.0
