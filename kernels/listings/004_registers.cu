/* Pages of the notes 004: into shared memory through registers. */

/* listing.004.shared-assign: each thread copies one number by an assignment.
 *
 *     global[here]  --ld.global-->  register  --st.shared-->  shared[mine]
 *
 * An assignment needs no wait for itself: the store takes the register when the load has filled
 * it. What another thread has stored may be read behind a barrier only. */
extern "C" __global__ void shared_assign(const int *global, int *out)
{
    __shared__ int shared[1024];
    const int mine = threadIdx.x;
    const int here = blockIdx.x * blockDim.x + mine;

    shared[mine] = global[here];
    __syncthreads(); //! no_sync

    /* The number of the thread that is as far from the end as this one is from the start. */
    const int other = blockDim.x - 1 - mine; //! mine: const int other = mine;
    out[here] = shared[other];
}

/* listing.004.iteration-pattern: a block goes over its tiles. In each of them a number becomes
 * the sum of itself and its neighbour, which another thread has loaded.
 *
 *     load tile 0 | compute | load tile 1 | compute | ...
 *              first     second        first     second     the two barriers of a round
 *
 * The first one: all of the tile is there. The second one: nobody still reads what is going to
 * be overwritten. */
extern "C" __global__ void iteration_pattern(const int *global, int *out, int tiles)
{
    __shared__ int shared[1024];
    const int t = threadIdx.x;
    const int next = (t + 1) % blockDim.x;

    for (int tile = 0; tile < tiles; tile++) {
        const int g = (blockIdx.x * tiles + tile) * blockDim.x + t;

        shared[t] = global[g];
        __syncthreads(); //! no_first
        out[g] = shared[t] + shared[next];
        __syncthreads(); //! no_second
    }
}

/* listing.004.ldg-sts: each thread copies four numbers. In machine code a load is LDG and a
 * store is STS. How long the four take is a question of their order:
 *
 *     one after another   LDG ... STS  LDG ... STS  LDG ... STS  LDG ... STS
 *     loads first         LDG LDG LDG LDG ... STS STS STS STS
 *
 * The dots are the way to memory, several hundred clocks. In the second line the four loads are
 * on it together, which takes four registers. The compiler may turn the first into the second;
 * `cuobjdump -sass` shows what it chose. */
extern "C" __global__ void ldg_sts(const int *global, int *out)
{
    __shared__ int shared[4 * 256];
    const int first = blockIdx.x * 4 * blockDim.x;
    int number[4];

    for (int i = 0; i < 4; i++)
        number[i] = global[first + i * blockDim.x + threadIdx.x];
    for (int i = 0; i < 4; i++) {
        const int row = i; //! back: const int row = 3 - i;
        shared[row * blockDim.x + threadIdx.x] = number[i];
    }
    __syncthreads(); //! no_sync

    /* Each thread gives out four numbers that lie together. */
    for (int i = 0; i < 4; i++)
        out[first + 4 * threadIdx.x + i] = shared[4 * threadIdx.x + i];
}
