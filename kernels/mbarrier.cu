/* Carries out a list of steps on mbarrier objects: which steps is the case's business. */
#include "kernels/ck.cuh"
#include "kernels/mbarrier.h"

/* All statements here name their operands alike: %0 state, %1 shared address, %2 value, %3 generic address. */
#define ASM(text) asm volatile(text : "+l"(state) : "r"(o), "r"(s.value), "l"(g) : "memory")

/* An operation that returns a state, in each of its forms. `tail` holds what comes after the address. */
#define STATEFUL(op, tail)                                                                                             \
    do {                                                                                                               \
        if (s.form & MB_PLAIN)                                                                                         \
            ASM(op ".shared.b64 %0, [%1]" tail ";");                                                                   \
        if (s.form & MB_CTA)                                                                                           \
            ASM(op ".release.cta.shared::cta.b64 %0, [%1]" tail ";");                                                  \
        if (s.form & MB_CLUSTER)                                                                                       \
            ASM(op ".release.cluster.shared::cta.b64 %0, [%1]" tail ";");                                              \
        if (s.form & MB_RELAXED)                                                                                       \
            ASM(op ".relaxed.cta.shared::cta.b64 %0, [%1]" tail ";");                                                  \
        if (s.form & MB_RELAXED_CLUSTER)                                                                               \
            ASM(op ".relaxed.cluster.shared::cta.b64 %0, [%1]" tail ";");                                              \
        if (s.form & MB_GENERIC)                                                                                       \
            ASM(op ".b64 %0, [%3]" tail ";");                                                                          \
        if (s.form & MB_SINK)                                                                                          \
            ASM(op ".shared.b64 _, [%1]" tail ";");                                                                    \
    } while (0)

/* .noComplete knows release at .cta scope only. */
#define NO_COMPLETE(op)                                                                                                \
    do {                                                                                                               \
        if (s.form & MB_PLAIN)                                                                                         \
            ASM(op ".shared.b64 %0, [%1], %2;");                                                                       \
        if (s.form & MB_CTA)                                                                                           \
            ASM(op ".release.cta.shared::cta.b64 %0, [%1], %2;");                                                      \
        if (s.form & MB_GENERIC)                                                                                       \
            ASM(op ".b64 %0, [%3], %2;");                                                                              \
    } while (0)

/* expect_tx and complete_tx. */
#define BYTES(op)                                                                                                      \
    do {                                                                                                               \
        if (s.form & MB_PLAIN)                                                                                         \
            ASM(op ".shared.b64 [%1], %2;");                                                                           \
        if (s.form & MB_CTA)                                                                                           \
            ASM(op ".relaxed.cta.shared::cta.b64 [%1], %2;");                                                          \
        if (s.form & MB_CLUSTER)                                                                                       \
            ASM(op ".relaxed.cluster.shared::cta.b64 [%1], %2;");                                                      \
        if (s.form & MB_GENERIC)                                                                                       \
            ASM(op ".b64 [%3], %2;");                                                                                  \
    } while (0)

/* What works on the object of another CTA; %1 is then its address in the cluster. `order` is release or relaxed. */
#define REMOTE(op, order, sink, tail)                                                                                  \
    do {                                                                                                               \
        if (s.form & MB_PLAIN)                                                                                         \
            ASM(op ".shared::cluster.b64 " sink "[%1]" tail ";");                                                      \
        if (s.form & MB_CTA)                                                                                           \
            ASM(op order ".cta.shared::cluster.b64 " sink "[%1]" tail ";");                                            \
        if (s.form & MB_CLUSTER)                                                                                       \
            ASM(op order ".cluster.shared::cluster.b64 " sink "[%1]" tail ";");                                        \
        if (s.form & MB_RELAXED_CLUSTER)                                                                               \
            ASM(op ".relaxed.cluster.shared::cluster.b64 " sink "[%1]" tail ";");                                      \
        if (s.form & MB_GENERIC)                                                                                       \
            ASM(op order ".cluster.b64 " sink "[%3]" tail ";");                                                        \
    } while (0)

#define PREDICATE(text) ASM("{\n\t.reg .pred p;\n\t" text "\n\tselp.b64 %0, 1, 0, p;\n\t}")

/* A wait; its operand is a state or a parity. */
#define WAIT(op, operand)                                                                                              \
    do {                                                                                                               \
        if (s.form & MB_PLAIN)                                                                                         \
            PREDICATE(op ".shared.b64 p, [%1], " operand ";");                                                         \
        if (s.form & MB_CTA)                                                                                           \
            PREDICATE(op ".acquire.cta.shared::cta.b64 p, [%1], " operand ";");                                        \
        if (s.form & MB_CLUSTER)                                                                                       \
            PREDICATE(op ".acquire.cluster.shared::cta.b64 p, [%1], " operand ";");                                    \
        if (s.form & MB_RELAXED)                                                                                       \
            PREDICATE(op ".relaxed.cta.shared::cta.b64 p, [%1], " operand ";");                                        \
        if (s.form & MB_RELAXED_CLUSTER)                                                                               \
            PREDICATE(op ".relaxed.cluster.shared::cta.b64 p, [%1], " operand ";");                                    \
        if (s.form & MB_GENERIC)                                                                                       \
            PREDICATE(op ".b64 p, [%3], " operand ";");                                                                \
    } while (0)

enum {
    ARRIVALS = MB_ARRIVE | MB_ARRIVE_COUNT | MB_ARRIVE_NOCOMPLETE | MB_ARRIVE_EXPECT | MB_DROP | MB_DROP_COUNT |
               MB_DROP_NOCOMPLETE | MB_DROP_EXPECT,
    WAITS = MB_TEST | MB_TEST_PARITY | MB_TRY | MB_TRY_PARITY | MB_TRY_HINT,
    REMOTES = MB_REMOTE_ARRIVE | MB_REMOTE_ARRIVE_COUNT | MB_REMOTE_ARRIVE_EXPECT | MB_REMOTE_DROP |
              MB_REMOTE_DROP_COUNT | MB_REMOTE_EXPECT | MB_REMOTE_COMPLETE,
};

__device__ static void arrive(const mbarrier_step &s, uint32_t o, uint64_t g, uint64_t &state)
{
    if (s.op & MB_ARRIVE)
        STATEFUL("mbarrier.arrive", "");
    if (s.op & MB_ARRIVE_COUNT)
        STATEFUL("mbarrier.arrive", ", %2");
    if (s.op & MB_ARRIVE_EXPECT)
        STATEFUL("mbarrier.arrive.expect_tx", ", %2");
    if (s.op & MB_DROP)
        STATEFUL("mbarrier.arrive_drop", "");
    if (s.op & MB_DROP_COUNT)
        STATEFUL("mbarrier.arrive_drop", ", %2");
    if (s.op & MB_DROP_EXPECT)
        STATEFUL("mbarrier.arrive_drop.expect_tx", ", %2");
    if (s.op & MB_ARRIVE_NOCOMPLETE)
        NO_COMPLETE("mbarrier.arrive.noComplete");
    if (s.op & MB_DROP_NOCOMPLETE)
        NO_COMPLETE("mbarrier.arrive_drop.noComplete");
}

/* `state` is what is waited on, and becomes 1 or 0. */
__device__ static void wait(const mbarrier_step &s, uint32_t o, uint64_t g, uint64_t &state)
{
    if (s.op & MB_TEST)
        WAIT("mbarrier.test_wait", "%0");
    if (s.op & MB_TRY)
        WAIT("mbarrier.try_wait", "%0");
    if (s.op & MB_TEST_PARITY)
        WAIT("mbarrier.test_wait.parity", "%2");
    if (s.op & MB_TRY_PARITY)
        WAIT("mbarrier.try_wait.parity", "%2");
    if (s.op & MB_TRY_HINT)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2, %3;\n\t"
                     "selp.b64 %0, 1, 0, p;\n\t}"
                     : "=l"(state)
                     : "r"(o), "r"(s.value), "r"(s.hint)
                     : "memory");
}

__device__ static void remote(const mbarrier_step &s, uint32_t own, uint64_t state)
{
    uint32_t o;
    uint64_t g;

    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(o) : "r"(own), "r"(s.owner));
    asm volatile("cvta.shared::cluster.u64 %0, %1;" : "=l"(g) : "l"((uint64_t)o));
    if (s.op & MB_REMOTE_ARRIVE)
        REMOTE("mbarrier.arrive", ".release", "_, ", "");
    if (s.op & MB_REMOTE_ARRIVE_COUNT)
        REMOTE("mbarrier.arrive", ".release", "_, ", ", %2");
    if (s.op & MB_REMOTE_ARRIVE_EXPECT)
        REMOTE("mbarrier.arrive.expect_tx", ".release", "_, ", ", %2");
    if (s.op & MB_REMOTE_DROP)
        REMOTE("mbarrier.arrive_drop", ".release", "_, ", "");
    if (s.op & MB_REMOTE_DROP_COUNT)
        REMOTE("mbarrier.arrive_drop", ".release", "_, ", ", %2");
    if (s.op & MB_REMOTE_EXPECT)
        REMOTE("mbarrier.expect_tx", ".relaxed", "", ", %2");
    if (s.op & MB_REMOTE_COMPLETE)
        REMOTE("mbarrier.complete_tx", ".relaxed", "", ", %2");
}

/* What is no business of a program with a live object, and a pause. */
__device__ static uint64_t ordinary(const mbarrier_step &s, uint32_t o, uint32_t base)
{
    uint64_t v = 0;

    if (s.op & MB_LOAD)
        asm volatile("ld.volatile.shared.b64 %0, [%1];" : "=l"(v) : "r"(o) : "memory");
    if (s.op & MB_STORE)
        asm volatile("st.volatile.shared.b64 [%0], %1;" ::"r"(o), "l"((uint64_t)s.hint << 32 | s.value) : "memory");
    if (s.op & MB_COPY) {
        asm volatile("ld.volatile.shared.b64 %0, [%1];" : "=l"(v) : "r"(base + 8 * s.value) : "memory");
        asm volatile("st.volatile.shared.b64 [%0], %1;" ::"r"(o), "l"(v) : "memory");
        v = 0;
    }
    if (s.op & MB_PAUSE) {
        const uint64_t start = ck_now();
        while (ck_now() - start < s.value)
            ;
    }
    return v;
}

/* One thread's part in a step; what it adds to the result. */
__device__ static uint64_t step(const mbarrier_step &s, uint32_t base, uint64_t &token)
{
    const uint32_t o = base + 8 * s.object + s.skew;
    uint64_t g, state = 0;

    asm volatile("cvta.shared.u64 %0, %1;" : "=l"(g) : "l"((uint64_t)o));
    if (s.op & MB_INIT) {
        if (s.form & MB_GENERIC)
            ASM("mbarrier.init.b64 [%3], %2;");
        else
            ASM("mbarrier.init.shared.b64 [%1], %2;");
    }
    if (s.op & MB_INVAL) {
        if (s.form & MB_GENERIC)
            ASM("mbarrier.inval.b64 [%3];");
        else
            ASM("mbarrier.inval.shared.b64 [%1];");
    }
    if (s.op & ARRIVALS) {
        for (uint32_t i = 0; i < s.times; i++)
            arrive(s, o, g, state);
        if (threadIdx.x == s.first)
            token = state;
        return 0;
    }
    if (s.op & MB_EXPECT)
        for (uint32_t i = 0; i < s.times; i++)
            BYTES("mbarrier.expect_tx");
    if (s.op & MB_COMPLETE)
        for (uint32_t i = 0; i < s.times; i++)
            BYTES("mbarrier.complete_tx");
    if (s.op & REMOTES)
        for (uint32_t i = 0; i < s.times; i++)
            remote(s, o, state);
    if (s.op & WAITS) {
        for (uint32_t i = 0; i < s.times; i++) {
            state = token;
            wait(s, o, g, state);
            if (state)
                return 1;
        }
        return 0;
    }
    if (s.op & MB_PENDING) {
        asm volatile("{\n\t.reg .b32 n;\n\tmbarrier.pending_count.b64 n, %1;\n\tcvt.u64.u32 %0, n;\n\t}"
                     : "=l"(state)
                     : "l"(token));
        return state;
    }
    return ordinary(s, o, base);
}

__device__ static uint32_t rank()
{
    uint32_t r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

__device__ static void meet(uint32_t ctas)
{
    if (ctas > 1)
        asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
    else
        __syncthreads();
}

template <int M> __device__ static void mbarrier_steps_body(const mbarrier_steps_args &a)
{
    uint64_t *image = (uint64_t *)a.image, *results = (uint64_t *)a.results;
    uint64_t *memory = (uint64_t *)ck_smem, *tokens = memory + a.bytes / 8;
    const uint32_t base = ck_shared(ck_smem + a.base), cta = rank();

    for (uint32_t i = threadIdx.x; i < a.bytes / 8; i += blockDim.x)
        memory[i] = image[i];
    for (uint32_t i = threadIdx.x; i < MB_TOKENS; i += blockDim.x)
        tokens[i] = 0;
    meet(a.ctas);
    for (uint32_t i = 0; i < a.count; i++) {
        const mbarrier_step s = ((const mbarrier_step *)a.steps)[i];
        if ((s.cta == cta || s.cta == MB_EVERY) && threadIdx.x - s.first < s.threads) {
            const uint64_t r = step(s, base, tokens[s.token]);
            if (r)
                atomicAdd((unsigned long long *)&results[i], (unsigned long long)r);
        }
        meet(a.ctas);
    }
    if (cta == 0)
        for (uint32_t i = threadIdx.x; i < a.bytes / 8; i += blockDim.x)
            if (8 * i - a.base >= a.hole)
                image[i] = memory[i];
}
CK_KERNEL(mbarrier_steps, mbarrier_steps_args)
