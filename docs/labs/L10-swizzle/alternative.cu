/* Transposes a matrix of floats: out[x][y] = in[y][x]. `in` has `rows` rows; the map describes it, with boxes of TILE
 * columns and TILE rows and the 128-byte swizzle.
 *
 * Each block takes one box. Its row is 128 bytes long: eight chunks of 16 bytes. Thread (row, chunk) reads one chunk of
 * one row and writes its four numbers into four rows of `out`. */
#include "lab.cuh"

#define TILE 32 /* columns and rows of a box */

struct shared_memory {
    uint64_t loaded; /* the mbarrier on which the load counts its bytes */
    alignas(128) float4 box[TILE][8];
};

extern "C" __global__ void transpose(const __grid_constant__ CUtensorMap map, float *out, uint32_t rows)
{
    __shared__ alignas(1024) struct shared_memory shared;

    uint32_t row = threadIdx.x, chunk = threadIdx.y;
    uint32_t left = blockIdx.x * TILE, top = blockIdx.y * TILE;

    if (row == 0 && chunk == 0) {
        mbarrier_init(&shared.loaded, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect_tx(&shared.loaded, sizeof shared.box);
        cp_async_bulk_tensor_2d_load(shared.box, &map, left, top, &shared.loaded);
    }
    __syncthreads();
    mbarrier_wait_parity(&shared.loaded, 0);

    /* The swizzle takes three bits of the address, from bit 7 on. */
    uint32_t pattern = (uint32_t)((size_t)&shared.box[row][0] >> 7) % 8;
    float4 four = shared.box[row][chunk ^ pattern];

    float *to = &out[(left + 4 * chunk) * rows + top + row];
    to[0 * rows] = four.x;
    to[1 * rows] = four.y;
    to[2 * rows] = four.z;
    to[3 * rows] = four.w;
}
