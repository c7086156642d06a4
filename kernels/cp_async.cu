/* One cp.async a lane, in every form of its operands. */
#include "kernels/cp_async.cuh"

enum { NONE, STORES, OTHER_OFFSET };

enum operand { PLAIN, REGISTER, CONSTANT, IGNORE, IGNORE_NOT, GUARD, PREFETCH, POLICY };

/* A source size in a register, a predicate as ignore-src, the same negated, a predicate as guard. */
__device__ static void copy_register(uint32_t form, uint32_t dst, uint64_t src, uint32_t value){
#define COPY(op, size)                                                                                                 \
    asm volatile("cp.async." op ".shared.global [%0], [%1], " size ", %2;" ::"r"(dst), "l"(src), "r"(value) : "memory")
    CP_EACH(form, COPY)
#undef COPY
}

__device__ static void copy_ignore(uint32_t form, uint32_t dst, uint64_t src, uint32_t value){
#define COPY(op, size)                                                                                                 \
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; cp.async." op ".shared.global [%0], [%1], " size               \
                 ", p; }" ::"r"(dst),                                                                                  \
                 "l"(src), "r"(value)                                                                                  \
                 : "memory")
    CP_EACH(form, COPY)
#undef COPY
}

__device__ static void copy_ignore_not(uint32_t form, uint32_t dst, uint64_t src, uint32_t value){
#define COPY(op, size)                                                                                                 \
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; cp.async." op ".shared.global [%0], [%1], " size               \
                 ", !p; }" ::"r"(dst),                                                                                 \
                 "l"(src), "r"(value)                                                                                  \
                 : "memory")
    CP_EACH(form, COPY)
#undef COPY
}

__device__ static void copy_guard(uint32_t form, uint32_t dst, uint64_t src, uint32_t value)
{
#define COPY(op, size)                                                                                                 \
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p cp.async." op ".shared.global [%0], [%1], " size            \
                 "; }" ::"r"(dst),                                                                                     \
                 "l"(src), "r"(value)                                                                                  \
                 : "memory")
    CP_EACH(form, COPY)
#undef COPY
}

/* A constant source size: one instruction for each. */
template <int SIZE, bool CG, int S> __device__ static void copy_constant(uint32_t dst, uint64_t src, uint32_t value)
{
    if (value == S) {
        if (CG)
            asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(dst), "l"(src), "n"(SIZE), "n"(S)
                         : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(dst), "l"(src), "n"(SIZE), "n"(S)
                         : "memory");
    }
    if constexpr (S > 0)
        copy_constant<SIZE, CG, S - 1>(dst, src, value);
}

__device__ static void copy_constant(uint32_t form, uint32_t dst, uint64_t src, uint32_t value)
{
    switch (form) {
    case CP_CA4: copy_constant<4, false, 4>(dst, src, value); break;
    case CP_CA8: copy_constant<8, false, 8>(dst, src, value); break;
    case CP_CA16: copy_constant<16, false, 16>(dst, src, value); break;
    default: copy_constant<16, true, 16>(dst, src, value); break;
    }
}

__device__ static void copy_prefetch(uint32_t form, uint32_t dst, uint64_t src, uint32_t hint)
{
#define COPY64(op, size)                                                                                               \
    asm volatile("cp.async." op ".shared.global.L2::64B [%0], [%1], " size ";" ::"r"(dst), "l"(src) : "memory")
#define COPY128(op, size)                                                                                              \
    asm volatile("cp.async." op ".shared.global.L2::128B [%0], [%1], " size ";" ::"r"(dst), "l"(src) : "memory")
#define COPY256(op, size)                                                                                              \
    asm volatile("cp.async." op ".shared.global.L2::256B [%0], [%1], " size ";" ::"r"(dst), "l"(src) : "memory")
    switch (hint) {
    case 64: CP_EACH(form, COPY64) break;
    case 128: CP_EACH(form, COPY128) break;
    case 256: CP_EACH(form, COPY256) break;
    default: cp_async(form, dst, src);
    }
}

__device__ static void copy_policy(uint32_t form, uint32_t dst, uint64_t src, uint32_t policy, float fraction)
{
    uint64_t p;

    switch (policy) {
    case CP_EVICT_LAST:
        asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, %1;" : "=l"(p) : "f"(fraction));
        break;
    case CP_EVICT_NORMAL:
        asm volatile("createpolicy.fractional.L2::evict_normal.b64 %0, %1;" : "=l"(p) : "f"(fraction));
        break;
    case CP_EVICT_FIRST:
        asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, %1;" : "=l"(p) : "f"(fraction));
        break;
    case CP_EVICT_UNCHANGED:
        asm volatile("createpolicy.fractional.L2::evict_unchanged.b64 %0, %1;" : "=l"(p) : "f"(fraction));
        break;
    default: cp_async(form, dst, src); return;
    }
#define COPY(op, size)                                                                                                 \
    asm volatile("cp.async." op ".shared.global.L2::cache_hint [%0], [%1], " size ", %2;" ::"r"(dst), "l"(src), "l"(p) \
                 : "memory")
    CP_EACH(form, COPY)
#undef COPY
}

template <int OPERAND, int M> __device__ static void copy_lanes(const cp_async_args &a)
{
    const uint32_t lane = threadIdx.x;

    poison_shared(a.bytes);
    if (a.lanes >> lane & 1) {
        const uint32_t dst = ck_shared(ck_smem) + a.dst + lane * a.dst_step;
        const uint64_t src = a.in + a.src + lane * a.src_step;
        const uint32_t value = a.values ? ((const uint32_t *)a.values)[lane] : 0;

        switch (OPERAND) {
        case PLAIN: cp_async(a.form, dst, src); break;
        case REGISTER: copy_register(a.form, dst, src, value); break;
        case CONSTANT: copy_constant(a.form, dst, src, value); break;
        case IGNORE: copy_ignore(a.form, dst, src, value); break;
        case IGNORE_NOT: copy_ignore_not(a.form, dst, src, value); break;
        case GUARD: copy_guard(a.form, dst, src, value); break;
        case PREFETCH: copy_prefetch(a.form, dst, src, a.hint); break;
        case POLICY: copy_policy(a.form, dst, src, a.hint, a.fraction); break;
        }
        if (M == STORES)
            *(volatile unsigned char *)(src + 1) = 0;
    }
    cp_async_wait_all();
    __syncthreads();
    for (uint32_t i = threadIdx.x * 4; i < a.bytes; i += blockDim.x * 4) {
        uint32_t word;
        load_shared(ck_shared(ck_smem) + i, word);
        *(uint32_t *)(a.out + i) = word;
    }
}

#define COPY_KERNEL(name, operand)                                                                                     \
    template <int M> __device__ static void name##_body(const cp_async_args &a)                                        \
    {                                                                                                                  \
        copy_lanes<operand, M>(a);                                                                                     \
    }                                                                                                                  \
    CK_KERNEL(name, cp_async_args)

COPY_KERNEL(cp_async_copy, PLAIN)
CK_MUTANT(cp_async_copy, stores, STORES, cp_async_args)
COPY_KERNEL(cp_async_register, REGISTER)
COPY_KERNEL(cp_async_constant, CONSTANT)
COPY_KERNEL(cp_async_ignore, IGNORE)
COPY_KERNEL(cp_async_ignore_not, IGNORE_NOT)
COPY_KERNEL(cp_async_guard, GUARD)
COPY_KERNEL(cp_async_prefetch, PREFETCH)
COPY_KERNEL(cp_async_policy, POLICY)

/* Every way to write the two addresses, 8 bytes at a time: image slot i receives source bytes [8 * i, 8 * i + 8),
 * shifted where the constant that is added says so. */
__device__ __align__(16) unsigned char cp_async_source[128];

template <int M> __device__ static void cp_async_addresses_body(const cp_async_args &a)
{
    const uint32_t dst = ck_shared(ck_smem);
    const uint64_t src = (uint64_t)__cvta_generic_to_global(cp_async_source);

    poison_shared(a.bytes);
    for (uint32_t i = threadIdx.x; i < sizeof cp_async_source; i += blockDim.x)
        cp_async_source[i] = ((const unsigned char *)a.in)[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.ca.shared.global [ck_smem], [cp_async_source], 8;" ::: "memory");
        asm volatile("cp.async.ca.shared.global [ck_smem+8], [cp_async_source+8], 8;" ::: "memory");
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(dst + 16), "l"(src + 16) : "memory");
        asm volatile("cp.async.ca.shared.global [%0+24], [%1+24], 8;" ::"r"(dst), "l"(src) : "memory");
        if (M == OTHER_OFFSET)
            asm volatile("cp.async.ca.shared.global [%0+-8], [%1+-16], 8;" ::"r"(dst + 40), "l"(src + 40) : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0+-8], [%1+-8], 8;" ::"r"(dst + 40), "l"(src + 40) : "memory");
        asm volatile("cp.async.ca.shared.global [ck_smem+40], [%0], 8;" ::"l"(src + 40) : "memory");
        asm volatile("cp.async.ca.shared.global [%0], [cp_async_source+48], 8;" ::"r"(dst + 48) : "memory");
        asm volatile("cp.async.ca.shared.global [ck_smem+56], [%0+-8], 8;" ::"l"(src + 64) : "memory");
        asm volatile("cp.async.ca.shared.global [%0+-64], [cp_async_source+64], 8;" ::"r"(dst + 128) : "memory");
        cp_async_wait_all();
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x * 4; i < a.bytes; i += blockDim.x * 4) {
        uint32_t word;
        load_shared(dst + i, word);
        *(uint32_t *)(a.out + i) = word;
    }
}
CK_KERNEL(cp_async_addresses, cp_async_args)
CK_MUTANT(cp_async_addresses, other_offset, OTHER_OFFSET, cp_async_args)
