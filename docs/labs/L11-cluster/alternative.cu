/* Fades two channels of sound and mixes them: mixed[i] = fade[i] * left[i] + fade[i] * right[i].
 *
 * Two blocks form a cluster: rank 0 has the left channel, rank 1 the right one, of the same PIECE samples. Both need
 * the same piece of `fade`, so rank 0 loads it once, with a copy that delivers it to both blocks. At the end rank 0
 * reads what rank 1 has in its shared memory, and writes the mix. */
#include "lab.cuh"

#define PIECE 64 /* samples of a cluster: one for each thread of a block */

extern "C" __global__ void mix(const float *fade, const float *left, const float *right, float *mixed)
{
    __shared__ alignas(16) float factor[PIECE];
    __shared__ float faded[PIECE];
    __shared__ uint64_t loaded; /* the mbarrier on which this block's delivery counts its bytes */

    uint32_t rank = cluster_ctarank();
    uint32_t first = blockIdx.x / 2 * PIECE, i = threadIdx.x;

    if (i == 0) {
        mbarrier_init(&loaded, 1);
        fence_mbarrier_init();
    }
    cluster_sync(); /* both blocks have their mbarriers before a copy counts on them */

    if (rank == 0 && i == 0)
        cp_async_bulk_load_multicast(factor, &fade[first], sizeof factor, &loaded, 0b11); /* to ranks 0 and 1 */

    if (i == 0)
        mbarrier_arrive_expect_tx(&loaded, sizeof factor);

    const float *channel = rank == 0 ? left : right;
    float sample = channel[first + i];
    mbarrier_wait_parity(&loaded, 0);
    faded[i] = factor[i] * sample;

    cluster_sync(); /* both blocks have faded their channels */
    if (rank == 0)
        mixed[first + i] = faded[i] + *mapa(&faded[i], 1);
    cluster_sync(); /* rank 1 stays until rank 0 has read its memory */
}
