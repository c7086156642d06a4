/* Pages of the notes 004: groups of copies by cp.async. */
#include <cstdint>
#include <cuda/atomic>
#include <cuda_pipeline.h>

/* Starts a copy of 16 bytes. */
__device__ static void copy(int4 *to, const int4 *from)
{
    const uint32_t shrd = (uint32_t)__cvta_generic_to_shared(to);

    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shrd), "l"(from) : "memory");
}

/* Waits for all groups of the thread but the newest N. */
template <int N> __device__ static void wait_group()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

/* listing.004.groups-two-threads: each thread has groups of its own.
 *
 *     thread 0   copy A   copy B   commit   wait_group 0: A and B      |
 *     thread 1   copy X   copy Y   commit   wait_group 0: X and Y      | __syncthreads
 *
 * Thread 0 has waited for A and B, and X may still be on its way. Behind the barrier all four
 * are there for both: here each thread gives out what the other one has copied. */
extern "C" __global__ void groups_two_threads(const int4 *in, int4 *out)
{
    __shared__ int4 tile[2][2];
    const int t = threadIdx.x;

    copy(&tile[t][0], &in[2 * t]);
    copy(&tile[t][1], &in[2 * t + 1]);
    asm volatile("cp.async.commit_group;" ::: "memory");
    wait_group<0>();
    __syncthreads();         //! no_sync
    const int other = 1 - t; //! own: const int other = t;
    out[2 * t] = tile[other][0];
    out[2 * t + 1] = tile[other][1];
}

/* listing.004.groups-commit: five copies in two groups.
 *
 *     copy 0  copy 1  copy 2  commit | copy 3  copy 4  commit
 *     ------- group 0 -------        | --- group 1 ---
 *
 *     wait_group 1   all groups but the newest one: copies 0, 1 and 2 are there
 *     wait_group 0   all groups: 3 and 4 too
 *
 * Inside a group copies have no order. */
extern "C" __global__ void groups_commit(const int4 *in, int4 *out)
{
    __shared__ int4 tile[5][64];
    const int t = threadIdx.x, n = blockDim.x;

    for (int i = 0; i < 5; i++) {
        copy(&tile[i][t], &in[i * n + t]);
        if (i == 2 || i == 4) //! one_late: if (i == 1 || i == 4)
            asm volatile("cp.async.commit_group;" ::: "memory");
    }
    wait_group<1>();
    for (int i = 0; i < 3; i++) //! too_far: for (int i = 0; i < 5; i++)
        out[i * n + t] = tile[i][t];
    wait_group<0>();
    for (int i = 3; i < 5; i++) //! only_first: for (int i = 3; i < 4; i++)
        out[i * n + t] = tile[i][t];
}

/* listing.004.wait-group-1: three commits, and a wait for all groups but the newest one.
 *
 *     group 0   group 1   group 2
 *     there     there     may be under way      behind wait_group 1
 */
extern "C" __global__ void wait_group_1(const int4 *in, int4 *out)
{
    __shared__ int4 tile[3][64];
    const int t = threadIdx.x, n = blockDim.x;

    for (int group = 0; group < 3; group++) {
        copy(&tile[group][t], &in[group * n + t]);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    wait_group<1>(); //! wait_2: wait_group<2>();
    out[t] = tile[0][t];
    out[n + t] = tile[1][t];
    wait_group<0>();
    out[2 * n + t] = tile[2][t]; //! first: out[2 * n + t] = tile[0][t];
}

/* listing.004.wait-all: two ways to wait for all copies of the thread so far.
 *
 *     cp.async.wait_all            also those that are in no group yet
 *     commit_group, wait_group 0   puts them into a group, and waits for all groups
 */
extern "C" __global__ void wait_all(const int4 *in, int4 *out, int groups)
{
    __shared__ int4 tile[64];
    const int t = threadIdx.x;

    copy(&tile[t], &in[t]); //! first: copy(&tile[t], &in[0]);
    if (groups) {
        asm volatile("cp.async.commit_group;" ::: "memory"); //! no_commit
        wait_group<0>();
    } else {
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
    out[t] = tile[t];
    //! no_commit: asm volatile("cp.async.wait_all;" ::: "memory");
}

/* listing.004.visibility-x: thread A copies x, and thread B of another warp reads it. That the
 * copy is complete is one thing, that B sees it is another:
 *
 *     A   copy x   wait_all   flag = 1, release
 *                                        \
 *     B                       flag == 1, acquire   read x
 *
 * The wait makes the copy's writes visible to A; the release hands on to B what A sees. */
extern "C" __global__ void visibility_x(const int4 *in, int4 *out)
{
    __shared__ int4 x;
    __shared__ int flag;
    cuda::atomic_ref<int, cuda::thread_scope_block> ready(flag);

    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        copy(&x, in);
        asm volatile("cp.async.wait_all;" ::: "memory"); //! no_wait
        ready.store(1, cuda::memory_order_release);      //! relaxed: ready.store(1, cuda::memory_order_relaxed);
    }
    if (threadIdx.x == 32) {
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
        const int4 seen = x;
        out[0] = { seen.w, seen.z, seen.y, seen.x }; //! straight: out[0] = seen;
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/* listing.004.trap-no-syncthreads: the wait is for the thread's own copies. To read those of
 * another thread takes a barrier behind it, which all threads reach when they have waited. */
extern "C" __global__ void trap_no_syncthreads(const int *global, int *out)
{
    __shared__ int smem[256];
    const int tid = threadIdx.x;

    __pipeline_memcpy_async(&smem[tid], &global[tid], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();                            //! no_sync
    const int other_tid = blockDim.x - 1 - tid; //! own: const int other_tid = tid;
    out[tid] = smem[other_tid];
}

/* listing.004.trap-wait-2: the number is not that of a group to wait for. It says how many of
 * the newest groups may still be under way.
 *
 *     group 0   group 1   group 2       commits so far: 3
 *     there     ?         ?             behind __pipeline_wait_prior(2)
 *
 * So number 0 may be read; the others, when a later wait lets none run on. */
extern "C" __global__ void trap_wait_2(const int *in, int *out)
{
    __shared__ int tile[3][256];
    const int t = threadIdx.x, n = blockDim.x;

    for (int group = 0; group < 3; group++) {
        __pipeline_memcpy_async(&tile[group][t], &in[group * n + t], sizeof(int));
        __pipeline_commit();
    }
    __pipeline_wait_prior(2);
    out[t] = tile[0][t]; //! group_2: out[2 * n + t] = tile[2][t];
    __pipeline_wait_prior(0);
    out[n + t] = tile[1][t];
    out[2 * n + t] = tile[2][t]; //! group_2: out[t] = tile[0][t];
    //! first: out[n + t] = tile[0][t];
}

/* listing.004.trap-wait-0: to have all three groups, let none run on. */
extern "C" __global__ void trap_wait_0(const int *in, int *out)
{
    __shared__ int tile[3][256];
    const int t = threadIdx.x, n = blockDim.x;

    for (int group = 0; group < 3; group++) {
        __pipeline_memcpy_async(&tile[group][t], &in[group * n + t], sizeof(int));
        __pipeline_commit();
    }
    __pipeline_wait_prior(0);                      //! wait_2: __pipeline_wait_prior(2);
    out[t] = tile[0][t] + tile[1][t] + tile[2][t]; //! two: out[t] = tile[0][t] + tile[1][t];
    __pipeline_wait_prior(0);
}

/* listing.004.wait-prior-mapping: batches are numbered by their commits, from 0 to L. Behind
 * wait_prior(N) batches 0 to L - N are there.
 *
 *     copy  copy  commit    copy  commit     wait_prior(1)
 *     --- batch 0 ------    - batch 1 --     L = 1: batch 0 is there, batch 1 may not be
 */
extern "C" __global__ void wait_prior_mapping(const int *in, int *out)
{
    __shared__ int tile[3][256];
    const int t = threadIdx.x, n = blockDim.x;

    __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(int));
    __pipeline_memcpy_async(&tile[1][t], &in[n + t], sizeof(int));
    __pipeline_commit(); /* batch 0 */
    __pipeline_memcpy_async(&tile[2][t], &in[2 * n + t], sizeof(int));
    __pipeline_commit(); /* batch 1 */

    __pipeline_wait_prior(1);         //! wait_2: __pipeline_wait_prior(2);
    out[t] = tile[0][t] + tile[1][t]; //! one: out[t] = tile[0][t];
    __pipeline_wait_prior(0);
    out[n + t] = tile[2][t];
}

/* listing.004.ptx-two-stage: two stages of two copies each, a group a stage. The first stage is
 * used while the second one is still on its way.
 *
 *     copy copy commit  copy copy commit  wait_group 1  use 0  wait_group 0  use 1
 *     == stage 0 ====================================|
 *                       == stage 1 ===================================|
 *
 * Threads give out pieces of others: so a barrier follows each wait. */
extern "C" __global__ void ptx_two_stage(const int4 *in, int4 *out)
{
    __shared__ int4 shrd[2][128];
    const int t = threadIdx.x, n = 2 * blockDim.x;

    for (int stage = 0; stage < 2; stage++) {
        const uint32_t to = (uint32_t)__cvta_generic_to_shared(&shrd[stage][2 * t]);
        const int4 *const from = in + stage * n + 2 * t;

        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
        asm volatile("cp.async.ca.shared.global [%0+16], [%1+16], 16;" ::"r"(to), "l"(from) : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    wait_group<1>(); //! wait_2: wait_group<2>();
    __syncthreads(); //! no_sync
    for (int i = t; i < n; i += blockDim.x)
        out[i] = shrd[0][n - 1 - i]; //! straight: out[i] = shrd[0][i];
    wait_group<0>();
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x)
        out[n + i] = shrd[1][n - 1 - i];
}
