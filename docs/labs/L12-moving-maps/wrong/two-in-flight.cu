/* Adds up the columns of `count` matrices: sums[m][c] is the sum of column c of matrix m.
 *
 * The matrices lie one behind the other in `in`, each with COLUMNS columns. Matrix m has the rows begin[m] to
 * begin[m + 1] - 1: at least one, at most ROWS. One warp does all the work. It has one tensor map, in global memory, and
 * moves it from matrix to matrix; rows of the box behind a matrix's end are filled with zeros, which add nothing. */
#include "lab.cuh"

#define COLUMNS 32 /* one for each thread */
#define ROWS 8     /* rows of a box */

extern "C" __global__ void column_sums(const float *in, const uint32_t *begin, CUtensorMap *map, float *sums,
                                       uint32_t count)
{
    __shared__ alignas(128) float tile[2][ROWS][COLUMNS];
    __shared__ alignas(128) CUtensorMap draft; /* the map, where it is changed before it is published */
    __shared__ uint64_t loaded[2];

    uint32_t column = threadIdx.x;

    if (column == 0) {
        mbarrier_init(&loaded[0], 1);
        mbarrier_init(&loaded[1], 1);
        fence_mbarrier_init();
        draft = *map;
    }
    __syncwarp();

    /* Matrix m is on its way while matrix m - 1 is added up. */
    for (uint32_t m = 0; m <= count; m++) {
        if (m < count) {
            if (column == 0) {
                tensormap_replace_global_address(&draft, &in[begin[m] * COLUMNS]);
                tensormap_replace_global_dim(&draft, 1, begin[m + 1] - begin[m]);
            }
            __syncwarp();
            tensormap_cp_fenceproxy(map, &draft);
            if (column == 0) {
                fence_proxy_tensormap_acquire(map);
                mbarrier_arrive_expect_tx(&loaded[m % 2], sizeof tile[0]);
                cp_async_bulk_tensor_2d_load(tile[m % 2], map, 0, 0, &loaded[m % 2]);
            }
        }
        if (m > 0) {
            uint32_t before = m - 1;
            mbarrier_wait_parity(&loaded[before % 2], before / 2 % 2);
            float sum = 0;
            for (uint32_t row = 0; row < ROWS; row++)
                sum += tile[before % 2][row][column];
            sums[before * COLUMNS + column] = sum;
        }
        __syncwarp(); /* all have read the tile: the next one may come */
    }
}
