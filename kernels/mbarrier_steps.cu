/* Carries out a list of steps on mbarriers. A case makes up the list (tests/mbarrier/program.h), from every instruction
 * in every form, so macros put the forms together here. mbarrier_handshake.cu shows the same instructions as a kernel
 * has them. */
#include "kernels/cluster.cuh"
#include "kernels/mbarrier_steps.h"

/* What the statements work on: %0 to %3 in each of them. */
struct operands {
    uint64_t state;   /* %0: what an arrival returns and a wait takes; a wait's answer, 1 or 0 */
    uint32_t shared;  /* %1: the object's shared address, or the shared::cluster address of a remote one */
    uint32_t value;   /* %2: count, bytes or parity */
    uint64_t generic; /* %3: the object's generic address */
};

/* One statement on the operands `x`. */
#define DO(x, text) asm volatile(text : "+l"((x).state) : "r"((x).shared), "r"((x).value), "l"((x).generic) : "memory")

/* An operation that returns a state, in each of its forms. `tail` holds what comes after the address. */
#define WITH_STATE(x, form, op, tail)                                                                                  \
    do {                                                                                                               \
        if ((form)&MB_PLAIN)                                                                                           \
            DO(x, op ".shared.b64 %0, [%1]" tail ";");                                                                 \
        if ((form)&MB_CTA)                                                                                             \
            DO(x, op ".release.cta.shared::cta.b64 %0, [%1]" tail ";");                                                \
        if ((form)&MB_CLUSTER)                                                                                         \
            DO(x, op ".release.cluster.shared::cta.b64 %0, [%1]" tail ";");                                            \
        if ((form)&MB_RELAXED)                                                                                         \
            DO(x, op ".relaxed.cta.shared::cta.b64 %0, [%1]" tail ";");                                                \
        if ((form)&MB_RELAXED_CLUSTER)                                                                                 \
            DO(x, op ".relaxed.cluster.shared::cta.b64 %0, [%1]" tail ";");                                            \
        if ((form)&MB_GENERIC)                                                                                         \
            DO(x, op ".b64 %0, [%3]" tail ";");                                                                        \
        if ((form)&MB_SINK)                                                                                            \
            DO(x, op ".shared.b64 _, [%1]" tail ";");                                                                  \
    } while (0)

/* .noComplete knows release at .cta scope only. */
#define NO_COMPLETE(x, form, op)                                                                                       \
    do {                                                                                                               \
        if ((form)&MB_PLAIN)                                                                                           \
            DO(x, op ".shared.b64 %0, [%1], %2;");                                                                     \
        if ((form)&MB_CTA)                                                                                             \
            DO(x, op ".release.cta.shared::cta.b64 %0, [%1], %2;");                                                    \
        if ((form)&MB_GENERIC)                                                                                         \
            DO(x, op ".b64 %0, [%3], %2;");                                                                            \
    } while (0)

/* expect_tx and complete_tx. */
#define BYTES(x, form, op)                                                                                             \
    do {                                                                                                               \
        if ((form)&MB_PLAIN)                                                                                           \
            DO(x, op ".shared.b64 [%1], %2;");                                                                         \
        if ((form)&MB_CTA)                                                                                             \
            DO(x, op ".relaxed.cta.shared::cta.b64 [%1], %2;");                                                        \
        if ((form)&MB_CLUSTER)                                                                                         \
            DO(x, op ".relaxed.cluster.shared::cta.b64 [%1], %2;");                                                    \
        if ((form)&MB_GENERIC)                                                                                         \
            DO(x, op ".b64 [%3], %2;");                                                                                \
    } while (0)

/* What works on the object of another CTA. `order` is release or relaxed, `sink` the destination of an arrival. */
#define REMOTE(x, form, op, order, sink, tail)                                                                         \
    do {                                                                                                               \
        if ((form)&MB_PLAIN)                                                                                           \
            DO(x, op ".shared::cluster.b64 " sink "[%1]" tail ";");                                                    \
        if ((form)&MB_CTA)                                                                                             \
            DO(x, op order ".cta.shared::cluster.b64 " sink "[%1]" tail ";");                                          \
        if ((form)&MB_CLUSTER)                                                                                         \
            DO(x, op order ".cluster.shared::cluster.b64 " sink "[%1]" tail ";");                                      \
        if ((form)&MB_RELAXED_CLUSTER)                                                                                 \
            DO(x, op ".relaxed.cluster.shared::cluster.b64 " sink "[%1]" tail ";");                                    \
        if ((form)&MB_GENERIC)                                                                                         \
            DO(x, op order ".cluster.b64 " sink "[%3]" tail ";");                                                      \
    } while (0)

/* One wait, whose answer becomes the state. */
#define ASK(x, wait) DO(x, "{ .reg .pred p; " wait " selp.b64 %0, 1, 0, p; }")

/* A wait in each of its forms; `what` is the operand that says for which phase, a state or a parity. */
#define WAIT(x, form, op, what)                                                                                        \
    do {                                                                                                               \
        if ((form)&MB_PLAIN)                                                                                           \
            ASK(x, op ".shared.b64 p, [%1], " what ";");                                                               \
        if ((form)&MB_CTA)                                                                                             \
            ASK(x, op ".acquire.cta.shared::cta.b64 p, [%1], " what ";");                                              \
        if ((form)&MB_CLUSTER)                                                                                         \
            ASK(x, op ".acquire.cluster.shared::cta.b64 p, [%1], " what ";");                                          \
        if ((form)&MB_RELAXED)                                                                                         \
            ASK(x, op ".relaxed.cta.shared::cta.b64 p, [%1], " what ";");                                              \
        if ((form)&MB_RELAXED_CLUSTER)                                                                                 \
            ASK(x, op ".relaxed.cluster.shared::cta.b64 p, [%1], " what ";");                                          \
        if ((form)&MB_GENERIC)                                                                                         \
            ASK(x, op ".b64 p, [%3], " what ";");                                                                      \
    } while (0)

enum {
    ARRIVALS = MB_ARRIVE | MB_ARRIVE_COUNT | MB_ARRIVE_NOCOMPLETE | MB_ARRIVE_EXPECT | MB_DROP | MB_DROP_COUNT |
               MB_DROP_NOCOMPLETE | MB_DROP_EXPECT,
    WAITS = MB_TEST | MB_TEST_PARITY | MB_TRY | MB_TRY_PARITY | MB_TRY_HINT,
    REMOTES = MB_REMOTE_ARRIVE | MB_REMOTE_ARRIVE_COUNT | MB_REMOTE_ARRIVE_EXPECT | MB_REMOTE_DROP |
              MB_REMOTE_DROP_COUNT | MB_REMOTE_EXPECT | MB_REMOTE_COMPLETE,
};

/* Makes or ends an object. */
__device__ static void make_or_end(const mbarrier_step &s, operands &x)
{
    const bool generic = s.form & MB_GENERIC;

    if (s.op & MB_INIT && generic)
        DO(x, "mbarrier.init.b64 [%3], %2;");
    if (s.op & MB_INIT && !generic)
        DO(x, "mbarrier.init.shared.b64 [%1], %2;");
    if (s.op & MB_INVAL && generic)
        DO(x, "mbarrier.inval.b64 [%3];");
    if (s.op & MB_INVAL && !generic)
        DO(x, "mbarrier.inval.shared.b64 [%1];");
}

/* Arrives on an object of this CTA; the state is then what the arrival returned. */
__device__ static void arrive(const mbarrier_step &s, operands &x)
{
    if (s.op & MB_ARRIVE)
        WITH_STATE(x, s.form, "mbarrier.arrive", "");
    if (s.op & MB_ARRIVE_COUNT)
        WITH_STATE(x, s.form, "mbarrier.arrive", ", %2");
    if (s.op & MB_ARRIVE_EXPECT)
        WITH_STATE(x, s.form, "mbarrier.arrive.expect_tx", ", %2");
    if (s.op & MB_DROP)
        WITH_STATE(x, s.form, "mbarrier.arrive_drop", "");
    if (s.op & MB_DROP_COUNT)
        WITH_STATE(x, s.form, "mbarrier.arrive_drop", ", %2");
    if (s.op & MB_DROP_EXPECT)
        WITH_STATE(x, s.form, "mbarrier.arrive_drop.expect_tx", ", %2");
    if (s.op & MB_ARRIVE_NOCOMPLETE)
        NO_COMPLETE(x, s.form, "mbarrier.arrive.noComplete");
    if (s.op & MB_DROP_NOCOMPLETE)
        NO_COMPLETE(x, s.form, "mbarrier.arrive_drop.noComplete");
}

/* Announces bytes to an object of this CTA, or says that they have come. */
__device__ static void count_bytes(const mbarrier_step &s, operands &x)
{
    if (s.op & MB_EXPECT)
        BYTES(x, s.form, "mbarrier.expect_tx");
    if (s.op & MB_COMPLETE)
        BYTES(x, s.form, "mbarrier.complete_tx");
}

/* Asks once; the state is what is waited on, and then the answer. */
__device__ static void ask(const mbarrier_step &s, operands &x)
{
    if (s.op & MB_TEST)
        WAIT(x, s.form, "mbarrier.test_wait", "%0");
    if (s.op & MB_TRY)
        WAIT(x, s.form, "mbarrier.try_wait", "%0");
    if (s.op & MB_TEST_PARITY)
        WAIT(x, s.form, "mbarrier.test_wait.parity", "%2");
    if (s.op & MB_TRY_PARITY)
        WAIT(x, s.form, "mbarrier.try_wait.parity", "%2");
    if (s.op & MB_TRY_HINT)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2, %3; selp.b64 %0, 1, 0, p; }"
                     : "=l"(x.state)
                     : "r"(x.shared), "r"(x.value), "r"(s.hint)
                     : "memory");
}

/* Works on the object of CTA `owner`. */
__device__ static void remote(const mbarrier_step &s, const operands &own)
{
    operands x = own;

    x.shared = in_cta(own.shared, s.owner);
    x.generic = generic_of(x.shared);
    if (s.op & MB_REMOTE_ARRIVE)
        REMOTE(x, s.form, "mbarrier.arrive", ".release", "_, ", "");
    if (s.op & MB_REMOTE_ARRIVE_COUNT)
        REMOTE(x, s.form, "mbarrier.arrive", ".release", "_, ", ", %2");
    if (s.op & MB_REMOTE_ARRIVE_EXPECT)
        REMOTE(x, s.form, "mbarrier.arrive.expect_tx", ".release", "_, ", ", %2");
    if (s.op & MB_REMOTE_DROP)
        REMOTE(x, s.form, "mbarrier.arrive_drop", ".release", "_, ", "");
    if (s.op & MB_REMOTE_DROP_COUNT)
        REMOTE(x, s.form, "mbarrier.arrive_drop", ".release", "_, ", ", %2");
    if (s.op & MB_REMOTE_EXPECT)
        REMOTE(x, s.form, "mbarrier.expect_tx", ".relaxed", "", ", %2");
    if (s.op & MB_REMOTE_COMPLETE)
        REMOTE(x, s.form, "mbarrier.complete_tx", ".relaxed", "", ", %2");
}

/* An ordinary access to an object's place, which no program does to a live object, or a pause. Returns what a load
 * read. `at` is the place's shared address, `first` that of object 0. */
__device__ static uint64_t ordinary(const mbarrier_step &s, uint32_t at, uint32_t first)
{
    uint64_t v = 0;

    if (s.op & MB_LOAD)
        asm volatile("ld.volatile.shared.b64 %0, [%1];" : "=l"(v) : "r"(at) : "memory");
    if (s.op & MB_STORE)
        asm volatile("st.volatile.shared.b64 [%0], %1;" ::"r"(at), "l"((uint64_t)s.hint << 32 | s.value) : "memory");
    if (s.op & MB_COPY) {
        asm volatile("ld.volatile.shared.b64 %0, [%1];" : "=l"(v) : "r"(first + 8 * s.value) : "memory");
        asm volatile("st.volatile.shared.b64 [%0], %1;" ::"r"(at), "l"(v) : "memory");
        v = 0;
    }
    if (s.op & MB_PAUSE)
        ck_pause(s.value);
    return v;
}

/* One thread's part in a step; what it adds to the step's result. `first` is the shared address of object 0, `token`
 * the step's slot. */
__device__ static uint64_t step(const mbarrier_step &s, uint32_t first, uint64_t &token)
{
    operands x = { 0, first + 8 * s.object + s.skew, s.value, 0 };

    x.generic = (uint64_t)__cvta_shared_to_generic(x.shared);
    make_or_end(s, x);
    if (s.op & (ARRIVALS | MB_EXPECT | MB_COMPLETE | REMOTES)) {
        for (uint32_t i = 0; i < s.times; i++) {
            if (s.op & ARRIVALS)
                arrive(s, x);
            else if (s.op & REMOTES)
                remote(s, x);
            else
                count_bytes(s, x);
        }
        if (s.op & ARRIVALS && threadIdx.x == s.first)
            token = x.state;
        return 0;
    }
    if (s.op & WAITS) {
        for (uint32_t i = 0; i < s.times; i++) {
            x.state = token;
            ask(s, x);
            if (x.state)
                return 1;
        }
        return 0;
    }
    if (s.op & MB_PENDING) {
        uint32_t pending;
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(token));
        return pending;
    }
    return ordinary(s, x.shared, first);
}

__device__ static void meet(uint32_t ctas)
{
    if (ctas > 1)
        cluster_sync_unaligned();
    else
        __syncthreads();
}

/* Each step is done by the threads that it names, and adds to its result; then all threads meet. */
template <int M> __device__ static void mbarrier_steps_body(const mbarrier_steps_args &a)
{
    uint64_t *memory = (uint64_t *)ck_smem, *tokens = memory + a.bytes / 8;
    const uint32_t first = ck_shared(ck_smem + a.base), cta = cluster_rank();

    for (uint32_t i = threadIdx.x; i < a.bytes / 8; i += blockDim.x)
        memory[i] = a.image[i];
    for (uint32_t i = threadIdx.x; i < MB_TOKENS; i += blockDim.x)
        tokens[i] = 0;
    meet(a.ctas);
    for (uint32_t i = 0; i < a.count; i++) {
        const mbarrier_step s = a.steps[i];
        const bool here = s.cta == cta || s.cta == MB_EVERY;
        if (here && threadIdx.x >= s.first && threadIdx.x < s.first + s.threads) {
            const uint64_t r = step(s, first, tokens[s.token]);
            if (r)
                atomicAdd((unsigned long long *)&a.results[i], (unsigned long long)r);
        }
        meet(a.ctas);
    }
    if (cta == 0)
        for (uint32_t i = threadIdx.x; i < a.bytes / 8; i += blockDim.x)
            if (8 * i < a.base || 8 * i >= a.base + a.hole)
                a.image[i] = memory[i];
}
CK_KERNEL(mbarrier_steps, mbarrier_steps_args)
// SPDX-License-Identifier: Apache-2.0
