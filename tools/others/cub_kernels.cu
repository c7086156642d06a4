// Kernels made of CUB's parts: sums, scans, sorts and loads of a CTA, and the scan with look-back over CTAs.
#include <cub/cub.cuh>

typedef cub::ScanTileState<int> tiles;
const int TILE = 64;

extern "C" __global__ void lookback_init(tiles state, int count)
{
    state.InitializeStatus(count);
}

extern "C" __global__ void lookback(tiles state, const int *in, int *out)
{
    typedef cub::BlockScan<int, TILE> scan;
    typedef cub::TilePrefixCallbackOp<int, ::cuda::std::plus<>, tiles> prefix;
    __shared__ typename scan::TempStorage room;
    __shared__ typename prefix::TempStorage before;
    const int tile = blockIdx.x, at = tile * TILE + threadIdx.x;
    int sum, all;

    if (tile == 0) {
        scan(room).InclusiveSum(in[at], sum, all);
        if (threadIdx.x == 0)
            state.SetInclusive(0, all);
    } else {
        prefix look(state, before, ::cuda::std::plus<>{}, tile);
        scan(room).InclusiveScan(in[at], sum, ::cuda::std::plus<>{}, look);
    }
    out[at] = sum;
}

extern "C" __global__ void reduce(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 128> parts;
    __shared__ typename parts::TempStorage room;
    const int sum = parts(room).Sum(in[blockIdx.x * 128 + threadIdx.x]);

    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

extern "C" __global__ void reduce_raking(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 100, cub::BLOCK_REDUCE_RAKING> parts;
    __shared__ typename parts::TempStorage room;
    const int sum = parts(room).Sum(in[blockIdx.x * 100 + threadIdx.x]);

    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

extern "C" __global__ void scan_raking(const int *in, int *out)
{
    typedef cub::BlockScan<int, 128, cub::BLOCK_SCAN_RAKING> scan;
    __shared__ typename scan::TempStorage room;
    int sum;

    scan(room).InclusiveSum(in[threadIdx.x], sum);
    out[threadIdx.x] = sum;
}

extern "C" __global__ void radix_sort(const int *in, int *out)
{
    typedef cub::BlockRadixSort<int, 128, 4> sort;
    __shared__ typename sort::TempStorage room;
    int keys[4];

    for (int i = 0; i < 4; i++)
        keys[i] = in[threadIdx.x * 4 + i];
    sort(room).Sort(keys);
    for (int i = 0; i < 4; i++)
        out[threadIdx.x * 4 + i] = keys[i];
}

extern "C" __global__ void merge_sort(const int *in, int *out)
{
    typedef cub::BlockMergeSort<int, 128, 4> sort;
    __shared__ typename sort::TempStorage room;
    int keys[4];

    for (int i = 0; i < 4; i++)
        keys[i] = in[threadIdx.x * 4 + i];
    sort(room).Sort(keys, ::cuda::std::less<>{});
    for (int i = 0; i < 4; i++)
        out[threadIdx.x * 4 + i] = keys[i];
}

extern "C" __global__ void transpose(const int *in, int *out)
{
    typedef cub::BlockLoad<int, 96, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> loads;
    typedef cub::BlockStore<int, 96, 4, cub::BLOCK_STORE_TRANSPOSE> stores;
    __shared__ typename loads::TempStorage load_room;
    __shared__ typename stores::TempStorage store_room;
    int items[4];

    loads(load_room).Load(in, items);
    stores(store_room).Store(out, items);
}
// SPDX-License-Identifier: Apache-2.0
