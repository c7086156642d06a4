// A large allocation, of which a kernel writes some or all; then the most memory that the process has had, in KiB.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void some(char *x)
{
    x[(blockIdx.x * (size_t)blockDim.x + threadIdx.x) * 4096] = 1;
}

__global__ void all(uint4 *x, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        x[i] = make_uint4(1, 2, 3, 4);
}

int main(int argc, char **argv)
{
    const size_t bytes = (size_t)(argc > 2 ? atoi(argv[2]) : 1) << 20;
    char line[200], *x;
    FILE *status = fopen("/proc/self/status", "r");

    if (!status || cudaMalloc(&x, bytes) != cudaSuccess)
        return 3;
    if (!strcmp(argv[1], "all"))
        all<<<64, 256>>>(reinterpret_cast<uint4 *>(x), bytes / 16);
    else
        some<<<1, 256>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 4;
    while (fgets(line, sizeof line, status))
        if (!strncmp(line, "VmHWM:", 6))
            printf("%d\n", atoi(line + 6));
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
