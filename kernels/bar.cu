/* The barriers of a CTA, and elect.sync. */
#include "kernels/bar.h"
#include "kernels/ck.cuh"

enum { NONE, NO_BAR, READ_FIRST, STAY, OWN_LANE, ALL, OTHER_MASK, DROP };

/* The barrier `id` of the CTA, in the form of enum bar_form. */
__device__ static void meet(uint32_t form, uint32_t id, uint32_t count)
{
    switch (form) {
    case BAR_SYNC: asm volatile("bar.sync %0;" ::"r"(id) : "memory"); break;
    case BAR_SYNC_COUNT: asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory"); break;
    case BAR_BARRIER: asm volatile("barrier.sync %0;" ::"r"(id) : "memory"); break;
    case BAR_BARRIER_COUNT: asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(count) : "memory"); break;
    case BAR_ALIGNED_COUNT: asm volatile("barrier.sync.aligned %0, %1;" ::"r"(id), "r"(count) : "memory"); break;
    }
}

/* The last warp of each group is late. */
__device__ static void be_late(const bar_args &a)
{
    if (threadIdx.x % a.group / 32 == (a.group - 1) / 32)
        ck_pause(a.delay);
}

/* Each thread writes a word to shared and one to global memory, meets its group at the barrier, and reads those of a
 * thread of the warp before: out[2 * thread + 0 or 1]. Group g uses barrier id + g. NO_BAR: it does not meet. */
template <int M> __device__ static void bar_exchange_body(const bar_args &a)
{
    __shared__ uint32_t words[1024];
    const uint32_t i = threadIdx.x, first = i / a.group * a.group, other = first + (i - first + a.group - 32) % a.group;
    uint32_t near_word, far_word;

    words[i] = 0;
    __syncthreads();
    be_late(a);
    ((volatile uint32_t *)words)[i] = i + 1;
    ((volatile uint32_t *)a.words)[i] = i + 1001;
    if (M != NO_BAR)
        meet(a.form, a.id + i / a.group, a.group);
    near_word = ((volatile uint32_t *)words)[other];
    far_word = ((volatile uint32_t *)a.words)[other];
    a.out[2 * i] = near_word;
    a.out[2 * i + 1] = far_word;
}
CK_KERNEL(bar_exchange, bar_args)
CK_MUTANT(bar_exchange, no_bar, NO_BAR, bar_args)

/* Two groups, the second of which begins when the first has made all its rounds; each round is a word written, a
 * barrier of the group, and the word of another warp read. out[thread]: rounds in which it was right. NO_BAR: no
 * barrier in the last round, in which a warp is late. */
template <int M> __device__ static void bar_partial_body(const bar_args &a)
{
    __shared__ uint32_t words[2][1024], done;
    const uint32_t i = threadIdx.x, first = i / a.group * a.group, other = first + (i - first + a.group - 32) % a.group;
    const uint64_t start = ck_now();
    uint32_t right = 0;

    words[0][i] = words[1][i] = 0;
    if (i == 0)
        done = 0;
    __syncthreads();
    while (first && atomicAdd(&done, 0) < a.group)
        if (a.head.limit && ck_now() - start > a.head.limit) {
            ck_timeout(a.head, 0);
            break;
        }
    for (uint32_t r = 0; r < a.rounds; r++) {
        if (r + 1 == a.rounds)
            be_late(a);
        ((volatile uint32_t *)words[r & 1])[i] = r + 1;
        if (M != NO_BAR || r + 1 < a.rounds)
            meet(a.form, a.id + (first ? 1 : 0), a.group);
        right += ((volatile uint32_t *)words[r & 1])[other] == r + 1;
    }
    if (!first)
        atomicAdd(&done, 1);
    a.out[i] = right;
}
CK_KERNEL(bar_partial, bar_args)
CK_MUTANT(bar_partial, no_bar, NO_BAR, bar_args)

/* The first half of the threads writes a word each and arrives at a barrier, the second half waits there, reads, and
 * arrives at another one, at which the first half waits before it writes again. out[thread of the second half]: rounds
 * in which it read the right word. READ_FIRST: it reads before it waits. */
template <int M> __device__ static void bar_hand_over_body(const bar_args &a)
{
    __shared__ uint32_t words[512];
    const uint32_t half = blockDim.x / 2, full = a.id, empty = (a.id + 1) % 16, all = blockDim.x;
    const uint32_t i = threadIdx.x % half;
    uint32_t right = 0, word;

    words[i] = 0;
    __syncthreads();
    for (uint32_t r = 0; r < a.rounds; r++) {
        if (threadIdx.x < half) {
            if (r)
                asm volatile("bar.sync %0, %1;" ::"r"(empty), "r"(all) : "memory");
            be_late(a);
            ((volatile uint32_t *)words)[i] = r * 1024 + i + 1;
            asm volatile("bar.arrive %0, %1;" ::"r"(full), "r"(all) : "memory");
        } else {
            if (M == READ_FIRST)
                word = ((volatile uint32_t *)words)[half - 1 - i];
            asm volatile("bar.sync %0, %1;" ::"r"(full), "r"(all) : "memory");
            if (M != READ_FIRST)
                word = ((volatile uint32_t *)words)[half - 1 - i];
            right += word == r * 1024 + half - i;
            if (r + 1 < a.rounds)
                asm volatile("bar.arrive %0, %1;" ::"r"(empty), "r"(all) : "memory");
        }
    }
    a.out[threadIdx.x] = right;
}
CK_KERNEL(bar_hand_over, bar_args)
CK_MUTANT(bar_hand_over, read_first, READ_FIRST, bar_args)

/* Each thread brings its predicate to a reduction over its group and writes out what it got. */
template <int M> __device__ static void bar_reduce_body(const bar_args &a)
{
    const uint32_t id = a.id + threadIdx.x / a.group, bit = a.in[threadIdx.x];
    uint32_t result = 0;

    switch (a.form) {
    case BAR_POPC:
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; bar.red.popc.u32 %0, %1, %2, p; }"
                     : "=r"(result)
                     : "r"(id), "r"(a.group), "r"(bit)
                     : "memory");
        break;
    case BAR_AND:
        asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %3, 0; bar.red.and.pred q, %1, %2, p; selp.u32 %0, 1, 0, q; }"
                     : "=r"(result)
                     : "r"(id), "r"(a.group), "r"(bit)
                     : "memory");
        break;
    case BAR_OR:
        asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %3, 0; bar.red.or.pred q, %1, %2, p; selp.u32 %0, 1, 0, q; }"
                     : "=r"(result)
                     : "r"(id), "r"(a.group), "r"(bit)
                     : "memory");
        break;
    }
    a.out[threadIdx.x] = result;
}
CK_KERNEL(bar_reduce, bar_args)

/* The last warp exits at once; the others count themselves, meet, and write out the count. STAY: it comes later. */
template <int M> __device__ static void bar_exited_body(const bar_args &a)
{
    if (threadIdx.x / 32 == (blockDim.x - 1) / 32) {
        if (M != STAY)
            return;
        ck_pause(a.delay);
    }
    atomicAdd(a.words, 1);
    meet(a.form, a.id, 0);
    a.out[threadIdx.x] = atomicAdd(a.words, 0);
}
CK_KERNEL(bar_exited, bar_args)
CK_MUTANT(bar_exited, stay, STAY, bar_args)

/* The lanes of the mask elect one, `rounds` times: out[lane] has the number of times that it was elected, in bits 0 to
 * 15, the elected lane of the last time from bit 16 on, and bit 31 where that was not the same each time. OWN_LANE: it
 * takes its own lane for the elected one. ALL: it takes each lane to be elected. OTHER_MASK: the first lane of the mask
 * stays out of the last election. */
template <int M> __device__ static void elect_body(const bar_args &a)
{
    const uint32_t lane = threadIdx.x;
    uint32_t times = 0, leader = 0, before = 0, elected, mixed = 0;

    if (!(a.mask >> lane & 1))
        return;
    for (uint32_t r = 0; r < a.rounds; r++) {
        const uint32_t mask = M == OTHER_MASK && r + 1 == a.rounds ? a.mask & (a.mask - 1) : a.mask;
        if (!(mask >> lane & 1))
            break;
        asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
                     : "=r"(leader), "=r"(elected)
                     : "r"(mask));
        if (M == OWN_LANE)
            leader = lane;
        times += M == ALL ? 1 : elected;
        mixed |= r && leader != before;
        before = leader;
    }
    a.out[lane] = mixed << 31 | leader << 16 | times;
}
CK_KERNEL(elect, bar_args)
CK_MUTANT(elect, own_lane, OWN_LANE, bar_args)
CK_MUTANT(elect, all, ALL, bar_args)
CK_MUTANT(elect, other_mask, OTHER_MASK, bar_args)

/* The lanes of the mask count themselves, one of them late, elect one, and read the count: out[lane]. DROP: the late
 * lane is not in the mask. */
template <int M> __device__ static void elect_wait_body(const bar_args &a)
{
    __shared__ uint32_t count;
    const uint32_t lane = threadIdx.x, mask = M == DROP ? a.mask & ~(1u << a.late) : a.mask;

    if (lane == 0)
        count = 0;
    __syncthreads();
    if (!(a.mask >> lane & 1))
        return;
    if (lane == a.late)
        ck_pause(a.delay);
    if (mask >> lane & 1) {
        atomicAdd(&count, 1);
        asm volatile("{ .reg .pred p; .reg .u32 leader; elect.sync leader|p, %0; }" ::"r"(mask) : "memory");
        a.out[lane] = atomicAdd(&count, 0);
    }
}
CK_KERNEL(elect_wait, bar_args)
CK_MUTANT(elect_wait, drop, DROP, bar_args)
// SPDX-License-Identifier: Apache-2.0
