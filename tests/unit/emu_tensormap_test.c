/* Tensor maps on the emulator: made on the device, edited, copied, and objects that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expected/oracle.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/emu.h"
#include "harness/emu/copies/map_object.h"

/* A warp loads a tile through the map at %g into s, and stores it to h. %m is an mbarrier. `made` runs first, with %z
 * the shared address of 128 zero bytes, %x the map that the host gave in shared memory, %f the tensor. */
static const char head[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 pg, .param .u64 ph, .param .u64 pf, .param .align 64 .b8 map[128])\n{\n"
    ".reg .pred %p0, %t; .reg .b32 %i, %s, %m, %z, %x, %o, %r; .reg .b64 %g, %h, %f, %d, %e;\n"
    ".shared .align 128 .b8 s[1024]; .shared .align 128 .b8 zeros[128]; .shared .align 128 .b8 made[128];\n"
    ".shared .align 8 .b64 bar;\n"
    "ld.param.u64 %g, [pg]; ld.param.u64 %h, [ph]; ld.param.u64 %f, [pf];\n"
    "mov.u32 %i, %tid.x; setp.eq.u32 %p0, %i, 0; mov.u32 %s, s; mov.u32 %m, bar; mov.u32 %z, zeros; mov.u32 %x, made;\n"
    "shl.b32 %o, %i, 2; add.u32 %r, %o, %z; st.shared.u32 [%r], 0;\n"
    "add.u32 %r, %o, %x; mov.b64 %d, map; cvt.u64.u32 %e, %o; add.u64 %d, %d, %e; ld.param.u32 %o, [%d];\n"
    "st.shared.u32 [%r], %o; cvt.u64.u32 %e, %i;\n"
    "@%p0 mbarrier.init.shared.b64 [%m], 1; fence.mbarrier_init.release.cluster; bar.sync 0;\n";
static const char tail[] =
    "fence.proxy.tensormap::generic.acquire.gpu [%g], 128;\n"
    "@!%p0 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n"
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [%g, {4, 1}], [%m];\n"
    "W: mbarrier.try_wait.parity.shared.b64 %t, [%m], 0; @!%t bra W;\n"
    "shl.b32 %o, %i, 3; add.u32 %s, %s, %o; ld.shared.u64 %d, [%s]; cvt.u64.u32 %e, %o; add.u64 %h, %h, %e;\n"
    "st.global.u64 [%h], %d; ret;\n}\n";

#define REPLACE(field, type, rest) "@%p0 tensormap.replace.tile." field ".shared::cta.b1024." type " [%z], " rest ";\n"
#define MAKE_BUT_BOX                                                                                                   \
    REPLACE("global_address", "b64", "%f")                                                                             \
    REPLACE("rank", "b32", "1")                                                                                        \
    REPLACE("box_dim", "b32", "0, 8")                                                                                  \
    REPLACE("global_dim", "b32", "0, 16")                                                                              \
    REPLACE("global_dim", "b32", "1, 32")                                                                              \
    REPLACE("global_stride", "b64", "0, 64")                                                                           \
    REPLACE("element_stride", "b32", "0, 1")                                                                           \
    REPLACE("element_stride", "b32", "1, 1")                                                                           \
    REPLACE("elemtype", "b32", "2")                                                                                    \
    REPLACE("interleave_layout", "b32", "0") REPLACE("swizzle_mode", "b32", "0") REPLACE("fill_mode", "b32", "0")
#define MAKE       MAKE_BUT_BOX REPLACE("box_dim", "b32", "1, 8")
#define COPY(from) "bar.warp.sync -1; " COPY_AT_ONCE(from)
#define COPY_AT_ONCE(from)                                                                                             \
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned"                           \
    " [%g], [" from "], 128;\n"
#define COPY_BYTES                                                                                                     \
    "cvt.u64.u32 %e, %i; shl.b64 %e, %e, 2; add.u64 %e, %e, %g; add.u32 %r, %x, 0; shl.b32 %o, %i, 2;\n"               \
    "add.u32 %r, %r, %o; ld.shared.u32 %o, [%r]; st.global.u32 [%e], %o; bar.warp.sync -1;\n"                          \
    "fence.proxy.tensormap::generic.release.gpu;\n"

static const struct {
    const char *rule; /* NULL: clean, and the tile is right */
    const char *says, *text;
} programs[] = {
    { NULL, "", COPY("%x") },
    { NULL, "", COPY_BYTES },
    { NULL, "", MAKE COPY("%z") },
    { NULL, "",
      "@%p0 tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%x], %f;\n"
      "@%p0 tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%x], 1, 8;\n" COPY("%x") },
    { NULL, "",
      COPY("%x") "@%p0 tensormap.replace.tile.global_dim.global.b1024.b32 [%g], 1, 32;\n"
                 "fence.proxy.tensormap::generic.release.gpu;\n" },
    { "tmap.size", "box_dim", MAKE_BUT_BOX COPY("%z") },
    { "tmap.size", "zero bytes", COPY("%z") },
    { "tmap.size", "changed", "@%p0 st.shared.u8 [%x+9], 1;\n" COPY("%x") },
    { "tmap.size", "changed", "@%p0 st.shared.u64 [%x+56], 0;\n" COPY("%x") },
    { "tmap.size", "tensormap.replace on",
      "@%p0 st.shared.u8 [%x+9], 1;\n"
      "@%p0 tensormap.replace.tile.rank.shared::cta.b1024.b32 [%x], 1;\n" },
    { "tmap.tiled.box.max", "boxDim[1] of 300", MAKE_BUT_BOX REPLACE("box_dim", "b32", "1, 300") COPY("%z") },
    { "tmap.tiled.gstride16", "globalStrides[0] of 40", MAKE REPLACE("global_stride", "b64", "0, 40") COPY("%z") },
    { "tmap.tiled.rank", "tensorRank of 6", MAKE REPLACE("rank", "b32", "17") COPY("%z") },
    { "tmap.rep.weak-1024", "nothing orders the two",
      "setp.lt.u32 %t, %i, 2; @%t tensormap.replace.tile.rank.shared::cta.b1024.b32 [%x], 1;\n" COPY("%x") },
    { "tmap.rep.local-order", "read by thread 1,0,0", MAKE COPY_AT_ONCE("%z") },
    { "fence.tensormap.global-only", "not in global memory", "cvt.u64.u32 %g, %x; cvta.shared.u64 %g, %g;\n" },
    { "tmap.align", "not a multiple of 64", COPY("%x") "add.u64 %g, %g, 16;\n" },
};

static void run(size_t k)
{
    const struct emu_options options = { .delivery = EMU_LATE, .check_order = true };
    struct emu *e = emu_new(&options);
    struct tensor_map map = tensor_map_default(TENSOR_U32, 2);
    unsigned char image[1024] = { 0 }, out[256];
    const int32_t corner[5] = { 4, 1 };
    struct {
        uint64_t g, h, f, pad[5];
        _Alignas(64) unsigned char map[128];
    } params = { 0 };
    uint32_t tensor[16 * 32];
    struct emu_report report;
    struct ptx_error error;
    struct ptx_module *m;
    char text[8192], why[200];

    snprintf(text, sizeof text, "%s%s%s", head, programs[k].text, tail);
    m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("program %zu: line %d: %s", k, error.line, error.message);
    assert_non_null(e);
    assert_true(emu_load(e, m, why, sizeof why));
    for (uint32_t i = 0; i < 16 * 32; i++)
        tensor[i] = i * 0x9E3779B9u;
    params.g = emu_alloc(e, 256, 256, true, "map");
    params.h = emu_alloc(e, 256, 256, true, "out");
    params.f = emu_alloc(e, sizeof tensor, 256, true, "tensor");
    emu_write(e, params.f, tensor, sizeof tensor);
    map.address = params.f;
    map.dims[0] = 16, map.dims[1] = 32, map.strides[0] = 64, map.box[0] = 8, map.box[1] = 8;
    emu_map_encode(&map, params.map);
    emu_launch(e, "k", (uint32_t[]){ 1, 1, 1 }, (uint32_t[]){ 32, 1, 1 }, NULL, 0, &params, sizeof params, &report);
    if (!programs[k].rule) {
        if (report.count || report.end != EMU_DONE)
            fail_msg("program %zu: %s", k, report.count ? report.findings[0].message : report.message);
        map.address = 0;
        oracle_tile_load(&map, (unsigned char *)tensor, corner, image, 0);
        assert_true(emu_read(e, out, params.h, sizeof out));
        assert_memory_equal(out, image, sizeof out);
    } else {
        size_t i = 0;
        while (i < report.count &&
               !(report.findings[i].rule && !strcmp(report.findings[i].rule->id, programs[k].rule) &&
                 strstr(report.findings[i].message, programs[k].says)))
            i++;
        if (i == report.count)
            fail_msg("program %zu: %s is not found: %s", k, programs[k].rule,
                     report.count ? report.findings[0].message : report.message);
    }
    emu_free(e);
    ptx_free(m);
}

static void test_programs(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
        run(k);
}

/* An object gives back the call that made it, with every member at its bounds. */
static void test_round_trip(void **state)
{
    static const char *const words[] = {
        "dims=2^32x1x1x1x1 box=256x1x1x1x1 strides=16x2^40-16x16x16 element-strides=1x8x1x2x3",
        "dims=1x2x3x4x5 box=16x2x3x4x5 swizzle=64B fill=zero l2=256B address=0x1fffffffffffff0",
    };
    _Alignas(64) unsigned char object[128];
    struct tensor_map out;
    char why[200];

    (void)state;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        struct tensor_map map = tensor_map_default(TENSOR_U8, 5);
        assert_true(tensor_map_set(&map, words[k], why, sizeof why));
        emu_map_encode(&map, object);
        assert_true(emu_map_decode(object, &out, why, sizeof why));
        assert_memory_equal(&map, &out, sizeof map);
        for (unsigned bit = 0; bit < 1024; bit++) { /* no bit may differ */
            object[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_false(emu_map_decode(object, &out, why, sizeof why));
            object[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_programs), cmocka_unit_test(test_round_trip) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
