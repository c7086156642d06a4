/* Objects across the CTAs of a cluster: data handed over, making known, leaving, and addresses that are not for it. */
#include "kernels/ck.cuh"
#include "kernels/mbarrier_form.h"
#include "kernels/mbarrier_copies.h"

enum { NONE, ARRIVE_FIRST, NO_SYNC, EXIT_EARLY };

__device__ static uint32_t rank()
{
    uint32_t r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

__device__ static uint32_t ranks()
{
    uint32_t r;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(r));
    return r;
}

/* The address in the cluster of what CTA `cta` has at this address of its own. */
__device__ static uint32_t map_to(uint32_t own, uint32_t cta)
{
    uint32_t r;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(own), "r"(cta));
    return r;
}

__device__ static uint64_t generic(uint32_t shared)
{
    uint64_t g;
    asm volatile("cvta.shared::cluster.u64 %0, %1;" : "=l"(g) : "l"((uint64_t)shared));
    return g;
}

__device__ static void pause(uint32_t ns)
{
    const uint64_t start = ck_now();

    while (ck_now() - start < ns)
        ;
}

__device__ static void meet()
{
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

__device__ static void publish_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

#define ARRIVE(q) asm volatile("mbarrier.arrive" q ".shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory")

__device__ static void arrive(uint32_t bar, uint32_t form)
{
    if (form & MB_CTA)
        ARRIVE(".release.cta");
    else if (form & MB_CLUSTER)
        ARRIVE(".release.cluster");
    else if (form & MB_RELAXED_CLUSTER)
        ARRIVE(".relaxed.cluster");
    else
        ARRIVE("");
}

#define TEST(q)                                                                                                        \
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity" q ".shared::cta.b64 p, [%1], %2;\n\t"                \
                 "selp.b32 %0, 1, 0, p;\n\t}"                                                                          \
                 : "=r"(done)                                                                                          \
                 : "r"(bar), "r"(parity)                                                                               \
                 : "memory")

__device__ static bool wait(const mbarrier_cluster_args &a, uint32_t bar, uint32_t parity)
{
    const uint64_t start = ck_now();
    uint32_t done;

    for (;;) {
        if (a.wait & MB_CLUSTER)
            TEST(".acquire.cluster");
        else if (a.wait & MB_RELAXED_CLUSTER)
            TEST(".relaxed.cluster");
        else
            TEST(".acquire.cta");
        if (done)
            return true;
        if (a.head.limit && ck_now() - start > a.head.limit) {
            ck_timeout(a.head, 0);
            return false;
        }
    }
}

/* Each CTA writes words into the shared memory of the next one and to global memory, and arrives there. The next one
 * waits and reads both, of global memory the last word: out[(2 * rank + 0 or 1) * threads + thread]. */
template <int M> __device__ static void mbarrier_message_body(const mbarrier_cluster_args &a)
{
    const uint32_t bar = ck_shared(ck_smem), words = bar + 16, n = blockDim.x, i = threadIdx.x;
    const uint32_t from = rank(), to = (from + 1) % ranks(), before = (from + ranks() - 1) % ranks();
    uint32_t *scratch = (uint32_t *)a.scratch, *out = (uint32_t *)a.out, word;

    ((uint32_t *)(ck_smem + 16))[i] = 0;
    if (i == 0)
        mbarrier_init(bar, n);
    publish_init();
    meet();
    if (from & 1)
        pause(a.delay);
    if (M == ARRIVE_FIRST) {
        arrive(map_to(bar, to), a.form);
        pause(a.delay);
    }
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(map_to(words + 4 * i, to)), "r"(from * 4096 + i + 1)
                 : "memory");
    for (uint32_t k = 0; k < MESSAGE_WORDS; k++)
        scratch[(k * ranks() + from) * n + i] = from * 4096 + i + 1;
    if (M != ARRIVE_FIRST)
        arrive(map_to(bar, to), a.form);
    if (wait(a, bar, 0)) {
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(words + 4 * ((i + 32) % n)) : "memory");
        out[2 * from * n + i] = word;
        asm volatile("ld.global.u32 %0, [%1];"
                     : "=r"(word)
                     : "l"(&scratch[((MESSAGE_WORDS - 1) * ranks() + before) * n + (i + 32) % n])
                     : "memory");
        out[(2 * from + 1) * n + i] = word;
    }
    meet();
}
CK_KERNEL(mbarrier_message, mbarrier_cluster_args)
CK_MUTANT(mbarrier_message, arrive_first, ARRIVE_FIRST, mbarrier_cluster_args)

/* CTA 0 makes an object, late; thread 0 of each CTA arrives on it. out[0] is 1 where CTA 0's wait came true. */
template <int M> __device__ static void mbarrier_remote_init_body(const mbarrier_cluster_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);

    if (threadIdx.x == 0 && rank() == 0) {
        pause(a.delay);
        mbarrier_init(bar, a.count);
        publish_init();
    }
    if (M != NO_SYNC)
        asm volatile("barrier.cluster.arrive.relaxed;\n\tbarrier.cluster.wait;" ::: "memory");
    if (threadIdx.x == 0)
        arrive(map_to(bar, 0), a.form);
    if (threadIdx.x == 0 && rank() == 0)
        *(uint32_t *)a.out = wait(a, bar, 0);
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
}
CK_KERNEL(mbarrier_remote_init, mbarrier_cluster_args)
CK_MUTANT(mbarrier_remote_init, no_sync, NO_SYNC, mbarrier_cluster_args)

/* CTA 1 arrives, late, on an object of CTA 0, which waits for it or exits. out[0] is 1 where the wait came true, out[1]
 * where CTA 1 got to its end. */
template <int M> __device__ static void mbarrier_owner_body(const mbarrier_cluster_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);

    if (threadIdx.x == 0)
        mbarrier_init(bar, a.count);
    publish_init();
    meet();
    if (threadIdx.x == 0) {
        if (rank() == 1) {
            pause(a.delay);
            arrive(map_to(bar, 0), a.form);
            ((uint32_t *)a.out)[1] = 1;
        } else if (M != EXIT_EARLY) {
            ((uint32_t *)a.out)[0] = wait(a, bar, 0);
        }
    }
    if (M != EXIT_EARLY)
        meet();
}
CK_KERNEL(mbarrier_owner, mbarrier_cluster_args)
CK_MUTANT(mbarrier_owner, exit_early, EXIT_EARLY, mbarrier_cluster_args)

/* One operation at a generic address, by CTA 0 of two. An object of its own then gets another arrival, where the
 * operation was not a wait. out[0] is 1 when all is over, out[1] what a wait on the object, or the wait, returned. */
template <int M> __device__ static void mbarrier_window_body(const mbarrier_cluster_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);
    uint64_t local[2] = { a.delay, a.delay }, g;
    uint32_t done = 0;

    if (threadIdx.x == 0 && (a.what != WHAT_INIT || a.where != WHERE_OWN))
        mbarrier_init(bar, a.count);
    publish_init();
    meet();
    if (rank() == 0 && threadIdx.x == 0) {
        g = a.where == WHERE_OWN      ? generic(bar)
            : a.where == WHERE_GLOBAL ? a.scratch
            : a.where == WHERE_LOCAL  ? (uint64_t)&local[a.delay & 1]
                                      : generic(map_to(bar, 1));
        if (a.what == WHAT_INIT)
            asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(g), "r"(a.count) : "memory");
        if (a.what == WHAT_ARRIVE)
            asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.arrive.b64 s, [%0];\n\t}" ::"l"(g) : "memory");
        if (a.what == WHAT_WAIT) {
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.b64 p, [%1], %2;\n\t"
                         "selp.b32 %0, 1, 0, p;\n\t}"
                         : "=r"(done)
                         : "l"(g), "r"(a.parity)
                         : "memory");
        } else {
            mbarrier_arrive(bar);
            done = mbarrier_test_parity(bar, 0);
        }
        ((uint32_t *)a.out)[1] = done;
        ((uint32_t *)a.out)[0] = 1;
    }
    meet();
}
CK_KERNEL(mbarrier_window, mbarrier_cluster_args)

/* The arrive form with a state, at a generic address. out[0] is 1 when it is over, out[1] and out[2] are the state,
 * out[3] what a wait of the owner returned. */
template <int M> __device__ static void mbarrier_remote_state_body(const mbarrier_cluster_args &a)
{
    const uint32_t bar = ck_shared(ck_smem);
    uint64_t state = 0;

    if (threadIdx.x == 0)
        mbarrier_init(bar, a.count);
    publish_init();
    meet();
    if (rank() == 0 && threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.release.cluster.b64 %0, [%1];"
                     : "=l"(state)
                     : "l"(generic(map_to(bar, a.where == WHERE_REMOTE)))
                     : "memory");
        ((uint32_t *)a.out)[0] = 1;
        ((uint32_t *)a.out)[1] = (uint32_t)state;
        ((uint32_t *)a.out)[2] = (uint32_t)(state >> 32);
    }
    meet();
    if (rank() == (a.where == WHERE_REMOTE) && threadIdx.x == 0)
        ((uint32_t *)a.out)[3] = mbarrier_test_parity(bar, 0);
    meet();
}
CK_KERNEL(mbarrier_remote_state, mbarrier_cluster_args)
