/* The listings of the notes 002: TMA from C++ and PTX. */
#include <stdio.h>
#include <string.h>

#include "tests/listings/page.h"

/* Eight words arrive, for blocks of any number of threads. */
static void copy_to_shared(struct ck *t)
{
    const struct ck_buf a = ck_slow_input(t, 64), b = ck_output(t, 32);
    struct {
        uint64_t a, b;
    } args = { a.device + (ck_variant(t, "next") ? 16 : 0), b.device };

    PAGE_LAUNCH(t, "test_tma_copy_to_shared", 1, ck_int(t, "threads"), args);
    ck_equal(t, b, a.host);
}

/* What the threads wrote to shared memory is what the store reads. */
static void behind_fence(struct ck *t)
{
    const struct ck_buf out = ck_output(t, 2048);
    unsigned char *want = ck_alloc(t, 2048);
    struct {
        uint64_t out;
    } args = { out.device + (ck_variant(t, "next") ? 16 : 0) };

    memset(want, CK_POISON, 2048);
    for (uint32_t i = 0; i < 256; i++)
        memcpy(want + i * 4, &(uint32_t){ 3 * i + 1 }, 4);
    PAGE_LAUNCH(t, "store_behind_fence", 1, ck_int(t, "threads"), args);
    ck_equal(t, out, want);
}

/* Elements of each type arrive; the kernel writes them out in the opposite order. */
static void load_any_type(struct ck *t)
{
    const size_t size = ck_is(t, "type", "u8") ? 1 : ck_is(t, "type", "f32") ? 4 : 8;
    const size_t bytes = (size_t)ck_int(t, "bytes"), count = bytes / size;
    const struct ck_buf in = ck_input(t, bytes + 16), out = ck_output(t, bytes);
    unsigned char *want = ck_alloc(t, bytes);
    char name[64];
    struct {
        uint64_t source, count, out;
    } args = { in.device + (ck_variant(t, "next") ? 16 : 0), count, out.device };

    for (size_t i = 0; i < count; i++)
        memcpy(want + (count - 1 - i) * size, in.host + i * size, size);
    snprintf(name, sizeof name, "tma_load_%s", ck_word(t, "type"));
    ck_launch(t, &(struct ck_launch){ .kernel = name,
                                      .block = { 64 },
                                      .smem = (uint32_t)bytes,
                                      .args = &args,
                                      .size = sizeof args,
                                      .plain = true });
    ck_equal(t, out, want);
}

/* Both ways leave the same words in global memory. */
static void store_two_ways(struct ck *t)
{
    const uint32_t count = (uint32_t)ck_int(t, "words");
    const struct ck_buf out = ck_output(t, 8192);
    unsigned char *want = ck_alloc(t, 8192);
    struct {
        uint64_t out;
        uint32_t count;
    } args = { out.device, ck_variant(t, "fewer") ? count - 4 : count };

    memset(want, CK_POISON, 8192);
    for (uint32_t i = 0; i < count; i++)
        memcpy(want + i * 4, &(uint32_t){ 5 * i + 2 }, 4);
    ck_launch(t, &(struct ck_launch){ .kernel = ck_is(t, "way", "bulk") ? "tma_store_in_bulk" : "tma_store_by_memcpy",
                                      .block = { (uint32_t)ck_int(t, "threads") },
                                      .smem = count * 4,
                                      .args = &args,
                                      .size = sizeof args,
                                      .plain = true });
    ck_equal(t, out, want);
}

#define NVCC_HEAD "#include <cuda/barrier>\n#pragma nv_diag_suppress static_var_with_dynamic_init\n"
#define NVCC_BODY                                                                                                      \
    "__shared__ cuda::barrier<cuda::thread_scope_block> bar;\n"                                                        \
    "__shared__ alignas(16) int tile[8];\n"                                                                            \
    "if (threadIdx.x == 0) {\n"                                                                                        \
    "    init(&bar, 1);\n"                                                                                             \
    "    cuda::memcpy_async(tile, pi, cuda::aligned_size_t<16>(sizeof tile), bar);\n"                                  \
    "}"

static const struct ck_case cases[] = {
    { CK_LISTING(002_test_tma_copy_to_shared), .run = copy_to_shared, .axes = { { "threads", "1 32 100 256" } },
      .mutants = { { "next", "copy the 32 bytes that begin 16 bytes later" } },
      .breaches = { { "early", "meet at __syncthreads, which waits for threads and not for copies, and wait at the end",
                      .kernel = "early", .varies = true } } },
    { CK_LISTING(002_fence_proxy_async_shared), .run = behind_fence, .axes = { { "threads", "1 32 100 256" } },
      .mutants = { { "next", "store 16 bytes further on" } },
      .breaches = { { "no-fence", "no proxy fence before the store", .kernel = "no_fence" } } },
    { CK_LISTING(002_tma_load_gmem_to_smem), .run = load_any_type,
      .axes = { { "type", "u8 f32 f64" }, { "bytes", "16 32 48 256 1024 4096" } },
      .mutants = { { "next", "begin 16 bytes later" } } },
    { CK_LISTING(002_tma_store_smem_to_gmem), .run = store_two_ways,
      .axes = { { "way", "bulk memcpy" }, { "words", "4 256 2048" }, { "threads", "32 256" } },
      .mutants = { { "fewer", "store four words less" } },
      .breaches = { { "no-fence", "no proxy fence before the store", .kernel = "no_fence",
                      .only = "way=bulk words=4/256" } } },
    { CK_LISTING(002_nvcc_command), .options = "-ptx -std=$ -arch=sm_90a", .head = NVCC_HEAD, .cuda = NVCC_BODY,
      .accept = "c++17|c++20", .refuse = "c++11|c++14", .says = "requires at least C++ 17" },
    { CK_LISTING(002_ptx_forms), .name = "load", .assemble = "cp.async.bulk.tensor.2d.shared::cluster.global$;",
      .accept = ".mbarrier::complete_tx::bytes [sa], [g, {r0, r1}], [ma]",
      .refuse = ".mbarrier::complete_tx::bytes [sa], [g, {r0, r1}]| [sa], [g, {r0, r1}], [ma]|"
                ".mbarrier::complete_tx::bytes [g, {r0, r1}], [sa], [ma]" },
    { CK_LISTING(002_ptx_forms), .name = "store", .assemble = "cp.async.bulk.tensor.2d.global.shared::cta$;",
      .accept = ".bulk_group [g, {r0, r1}], [sa]", .refuse = " [g, {r0, r1}], [sa]|.bulk_group [sa], [g, {r0, r1}]" },
    { CK_LISTING(002_ptx_forms), .name = "reduce",
      .assemble = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.$.bulk_group [g, {r0, r1}], [sa];",
      .accept = "add|min|max|inc|dec|and|or|xor", .refuse = "sub|exch|cas" },
    { 0 }
};

const struct ck_suite listings_002 = { "listings-002", cases };
// SPDX-License-Identifier: Apache-2.0
