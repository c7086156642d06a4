/* cp.async beside other accesses of the same bytes: what is ordered, by what, and for whom. In most kernels thread i
 * copies from its own source to its own slot, and the results are what it, or another thread, then finds there. */
#include "kernels/cp_async.cuh"

enum { NONE, LATE, EARLY, FIRST, NO_WAIT, NO_BARRIER, OTHER_WAITS, RELAXED_FLAG, NO_FLAG, NO_FENCE, NEITHER };

/* The thread's own places. */
struct own {
    uint32_t slot; /* shared address of its 16 bytes */
    unsigned char *in, *other, *out;
};

__device__ static own places(const cp_async_order_args &a)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    return { ck_shared(ck_smem) + 16 * threadIdx.x, a.in + 128 * i, a.other + 128 * i, a.out + 16 * i };
}

/* Poisons shared memory and makes the mbarrier behind the threads' slots, for one arrival of each thread. */
__device__ static uint32_t start()
{
    const uint32_t bar = ck_shared(ck_smem) + 16 * blockDim.x;

    if (threadIdx.x == 0)
        mbarrier_init(bar, blockDim.x);
    poison_and_meet(16 * blockDim.x);
    return bar;
}

__device__ static void store_shared_bytes(uint32_t slot, const unsigned char *from, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 4)
        store_shared(slot + i, *(const volatile uint32_t *)(from + i));
}

__device__ static void store_global_bytes(unsigned char *to, const unsigned char *from, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 4)
        *(volatile uint32_t *)(to + i) = *(const volatile uint32_t *)(from + i);
}

/* A store to the source, then the copy. LATE: the store comes after the wait. */
template <int M> __device__ static void cp_async_prior_store_src_body(const cp_async_order_args &a)
{
    const own o = places(a);
    const uint32_t size = cp_async_size(a.form);

    start();
    if (M != LATE)
        store_global_bytes(o.in, o.other, size);
    cp_async(a.form, o.slot, o.in);
    cp_async_wait_all();
    if (M == LATE)
        store_global_bytes(o.in, o.other, size);
    give_out(o.out, o.slot, size);
}
CK_KERNEL(cp_async_prior_store_src, cp_async_order_args)
CK_MUTANT(cp_async_prior_store_src, late, LATE, cp_async_order_args)

/* A load of the destination, then the copy: the load's value comes out. LATE: the load comes after the wait. */
template <int M> __device__ static void cp_async_prior_load_dst_body(const cp_async_order_args &a)
{
    const own o = places(a);
    const uint32_t size = cp_async_size(a.form);

    start();
    if (M != LATE)
        give_out(o.out, o.slot, size);
    cp_async(a.form, o.slot, o.in);
    cp_async_wait_all();
    if (M == LATE)
        give_out(o.out, o.slot, size);
}
CK_KERNEL(cp_async_prior_load_dst, cp_async_order_args)
CK_MUTANT(cp_async_prior_load_dst, late, LATE, cp_async_order_args)

/* A store to the destination, then the copy. LATE: the store comes after the wait. */
template <int M> __device__ static void cp_async_prior_store_dst_body(const cp_async_order_args &a)
{
    const own o = places(a);
    const uint32_t size = cp_async_size(a.form);

    start();
    if (M != LATE)
        store_shared_bytes(o.slot, o.other, size);
    cp_async(a.form, o.slot, o.in);
    cp_async_wait_all();
    if (M == LATE)
        store_shared_bytes(o.slot, o.other, size);
    give_out(o.out, o.slot, size);
}
CK_KERNEL(cp_async_prior_store_dst, cp_async_order_args)
CK_MUTANT(cp_async_prior_store_dst, late, LATE, cp_async_order_args)

/* The copying thread itself reads, after `first` and `wait`; no barrier is needed. */
template <int M> __device__ static void cp_async_own_body(const cp_async_order_args &a)
{
    const own o = places(a);
    const uint32_t bar = start();

    cp_async(a.form, o.slot, o.in);
    cp_async_commit();
    cp_async_wait(a.head, a.first, bar);
    cp_async_wait(a.head, a.wait, bar);
    give_out(o.out, o.slot, cp_async_size(a.form));
    cp_async_wait_all();
}
CK_KERNEL(cp_async_own, cp_async_order_args)

/* The copy, the wait, then a store to the source. EARLY: the store comes before the wait. FIRST: before the copy. */
template <int M> __device__ static void cp_async_write_src_body(const cp_async_order_args &a)
{
    const own o = places(a);
    const uint32_t bar = start(), size = cp_async_size(a.form);

    if (M == FIRST)
        store_global_bytes(o.in, o.other, size);
    cp_async(a.form, o.slot, o.in);
    cp_async_commit();
    if (M == EARLY)
        store_global_bytes(o.in, o.other, size);
    cp_async_wait(a.head, a.wait, bar);
    if (M == NONE)
        store_global_bytes(o.in, o.other, size);
    give_out(o.out, o.slot, size);
}
CK_KERNEL(cp_async_write_src, cp_async_order_args)
CK_MUTANT(cp_async_write_src, early, EARLY, cp_async_order_args)
CK_MUTANT(cp_async_write_src, first, FIRST, cp_async_order_args)

/* The copy, the wait, then a store to the destination. EARLY: the store comes before the wait. */
template <int M> __device__ static void cp_async_write_dst_body(const cp_async_order_args &a)
{
    const own o = places(a);
    const uint32_t size = cp_async_size(a.form);
    uint32_t words[4];

    start();
    for (uint32_t i = 0; i < 4; i++) /* at hand, so that the stores are not late themselves */
        words[i] = ((const volatile uint32_t *)o.other)[i];
    for (uint32_t i = 0; i < 4; i++)
        asm volatile("" : "+r"(words[i])::"memory");
    __syncthreads();
    cp_async(a.form, o.slot, o.in);
    if (M != EARLY)
        cp_async_wait_all();
    for (uint32_t i = 0; i < 4; i++)
        if (4 * i < size)
            store_shared(o.slot + 4 * i, words[i]);
    if (M == EARLY)
        cp_async_wait_all();
    give_out(o.out, o.slot, size);
}
CK_KERNEL(cp_async_write_dst, cp_async_order_args)
CK_MUTANT(cp_async_write_dst, early, EARLY, cp_async_order_args)

/* Two copies to one destination: from the source, a wait, then from the other source; the second by the next lane where
 * `what` says so. NO_WAIT: no wait between them, and where `what` is CP_ONE_GROUP no commit either. */
template <int M> __device__ static void cp_async_pair_body(const cp_async_order_args &a)
{
    const own o = places(a);
    const uint32_t bar = start();
    const uint32_t next = a.what == CP_TWO_THREADS ? 1 : 0; /* lanes work on each other's slots by turns */
    const uint32_t slot = ck_shared(ck_smem) + 16 * (threadIdx.x ^ next);
    const unsigned char *const other = a.other + 128 * ((blockIdx.x * blockDim.x + threadIdx.x) ^ next);

    cp_async(a.form, o.slot, o.in);
    if (a.what != CP_ONE_GROUP || M != NO_WAIT)
        cp_async_commit();
    if (M != NO_WAIT) {
        cp_async_wait(a.head, a.wait, bar);
        __syncthreads();
    }
    cp_async(a.form, slot, other);
    cp_async_wait_all();
    __syncthreads();
    give_out(o.out, o.slot, cp_async_size(a.form));
}
CK_KERNEL(cp_async_pair, cp_async_order_args)
CK_MUTANT(cp_async_pair, no_wait, NO_WAIT, cp_async_order_args)

/* Warp 0 fills `stages` buffers in turn, warp 1 reads each of them late; all meet when a buffer is full, and again when
 * it has been read. NO_BARRIER: they do not meet behind the reads, and warp 0 refills the buffer at once. */
template <int M> __device__ static void cp_async_refill_body(const cp_async_order_args &a)
{
    const uint32_t lane = threadIdx.x % 32, size = cp_async_size(a.form);
    const bool copier = threadIdx.x < 32;
    const uint32_t slots = ck_shared(ck_smem) + 16 * lane;

    if (copier)
        for (uint32_t c = 0; c < a.stages && c < a.chunks; c++)
            cp_async(a.form, slots + 512 * c, a.in + 128 * (32 * c + lane));
    for (uint32_t c = 0; c < a.chunks; c++) {
        const uint32_t slot = slots + 512 * (c % a.stages);

        if (copier)
            cp_async_wait_all();
        __syncthreads(); /* the buffer is full */
        if (!copier) {
            asm volatile("nanosleep.u32 5000;" ::: "memory");
            give_out(a.out + 16 * (32 * c + lane), slot, size);
        }
        if (M != NO_BARRIER)
            __syncthreads(); /* the buffer has been read */
        if (copier && c + a.stages < a.chunks)
            cp_async(a.form, slot, a.in + 128 * (32 * (c + a.stages) + lane));
    }
}
CK_KERNEL(cp_async_refill, cp_async_order_args)
CK_MUTANT(cp_async_refill, no_barrier, NO_BARRIER, cp_async_order_args)

/* A word of shared memory, read as enum cp_async_read says. */
__device__ static uint32_t read_shared(uint32_t how, uint32_t at)
{
    uint32_t word;

    switch (how) {
    case CP_RELAXED: asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(word) : "r"(at) : "memory"); break;
    case CP_ATOMIC:
        asm volatile("atom.relaxed.cta.shared.or.b32 %0, [%1], 0;" : "=r"(word) : "r"(at) : "memory");
        break;
    default: word = load_shared(at);
    }
    return word;
}

/* Half of the threads copy and wait, all meet, and the other half read what they copied: the next lane, or the other of
 * two warps. NO_WAIT: nobody waits for the copies. OTHER_WAITS: the readers wait in place of the copiers. NO_BARRIER:
 * the threads do not meet. */
template <int M> __device__ static void cp_async_hand_over_body(const cp_async_order_args &a)
{
    const own o = places(a);
    const uint32_t apart = a.what == CP_LANE ? 1 : 32;
    const bool copier = !(threadIdx.x & apart);
    const bool waits = M == OTHER_WAITS ? !copier : copier;

    start();
    if (copier)
        cp_async(a.form, o.slot, o.in);
    if (M != NO_WAIT && waits)
        cp_async_wait_all();
    if (M != NO_BARRIER) {
        if (a.what == CP_LANE)
            __syncwarp();
        else
            __syncthreads();
    }
    if (!copier) {
        const uint32_t slot = o.slot - 16 * apart;

        for (uint32_t i = 0; i < cp_async_size(a.form); i += 4)
            *(uint32_t *)(o.out + i) = read_shared(a.how, slot + i);
    }
    cp_async_wait_all();
}
CK_KERNEL(cp_async_hand_over, cp_async_order_args)
CK_MUTANT(cp_async_hand_over, no_wait, NO_WAIT, cp_async_order_args)
CK_MUTANT(cp_async_hand_over, no_barrier, NO_BARRIER, cp_async_order_args)
CK_MUTANT(cp_async_hand_over, other_waits, OTHER_WAITS, cp_async_order_args)

/* Copies handed to the async proxy: each thread waits for its own and executes a proxy fence, all meet, and the CTA's
 * slots leave with one bulk store, 16 bytes for each thread. NO_WAIT: nobody waits. NO_FENCE: no proxy fence. */
template <int M> __device__ static void cp_async_to_bulk_body(const cp_async_order_args &a)
{
    const own o = places(a);

    start();
    cp_async(a.form, o.slot, o.in);
    if (M != NO_WAIT)
        cp_async_wait_all();
    if (M != NO_FENCE)
        fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\t"
                     "cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::"l"(o.out),
                     "r"(o.slot), "r"(16 * blockDim.x)
                     : "memory");
    cp_async_wait_all();
}
CK_KERNEL(cp_async_to_bulk, cp_async_order_args)
CK_MUTANT(cp_async_to_bulk, no_wait, NO_WAIT, cp_async_order_args)
CK_MUTANT(cp_async_to_bulk, no_fence, NO_FENCE, cp_async_order_args)

/* The same with a tensor store. */
template <int M> __device__ static void cp_async_to_tensor_body(const cp_async_tensor_args &a)
{
    const own o = places(a.o);

    start();
    cp_async(a.o.form, o.slot, o.in);
    if (M != NO_WAIT)
        cp_async_wait_all();
    if (M != NO_FENCE)
        fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];\n\t"
                     "cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::"l"((uint64_t)&a.map),
                     "r"(0), "r"(blockIdx.x * blockDim.x), "r"(o.slot)
                     : "memory");
    cp_async_wait_all();
}
CK_KERNEL(cp_async_to_tensor, cp_async_tensor_args)
CK_MUTANT(cp_async_to_tensor, no_wait, NO_WAIT, cp_async_tensor_args)
CK_MUTANT(cp_async_to_tensor, no_fence, NO_FENCE, cp_async_tensor_args)

/* Two 64-bit numbers for each thread: the clock ticks until the copy is issued, and those from there until it has
 * arrived. */
template <int M> __device__ static void cp_async_clock_body(const cp_async_order_args &a)
{
    const own o = places(a);
    uint64_t t0, t1, t2;

    start();
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t0)::"memory");
    cp_async(a.form, o.slot, o.in);
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t1)::"memory");
    cp_async_wait_all();
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t2)::"memory");
    ((uint64_t *)o.out)[0] = t1 - t0;
    ((uint64_t *)o.out)[1] = t2 - t1;
}
CK_KERNEL(cp_async_clock, cp_async_order_args)

/* Each thread writes its result by ordinary stores, copies, and ends with the copy in flight. In a cluster the first
 * CTA alone copies. */
template <int M> __device__ static void cp_async_exit_body(const cp_async_order_args &a)
{
    const own o = places(a);

    start();
    store_global_bytes(o.out, o.other, 16);
    if (a.what == 0 || blockIdx.x % 2 == 0)
        cp_async(a.form, o.slot, o.in);
}
CK_KERNEL(cp_async_exit, cp_async_order_args)

/* The writer's flag: a store that releases what came before it. RELAXED_FLAG: it releases nothing. */
template <int M> __device__ static void set_flag(uint32_t flag)
{
    if (M == RELAXED_FLAG)
        asm volatile("st.relaxed.cta.shared.u32 [%0], 1;" ::"r"(flag) : "memory");
    else
        asm volatile("st.release.cta.shared.u32 [%0], 1;" ::"r"(flag) : "memory");
}

/* The reader's load of the flag acquires what the writer released. RELAXED_FLAG: it acquires nothing. */
template <int M> __device__ static void await_flag(const ck_head &h, uint32_t flag)
{
    const uint64_t begin = ck_now();
    uint32_t set = 0;

    while (!set) {
        if (M == RELAXED_FLAG)
            asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(set) : "r"(flag) : "memory");
        else
            asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(set) : "r"(flag) : "memory");
        if (!set && h.limit && ck_now() - begin > h.limit) {
            ck_timeout(h, 0);
            return;
        }
    }
}

/* Lane i of warp 0 copies, waits, writes 4 bytes and sets a flag; lane i of warp 1 waits for the flag and reads them.
 * RELAXED_FLAG: the flag neither releases nor acquires. NO_FLAG: the reader does not look at it. */
template <int M> __device__ static void cp_async_message_body(const cp_async_order_args &a)
{
    const own o = places(a);
    const uint32_t lane = threadIdx.x % 32;
    const uint32_t payload = ck_shared(ck_smem) + 16 * lane, flag = payload + 512;
    unsigned char *const global = a.other + 128 * (blockIdx.x * 32 + lane) + 64;

    start();
    if (threadIdx.x >= 32)
        store_shared(flag, 0);
    __syncthreads();
    if (threadIdx.x < 32) {
        const uint32_t news = *(const volatile uint32_t *)(global - 64);

        cp_async(a.form, ck_shared(ck_smem) + 1024 + 32 + 16 * lane, o.in);
        cp_async_wait_all();
        if (a.what == CP_GLOBAL)
            asm volatile("st.global.u32 [%0], %1;" ::"l"(global), "r"(news) : "memory");
        else
            store_shared(payload, news);
        cp_async_wait_all();
        set_flag<M>(flag);
    } else {
        uint32_t word;

        if (M != NO_FLAG)
            await_flag<M>(a.head, flag);
        if (a.what == CP_GLOBAL)
            asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(global) : "memory");
        else
            word = load_shared(payload);
        *(uint32_t *)(a.out + 16 * (blockIdx.x * 32 + lane)) = word;
    }
}
CK_KERNEL(cp_async_message, cp_async_order_args)
CK_MUTANT(cp_async_message, relaxed_flag, RELAXED_FLAG, cp_async_order_args)
CK_MUTANT(cp_async_message, no_flag, NO_FLAG, cp_async_order_args)

/* A bulk store of 16 bytes, in a bulk group of its own. */
__device__ static void store_bulk(unsigned char *to, uint32_t from)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;\n\tcp.async.bulk.commit_group;" ::"l"(to),
                 "r"(from)
                 : "memory");
}

__device__ static void wait_bulk()
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* What the bulk store stores: the 16 bytes at other + 64, in shared memory behind the slots. */
__device__ static uint32_t bulk_source(const own &o)
{
    const uint32_t stored = o.slot + 16 * blockDim.x + 16;

    store_shared_bytes(stored, o.other + 64, 16);
    fence_proxy_async_shared();
    return stored;
}

/* Each thread bulk-stores to `other`, and copies when that has long been done. The wait for the copy covers it.
 * NO_WAIT: the thread waits for the bulk store alone. NEITHER: it waits for nothing. */
template <int M> __device__ static void cp_async_beside_bulk_body(const cp_async_order_args &a)
{
    const own o = places(a);

    start();
    store_bulk(o.other, bulk_source(o));
    cp_async_commit();
    sleep_20us();
    cp_async(a.form, o.slot, o.in);
    cp_async_commit();
    if (M == NONE)
        cp_async_wait_group(0);
    if (M != NEITHER)
        wait_bulk();
    give_out(o.out, o.slot, cp_async_size(a.form));
    cp_async_wait_all();
    wait_bulk();
}
CK_KERNEL(cp_async_beside_bulk, cp_async_order_args)
CK_MUTANT(cp_async_beside_bulk, no_wait, NO_WAIT, cp_async_order_args)
CK_MUTANT(cp_async_beside_bulk, neither, NEITHER, cp_async_order_args)

/* Each thread copies, and bulk-stores to `other` when that has long been done. The wait for the bulk group covers the
 * store. NO_WAIT: the thread waits for the copy alone. */
template <int M> __device__ static void bulk_beside_cp_async_body(const cp_async_order_args &a)
{
    const own o = places(a);
    uint32_t stored;

    start();
    stored = bulk_source(o);
    cp_async(a.form, o.slot, o.in);
    cp_async_commit();
    sleep_20us();
    store_bulk(o.other, stored);
    cp_async_commit();
    cp_async_wait_group(0);
    if (M == NONE)
        wait_bulk();
    store_global_bytes(o.out, o.other, 16);
    cp_async_wait_all();
    wait_bulk();
}
CK_KERNEL(bulk_beside_cp_async, cp_async_order_args)
CK_MUTANT(bulk_beside_cp_async, no_wait, NO_WAIT, cp_async_order_args)
// SPDX-License-Identifier: Apache-2.0
