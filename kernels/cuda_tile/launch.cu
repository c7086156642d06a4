/* Blocks of a grid: what each is told about its place, and what is its own. */
#include "kernels/cuda_tile/ct.cuh"

using ints = ct::tile<int, ct::shape<8>>;

/* Each block counts itself, and writes its index and the grid. Y_FOR_X: the place of the count is made of bid().y twice. */
extern "C" __tile_global__ void launch_index(CT_HEAD, unsigned *count, unsigned *places)
{
    const uint3 b = ct::bid();
    const dim3 g = ct::num_blocks();
    const unsigned at = (b.z * g.y + b.y) * g.x + b.x;

    count[at] += 1;
    places[6 * at] = b.x;
    places[6 * at + 1] = b.y;
    places[6 * at + 2] = b.z;
    places[6 * at + 3] = g.x;
    places[6 * at + 4] = g.y;
    places[6 * at + 5] = g.z;
}
extern "C" __tile_global__ void launch_index__y_for_x(CT_HEAD, unsigned *count, unsigned *)
{
    const uint3 b = ct::bid();
    const dim3 g = ct::num_blocks();
    const unsigned at = (b.z * g.y + b.y) * g.x + b.y;

    if (at < g.x * g.y * g.z)
        count[at] += 1;
}

/* The last block of the first axis writes its index. */
extern "C" __tile_global__ void launch_last(CT_HEAD, unsigned *out)
{
    if (ct::bid().x + 1 == ct::num_blocks().x)
        out[0] = ct::bid().x;
}

/* Each block copies its tile of 16 from an array of n elements to another. */
extern "C" __tile_global__ void launch_cover(CT_HEAD, const int *in, int *out, int n)
{
    auto from = ct::partition_view{ ct::tensor_span{ in, ct::extents{ n } }, ct::shape{ 16_ic } };
    auto to = ct::partition_view{ ct::tensor_span{ out, ct::extents{ n } }, ct::shape{ 16_ic } };
    const int b = (int)ct::bid().x;

    to.store_masked(from.load_masked(b), b);
}

/* All blocks load one tile; each adds to its copy, and stores it at a place of its own. TOGETHER: at the place of all. */
extern "C" __tile_global__ void launch_private(CT_HEAD, const int *in, int *out)
{
    const int b = (int)ct::bid().x;
    ints t = ct::load(in + ct::iota<ints>());

    for (int k = 0; k <= b; k++)
        t = t + 1;
    ct::store(out + 8 * b + ct::iota<ints>(), t);
}
extern "C" __tile_global__ void launch_private__together(CT_HEAD, const int *in, int *out)
{
    const int b = (int)ct::bid().x;
    ints t = ct::load(in + ct::iota<ints>());

    for (int k = 0; k <= b; k++)
        t = t + 1;
    ct::store(out + ct::iota<ints>(), t);
}

/* Calls a function with a tile, twice. SAME: one that returns what it was given. */
__tile__ ints twice(ints t)
{
    return t + t;
}
__tile__ ints same(ints t)
{
    return t;
}
extern "C" __tile_global__ void space_function(CT_HEAD, const int *in, int *out)
{
    const ints t = ct::load(in + ct::iota<ints>());

    ct::store(out + ct::iota<ints>(), twice(twice(t)));
}
extern "C" __tile_global__ void space_function__same(CT_HEAD, const int *in, int *out)
{
    const ints t = ct::load(in + ct::iota<ints>());

    ct::store(out + ct::iota<ints>(), same(same(t)));
}
// SPDX-License-Identifier: Apache-2.0
