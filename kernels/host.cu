/* Kernels that stand between copies of the host. */
#include "kernels/host.h"

#include "kernels/ck.cuh"

/* Each word of `in`, and `add`, in `out`, after a pause. */
template <int M> __device__ static void host_add_body(const host_args &a)
{
    ck_pause(a.pause);
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < a.words; i += gridDim.x * blockDim.x)
        a.out[i] = a.in[i] + a.add;
}
CK_KERNEL(host_add, host_args)

/* A thread waits until the first word of `in` has another value, which a copy in another stream gives it. `out` says
 * whether it did in time. */
template <int M> __device__ static void host_await_body(const host_args &a)
{
    const uint64_t start = ck_now();
    bool came = false;

    while (!came && ck_now() - start < 5000000)
        came = *(const volatile uint32_t *)a.in == a.add;
    *a.out = came;
}
CK_KERNEL(host_await, host_args)
// SPDX-License-Identifier: Apache-2.0
