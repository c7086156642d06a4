// Policies of the L2 cache that createpolicy makes. No document says what they look like, so `policies all` prints
// them: exec's are to be those of a GPU. Without an argument: where libcu++ forms them on the host, they are the same.
#include <cstdint>
#include <cstdlib>

#include "expect.cuh"

// X(primary, its bits, secondary with a dot or nothing, its bits)
#define KINDS(X)                                                                                                       \
    X("evict_last", 2, "", 0)                                                                                          \
    X("evict_normal", 3, "", 0)                                                                                        \
    X("evict_first", 1, "", 0)                                                                                         \
    X("evict_unchanged", 0, "", 0)                                                                                     \
    X("evict_last", 2, ".L2::evict_first", 1)                                                                          \
    X("evict_normal", 3, ".L2::evict_first", 1)                                                                        \
    X("evict_first", 1, ".L2::evict_first", 1)                                                                         \
    X("evict_unchanged", 0, ".L2::evict_first", 1)                                                                     \
    X("evict_last", 2, ".L2::evict_unchanged", 0)                                                                      \
    X("evict_normal", 3, ".L2::evict_unchanged", 0)
constexpr int kinds = 10;
#define BITS(primary, p, secondary, s) (p) << 1 | (s),
static const unsigned bits[kinds] = { KINDS(BITS) };
#define NAME(primary, p, secondary, s) primary secondary,
static const char *const names[kinds] = { KINDS(NAME) };

__global__ void fractional(const float *of, uint64_t *to)
{
    const float f = of[threadIdx.x];

    to += threadIdx.x * kinds;
#define MAKE(primary, p, secondary, s)                                                                                 \
    asm volatile("createpolicy.fractional.L2::" primary secondary ".b64 %0, %1;" : "=l"(*to++) : "f"(f));
    KINDS(MAKE)
#undef MAKE
}

__global__ void constant(uint64_t *to)
{
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(to[0]));
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(to[1]));
    asm volatile("createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %0, 0f00000001;" : "=l"(to[2]));
    asm volatile("createpolicy.cvt.L2.b64 %0, %1;" : "=l"(to[3]) : "l"(0x123456789abcdef0));
}

struct area {
    uint64_t at;
    uint32_t part, whole;
};

__global__ void range(const area *of, uint64_t *to)
{
    const area a = of[blockIdx.x];

    to += blockIdx.x * kinds;
#define MAKE(primary, p, secondary, s)                                                                                 \
    asm volatile("createpolicy.range.global.L2::" primary secondary ".b64 %0, [%1], %2, %3;"                           \
                 : "=l"(*to++)                                                                                         \
                 : "l"(a.at), "r"(a.part), "r"(a.whole));
    KINDS(MAKE)
#undef MAKE
}

static uint64_t blocks(const area &a, int log2_whole, unsigned with)
{
    const unsigned size = log2_whole > 19 ? log2_whole - 19 : 0;
    const uint64_t block = 4096ull << size, first = a.at / block;
    uint64_t count = (a.at + a.part + block - 1) / block - first;

    count = count < 1 ? 1 : count > 127 ? 127 : count;
    return count << 37 | (first & 127) << 44 | (uint64_t)size << 52 | (uint64_t)with << 56 | 3ull << 59;
}

static void fractions(bool print)
{
    static const uint32_t odd[] = { 0,          0x80000000, 1,          0x00800000, 0x3d80028f, 0x3d800290,
                                    0x3f7fffff, 0x3f800001, 0x40000000, 0x4f800000, 0xbf000000, 0x7f800000,
                                    0x7fc00000, 0xff800000, 0x3d7fffff, 0x3e000a3d };
    constexpr int odds = sizeof odd / sizeof *odd, all = 256 + odds;
    float *of;
    uint64_t *to;

    FINE(cudaMallocManaged(&of, all * sizeof *of));
    FINE(cudaMallocManaged(&to, all * kinds * sizeof *to));
    for (int i = 0; i < 256; i++)
        of[i] = (i + 1) / 256.0f;
    memcpy(of + 256, odd, sizeof odd);
    fractional<<<1, all>>>(of, to);
    FINE(cudaDeviceSynchronize());
    for (int i = 0; i < all; i++)
        for (int k = 0; k < kinds; k++) {
            const uint64_t got = to[i * kinds + k];
            if (print)
                printf("%s %a: 0x%016llx\n", names[k], of[i], (unsigned long long)got);
            if (i < 256 && i % 16 == 15)
                EXPECT(got == ((uint64_t)(i / 16) << 52 | (uint64_t)bits[k] << 56 | 2ull << 59));
        }
    constant<<<1, 1>>>(to);
    FINE(cudaDeviceSynchronize());
    for (int i = 0; print && i < 4; i++)
        printf("constant %d: 0x%016llx\n", i, (unsigned long long)to[i]);
    EXPECT(to[0] == 0x14f0000000000000 && to[1] == 0x1470000000000000 && to[3] == 0x123456789abcdef0);
}

static void ranges(bool print)
{
    constexpr int most = 4096;
    static const uint64_t places[] = { 0, 4, 4096, 0x7f1234567890, 0xffffffff000 };
    static const uint32_t odd[] = { 0,          3,          4095,       4097,      0x80001,    0x100001,
                                    0x100003,   0x1fffff,   0x400001,   0xfffffff, 0x10000001, 0x7fffffff,
                                    0x80000001, 0x80000081, 0xfff00000, 0xffffffff };
    area *of;
    uint64_t *to;
    int n = 0, exact[most];

    FINE(cudaMallocManaged(&of, most * sizeof *of));
    FINE(cudaMallocManaged(&to, most * kinds * sizeof *to));
    for (uint64_t at : places) {
        for (int i = 0; i < 32; i++)
            for (int j = 0; j <= i; j += 1 + (at > 4096)) {
                exact[n] = i;
                of[n++] = { at, 1u << j, 1u << i };
            }
        for (uint32_t whole : odd)
            for (uint32_t part : { 0u, 1u, whole / 2, whole - (whole != 0), whole }) {
                exact[n] = -1;
                of[n++] = { at, part, whole };
            }
    }
    range<<<n, 1>>>(of, to);
    FINE(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        for (int k = 0; k < kinds; k++) {
            const uint64_t got = to[i * kinds + k];
            if (print)
                printf("%s 0x%llx, %u of %u: 0x%016llx\n", names[k], (unsigned long long)of[i].at, of[i].part,
                       of[i].whole, (unsigned long long)got);
            if (exact[i] >= 0)
                EXPECT(got == blocks(of[i], exact[i], bits[k]));
        }
}

int main(int argc, char **argv)
{
    fractions(argc > 1);
    ranges(argc > 1);
    return end_of_test();
}
// SPDX-License-Identifier: Apache-2.0
