/* Pages of the notes 004: the second and the third entry to cp.async in C++, and their use. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

/* listing.004.entry2-cg: the second entry. The block copies together, and cg::wait is for the
 * copies of all its threads: behind it each thread may read all of the buffer.
 *
 *     cg::wait(block)  =  each thread waits for its own copies, then block.sync()
 *
 * With pointers to float it is cp.async of 4 bytes, whatever the buffer's alignment is;
 * aligned_size_t<16> would make it 16. */
extern "C" __global__ void entry_cg(const float *src, float *out)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ float buffer[256];

    cg::memcpy_async(block, buffer, src, sizeof buffer);
    cg::wait(block); //! no_wait: block.sync();

    for (int i = block.thread_rank(); i < 256; i += block.size())
        out[i] = buffer[255 - i]; //! straight: out[i] = buffer[i];
}

/* listing.004.entry3-primitives: the third entry. Each thread makes its own copy, commits it
 * and waits for it.
 *
 *     thread 0    copy commit wait |
 *     thread 1    copy commit wait | __syncthreads | read the numbers of others
 *     ...                          |
 *
 * The wait is for the thread's own copies: so others' are read behind a barrier only. */
extern "C" __global__ void entry_primitives(const float *src, float *out)
{
    __shared__ float buffer[256];
    const int t = threadIdx.x;

    __pipeline_memcpy_async(&buffer[t], &src[t], sizeof(float));
    __pipeline_commit();      //! no_commit
    __pipeline_wait_prior(0); //! wait_1: __pipeline_wait_prior(1);
    __syncthreads();          //! no_sync
    out[t] = buffer[255 - t]; //! straight: out[t] = buffer[t];
}

/* listing.004.basic_async_copy: blocks of 256 threads go over n numbers, the last block over
 * what is left. Each number comes out as the sum of itself and the next one of its tile.
 *
 *     tile of the last block   | x x x x x x x 0 0 0 0 0 |
 *                                copied        zero from before
 *
 * The call is for the whole group: all threads of the block call it, or none. */
extern "C" __global__ void basic_async_copy(const int *src, int *dst, int n)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ int tile[256 + 1];
    const int first = blockIdx.x * 256, t = threadIdx.x;
    const int count = min(256, n - first);

    /* The copy does not touch what is behind the last number: that has to hold something. */
    tile[t + 1] = 0; //! no_zero
    block.sync();    //! no_sync

    cg::memcpy_async(block, tile, src + first, count * sizeof(int));
    cg::wait(block); //! no_wait: block.sync();

    if (t < count)
        dst[first + t] = tile[t] + tile[t + 1]; //! alone: dst[first + t] = tile[t];
}

/* listing.004.double_buffer_async: a block goes over four tiles, and the copy of the next one
 * runs while it computes.
 *
 *     buffer 0   copy tile 0   compute 0     copy tile 2   compute 2
 *     buffer 1                 copy tile 1   compute 1     copy tile 3   compute 3
 *
 * There is a commit in each round, also where nothing was copied: so the newest group is always
 * the next tile's, and "all but the newest one" is always this tile's and those before. */
extern "C" __global__ void double_buffer_async(const int *in, int *out, int n)
{
    __shared__ int buffer[2][256];
    const int t = threadIdx.x, first = blockIdx.x * 4 * 256;

    if (first + t < n)
        __pipeline_memcpy_async(&buffer[0][t], &in[first + t], sizeof(int));
    __pipeline_commit();

    for (int tile = 0; tile < 4; tile++) {
        const int here = first + tile * 256, next = here + 256;

        if (tile < 3 && next + t < n)
            __pipeline_memcpy_async(&buffer[(tile + 1) % 2][t], &in[next + t], sizeof(int));
        __pipeline_commit();      //! last_uncommitted: if (tile < 3) __pipeline_commit();
        __pipeline_wait_prior(1); //! wait_2: __pipeline_wait_prior(2);
        __syncthreads();          //! no_first

        /* The number of the thread that is as far from the tile's end. */
        const int count = min(256, n - here);
        if (t < count)
            out[here + t] = 2 * buffer[tile % 2][count - 1 - t] + 1; //! odd: out[here + t] = 1;
        __syncthreads();                                             //! no_second
    }
}

/* listing.004.wrong-read-early: the copy returns at once, and its bytes come later. To read
 * them before the wait is a race: the line marked early does that. What it finds may be the old
 * bytes, the new ones, or some of both. */
extern "C" __global__ void read_after_wait(const int *a, int *out)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ int s[256];
    const int t = block.thread_rank();

    s[t] = 0;
    block.sync();
    cg::memcpy_async(block, s, a, sizeof s);
    //! early: out[t] = s[t];
    cg::wait(block);
    out[t] = s[t]; //! early: block.sync();
}

/* listing.004.wrong-source-change: until the wait the copy may still be reading its source. The
 * line marked early overwrites it before: either value may arrive. */
extern "C" __global__ void change_after_wait(int *a, int *out)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ int s[256];
    const int t = block.thread_rank();

    cg::memcpy_async(block, s, a, sizeof s);
    //! early: a[t] = 999;
    cg::wait(block);
    a[t] = 999;    //! early: block.sync();
    out[t] = s[t]; //! after: out[t] = a[t];
}

/* listing.004.right-wait: copy, wait, and only then read or overwrite. As cg::wait ends with a
 * barrier of the group, no __syncthreads is needed behind it before others' numbers are read;
 * one is needed before the buffer is filled again. */
extern "C" __global__ void wait_then_read(const int *a, int *out, int tiles)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ int s[256];
    const int t = block.thread_rank();

    for (int tile = 0; tile < tiles; tile++) {
        cg::memcpy_async(block, s, a + tile * 256, sizeof s);
        cg::wait(block);
        out[tile * 256 + t] = s[255 - t]; //! straight: out[tile * 256 + t] = s[t];
        block.sync();                     //! no_second
    }
}

/* listing.004.conditional-copy: threads below n copy their number, the others store a zero.
 * Such a branch is for copies that a thread makes by itself. */
extern "C" __global__ void conditional_copy(const int *global, int *out, int n)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ int smem[256];
    const int t = block.thread_rank();
    const int *const from = &global[t];
    int *const to = &smem[t];

    if (t < n)
        __pipeline_memcpy_async(to, from, 4); //! group: cg::memcpy_async(block, to, from, 4);
    else
        *to = 0;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();        //! no_sync
    out[t] = smem[255 - t]; //! straight: out[t] = smem[t];
}
