/* Kernels for clang, which needs no toolkit for them: what its PTX looks like, with and without optimisation. */
#define GLOBAL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))
#define SHARED static __attribute__((shared))

typedef unsigned int u32;
typedef unsigned long long u64;

static DEVICE u32 tid()
{
    return __nvvm_read_ptx_sreg_tid_x();
}

static DEVICE u32 global_id()
{
    return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + tid();
}

static DEVICE void barrier()
{
    __nvvm_bar_sync(0);
}

/* out[i] = 3 * x[i] + i */
GLOBAL void saxpy(const float *x, float *out, u32 n)
{
    const u32 i = global_id();
    if (i < n)
        out[i] = 3 * x[i] + (float)i;
}

/* The sum of 1024 words, of one block of 128 threads. */
GLOBAL void sum(const u32 *x, u32 *out)
{
    SHARED u32 part[128];
    const u32 t = tid();
    u32 s = 0;

    for (u32 i = t; i < 1024; i += 128)
        s += x[i];
    part[t] = s;
    barrier();
    for (u32 k = 64; k; k /= 2) {
        if (t < k)
            part[t] += part[t + k];
        barrier();
    }
    if (t == 0)
        out[0] = part[0];
}

/* The same, with the barriers of the loop left out. */
GLOBAL void sum_racing(const u32 *x, u32 *out)
{
    SHARED u32 part[128];
    const u32 t = tid();

    part[t] = x[t];
    barrier();
    for (u32 k = 64; k; k /= 2)
        if (t < k)
            part[t] += part[t + k];
    if (t == 0)
        out[0] = part[0];
}

/* Each thread's 16 bytes through shared memory by cp.async; its neighbour reads them. */
GLOBAL void copied(const u64 *x, u64 *out)
{
    SHARED u64 tile[256];
    const u32 t = tid();

    __nvvm_cp_async_ca_shared_global_16((__attribute__((address_space(3))) void *)(tile + 2 * t),
                                        (__attribute__((address_space(1))) void *)(x + 2 * t));
    __nvvm_cp_async_commit_group();
    __nvvm_cp_async_wait_group(0);
    barrier();
    out[2 * t] = tile[2 * (t ^ 1)];
    out[2 * t + 1] = tile[2 * (t ^ 1) + 1];
}

/* Its own bytes, with a wait that leaves the copy's group in flight. */
GLOBAL void copied_early(const u64 *x, u64 *out)
{
    SHARED u64 tile[256];
    const u32 t = tid();

    __nvvm_cp_async_ca_shared_global_16((__attribute__((address_space(3))) void *)(tile + 2 * t),
                                        (__attribute__((address_space(1))) void *)(x + 2 * t));
    __nvvm_cp_async_commit_group();
    __nvvm_cp_async_wait_group(1);
    barrier();
    out[2 * t] = tile[2 * t];
    out[2 * t + 1] = tile[2 * t + 1];
}

/* An mbarrier that all threads arrive at in place of a barrier. */
GLOBAL void met(const u64 *x, u64 *out)
{
    SHARED u64 tile[256];
    SHARED long bar;
    __attribute__((address_space(3))) long *b = (__attribute__((address_space(3))) long *)&bar;
    const u32 t = tid();

    if (t == 0)
        __nvvm_mbarrier_init_shared(b, 128);
    barrier();
    __nvvm_cp_async_cg_shared_global_16((__attribute__((address_space(3))) void *)(tile + 2 * t),
                                        (__attribute__((address_space(1))) void *)(x + 2 * t));
    __nvvm_cp_async_mbarrier_arrive_shared(b);
    for (const long state = __nvvm_mbarrier_arrive_shared(b); !__nvvm_mbarrier_test_wait_shared(b, state);)
        ;
    out[2 * t] = tile[2 * (t ^ 1)];
    out[2 * t + 1] = tile[2 * (t ^ 1) + 1];
}

typedef u32 step(u32 value, u32 by);

static DEVICE __attribute__((noinline)) u32 add(u32 value, u32 by)
{
    return value + by;
}

static DEVICE __attribute__((noinline)) u32 divide(u32 value, u32 by)
{
    return (u32)((u64)value * 1000003 / (by + 1ull) % 4294967291ull);
}

static DEVICE __attribute__((noinline)) u32 factorial(u32 value, u32 by)
{
    return by < 2 ? value : factorial(value * by, by - 1);
}

struct pair {
    u32 first;
    u64 second;
    unsigned char rest[5];
};

static DEVICE __attribute__((noinline)) pair turned(pair p)
{
    pair q = { (u32)p.second, p.first, { p.rest[4], p.rest[3], p.rest[2], p.rest[1], p.rest[0] } };
    return q;
}

/* Calls: direct, through a table, recursive, of structs; a switch; an array of the thread's own. */
GLOBAL void called(const u32 *x, u32 *out)
{
    step *const steps[3] = { add, divide, factorial };
    const u32 t = tid();
    pair p = { x[t], x[t] * 5ull, { 1, 2, 3, 4, (unsigned char)t } };
    u32 local[16], v = x[t] % 1000;

    for (u32 i = 0; i < 16; i++)
        local[i] = steps[(t + i) % 3](v, i);
    p = turned(p);
    switch (t % 7) {
    case 0: v = local[t % 16]; break;
    case 1: v = local[t % 5] * 3; break;
    case 2: v = p.first; break;
    case 3: v = (u32)p.second; break;
    case 4: v = p.rest[0]; break;
    case 5: v = local[15] ^ local[t % 9]; break;
    default: v = local[t % 3] + p.rest[4]; break;
    }
    out[t] = v;
}
// SPDX-License-Identifier: Apache-2.0
