/* Small kernels for tools/cost, which counts the host's instructions of each launch.
 *
 * Every kernel is launched with N and with 2 N rounds of its loop, with the order checker on and off; a line on
 * standard output says what each launch did. The difference of two launches is the cost of N rounds, whatever begins
 * and ends a grid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/forms/form.h"
#include "harness/emu/emu.h"
#include "harness/emu/product/factors.h"

enum { UNROLL = 16, GLOBAL = 16 << 20 };

struct kernel {
    const char *name, *setup, *body; /* in the body, $ stands for 4 times the number of the copy, # for 128
                                      times, ^ for 512 times, & for f0 to f127 */
    unsigned threads, rounds, unroll;
    unsigned units; /* of what is counted, by all threads in one copy of the body: accesses, bytes */
    unsigned other; /* further instructions of a thread in a round: their cost, that of `alu`, is taken off */
    const char *unit;
    int64_t swizzle; /* of the tensor map */
};

#define LOOP_OTHER 3 /* add, setp, bra */
#define OWN        "shl.b32 %o, %i, 2; add.u32 %s, %s, %o; cvt.u64.u32 %d, %o; add.u64 %a, %g, %d;\n"
#define STRIDED    "shl.b32 %o, %i, 7; add.u32 %s, %s, %o; cvt.u64.u32 %d, %o; add.u64 %a, %g, %d;\n"
#define MIXED      "brev.b32 %o, %i; shr.u32 %o, %o, 24; add.u32 %s, %s, %o; cvt.u64.u32 %d, %o; add.u64 %a, %g, %d;\n"
#define WRITTEN    "st.shared.u32 [%s], %x; bar.sync 0;\n"
#define BAR                                                                                                            \
    "mov.u32 %m, bar; mbarrier.init.shared.b64 [%m], 1; fence.mbarrier_init.release.cluster;\n"                        \
    "mov.u32 %p, 0; fence.proxy.async;\n"
#define EXPECT(bytes) "mbarrier.arrive.expect_tx.shared.b64 _, [%m], " bytes ";\n"
#define WAIT          "{ W: mbarrier.try_wait.parity.shared.b64 %t, [%m], %p; @!%t bra W; } xor.b32 %p, %p, 1;\n"
#define LOAD(bytes)                                                                                                    \
    EXPECT(bytes)                                                                                                      \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%g], " bytes ", [%m];\n" WAIT
#define STORED        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
#define FILLED(bytes) BAR LOAD(bytes)
#define TILE_LOAD                                                                                                      \
    EXPECT("16384")                                                                                                    \
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [%q, {0, 0}], [%m];\n" WAIT
#define TILE_STORE "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%q, {0, 0}], [%s];\n" STORED

/* A of 64 rows and B of 256, each row 128 bytes of halves or bytes, swizzled, which a bulk copy brings; four products
 * are one group. Each round has another B, as far as 8 rows make it one, and each number of rounds other numbers. */
#define MATRICES(keep, set)                                                                                            \
    ".reg .f32 f<128>; .reg .b64 da, db; .reg .pred yes; setp.eq.u32 yes, 0, 0;\n"                                     \
    "mov.u32 %o, %i;\nFILL:\nmad.lo.u32 %x, %o, 0x9e3779b1, 12345; shr.u32 %y, %x, 15; xor.b32 %x, %x, %y;\n"          \
    "add.u32 %x, %x, %n; mul.lo.u32 %x, %x, 0x85ebca6b; and.b32 %x, %x, " keep "; or.b32 %x, %x, " set                 \
    "; shl.b32 %y, %o, 2; add.u32 %y, %y, %s;\n"                                                                       \
    "st.shared.u32 [%y], %x; add.u32 %o, %o, 128; setp.lt.u32 %t, %o, 10240; @%t bra FILL;\n"                          \
    "fence.proxy.async; bar.sync 0; mov.u32 %m, bar; setp.eq.u32 %t, %i, 0; @!%t bra FILLED;\n"                        \
    "cp.async.bulk.global.shared::cta.bulk_group [%g], [%s], 40960; cp.async.bulk.commit_group;\n"                     \
    "cp.async.bulk.wait_group 0; mbarrier.init.shared.b64 [%m], 1; fence.mbarrier_init.release.cluster;\n"             \
    "fence.proxy.async;\n" EXPECT(                                                                                     \
        "40960") "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%g], 40960, [%m];\n"        \
                 "mov.u32 %p, 0;\n" WAIT "FILLED: bar.sync 0; mov.u32 %p, 0;\n" WAIT                                   \
                 "shr.u32 %y, %s, 4; cvt.u64.u32 da, %y; or.b64 da, da, 0x4000004000010000;\n"                         \
                 "add.s64 db, da, 512; wgmma.fence.sync.aligned;\n"
#define PRODUCT(types, tail, step, b)                                                                                  \
    "wgmma.mma_async.sync.aligned.m64n256" types " &, da, db, yes" tail "; add.s64 da, da, " step                      \
    "; add.s64 db, db, " b ";\n"
#define PRODUCTS(types, tail)                                                                                          \
    PRODUCT(types, tail, "2", "2")                                                                                     \
    PRODUCT(types, tail, "2", "2")                                                                                     \
    PRODUCT(types, tail, "2", "2")                                                                                     \
    PRODUCT(types, tail, "-6", "-70") "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"

/* Products of a warp: factors of any exponents but the largest. */
#define FRAGMENTS(keep, set)                                                                                           \
    ".reg .b32 a<4>, b<2>; .reg .f32 c<4>; .reg .b32 d<4>;\n"                                                          \
    "mad.lo.u32 %x, %i, 0x9e3779b1, 12345; mov.f32 c0, 0f3f800000; mov.f32 c1, c0; mov.f32 c2, c0; mov.f32 c3, c0;\n"  \
    "mov.b32 d0, 1; mov.b32 d1, 1; mov.b32 d2, 1; mov.b32 d3, 1;\n" PART("a0", keep, set) PART("a1", keep, set)        \
        PART("a2", keep, set) PART("a3", keep, set) PART("b0", keep, set) PART("b1", keep, set)
#define PART(name, keep, set)                                                                                          \
    "shr.u32 %y, %x, 15; xor.b32 %x, %x, %y; mul.lo.u32 %x, %x, 0x85ebca6b; and.b32 " name ", %x, " keep               \
    "; or.b32 " name ", " name ", " set ";\n"
#define MMA(types, d, b)                                                                                               \
    "mma.sync.aligned.m16n8" types " {" d "0, " d "1, " d "2, " d "3}, {a0, a1, a2, a3}, " b ", {" d "0, " d "1, " d   \
    "2, " d "3};\n"

static const struct kernel kernels[] = {
    { "alu", "", "add.u32 %x, %x, %i; xor.b32 %y, %y, %x; mad.lo.u32 %x, %y, %i, %x; setp.lt.u32 %t, %x, %y;\n", 64, 20,
      UNROLL, 4 * 64, 0, "instruction" },
    { "ld.shared, own word", OWN WRITTEN, "ld.shared.u32 %y, [%s];\n", 64, 20, UNROLL, 64, LOOP_OTHER, "access" },
    { "st.shared, own word", OWN, "st.shared.u32 [%s], %x;\n", 64, 20, UNROLL, 64, LOOP_OTHER, "access" },
    { "ld.shared, another warp's word", OWN WRITTEN "xor.b32 %s, %s, 128;\n", "ld.shared.u32 %y, [%s];\n", 64, 20,
      UNROLL, 64, LOOP_OTHER, "access" },
    { "ld.shared, one word for all", "st.shared.u32 [%s], 1; bar.sync 0;\n", "ld.shared.u32 %y, [%s];\n", 64, 20,
      UNROLL, 64, LOOP_OTHER, "access" },
    { "st.shared, 128 bytes apart", STRIDED, "st.shared.u32 [%s], %x;\n", 64, 20, UNROLL, 64, LOOP_OTHER, "access" },
    { "st, bar.sync, ld another's, bar.sync", OWN "xor.b32 %o, %s, 128;\n",
      "st.shared.u32 [%s], %x; bar.sync 0; ld.shared.u32 %y, [%o]; bar.sync 0;\n", 64, 10, UNROLL, 2 * 64, LOOP_OTHER,
      "access" },
    { "bar.sync, 64 threads", "", "bar.sync 0;\n", 64, 20, UNROLL, 64, LOOP_OTHER, "thread" },
    { "bar.sync, 512 threads", "", "bar.sync 0;\n", 512, 5, UNROLL, 512, LOOP_OTHER, "thread" },
    { "ld.global, coalesced stream", OWN, "ld.global.u32 %y, [%a+#];\n", 32, 20, UNROLL, 32, LOOP_OTHER + 1, "access" },
    { "st.global, coalesced stream", OWN, "st.global.u32 [%a+#], %x;\n", 32, 20, UNROLL, 32, LOOP_OTHER + 1, "access" },
    { "ld.global, 128 bytes apart", STRIDED, "ld.global.u32 %y, [%a+$];\n", 64, 20, UNROLL, 64, LOOP_OTHER, "access" },
    { "st.global, 128 bytes apart", STRIDED, "st.global.u32 [%a+$], %x;\n", 64, 20, UNROLL, 64, LOOP_OTHER, "access" },
    { "ld.global.v4, coalesced stream", "shl.b32 %o, %i, 4; cvt.u64.u32 %d, %o; add.u64 %a, %g, %d;\n",
      "ld.global.v4.u32 {%y, %x, %y, %x}, [%a+^];\n", 32, 20, UNROLL, 32, LOOP_OTHER + 1, "access" },
    { "ld.shared, no pattern", MIXED WRITTEN, "ld.shared.u32 %y, [%s];\n", 64, 20, UNROLL, 64, LOOP_OTHER, "access" },
    { "st.shared, no pattern", MIXED, "st.shared.u32 [%s], %x;\n", 64, 20, UNROLL, 64, LOOP_OTHER, "access" },
    { "ld.global, no pattern, stream", MIXED, "ld.global.u32 %y, [%a+^];\n", 64, 20, UNROLL, 64, LOOP_OTHER + 1,
      "access" },
    { "st.global, no pattern, stream", MIXED, "st.global.u32 [%a+^], %x;\n", 64, 20, UNROLL, 64, LOOP_OTHER + 1,
      "access" },
    { "bulk load, 16 KB", BAR, LOAD("16384"), 1, 5, 1, 16384, 0, "byte" },
    { "bulk load, 1 KB", BAR, LOAD("1024"), 1, 20, 1, 1024, 0, "byte" },
    { "bulk store, 16 KB", FILLED("16384"), "cp.async.bulk.global.shared::cta.bulk_group [%h], [%s], 16384;\n" STORED,
      1, 5, 1, 16384, 0, "byte" },
    { "bulk reduction, u32 add, 16 KB", FILLED("16384"),
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%h], [%s], 16384;\n" STORED, 1, 5, 1, 16384, 0,
      "byte" },
    { "tensor load, f32 32x128", BAR, TILE_LOAD, 1, 5, 1, 16384, 0, "byte" },
    { "tensor load, swizzle 128B", BAR, TILE_LOAD, 1, 5, 1, 16384, 0, "byte", TENSOR_SWIZZLE_128B },
    { "tensor store, f32 32x128", FILLED("16384"), TILE_STORE, 1, 5, 1, 16384, 0, "byte" },
    { "tensor store, swizzle 128B", FILLED("16384"), TILE_STORE, 1, 5, 1, 16384, 0, "byte", TENSOR_SWIZZLE_128B },
    { "mma.sync m16n8k16, f16", FRAGMENTS("0xb7ffb7ff", "0"), MMA("k16.row.col.f32.f16.f16.f32", "c", "{b0, b1}"), 64,
      10, UNROLL, 2 * 16 * 8 * 16, LOOP_OTHER, "product" },
    { "mma.sync m16n8k16, bf16", FRAGMENTS("0x83ff83ff", "0x3c003c00"),
      MMA("k16.row.col.f32.bf16.bf16.f32", "c", "{b0, b1}"), 64, 10, UNROLL, 2 * 16 * 8 * 16, LOOP_OTHER, "product" },
    { "mma.sync m16n8k8, tf32", FRAGMENTS("0x83ffffff", "0x3c000000"),
      MMA("k8.row.col.f32.tf32.tf32.f32", "c", "{b0, b1}"), 64, 10, UNROLL, 2 * 16 * 8 * 8, LOOP_OTHER, "product" },
    { "mma.sync m16n8k32, s8", FRAGMENTS("0xffffffff", "0"), MMA("k32.row.col.s32.s8.s8.s32", "d", "{b0, b1}"), 64, 10,
      UNROLL, 2 * 16 * 8 * 32, LOOP_OTHER, "product" },
    { "mma.sync m16n8k32, e4m3", FRAGMENTS("0xbfbfbfbf", "0"), MMA("k32.row.col.f32.e4m3.e4m3.f32", "c", "{b0, b1}"),
      64, 10, UNROLL, 2 * 16 * 8 * 32, LOOP_OTHER, "product" },
    { "mma.sync m16n8k16, f16, any bits", FRAGMENTS("0xffffffff", "0"),
      MMA("k16.row.col.f32.f16.f16.f32", "c", "{b0, b1}"), 64, 10, UNROLL, 2 * 16 * 8 * 16, LOOP_OTHER, "product" },
    { "mma.sync m16n8k16, bf16, any bits", FRAGMENTS("0xffffffff", "0"),
      MMA("k16.row.col.f32.bf16.bf16.f32", "c", "{b0, b1}"), 64, 10, UNROLL, 2 * 16 * 8 * 16, LOOP_OTHER, "product" },
    { "mma.sync m16n8k32, e4m3, any bits", FRAGMENTS("0xffffffff", "0"),
      MMA("k32.row.col.f32.e4m3.e4m3.f32", "c", "{b0, b1}"), 64, 10, UNROLL, 2 * 16 * 8 * 32, LOOP_OTHER, "product" },
    { "wgmma m64n256k16, f16", MATRICES("0xb7ffb7ff", "0"), PRODUCTS("k16.f32.f16.f16", ", 1, 1, 0, 0"), 128, 1, 1,
      64 * 256 * 64, LOOP_OTHER, "product" },
    { "wgmma m64n256k16, bf16", MATRICES("0x83ff83ff", "0x3c003c00"), PRODUCTS("k16.f32.bf16.bf16", ", 1, 1, 0, 0"),
      128, 1, 1, 64 * 256 * 64, LOOP_OTHER, "product" },
    { "wgmma m64n256k32, e4m3", MATRICES("0xbfbfbfbf", "0"), PRODUCTS("k32.f32.e4m3.e4m3", ", 1, 1"), 128, 1, 1,
      64 * 256 * 128, LOOP_OTHER, "product" },
    { "wgmma m64n256k16, f16, any bits", MATRICES("0xffffffff", "0"), PRODUCTS("k16.f32.f16.f16", ", 1, 1, 0, 0"), 128,
      1, 1, 64 * 256 * 64, LOOP_OTHER, "product" },
    { "wgmma m64n256k16, bf16, any bits", MATRICES("0xffffffff", "0"), PRODUCTS("k16.f32.bf16.bf16", ", 1, 1, 0, 0"),
      128, 1, 1, 64 * 256 * 64, LOOP_OTHER, "product" },
    { "wgmma m64n256k32, e4m3, any bits", MATRICES("0xffffffff", "0"), PRODUCTS("k32.f32.e4m3.e4m3", ", 1, 1"), 128, 1,
      1, 64 * 256 * 128, LOOP_OTHER, "product" },
};

static void append(FILE *f, const char *body, unsigned copy)
{
    for (; *body; body++) {
        if (*body == '$' || *body == '#' || *body == '^')
            fprintf(f, "%u", copy * (*body == '$' ? 4 : *body == '#' ? 128 : 512));
        else if (*body == '&')
            for (unsigned k = 0; k < 128; k++)
                fprintf(f, "%sf%u%s", k ? ", " : "{", k, k == 127 ? "}" : "");
        else
            fputc(*body, f);
    }
}

static char *text_of(const struct kernel *k, size_t *size)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, size);

    if (!f)
        return NULL;
    fputs(".version 8.6\n.target sm_90a\n.address_size 64\n"
          ".visible .entry k(.param .u64 pg, .param .u64 ph, .param .u32 pn, .param .align 64 .b8 map[128])\n{\n"
          ".reg .pred %t, %u; .reg .b32 %i, %s, %m, %n, %o, %p, %x, %y; .reg .b64 %g, %h, %a, %d, %q;\n"
          ".shared .align 1024 .b8 s[40960]; .shared .align 8 .b64 bar;\n"
          "ld.param.u64 %g, [pg]; ld.param.u64 %h, [ph]; ld.param.u32 %n, [pn];\n"
          "mov.u32 %i, %tid.x; mov.u32 %s, s; mov.u32 %x, 1; mov.u32 %y, 2; mov.u64 %a, %g;\n"
          "mov.u64 %q, map; cvta.param.u64 %q, %q;\n",
          f);
    append(f, k->setup, 0);
    fputs("LOOP:\n", f);
    for (unsigned i = 0; i < k->unroll; i++) {
        fputs(strchr(k->body, '{') ? "{\n" : "", f);
        append(f, k->body, i);
        fputs(strchr(k->body, '{') ? "}\n" : "", f);
    }
    fputs(strchr(k->body, '#') ? "add.u64 %a, %a, 2048;\n" : "", f);
    fputs(strchr(k->body, '^') ? "add.u64 %a, %a, 8192;\n" : "", f);
    fputs("add.u32 %n, %n, -1; setp.ne.u32 %u, %n, 0; @%u bra LOOP;\nret;\n}\n", f);
    return fclose(f) ? NULL : text;
}

static int run(const struct kernel *k, const struct ptx_module *m, bool checked, unsigned rounds)
{
    const struct emu_options options = { .check_order = checked, .check_init = checked, .jobs = 1 };
    const uint32_t grid[3] = { 1, 1, 1 }, block[3] = { k->threads, 1, 1 };
    struct tensor_map map = {
        .type = TENSOR_F32, .rank = 2, .dims = { 32, 128 }, .strides = { 128 }, .box = { 32, 128 }
    };
    struct emu *e = emu_new(&options);
    struct {
        uint64_t g, h;
        uint32_t n;
        _Alignas(64) unsigned char map[128];
    } params = { .n = rounds };
    struct emu_report report;
    char why[200];
    int status = 1;

    if (!e || !emu_load(e, m, why, sizeof why))
        return 1;
    params.g = emu_alloc(e, GLOBAL, 1024, true, "g");
    params.h = emu_alloc(e, GLOBAL, 1024, true, "h");
    map.address = params.g;
    map.swizzle = k->swizzle;
    for (int i = 0; i < TENSOR_RANK_MAX; i++)
        map.element_strides[i] = 1;
    emu_map_encode(&map, params.map);
    if (params.g && params.h) {
        emu_launch(e, "k", grid, block, NULL, 0, &params, sizeof params, &report);
        status = report.end != EMU_DONE || report.count;
        if (status)
            fprintf(stderr, "cost: %s: %s\n", k->name, report.count ? report.findings[0].message : report.message);
        printf("%s\t%d\t%u\t%u\t%u\t%s\n", k->name, checked, rounds, k->units * k->unroll, k->other * k->threads,
               k->unit);
    }
    emu_free(e);
    return status;
}

/* Those kernels whose name has the first argument in it. Standard error says by which vectors products are made. */
int main(int argc, char **argv)
{
    int status = 0;

    fprintf(stderr, "vectors: %s\n", sums_loops(0)->name);

    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const struct kernel *k = &kernels[i];
        struct ptx_error error = { .message = "no memory for its text" };
        size_t size;

        if (argc > 1 && !strstr(k->name, argv[1]))
            continue;
        char *text = text_of(k, &size);
        struct ptx_module *m = text ? ptx_read(text, size, NULL, &error) : NULL;
        if (!m) {
            fprintf(stderr, "cost: %s: line %d: %s\n", k->name, error.line, error.message);
            return 1;
        }
        for (int checked = 0; checked < 2; checked++)
            for (unsigned twice = 1; twice < 3; twice++)
                status |= run(k, m, checked, k->rounds * twice);
        ptx_free(m);
        free(text);
    }
    return status;
}
// SPDX-License-Identifier: Apache-2.0
