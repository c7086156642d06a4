/* cp.async with a cache policy, to the start of shared memory plus a lane's part: an address that compilers for sm_90
 * split into a register of the lane and one of the warp. One kernel for each form, so that the compiler sees its
 * instruction alone. */
#include "kernels/cp_async.cuh"

enum { NONE };

/* Lanes copy side by side to byte 64 of shared memory and behind it, with the policy evict_last. */
template <int FORM> __device__ static void copy_with_policy(const cp_async_args &a)
{
    const uint32_t lane = threadIdx.x, size = cp_async_size(FORM);
    uint64_t policy;

    poison_and_meet(a.bytes);
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, %1;" : "=l"(policy) : "f"(a.fraction));
    cp_async_with_policy(FORM, ck_shared(ck_smem) + 64 + lane * size, a.in + a.src + lane * size, policy);
    cp_async_wait_all();
    __syncthreads();
    dump_shared(a.out, 0, a.bytes);
}

template <int M> __device__ static void cp_async_policy_ca4_body(const cp_async_args &a)
{
    copy_with_policy<CP_CA4>(a);
}
CK_KERNEL(cp_async_policy_ca4, cp_async_args)

template <int M> __device__ static void cp_async_policy_ca8_body(const cp_async_args &a)
{
    copy_with_policy<CP_CA8>(a);
}
CK_KERNEL(cp_async_policy_ca8, cp_async_args)

template <int M> __device__ static void cp_async_policy_ca16_body(const cp_async_args &a)
{
    copy_with_policy<CP_CA16>(a);
}
CK_KERNEL(cp_async_policy_ca16, cp_async_args)

template <int M> __device__ static void cp_async_policy_cg16_body(const cp_async_args &a)
{
    copy_with_policy<CP_CG16>(a);
}
CK_KERNEL(cp_async_policy_cg16, cp_async_args)
// SPDX-License-Identifier: Apache-2.0
