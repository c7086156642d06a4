/* C = A * B with CUDA Tile C++: the same product as in product.cu. To read and to compare; it needs toolkit 13.3 or newer
 * to be compiled, and a GPU to run:
 *
 *     nvcc --enable-tile -tile-only -std=c++20 -arch=sm_90 -cubin product_tile.cu
 *
 * `copycheck lab run product_tile.cu` does that, and launches it where there is a GPU.
 *
 * There are no threads here. A block is one thread of control that computes with whole tiles. The compiler spreads them
 * over threads, and chooses where they lie and by which copies they come. */
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

/* `a` has `rows` rows and `depth` columns, `b` has `depth` rows and `columns` columns. Block (x, y) computes tile (y, x)
 * of `c`. */
extern "C" __tile_global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                                        int rows, int columns, int depth)
{
    const auto side = ct::shape{ 8_ic, 8_ic };
    const auto a_tiles = ct::partition_view{ ct::tensor_span{ a, ct::extents{ rows, depth } }, side };
    const auto b_tiles = ct::partition_view{ ct::tensor_span{ b, ct::extents{ depth, columns } }, side };
    const auto c_tiles = ct::partition_view{ ct::tensor_span{ c, ct::extents{ rows, columns } }, side };
    const int y = ct::bid().y, x = ct::bid().x;

    auto sum = ct::zeros<ct::tile<float, ct::shape<8, 8>>>();
    for (auto step : ct::irange(0, depth / 8))
        sum = ct::mma(a_tiles.load(y, step), b_tiles.load(step, x), sum);
    c_tiles.store(sum, y, x);
}
