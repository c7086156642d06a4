// What a program does wrong on the host's side: memory that it frees twice, uses after it was freed, reads from the
// host, forgets.
#include <cstdio>
#include <cstdlib>

__global__ void write(int *to)
{
    to[threadIdx.x] = 1;
}

int main(int argc, char **argv)
{
    int *first, *second;

    cudaMalloc(&first, 4096);
    cudaMalloc(&second, 8192);
    cudaFree(first);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: printf("%s\n", cudaGetErrorName(cudaFree(first))); break;
    case 2:
        write<<<1, 32>>>(first + 4);
        printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        break;
    case 3: printf("%d\n", second[3]); break;
    case 4:
        cudaMallocManaged(&first, 8192);
        first[0] = 0;
        write<<<1, 32>>>(first);
        printf("%d %d\n", first[1], first[1500]); /* the second is on another page */
        cudaDeviceSynchronize();
        printf("%d\n", first[1]);
        break;
    case 5: {
        void *args[] = { &second };
        const cudaError_t refused = cudaLaunchCooperativeKernel((const void *)write, 100000, 1024, args, 0, 0);
        printf("%s %s\n", cudaGetErrorName(refused), cudaGetErrorName(cudaDeviceSynchronize()));
        break;
    }
    default: break;
    }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
