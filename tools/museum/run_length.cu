// CUB's run-length encoding with a 64-bit number of items, all of them in one partition. The storage begins at a multiple
// of 8 alone: what CUB adds for alignment is used, and does not hide what is written behind the end.
#include <cub/device/device_run_length_encode.cuh>
#include <cuda/std/cstdint>

enum { OFFSET = 8 };

int main()
{
    const long long items = 100;
    int *in, *unique, *lengths, *runs, values[items];
    void *storage = nullptr;
    size_t bytes = 0;

    for (int i = 0; i < items; i++)
        values[i] = i / 7;
    cudaMalloc(&in, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMalloc(&unique, sizeof values);
    cudaMalloc(&lengths, sizeof values);
    cudaMalloc(&runs, sizeof *runs);
    cub::DeviceRunLengthEncode::Encode(storage, bytes, in, unique, lengths, runs, items);
    cudaMalloc(&storage, bytes + OFFSET);
    cub::DeviceRunLengthEncode::Encode((char *)storage + OFFSET, bytes, in, unique, lengths, runs, items);
}
// SPDX-License-Identifier: Apache-2.0
