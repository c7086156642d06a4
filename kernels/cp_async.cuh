/* cp.async, its commits and its waits, as functions that the kernels of cp_async*.cu share.
 *
 * cp.async belongs to the generic proxy, and so does the arrival that it makes on an mbarrier. So these kernels have no
 * fence behind mbarrier.init, as kernels with bulk copies do: the threads of the CTA meet at a barrier, and that is
 * enough. */
#ifndef COPYCHECK_CP_ASYNC_CUH
#define COPYCHECK_CP_ASYNC_CUH

#include "kernels/cp_async.h"
#include "kernels/shared.cuh"

/* Bytes that one copy of this form brings. */
__device__ static inline uint32_t cp_async_size(uint32_t form)
{
    return form == CP_CA4 ? 4 : form == CP_CA8 ? 8 : 16;
}

/* One copy from global to shared memory, in one of the instruction's four forms. */
__device__ static inline void cp_async(uint32_t form, uint32_t dst, const unsigned char *src)
{
    switch (form) {
    case CP_CA4: asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(dst), "l"(src) : "memory"); break;
    case CP_CA8: asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(dst), "l"(src) : "memory"); break;
    case CP_CA16: asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(dst), "l"(src) : "memory"); break;
    default: /* CP_CG16 */
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(dst), "l"(src) : "memory");
        break;
    }
}

/* The same instruction with other operands, in its four forms: TEXT(op, size) is its text, where `op` is the cache
 * operator and `size` the copy size, and what follows are its operands, %0 and so on. */
#define CP_ASYNC_FORMS(form, TEXT, ...)                                                                                \
    switch (form) {                                                                                                    \
    case CP_CA4: asm volatile(TEXT("ca", "4")::__VA_ARGS__ : "memory"); break;                                         \
    case CP_CA8: asm volatile(TEXT("ca", "8")::__VA_ARGS__ : "memory"); break;                                         \
    case CP_CA16: asm volatile(TEXT("ca", "16")::__VA_ARGS__ : "memory"); break;                                       \
    case CP_CG16: asm volatile(TEXT("cg", "16")::__VA_ARGS__ : "memory"); break;                                       \
    }

/* With a cache policy. */
#define CP_ASYNC_POLICY(op, size) "cp.async." op ".shared.global.L2::cache_hint [%0], [%1], " size ", %2;"
__device__ static inline void cp_async_with_policy(uint32_t form, uint32_t dst, const unsigned char *src,
                                                   uint64_t policy)
{
    CP_ASYNC_FORMS(form, CP_ASYNC_POLICY, "r"(dst), "l"(src), "l"(policy));
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

__device__ static inline uint32_t load_shared(uint32_t at)
{
    uint32_t word;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(at) : "memory");
    return word;
}

__device__ static inline void store_shared(uint32_t at, uint32_t word)
{
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(word) : "memory");
}

/* Waits until at most N of the thread's newest groups are unfinished. */
template <int N> __device__ static inline void cp_async_wait_at_most()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

/* The same with a number that the case chooses: the instruction takes a constant, so here is one for each that the
 * cases ask for. Any other number waits for nothing. */
__device__ static inline void cp_async_wait_group(uint32_t n)
{
    switch (n) {
    case 0: cp_async_wait_at_most<0>(); break;
    case 1: cp_async_wait_at_most<1>(); break;
    case 2: cp_async_wait_at_most<2>(); break;
    case 3: cp_async_wait_at_most<3>(); break;
    case 4: cp_async_wait_at_most<4>(); break;
    case 5: cp_async_wait_at_most<5>(); break;
    case 6: cp_async_wait_at_most<6>(); break;
    case 7: cp_async_wait_at_most<7>(); break;
    case 8: cp_async_wait_at_most<8>(); break;
    case 9: cp_async_wait_at_most<9>(); break;
    case 10: cp_async_wait_at_most<10>(); break;
    case 11: cp_async_wait_at_most<11>(); break;
    case 12: cp_async_wait_at_most<12>(); break;
    case 31: cp_async_wait_at_most<31>(); break;
    case 32: cp_async_wait_at_most<32>(); break;
    case 62: cp_async_wait_at_most<62>(); break;
    case 63: cp_async_wait_at_most<63>(); break;
    case 64: cp_async_wait_at_most<64>(); break;
    case 100: cp_async_wait_at_most<100>(); break;
    case 255: cp_async_wait_at_most<255>(); break;
    case 256: cp_async_wait_at_most<256>(); break;
    case 257: cp_async_wait_at_most<257>(); break;
    case 320: cp_async_wait_at_most<320>(); break;
    case 512: cp_async_wait_at_most<512>(); break;
    }
}

/* mbarrier_wait_parity (kernels/ck.cuh) for parity 0 with mbarrier.try_wait, which may sleep, in place of test_wait. */
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

__device__ static inline void sleep_20us()
{
    asm volatile("nanosleep.u32 20000;" ::: "memory");
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
    case CP_WAIT_SLEEP: sleep_20us(); break;
    default: cp_async_wait_group(wait);
    }
}

/* Copies `bytes` bytes from the shared address `at` to global memory, word by word, first to last: one thread reads
 * its own slot. */
__device__ static inline void give_out(unsigned char *out, uint32_t at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 4)
        *(uint32_t *)(out + i) = load_shared(at + i);
}

/* Poisons the first `bytes` bytes of shared memory; all threads of the CTA meet behind it. */
__device__ static inline void poison_and_meet(uint32_t bytes)
{
    poison_shared(0, bytes);
    __syncthreads();
}

#endif
// SPDX-License-Identifier: Apache-2.0
