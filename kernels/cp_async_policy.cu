/* cp.async with a cache policy, to the start of shared memory plus a lane's part: an address that compilers for sm_90
 * split into a register of the lane and one of the warp. */
#include "kernels/cp_async.cuh"

enum { NONE };

template <int FORM> __device__ static void copy_with_policy(const cp_async_args &a)
{
    const uint32_t lane = threadIdx.x, size = cp_async_size(FORM);
    const uint32_t dst = ck_shared(ck_smem) + 64 + lane * size;
    uint64_t policy;

    poison_shared(a.bytes);
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, %1;" : "=l"(policy) : "f"(a.fraction));
#define COPY(op, bytes)                                                                                                \
    asm volatile("cp.async." op ".shared.global.L2::cache_hint [%0], [%1], " bytes ", %2;" ::"r"(dst),                 \
                 "l"(a.in + a.src + lane * size), "l"(policy)                                                          \
                 : "memory")
    CP_EACH(FORM, COPY)
#undef COPY
    cp_async_wait_all();
    __syncthreads();
    for (uint32_t i = lane * 4; i < a.bytes; i += blockDim.x * 4) {
        uint32_t word;
        load_shared(ck_shared(ck_smem) + i, word);
        *(uint32_t *)(a.out + i) = word;
    }
}

#define POLICY_KERNEL(name, form)                                                                                      \
    template <int M> __device__ static void name##_body(const cp_async_args &a)                                        \
    {                                                                                                                  \
        copy_with_policy<form>(a);                                                                                     \
    }                                                                                                                  \
    CK_KERNEL(name, cp_async_args)

POLICY_KERNEL(cp_async_policy_ca4, CP_CA4)
POLICY_KERNEL(cp_async_policy_ca8, CP_CA8)
POLICY_KERNEL(cp_async_policy_ca16, CP_CA16)
POLICY_KERNEL(cp_async_policy_cg16, CP_CG16)
