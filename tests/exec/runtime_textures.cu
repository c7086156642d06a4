// Textures and surfaces of the runtime: of arrays, layers, levels, rows and lines.
#include "expect.cuh"

enum { WIDTH = 16, HEIGHT = 8 };

__global__ void fetch(cudaTextureObject_t t, float *out)
{
    out[threadIdx.y * WIDTH + threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

__global__ void fetch_line(cudaTextureObject_t t, int *out)
{
    out[threadIdx.x] = tex1Dfetch<int>(t, threadIdx.x);
}

__global__ void fetch_layer(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2DLayered<float>(t, threadIdx.x + 0.5f, 0.5f, 1);
}

__global__ void turn(cudaSurfaceObject_t s)
{
    float value;

    surf2Dread(&value, s, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(-value, s, threadIdx.x * 4, threadIdx.y);
}

static cudaTextureDesc plain()
{
    cudaTextureDesc d = {};

    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
    return d;
}

int main()
{
    float host[HEIGHT][WIDTH], back[HEIGHT][WIDTH], *out;
    int *line, *line_out, ints[32];
    size_t pitch;
    cudaArray_t array, layers;
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const cudaTextureDesc how = plain();
    cudaResourceDesc from = {}, got;
    cudaMemcpy3DParms p = {};
    void *rows;

    for (int i = 0; i < WIDTH * HEIGHT; i++)
        host[i / WIDTH][i % WIDTH] = i;
    FINE(cudaMalloc(&out, sizeof host));
    FINE(cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
    FINE(cudaMemcpy2DToArray(array, 0, 0, host, WIDTH * 4, WIDTH * 4, HEIGHT, cudaMemcpyHostToDevice));
    from.resType = cudaResourceTypeArray;
    from.res.array.array = array;
    FINE(cudaCreateTextureObject(&texture, &from, &how, NULL));
    FINE(cudaCreateSurfaceObject(&surface, &from));
    FINE(cudaGetTextureObjectResourceDesc(&got, texture));
    EXPECT(got.res.array.array == array);
    fetch<<<1, dim3(WIDTH, HEIGHT)>>>(texture, out);
    FINE(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(host, back, sizeof back));
    turn<<<1, dim3(WIDTH, HEIGHT)>>>(surface);
    FINE(cudaMemcpy2DFromArray(back, WIDTH * 4, array, 0, 0, WIDTH * 4, HEIGHT, cudaMemcpyDeviceToHost));
    EXPECT(back[3][5] == -host[3][5] && back[7][15] == -127);
    GIVES(cudaMemcpy2DToArray(array, 4, 0, host, WIDTH * 4, WIDTH * 4, HEIGHT, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    FINE(cudaDestroyTextureObject(texture));
    FINE(cudaDestroySurfaceObject(surface));
    FINE(cudaFreeArray(array));

    FINE(cudaMallocPitch(&rows, &pitch, WIDTH * 4, HEIGHT));
    FINE(cudaMemcpy2D(rows, pitch, host, WIDTH * 4, WIDTH * 4, HEIGHT, cudaMemcpyHostToDevice));
    from = {};
    from.resType = cudaResourceTypePitch2D;
    from.res.pitch2D = { rows, format, WIDTH, HEIGHT, pitch };
    FINE(cudaCreateTextureObject(&texture, &from, &how, NULL));
    fetch<<<1, dim3(WIDTH, HEIGHT)>>>(texture, out);
    FINE(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(host, back, sizeof back));

    FINE(cudaMalloc(&line, 32 * sizeof(int)));
    FINE(cudaMalloc(&line_out, 32 * sizeof(int)));
    for (int i = 0; i < 32; i++)
        ints[i] = 100 - i;
    FINE(cudaMemcpy(line, ints, sizeof ints, cudaMemcpyHostToDevice));
    from = {};
    from.resType = cudaResourceTypeLinear;
    from.res.linear = { line, cudaCreateChannelDesc<int>(), sizeof ints };
    FINE(cudaCreateTextureObject(&texture, &from, &how, NULL));
    fetch_line<<<1, 32>>>(texture, line_out);
    FINE(cudaMemcpy(ints, line_out, sizeof ints, cudaMemcpyDeviceToHost));
    EXPECT(ints[0] == 100 && ints[31] == 69);

    FINE(cudaMalloc3DArray(&layers, &format, make_cudaExtent(WIDTH, HEIGHT / 2, 2), cudaArrayLayered));
    p.srcPtr = make_cudaPitchedPtr(host, WIDTH * 4, WIDTH, HEIGHT / 2);
    p.dstArray = layers;
    p.extent = make_cudaExtent(WIDTH, HEIGHT / 2, 2);
    p.kind = cudaMemcpyHostToDevice;
    FINE(cudaMemcpy3D(&p));
    from = {};
    from.resType = cudaResourceTypeArray;
    from.res.array.array = layers;
    FINE(cudaCreateTextureObject(&texture, &from, &how, NULL));
    FINE(cudaCreateSurfaceObject(&surface, &from)); // on an H200 too, without cudaArraySurfaceLoadStore
    fetch_layer<<<1, WIDTH>>>(texture, out);
    FINE(cudaMemcpy(back, out, sizeof back[0], cudaMemcpyDeviceToHost));
    EXPECT(back[0][3] == host[HEIGHT / 2][3]);
    return end_of_test();
}
// SPDX-License-Identifier: Apache-2.0
