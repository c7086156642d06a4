/* The instructions of cp.async with their forms as arguments. */
#ifndef COPYCHECK_CP_ASYNC_CUH
#define COPYCHECK_CP_ASYNC_CUH

#include "kernels/ck.cuh"
#include "kernels/cp_async.h"

/* CP_EACH(form, ASM) runs ASM(op, size) for the form: "ca", "4" ... "cg", "16". */
#define CP_EACH(form, ASM)                                                                                             \
    switch (form) {                                                                                                    \
    case CP_CA4: ASM("ca", "4"); break;                                                                                \
    case CP_CA8: ASM("ca", "8"); break;                                                                                \
    case CP_CA16: ASM("ca", "16"); break;                                                                              \
    default: ASM("cg", "16"); break;                                                                                   \
    }

__device__ static inline uint32_t cp_async_size(uint32_t form)
{
    return form == CP_CA4 ? 4 : form == CP_CA8 ? 8 : 16;
}

__device__ static inline void cp_async(uint32_t form, uint32_t dst, uint64_t src){
#define CP_PLAIN(op, size)                                                                                             \
    asm volatile("cp.async." op ".shared.global [%0], [%1], " size ";" ::"r"(dst), "l"(src) : "memory")
    CP_EACH(form, CP_PLAIN)
#undef CP_PLAIN
}

__device__ static inline void cp_async_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__device__ static inline void cp_async_wait_all()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/* One thread's arrival on an mbarrier when its copies up to here are complete; the arrival is among those expected. */
__device__ static inline void cp_async_arrive_noinc(uint32_t bar)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar) : "memory");
}

__device__ static inline void load_shared(uint32_t at, uint32_t &word)
{
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(at) : "memory");
}

__device__ static inline void store_shared(uint32_t at, uint32_t word)
{
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(word) : "memory");
}

/* cp.async.wait_group with each constant that a case asks for; any other number waits for nothing. */
__device__ static inline void cp_async_wait_group(uint32_t n)
{
#define CP_GROUP(k)                                                                                                    \
    case k: asm volatile("cp.async.wait_group " #k ";" ::: "memory"); break;
    switch (n) {
        CP_GROUP(0)
        CP_GROUP(1)
        CP_GROUP(2)
        CP_GROUP(3)
        CP_GROUP(4)
        CP_GROUP(5)
        CP_GROUP(6) CP_GROUP(7) CP_GROUP(8) CP_GROUP(9) CP_GROUP(10) CP_GROUP(11) CP_GROUP(12) CP_GROUP(31) CP_GROUP(32)
            CP_GROUP(62) CP_GROUP(63) CP_GROUP(64) CP_GROUP(100) CP_GROUP(255) CP_GROUP(256) CP_GROUP(257) CP_GROUP(320)
                CP_GROUP(512)
    }
#undef CP_GROUP
}

__device__ static inline void mbarrier_try_wait(const ck_head &h, uint32_t bar, unsigned bit)
{
    const uint64_t start = ck_now();
    uint32_t done = 0;

    while (!done) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(bar)
                     : "memory");
        if (!done && h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, bit);
            return;
        }
    }
}

/* Waits as enum cp_async_wait says. The mbarrier at `bar` expects one arrival of each thread that comes here. */
__device__ static inline void cp_async_wait(const ck_head &h, uint32_t wait, uint32_t bar)
{
    switch (wait) {
    case CP_WAIT_ALL: cp_async_wait_all(); break;
    case CP_WAIT_TEST:
        cp_async_arrive_noinc(bar);
        mbarrier_wait_parity(h, bar, 0, 0);
        break;
    case CP_WAIT_TRY:
        cp_async_arrive_noinc(bar);
        mbarrier_try_wait(h, bar, 0);
        break;
    case CP_WAIT_NONE: break;
    case CP_WAIT_BARRIER: __syncthreads(); break;
    case CP_WAIT_FENCE_CTA: asm volatile("fence.sc.cta;" ::: "memory"); break;
    case CP_WAIT_FENCE_SYS: asm volatile("fence.sc.sys;" ::: "memory"); break;
    case CP_WAIT_MEMBAR: asm volatile("membar.gl;" ::: "memory"); break;
    case CP_WAIT_CLUSTER:
        asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
        break;
    case CP_WAIT_SLEEP: asm volatile("nanosleep.u32 20000;" ::: "memory"); break;
    default: cp_async_wait_group(wait);
    }
}

/* Words of `bytes` from shared memory to global memory, in order. */
__device__ static inline void give_out(uint64_t out, uint32_t at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 4) {
        uint32_t word;
        load_shared(at + i, word);
        *(uint32_t *)(out + i) = word;
    }
}

__device__ static inline void poison_shared(uint32_t bytes)
{
    for (uint32_t i = threadIdx.x * 4; i < bytes; i += blockDim.x * 4)
        store_shared(ck_shared(ck_smem) + i, 0xA5A5A5A5);
    __syncthreads();
}

#endif
