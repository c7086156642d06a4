/* One cp.async a lane, in every form of its operands. */
#include "kernels/cp_async.cuh"

enum { NONE, STORES, OTHER_OFFSET };

/* What one lane copies. */
struct lane {
    bool copies;  /* its bit of a.lanes is set */
    uint32_t dst; /* shared address */
    unsigned char *src;
    uint32_t value; /* its word of a.values: a source size, an ignore-src or a guard */
};

/* Poisons the image, and says what the executing lane copies into it. */
__device__ static lane begin(const cp_async_args &a)
{
    const uint32_t i = threadIdx.x;

    poison_and_meet(a.bytes);
    return { (a.lanes >> i & 1) != 0, ck_shared(ck_smem) + a.dst + i * a.dst_step, a.in + a.src + i * a.src_step,
             a.values[i] };
}

/* Each lane waits for its copy, and behind a barrier the image is copied out. */
__device__ static void finish(const cp_async_args &a)
{
    cp_async_wait_all();
    __syncthreads();
    dump_shared(a.out, 0, a.bytes);
}

/* Each chosen lane makes a copy, and waits for it. STORES: it also stores to the source. */
template <int M> __device__ static void cp_async_copy_body(const cp_async_args &a)
{
    const lane l = begin(a);

    if (l.copies)
        cp_async(a.form, l.dst, l.src);
    if (M == STORES && l.copies)
        *(volatile unsigned char *)(l.src + 1) = 0;
    finish(a);
}
CK_KERNEL(cp_async_copy, cp_async_args)
CK_MUTANT(cp_async_copy, stores, STORES, cp_async_args)

/* With a source size in a register: that many bytes arrive, the rest of the slot becomes zero. */
#define WITH_SIZE(op, size) "cp.async." op ".shared.global [%0], [%1], " size ", %2;"
__device__ static void copy_register(uint32_t form, uint32_t dst, const unsigned char *src, uint32_t bytes)
{
    CP_ASYNC_FORMS(form, WITH_SIZE, "r"(dst), "l"(src), "r"(bytes));
}

/* Each chosen lane copies with a source size of its own. */
template <int M> __device__ static void cp_async_register_body(const cp_async_args &a)
{
    const lane l = begin(a);

    if (l.copies)
        copy_register(a.form, l.dst, l.src, l.value);
    finish(a);
}
CK_KERNEL(cp_async_register, cp_async_args)

/* The source size as a constant is part of the instruction, so there is one instruction for each size; this is the one
 * whose size S is `bytes`, or one of those below it. */
template <int SIZE, bool CG, int S>
__device__ static void copy_sized(uint32_t dst, const unsigned char *src, uint32_t bytes)
{
    if (bytes == S) {
        if (CG)
            asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(dst), "l"(src), "n"(SIZE), "n"(S)
                         : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(dst), "l"(src), "n"(SIZE), "n"(S)
                         : "memory");
    }
    if (S > 0)
        copy_sized<SIZE, CG, S ? S - 1 : 0>(dst, src, bytes);
}

/* With a constant source size, from 0 to the copy size. */
__device__ static void copy_constant(uint32_t form, uint32_t dst, const unsigned char *src, uint32_t bytes)
{
    switch (form) {
    case CP_CA4: copy_sized<4, false, 4>(dst, src, bytes); break;
    case CP_CA8: copy_sized<8, false, 8>(dst, src, bytes); break;
    case CP_CA16: copy_sized<16, false, 16>(dst, src, bytes); break;
    case CP_CG16: copy_sized<16, true, 16>(dst, src, bytes); break;
    }
}

/* Each chosen lane copies with a source size that is a constant of the instruction. */
template <int M> __device__ static void cp_async_constant_body(const cp_async_args &a)
{
    const lane l = begin(a);

    if (l.copies)
        copy_constant(a.form, l.dst, l.src, l.value);
    finish(a);
}
CK_KERNEL(cp_async_constant, cp_async_args)

/* Opens a block in which the predicate p is operand %2, a truth value; the text behind it closes the block. */
#define SETP "{ .reg .pred p; setp.ne.u32 p, %2, 0;\n\t"

/* With a predicate as ignore-src: where it is true, zeros arrive. */
#define WITH_IGNORE(op, size) SETP "cp.async." op ".shared.global [%0], [%1], " size ", p; }"
__device__ static void copy_ignore(uint32_t form, uint32_t dst, const unsigned char *src, uint32_t ignore)
{
    CP_ASYNC_FORMS(form, WITH_IGNORE, "r"(dst), "l"(src), "r"(ignore));
}

/* Each chosen lane copies with an ignore-src of its own. */
template <int M> __device__ static void cp_async_ignore_body(const cp_async_args &a)
{
    const lane l = begin(a);

    if (l.copies)
        copy_ignore(a.form, l.dst, l.src, l.value);
    finish(a);
}
CK_KERNEL(cp_async_ignore, cp_async_args)

/* With the same predicate negated. */
#define WITH_IGNORE_NOT(op, size) SETP "cp.async." op ".shared.global [%0], [%1], " size ", !p; }"
__device__ static void copy_ignore_not(uint32_t form, uint32_t dst, const unsigned char *src, uint32_t ignore)
{
    CP_ASYNC_FORMS(form, WITH_IGNORE_NOT, "r"(dst), "l"(src), "r"(ignore));
}

/* Each chosen lane copies with an ignore-src that is a negated predicate. */
template <int M> __device__ static void cp_async_ignore_not_body(const cp_async_args &a)
{
    const lane l = begin(a);

    if (l.copies)
        copy_ignore_not(a.form, l.dst, l.src, l.value);
    finish(a);
}
CK_KERNEL(cp_async_ignore_not, cp_async_args)

/* Under a guard predicate: where it is false, no copy is made. */
#define UNDER_GUARD(op, size) SETP "@p cp.async." op ".shared.global [%0], [%1], " size "; }"
__device__ static void copy_guard(uint32_t form, uint32_t dst, const unsigned char *src, uint32_t guard)
{
    CP_ASYNC_FORMS(form, UNDER_GUARD, "r"(dst), "l"(src), "r"(guard));
}

/* Each chosen lane executes the copy under a guard of its own. */
template <int M> __device__ static void cp_async_guard_body(const cp_async_args &a)
{
    const lane l = begin(a);

    if (l.copies)
        copy_guard(a.form, l.dst, l.src, l.value);
    finish(a);
}
CK_KERNEL(cp_async_guard, cp_async_args)

/* With a prefetch of 64 bytes into the L2 cache. */
#define PREFETCH_64(op, size) "cp.async." op ".shared.global.L2::64B [%0], [%1], " size ";"
__device__ static void copy_prefetch_64(uint32_t form, uint32_t dst, const unsigned char *src)
{
    CP_ASYNC_FORMS(form, PREFETCH_64, "r"(dst), "l"(src));
}

/* With a prefetch of 128 bytes into the L2 cache. */
#define PREFETCH_128(op, size) "cp.async." op ".shared.global.L2::128B [%0], [%1], " size ";"
__device__ static void copy_prefetch_128(uint32_t form, uint32_t dst, const unsigned char *src)
{
    CP_ASYNC_FORMS(form, PREFETCH_128, "r"(dst), "l"(src));
}

/* With a prefetch of 256 bytes into the L2 cache. */
#define PREFETCH_256(op, size) "cp.async." op ".shared.global.L2::256B [%0], [%1], " size ";"
__device__ static void copy_prefetch_256(uint32_t form, uint32_t dst, const unsigned char *src)
{
    CP_ASYNC_FORMS(form, PREFETCH_256, "r"(dst), "l"(src));
}

/* Each chosen lane copies with a prefetch of a.hint bytes, or with none. */
template <int M> __device__ static void cp_async_prefetch_body(const cp_async_args &a)
{
    const lane l = begin(a);

    if (l.copies)
        switch (a.hint) {
        case 64: copy_prefetch_64(a.form, l.dst, l.src); break;
        case 128: copy_prefetch_128(a.form, l.dst, l.src); break;
        case 256: copy_prefetch_256(a.form, l.dst, l.src); break;
        default: cp_async(a.form, l.dst, l.src);
        }
    finish(a);
}
CK_KERNEL(cp_async_prefetch, cp_async_args)

/* The policy of enum cp_async_policy, for this fraction of the lines. */
__device__ static uint64_t policy_of(uint32_t policy, float fraction)
{
    uint64_t p = 0;

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
    }
    return p;
}

/* Each chosen lane copies with the cache policy a.hint. */
template <int M> __device__ static void cp_async_policy_body(const cp_async_args &a)
{
    const lane l = begin(a);

    if (l.copies)
        cp_async_with_policy(a.form, l.dst, l.src, policy_of(a.hint, a.fraction));
    finish(a);
}
CK_KERNEL(cp_async_policy, cp_async_args)

__device__ __align__(16) unsigned char cp_async_source[128];

/* Every way to write the two addresses, 8 bytes at a time: image bytes [8 * i, 8 * i + 8) receive the same bytes of the
 * source. OTHER_OFFSET: one constant that is added to an address is another. */
template <int M> __device__ static void cp_async_addresses_body(const cp_async_args &a)
{
    const uint32_t dst = ck_shared(ck_smem);
    const uint64_t src = (uint64_t)__cvta_generic_to_global(cp_async_source);

    poison_shared(0, a.bytes);
    for (uint32_t i = threadIdx.x; i < sizeof cp_async_source; i += blockDim.x)
        cp_async_source[i] = a.in[i];
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
    }
    finish(a);
}
CK_KERNEL(cp_async_addresses, cp_async_args)
CK_MUTANT(cp_async_addresses, other_offset, OTHER_OFFSET, cp_async_args)
// SPDX-License-Identifier: Apache-2.0
