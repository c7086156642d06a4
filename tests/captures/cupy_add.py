# A kernel that CuPy compiles: with CUPY_COMPILE_WITH_PTX=1 the driver gets PTX, which a capture needs.
import cupy as cp

k = cp.RawKernel(r'''extern "C" __global__ void add(const float *a, const float *b, float *c, int n)
{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }''', 'add')
a = cp.arange(1000, dtype=cp.float32)
b = a * 2
c = cp.zeros_like(a)
k((4,), (256,), (a, b, c, 1000))
print(float(c.sum()))
# SPDX-License-Identifier: Apache-2.0
