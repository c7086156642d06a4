/* Atomic sums of two halves at once, whose addend is one half of a 64-bit register, or in a register of its own. */
#include "kernels/atom_packed.h"
#include "kernels/shared.cuh"

enum { NONE, OTHER_HALF };

/* Runs the form of this number. `take` puts the addend %1 into a register of 32 bits. */
#define RUN(take, constraint, text, result)                                                                            \
    if (number++ == a.form)                                                                                            \
        asm volatile("{ .reg .b32 addend, rest, old;\n\t" take text " " result "[%0], addend; }" ::"l"(to),            \
                     constraint(addend)                                                                                \
                     : "memory");
#define RUN_LOW(text, result)  RUN("mov.b64 {addend, rest}, %1;\n\t", "l", text, result)
#define RUN_HIGH(text, result) RUN("mov.b64 {rest, addend}, %1;\n\t", "l", text, result)
#define RUN_OWN(text, result)  RUN("mov.b32 addend, %1;\n\t", "r", text, result)

/* The address that the form takes: in shared memory, the same as a generic one, or in global memory. */
__device__ static uint64_t begin(const atom_packed_args &a)
{
    if (a.form >= ATOM_PACKED_GLOBAL)
        return (uint64_t)a.word;
    *(volatile uint32_t *)ck_smem = *a.word;
    return a.form >= ATOM_PACKED_GENERIC ? (uint64_t)ck_smem : ck_shared(ck_smem);
}

__device__ static void end(const atom_packed_args &a)
{
    if (a.form < ATOM_PACKED_GLOBAL)
        *a.word = *(volatile uint32_t *)ck_smem;
}

/* The addend is the low half of 64 bits. */
template <int M> __device__ static void atom_packed_low_body(const atom_packed_args &a)
{
    const uint64_t to = begin(a), addend = *(const volatile uint64_t *)a.addend;
    uint32_t number = 0;

    ATOM_PACKED_FORMS(RUN_LOW)
    end(a);
}
CK_KERNEL(atom_packed_low, atom_packed_args)

/* The addend is the high half of 64 bits. */
template <int M> __device__ static void atom_packed_high_body(const atom_packed_args &a)
{
    const uint64_t to = begin(a), addend = *(const volatile uint64_t *)a.addend;
    uint32_t number = 0;

    ATOM_PACKED_FORMS(RUN_HIGH)
    end(a);
}
CK_KERNEL(atom_packed_high, atom_packed_args)

/* The addend is loaded into a register of its own. OTHER_HALF: from the other half. */
template <int M> __device__ static void atom_packed_own_body(const atom_packed_args &a)
{
    const uint64_t to = begin(a);
    const uint32_t addend = ((const volatile uint32_t *)a.addend)[M == OTHER_HALF];
    uint32_t number = 0;

    ATOM_PACKED_FORMS(RUN_OWN)
    end(a);
}
CK_KERNEL(atom_packed_own, atom_packed_args)
CK_MUTANT(atom_packed_own, other_half, OTHER_HALF, atom_packed_args)
// SPDX-License-Identifier: Apache-2.0
