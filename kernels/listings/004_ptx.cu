/* Pages of the notes 004: cp.async in PTX. */
#include <cstdint>

/* The address of an object in shared memory, as cp.async takes it. */
__device__ static uint32_t address(const void *shared)
{
    return (uint32_t)__cvta_generic_to_shared(shared);
}

/* listing.004.ptx-basic: each thread copies 16 bytes, and wait_all waits for the copies that
 * the thread has made so far. The words "memory" and volatile keep the compiler from moving
 * its own accesses over the lines. */
extern "C" __global__ void ptx_basic(const int4 *in, int4 *out)
{
    __shared__ int4 tile[256];
    const int t = threadIdx.x;
    const uint32_t to = address(&tile[t]);

    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(&in[t]) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory"); //! no_wait
    __syncthreads();                                 //! no_sync
    const int other = blockDim.x - 1 - t;            //! straight: const int other = t;
    out[t] = tile[other];
}

/* listing.004.ptx-prefetch: an address may have a constant added to it, here 64 bytes; and a
 * prefetch size asks the L2 cache to have so many bytes at hand. It changes no result. */
extern "C" __global__ void ptx_prefetch(const int4 *in, int4 *out)
{
    __shared__ int4 tile[256];
    const int t = threadIdx.x;

    //! near: in -= 4;
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1+64], 16;"
                 :
                 : "r"(address(&tile[t])), "l"(&in[t])
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory"); //! no_wait
    out[t] = tile[t];
}

/* listing.004.src-size-tail: rows of four numbers, of which three count. Each copy writes 16
 * bytes and reads 12: the rest of its destination becomes zero.
 *
 *     source        | a b c x | a b c x | ...      x is not read
 *     destination   | a b c 0 | a b c 0 | ...
 *
 * The source is still at a multiple of 16: rows of 12 bytes, end to end, will not do. */
extern "C" __global__ void src_size_tail(const int *rows, int4 *out)
{
    __shared__ int4 tile[256];
    const int t = threadIdx.x;
    const uint32_t s = address(&tile[t]);
    const int *const g = rows + 4 * t; //! dense: const int *const g = rows + 3 * t;

    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, 12;" ::"r"(s), "l"(g) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory"); //! no_wait
    out[t] = tile[t];                                //! last: out[t] = { 0, 0, 0, tile[t].w };
}

/* listing.004.ptx-srcsize: an array of any number of bytes. What is left of it from here on is
 * the source size of a thread's copy, at least 0 and at most 16:
 *
 *     thread         0     1     2     3
 *     left          40    24     8    -8
 *     source size   16    16     8     0      the rest of the 16 bytes becomes zero
 *
 * A source size above the copy size is not cut off: what happens then is undefined. */
extern "C" __global__ void ptx_srcsize(const char *in, int4 *out, int bytes)
{
    __shared__ int4 tile[256];
    const int t = threadIdx.x;
    const int left = max(0, bytes - 16 * t);
    const int remaining = min(16, left); //! unclamped: const int remaining = left;

    //! whole: if (remaining > 0 && remaining < 16) return;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(address(&tile[t])), "l"(in + 16 * t), "r"(remaining)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory"); //! no_wait
    out[t] = tile[t];
}

/* listing.004.ignore-src: threads from valid_count on are past the end. They make their copy as
 * the others do, and get zeros: the predicate behind the size says to ignore the source.
 *
 *     thread   0 1 2 3 4 5 6 7       valid_count = 5
 *     p        0 0 0 0 0 1 1 1
 *     tile     a b c d e 0 0 0
 *
 * The register %tid.x is a special one: setp does not take it, it is moved into another one. */
extern "C" __global__ void ignore_src(const int4 *in, int4 *out, int valid_count)
{
    __shared__ int4 tile[256];
    const int t = threadIdx.x;

    //! fewer: valid_count--;
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 ".reg .s32 tid;\n\t"
                 "mov.u32 tid, %%tid.x;\n\t"
                 "setp.ge.s32 p, tid, %2;\n\t" //! one_more: "setp.gt.s32 p, tid, %2;\n\t"
                 "cp.async.ca.shared.global [%0], [%1], 16, p;\n\t"
                 "}"
                 :
                 : "r"(address(&tile[t])), "l"(&in[t]), "r"(valid_count)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory"); //! no_wait
    out[t] = tile[t];
}

/* listing.004.ptx-ignsrc: a row in tiles of 30 pieces, and of a piece more on both sides, which
 * are those of the neighbours. Past the ends of the row there is zero.
 *
 *     piece      -1  0  1 ... 29 30            29 30 31 ... n-1  n n+1
 *     tile 0    | 0  a  b ...  x  y |   tile 1 | x  y  z ...  w  0  0 |
 *
 * As an unsigned number a negative one is large: one comparison is for both ends. */
extern "C" __global__ void ptx_ignsrc(const int4 *row, int4 *out, int n)
{
    __shared__ int4 tile[32];
    const int piece = blockIdx.x * 30 + threadIdx.x - 1;

    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "setp.ge.u32 p, %2, %3;\n\t" //! high: "setp.ge.s32 p, %2, %3;\n\t"
                 //! low: "setp.lt.s32 p, %2, 0;\n\t"
                 "cp.async.ca.shared.global [%0], [%1], 16, p;\n\t"
                 "}"
                 :
                 : "r"(address(&tile[threadIdx.x])), "l"(row + piece), "r"(piece), "r"(n)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory"); //! no_wait
    out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
}

/* listing.004.inline-ignore-src: as a function of C++. A predicate is no operand of asm: a
 * number comes in, and setp makes the predicate. */
__device__ static void copy_or_zero(int4 *to, const int4 *from, bool ignore)
{
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "setp.ne.s32 p, %2, 0;\n\t"
                 "cp.async.ca.shared.global [%0], [%1], 16, p;\n\t"
                 "}"
                 :
                 : "r"(address(to)), "l"(from), "r"((int)ignore)
                 : "memory");
}

/* Rows are gathered by a list of their numbers. -1 stands for none: a row of zeros. */
extern "C" __global__ void gather_rows(const int4 *rows, const int *list, int4 *out)
{
    __shared__ int4 tile[256];
    const int t = threadIdx.x, number = list[t];
    const bool none = number < 0; //! all: const bool none = false;

    copy_or_zero(&tile[t], &rows[number], none);
    asm volatile("cp.async.wait_all;" ::: "memory"); //! no_wait
    out[t] = tile[t];
}
