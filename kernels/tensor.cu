/* Tensor copies of one CTA in their several forms, and what they signal. */
#include "kernels/box.cuh"
#include "kernels/tensor.h"

enum { NONE, PREDICATE_ON, NO_WAIT_BETWEEN };

/* An im2col load of a box, offsets zero. */
__device__ static void load_im2col(const box_operands &b)
{
    const int32_t *const c = b.corner;
    const uint16_t zero = 0;

    if (b.rank == 3)
        asm volatile(
            "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
            "%4, %5}], [%2], {%6};" ::"r"(b.shared),
            "l"(b.map), "r"(b.bar), "r"(c[0]), "r"(c[1]), "r"(c[2]), "h"(zero)
            : "memory");
    else if (b.rank == 4)
        asm volatile(
            "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
            "%4, %5, %6}], [%2], {%7, %7};" ::"r"(b.shared),
            "l"(b.map), "r"(b.bar), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "h"(zero)
            : "memory");
    else
        asm volatile(
            "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
            "%4, %5, %6, %7}], [%2], {%8, %8, %8};" ::"r"(b.shared),
            "l"(b.map), "r"(b.bar), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "h"(zero)
            : "memory");
}

/* A load whose guard predicate is false. */
__device__ static void load_off(const box_operands &b, uint32_t on)
{
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0;\n\t"
                 "@p cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
                 "%4}], [%2]; }" ::"r"(b.shared),
                 "l"(b.map), "r"(b.bar), "r"(b.corner[0]), "r"(b.corner[1]), "r"(on)
                 : "memory");
}

__device__ static void store_off(const box_operands &b, uint32_t on)
{
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %4, 0;\n\t"
        "@p cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%1, {%2, %3}], [%0]; }" ::"r"(b.shared),
        "l"(b.map), "r"(b.corner[0]), "r"(b.corner[1]), "r"(on)
        : "memory");
}

template <int M> __device__ static void tensor_load_body(const tensor_load_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        const box_operands b = { .corner = a.corner,
                                 .rank = a.rank,
                                 .shared = ck_shared(ck_smem + a.offset),
                                 .bar = bar,
                                 .map = (uint64_t)&a.map,
                                 .policy = evict_first_policy() };
        mbarrier_arrive_expect_tx(bar, a.expect);
        switch (a.form) {
        case TENSOR_MODELESS:
            load_box_modeless(b);
            break;
        case TENSOR_HINT:
            load_box_hint(b);
            break;
        case TENSOR_OFF:
            load_off(b, M == PREDICATE_ON);
            break;
        case TENSOR_PREFETCH:
            prefetch_box(b);
            load_box(b);
            break;
        case TENSOR_PREFETCH_HINT:
            prefetch_box_hint(b);
            load_box(b);
            break;
        case TENSOR_IM2COL:
            load_im2col(b);
            break;
        default:
            load_box(b);
        }
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    if (a.form == TENSOR_OFF)
        linger(20000); /* a copy that was not to be would come late */
    __syncthreads();
    write_out(a.out, ck_smem, a.bytes);
}
CK_KERNEL(tensor_load, tensor_load_args)
CK_MUTANT(tensor_load, on, PREDICATE_ON, tensor_load_args)

template <int M> __device__ static void tensor_store_body(const tensor_store_args &a)
{
    read_in(ck_smem, a.in, a.bytes);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        const box_operands b = { .corner = a.corner,
                                 .rank = a.rank,
                                 .shared = ck_shared(ck_smem + a.offset),
                                 .map = (uint64_t)&a.map,
                                 .policy = evict_first_policy() };
        switch (a.form) {
        case TENSOR_MODELESS:
            store_box_modeless(b);
            break;
        case TENSOR_HINT:
            store_box_hint(b);
            break;
        case TENSOR_OFF:
            store_off(b, M == PREDICATE_ON);
            break;
        case TENSOR_ADD:
            add_box(b);
            break;
        case TENSOR_ADD_HINT:
            add_box_hint(b);
            break;
        default:
            store_box(b);
        }
        commit_and_wait();
    }
}
CK_KERNEL(tensor_store, tensor_store_args)
CK_MUTANT(tensor_store, on, PREDICATE_ON, tensor_store_args)

/* Two stores to one place: the second wins where the first has been waited for. */
template <int M> __device__ static void tensor_store_twice_body(const tensor_store_args &a)
{
    read_in(ck_smem, a.in, 2 * a.bytes);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        box_operands b = {
            .corner = a.corner, .rank = a.rank, .shared = ck_shared(ck_smem + a.offset), .map = (uint64_t)&a.map
        };
        store_box(b);
        if (M != NO_WAIT_BETWEEN)
            commit_and_wait();
        b.shared += a.bytes;
        store_box(b);
        commit_and_wait();
    }
}
CK_KERNEL(tensor_store_twice, tensor_store_args)
CK_MUTANT(tensor_store_twice, no_wait, NO_WAIT_BETWEEN, tensor_store_args)

__device__ static void bulk_load(uint32_t to, uint64_t from, uint32_t bytes, uint32_t bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(bar)
                 : "memory");
}

template <int M> __device__ static void tensor_count_body(const tensor_count_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        for (uint32_t i = 0; i < a.loads; i++)
            load_box({ .corner = a.corner[i],
                       .rank = a.rank,
                       .shared = ck_shared(ck_smem + a.offset[i]),
                       .bar = bar,
                       .map = (uint64_t)&a.map });
        if (a.bulk_bytes)
            bulk_load(ck_shared(ck_smem + a.bulk_offset), a.bulk_from, a.bulk_bytes, bar);
        if (mbarrier_wait_parity(a.head, bar, 0, 0)) {
            linger(20000);
            mbarrier_arrive(bar);
            mbarrier_wait_parity(a.head, bar, 1, 1);
        }
    }
    __syncthreads();
    write_out(a.out, ck_smem, a.bytes);
}
CK_KERNEL(tensor_count, tensor_count_args)
