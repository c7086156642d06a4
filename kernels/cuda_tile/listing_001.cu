/* Pages of the notes 001: tile kernels. A kernel is launched with blocks of one thread; what it does with a whole tile,
 * the compiler spreads over the threads of the machine. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

/* listing.001.figure19: an array of 10 x 16 in tiles of 2 x 4 is a grid of 5 x 4 tiles. Tile (1, 2) has the elements
 * from (2, 8) to (3, 11). An index counts tiles, the slowest dimension first.
 *
 *              column  0     4     8    12
 *     row  0         (0,0) (0,1) (0,2) (0,3)
 *          2         (1,0) (1,1)[(1,2)](1,3)
 *          4         (2,0) (2,1) (2,2) (2,3)
 */
extern "C" __tile_global__ void figure19(const int *array, int row, int column, int *out)
{
    const auto view =
        ct::partition_view{ ct::tensor_span{ array, ct::extents{ 10_ic, 16_ic } }, ct::shape{ 2_ic, 4_ic } };
    const auto tile = ct::partition_view{ ct::tensor_span{ out, ct::extents{ 2_ic, 4_ic } }, ct::shape{ 2_ic, 4_ic } };

    tile.store(view.load(row, column), 0, 0);
}

/* listing.001.vec_add: block i adds tile i of two arrays of 128 numbers. A span gives a pointer its extents, a view
 * cuts the span into tiles. __restrict__ and assume_aligned promise what the compiler cannot see, and change no result.
 */
extern "C" __tile_global__ void vec_add(float *__restrict__ a, float *__restrict__ b, float *__restrict__ out)
{
    const auto cut = [](float *array) {
        return ct::partition_view{ ct::tensor_span{ ct::assume_aligned(array, 16_ic), ct::extents{ 128_ic } },
                                   ct::shape{ 8_ic } };
    };
    const int i = ct::bid().x;

    cut(out).store(cut(a).load(i) + cut(b).load(i), i);
}

/* listing.001.edge_safe: an array of any length in tiles of 128. The last tile may hang over: the masked load gives
 * zero there, and the masked store writes nothing. A tile that lies outside altogether may be neither loaded nor
 * stored. */
extern "C" __tile_global__ void edge_safe(float *__restrict__ in, float *__restrict__ out, int n)
{
    in = ct::assume_aligned(in, 16_ic);
    out = ct::assume_aligned(out, 16_ic);
    const auto from = ct::partition_view{ ct::tensor_span{ in, ct::extents{ n } }, ct::shape{ 128_ic } };
    const auto to = ct::partition_view{ ct::tensor_span{ out, ct::extents{ n } }, ct::shape{ 128_ic } };
    const int i = ct::bid().x;

    to.store_masked(from.load_masked(i), i);
}

/* listing.001.vec_add_gather: the same sum through tiles of pointers. A pointer plus a tile of offsets is a tile of
 * pointers, which may point anywhere; nothing checks them. */
extern "C" __tile_global__ void vec_add_gather(int *__restrict__ a, int *__restrict__ b, int *__restrict__ out)
{
    const int i = ct::bid().x;
    const auto offsets = 8 * i + ct::iota<ct::tile<int, ct::shape<8>>>();

    ct::store(out + offsets, ct::load(a + offsets) + ct::load(b + offsets));
}

/* listing.001.gather_safe: a mask, a tile of truth values, says which elements are accessed. A masked load takes what
 * the others become, here 0. */
extern "C" __tile_global__ void gather_safe(int *__restrict__ array, int *__restrict__ out, int n)
{
    const int i = ct::bid().x;
    const auto offsets = 8 * i + ct::iota<ct::tile<int, ct::shape<8>>>();
    const auto mask = offsets < n;

    ct::store_masked(out + offsets, ct::load_masked(array + offsets, mask, 0), mask);
}

/* listing.001.tile_sum: one block adds up tiles. The loop over ct::irange tells the compiler its bounds; the sum is a
 * tile that goes from round to round. */
extern "C" __tile_global__ void tile_sum(float *__restrict__ array, float *__restrict__ out, int tiles)
{
    const auto from = ct::partition_view{ ct::tensor_span{ array, ct::extents{ 8 * tiles } }, ct::shape{ 8_ic } };
    const auto to = ct::partition_view{ ct::tensor_span{ out, ct::extents{ 8_ic } }, ct::shape{ 8_ic } };
    auto sum = ct::full<ct::tile<float, ct::shape<8>>>(0.0f);

    for (auto i : ct::irange(0, tiles))
        sum = sum + from.load(i);
    to.store(sum, 0);
}

/* listing.001.conditional_load: all blocks but the last copy their tile; the last one, whose tile may hang over, stores
 * zeros. A condition on a scalar is one way for the whole block. The plain load is right only because the last block
 * does not come to it. */
extern "C" __tile_global__ void conditional_load(float *__restrict__ array, float *__restrict__ out, int n)
{
    const auto from = ct::partition_view{ ct::tensor_span{ array, ct::extents{ n } }, ct::shape{ 8_ic } };
    const auto to = ct::partition_view{ ct::tensor_span{ out, ct::extents{ n } }, ct::shape{ 8_ic } };
    const int i = ct::bid().x, blocks = ct::num_blocks().x;
    auto tile = ct::full<ct::tile<float, ct::shape<8>>>(0.0f);

    if (i < blocks - 1)
        tile = from.load(i);
    to.store_masked(tile, i);
}
