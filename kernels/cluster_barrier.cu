/* The barrier of a cluster, and what CTAs know of their place in it. */
#include "kernels/cluster.cuh"
#include "kernels/cluster_barrier.h"

enum { NONE, NO_WAIT, STAY, NO_BARRIER, WRITE_BETWEEN, READ_FIRST, RELAXED };

__device__ static void arrive()
{
    asm volatile("barrier.cluster.arrive;" ::: "memory");
}

__device__ static void arrive_relaxed()
{
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
}

__device__ static void wait()
{
    asm volatile("barrier.cluster.wait;" ::: "memory");
}

/* The last warp of the cluster's last CTA is late. */
__device__ static void be_late(const cluster_barrier_args &a)
{
    if (cluster_rank() == cluster_size() - 1 && threadIdx.x / 32 == (blockDim.x - 1) / 32)
        ck_pause(a.delay);
}

/* Each thread counts itself, arrives, waits, and reads the count: out[thread of the grid]. NO_WAIT: it reads before it
 * waits. */
template <int M> __device__ static void cluster_all_body(const cluster_barrier_args &a)
{
    uint32_t *count = &a.count[cluster_number()], found;

    be_late(a);
    atomicAdd(count, 1);
    arrive();
    if (M == NO_WAIT)
        found = atomicAdd(count, 0);
    wait();
    if (M != NO_WAIT)
        found = atomicAdd(count, 0);
    a.out[blockIdx.x * blockDim.x + threadIdx.x] = found;
}
CK_KERNEL(cluster_all, cluster_barrier_args)
CK_MUTANT(cluster_all, no_wait, NO_WAIT, cluster_barrier_args)

/* The last warp of each CTA, or the cluster's last CTA, exits at once. All others count themselves, meet at the
 * cluster's barrier, and read the count. STAY: those that should exit spin, and come only when the limit of a wait is
 * over. */
template <int M> __device__ static void cluster_gone_body(const cluster_barrier_args &a)
{
    uint32_t *count = &a.count[cluster_number()];
    const uint32_t me = blockIdx.x * blockDim.x + threadIdx.x;

    if (a.leave == LEAVE_CTA ? cluster_rank() == cluster_size() - 1 : threadIdx.x / 32 == (blockDim.x - 1) / 32) {
        if (M == STAY) {
            ck_pause(a.delay);
            atomicAdd(count, 1);
            cluster_sync_unaligned();
        }
        return;
    }
    atomicAdd(count, 1);
    cluster_sync_unaligned();
    a.out[me] = atomicAdd(count, 0);
}
CK_KERNEL(cluster_gone, cluster_barrier_args)
CK_MUTANT(cluster_gone, stay, STAY, cluster_barrier_args)

/* Round by round each thread writes the round's number into the shared memory of the next CTA, meets all others, and
 * reads what came to it; two words take turns. out[thread of the grid] counts the rounds in which it was right.
 * NO_BARRIER: there is no barrier in the last round, and the last CTA is late. */
template <int M> __device__ static void cluster_rounds_body(const cluster_barrier_args &a)
{
    __shared__ uint32_t words[2][1024];
    const uint32_t i = threadIdx.x, next = (cluster_rank() + 1) % cluster_size();
    uint32_t right = 0, word;

    words[0][i] = words[1][i] = 0;
    cluster_sync_unaligned();
    for (uint32_t r = 0; r < a.rounds; r++) {
        if (r + 1 == a.rounds)
            be_late(a);
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(in_cta(ck_shared(&words[r & 1][i]), next)), "r"(r + 1)
                     : "memory");
        if (M != NO_BARRIER || r + 1 < a.rounds)
            cluster_sync_unaligned();
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(ck_shared(&words[r & 1][i])) : "memory");
        right += word == r + 1;
    }
    a.out[blockIdx.x * blockDim.x + i] = right;
    cluster_sync_unaligned();
}
CK_KERNEL(cluster_rounds, cluster_barrier_args)
CK_MUTANT(cluster_rounds, no_barrier, NO_BARRIER, cluster_barrier_args)

/* Each thread writes a word into the shared memory of the next CTA and one into global memory, meets all others, and
 * reads those of the thread `distance` before it: out[2 * thread of the grid + 0 or 1]. The arrive is relaxed where a
 * fence takes the release's place. WRITE_BETWEEN: it writes between arrive and wait. READ_FIRST: it reads before it
 * waits. RELAXED: there is no fence either. */
template <int M> __device__ static void cluster_publish_body(const cluster_barrier_args &a)
{
    __shared__ uint32_t words[1024];
    const uint32_t n = blockDim.x, i = threadIdx.x, ranks = cluster_size(), rank = cluster_rank();
    const uint32_t other = (i + n - 1) % n, base = blockIdx.x - rank, next = (rank + 1) % ranks;
    const uint32_t to = in_cta(ck_shared(&words[i]), next), me = blockIdx.x * n + i;
    const uint32_t from = (base + (rank + ranks - 1) % ranks) * n + other;
    uint32_t near_word = 0, far_word = 0;

    words[i] = 0;
    cluster_sync_unaligned();
    if (M == WRITE_BETWEEN)
        arrive();
    be_late(a);
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(me + 1) : "memory");
    asm volatile("st.global.u32 [%0], %1;" ::"l"(&a.words[me]), "r"(me + 1) : "memory");
    if (a.fence && M != RELAXED)
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
    if (M != WRITE_BETWEEN) {
        if (a.fence)
            arrive_relaxed();
        else
            arrive();
    }
    if (M != READ_FIRST)
        wait();
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(near_word) : "r"(ck_shared(&words[other])) : "memory");
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(far_word) : "l"(&a.words[from]) : "memory");
    if (M == READ_FIRST)
        wait();
    a.out[2 * me] = near_word;
    a.out[2 * me + 1] = far_word;
    cluster_sync_unaligned();
}
CK_KERNEL(cluster_publish, cluster_barrier_args)
CK_MUTANT(cluster_publish, write_between, WRITE_BETWEEN, cluster_barrier_args)
CK_MUTANT(cluster_publish, read_first, READ_FIRST, cluster_barrier_args)
CK_MUTANT(cluster_publish, relaxed, RELAXED, cluster_barrier_args)

#define READ3(at, name)                                                                                                \
    asm("mov.u32 %0, %%" name ".x;" : "=r"(place[at]));                                                                \
    asm("mov.u32 %0, %%" name ".y;" : "=r"(place[(at) + 1]));                                                          \
    asm("mov.u32 %0, %%" name ".z;" : "=r"(place[(at) + 2]))

/* One thread of each CTA writes out what its special registers say: PLACE_WORDS words at the CTA's number in the grid,
 * x fastest. */
template <int M> __device__ static void cluster_place_body(const cluster_barrier_args &a)
{
    const uint32_t number = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    uint32_t place[PLACE_WORDS];

    READ3(PLACE_CTAID, "ctaid");
    READ3(PLACE_NCTAID, "nctaid");
    READ3(PLACE_CLUSTERID, "clusterid");
    READ3(PLACE_NCLUSTERID, "nclusterid");
    READ3(PLACE_CLUSTER_CTAID, "cluster_ctaid");
    READ3(PLACE_CLUSTER_NCTAID, "cluster_nctaid");
    place[PLACE_RANK] = cluster_rank();
    place[PLACE_RANKS] = cluster_size();
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(place[PLACE_EXPLICIT]));
    for (uint32_t i = 0; i < PLACE_WORDS; i++)
        a.out[number * PLACE_WORDS + i] = place[i];
}
CK_KERNEL(cluster_place, cluster_barrier_args)
// SPDX-License-Identifier: Apache-2.0
