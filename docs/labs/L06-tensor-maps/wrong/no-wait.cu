/* The maps are right, but nobody waits for the copies: whether they are there in time is luck. */
#include "lab.cuh"

constexpr unsigned POINT_FLOATS = 6, POINT_ROWS = 8, POINT_BOX = 8;
constexpr unsigned STRIP_FLOATS = 4, STRIP_ROWS = 272;
constexpr unsigned BLOCK_FLOATS = 40, BLOCK_ROWS = 4;
constexpr unsigned IMAGE_FLOATS = 16, IMAGE_ROWS = 4;

constexpr unsigned POINT_PITCH = POINT_BOX * sizeof(float); /* bytes: a multiple of 16 */
constexpr unsigned STRIP_BOX = STRIP_ROWS / 2;              /* rows that one copy brings: at most 256 */
constexpr unsigned IMAGE_BOX = IMAGE_FLOATS + 4;            /* columns that the copy brings */
constexpr unsigned IMAGE_SKIP = 2;                          /* and those of them that come before the wanted ones */

/* What the host passes to cuTensorMapEncodeTiled: a tensor in global memory, and the box that one copy brings. */
extern "C" __global__ void describe(lab_encode *calls, unsigned rows)
{
    cuTensorMapEncodeTiled_args(&calls[0], CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2,
                                0,                     /* globalAddress: bytes behind the start of points */
                                POINT_FLOATS, rows,    /* globalDim: elements; the first is the fastest */
                                POINT_PITCH,           /* globalStrides: bytes from a row to the next */
                                POINT_BOX, POINT_ROWS, /* boxDim: elements */
                                1, 1,                  /* elementStrides */
                                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

    cuTensorMapEncodeTiled_args(&calls[1], CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2,
                                0,                       /* globalAddress: bytes behind the start of strip */
                                STRIP_FLOATS, rows,      /* globalDim */
                                16,                      /* globalStrides */
                                STRIP_FLOATS, STRIP_BOX, /* boxDim */
                                1, 1,                    /* elementStrides */
                                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

    cuTensorMapEncodeTiled_args(&calls[2], CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2,
                                0,                        /* globalAddress: bytes behind the start of block */
                                48, rows,                 /* globalDim */
                                192,                      /* globalStrides */
                                BLOCK_FLOATS, BLOCK_ROWS, /* boxDim */
                                1, 1,                     /* elementStrides */
                                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

    cuTensorMapEncodeTiled_args(&calls[3], CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2,
                                0,                     /* globalAddress: bytes behind the start of image */
                                32, rows,              /* globalDim */
                                128,                   /* globalStrides */
                                IMAGE_BOX, IMAGE_ROWS, /* boxDim */
                                1, 1,                  /* elementStrides */
                                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

/* Writes the first `columns` floats of each of a tile's rows to `out`; returns what follows in `out`. */
__device__ static float *write_out(float *out, const float *tile, unsigned pitch, unsigned columns, unsigned rows)
{
    for (unsigned i = threadIdx.x; i < columns * rows; i += blockDim.x)
        out[i] = tile[i / columns * pitch + i % columns];
    return out + columns * rows;
}

extern "C" __global__ void load(float *out, unsigned y, const float *points, const float *strip, const float *block,
                                const float *image, const __grid_constant__ CUtensorMap points_map,
                                const __grid_constant__ CUtensorMap strip_map,
                                const __grid_constant__ CUtensorMap block_map,
                                const __grid_constant__ CUtensorMap image_map)
{
    __shared__ alignas(128) float point_tile[POINT_ROWS][POINT_BOX];
    __shared__ alignas(128) float strip_tile[STRIP_ROWS][STRIP_FLOATS];
    __shared__ alignas(128) float block_tile[BLOCK_ROWS][BLOCK_FLOATS];
    __shared__ alignas(128) float image_tile[IMAGE_ROWS][IMAGE_BOX];
    __shared__ alignas(8) uint64_t bar;

    if (threadIdx.x == 0) {
        mbarrier_init(&bar, 1);
        fence_mbarrier_init();
    }
    __syncthreads();

    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(&bar, sizeof point_tile + sizeof strip_tile + sizeof block_tile + sizeof image_tile);
        cp_async_bulk_tensor_2d_load(point_tile, &points_map, 0, y, &bar);
        for (unsigned row = 0; row < STRIP_ROWS; row += STRIP_BOX)
            cp_async_bulk_tensor_2d_load(strip_tile[row], &strip_map, 0, y + row, &bar);
        cp_async_bulk_tensor_2d_load(block_tile, &block_map, 0, y, &bar);
        cp_async_bulk_tensor_2d_load(image_tile, &image_map, 0, y, &bar);
    }
    __syncthreads();

    out = write_out(out, point_tile[0], POINT_BOX, POINT_FLOATS, POINT_ROWS);
    out = write_out(out, strip_tile[0], STRIP_FLOATS, STRIP_FLOATS, STRIP_ROWS);
    out = write_out(out, block_tile[0], BLOCK_FLOATS, BLOCK_FLOATS, BLOCK_ROWS);
    write_out(out, image_tile[0] + IMAGE_SKIP, IMAGE_BOX, IMAGE_FLOATS, IMAGE_ROWS);
}
