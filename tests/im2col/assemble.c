/* im2col modes as an assembler sees them: ranks, offsets, which mode goes with which direction. */
#include "harness/ck.h"

#define BYTES            ".mbarrier::complete_tx::bytes"
#define LOAD(rank, mode) "cp.async.bulk.tensor." rank ".shared::cluster.global" mode BYTES
#define CTA(rank, mode)  "cp.async.bulk.tensor." rank ".shared::cta.global" mode BYTES
#define FETCH(rank)      "cp.async.bulk.prefetch.tensor." rank ".L2.global.im2col"
#define WIDE(rank)       LOAD(rank, ".im2col::w")
#define WIDE128(rank)    LOAD(rank, ".im2col::w::128")
#define AT3              "[g, {r0, r1, r2}]"
#define AT4              "[g, {r0, r1, r2, r3}]"
#define AT5              "[g, {r0, r1, r2, r3, r4}]"

/* The offsets of a load or prefetch of each rank: as many as it has, fewer, more, none, of another type. */
#define OFFSETS(rank, at, right, wrong)                                                                                \
    { CK_RULE(tensor_i2c_offset_count), .name = "load-" rank, .accept = right, .refuse = wrong,                        \
      .assemble = LOAD(rank, ".im2col") " [sa], " at ", [ma]$;" },                                                     \
        { CK_RULE(tensor_i2c_offset_count),                                                                            \
          .name = "cta-" rank,                                                                                         \
          .version = "8.6",                                                                                            \
          .accept = right,                                                                                             \
          .refuse = wrong,                                                                                             \
          .assemble = CTA(rank, ".im2col") " [sa], " at ", [ma]$;" },                                                  \
    {                                                                                                                  \
        CK_RULE(tensor_i2c_offset_count), .name = "prefetch-" rank, .accept = right, .refuse = wrong,                  \
                                          .assemble = FETCH(rank) " " at "$;"                                          \
    }

/* A direction and the modes that it takes; what follows is right for all of them. */
#define MODES(what, before, after, right, wrong)                                                                       \
    {                                                                                                                  \
        CK_RULE(tensor_i2c_load_store_modes), .name = what, .accept = right, .refuse = wrong,                          \
                                              .assemble = before "$" after ";"                                         \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tensor_i2c_rank), .name = "load-1d", .accept = "", .refuse = ".im2col",
      .assemble = LOAD("1d", "$") " [sa], [g, {r0}], [ma];" },
    { CK_RULE(tensor_i2c_rank), .name = "load-2d", .accept = "", .refuse = ".im2col",
      .assemble = LOAD("2d", "$") " [sa], [g, {r0, r1}], [ma];" },
    { CK_RULE(tensor_i2c_rank), .name = "load-3d", .accept = "3d", .refuse = "1d|2d|4d|5d|6d",
      .assemble = LOAD("$", ".im2col") " [sa], " AT3 ", [ma], {h};" },
    { CK_RULE(tensor_i2c_rank), .name = "load-4d", .accept = "4d", .refuse = "1d|2d|3d|5d|6d",
      .assemble = LOAD("$", ".im2col") " [sa], " AT4 ", [ma], {h, h};" },
    { CK_RULE(tensor_i2c_rank), .name = "load-5d", .accept = "5d", .refuse = "1d|2d|3d|4d|6d",
      .assemble = LOAD("$", ".im2col") " [sa], " AT5 ", [ma], {h, h, h};" },
    { CK_RULE(tensor_i2c_rank), .name = "cta-3d", .version = "8.6", .accept = "3d", .refuse = "1d|2d|4d",
      .assemble = CTA("$", ".im2col") " [sa], " AT3 ", [ma], {h};" },
    { CK_RULE(tensor_i2c_rank), .name = "prefetch-1d", .accept = "", .refuse = ".im2col",
      .assemble = "cp.async.bulk.prefetch.tensor.1d.L2.global$ [g, {r0}];" },
    { CK_RULE(tensor_i2c_rank), .name = "prefetch-2d", .accept = "", .refuse = ".im2col",
      .assemble = "cp.async.bulk.prefetch.tensor.2d.L2.global$ [g, {r0, r1}];" },
    { CK_RULE(tensor_i2c_rank), .name = "prefetch-3d", .accept = "3d", .refuse = "1d|2d|4d|5d",
      .assemble = FETCH("$") " " AT3 ", {h};" },
    { CK_RULE(tensor_i2c_rank), .name = "store-1d", .accept = "", .refuse = ".im2col_no_offs",
      .assemble = "cp.async.bulk.tensor.1d.global.shared::cta$.bulk_group [g, {r0}], [sa];" },
    { CK_RULE(tensor_i2c_rank), .name = "store-2d", .accept = "", .refuse = ".im2col_no_offs",
      .assemble = "cp.async.bulk.tensor.2d.global.shared::cta$.bulk_group [g, {r0, r1}], [sa];" },
    { CK_RULE(tensor_i2c_rank), .name = "store-3d", .accept = "3d", .refuse = "1d|2d|4d|5d",
      .assemble = "cp.async.bulk.tensor.$.global.shared::cta.im2col_no_offs.bulk_group " AT3 ", [sa];" },
    { CK_RULE(tensor_i2c_rank), .name = "store-5d", .accept = "5d", .refuse = "1d|2d|3d|4d",
      .assemble = "cp.async.bulk.tensor.$.global.shared::cta.im2col_no_offs.bulk_group " AT5 ", [sa];" },
    { CK_RULE(tensor_i2c_rank), .name = "reduce-1d", .accept = "", .refuse = ".im2col_no_offs",
      .assemble = "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add$.bulk_group [g, {r0}], [sa];" },
    { CK_RULE(tensor_i2c_rank), .name = "reduce-2d", .accept = "", .refuse = ".im2col_no_offs",
      .assemble = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add$.bulk_group [g, {r0, r1}], [sa];" },
    { CK_RULE(tensor_i2c_rank), .name = "reduce-3d", .accept = "3d", .refuse = "1d|2d|4d|5d",
      .assemble = "cp.reduce.async.bulk.tensor.$.global.shared::cta.add.im2col_no_offs.bulk_group " AT3 ", [sa];" },

    OFFSETS("3d", AT3, ", {h}|, {7}", "|, {h, h}|, {h, h, h}|, h|, {r0}|, {d0}|, {f0}"),
    OFFSETS("4d", AT4, ", {h, h}|, {1, h}", "|, {h}|, {h, h, h}|, h|, {r0, r1}|, {h, r0}|, {d0, d1}"),
    OFFSETS("5d", AT5, ", {h, h, h}|, {0, 1, 2}", "|, {h}|, {h, h}|, {h, h, h, h}|, h|, {r0, r1, r2}|, {h, h, r0}"),

    { CK_RULE(tensor_i2c_offset_tile), .name = "load", .accept = "", .refuse = ", {h}|, {0}|, h",
      .assemble = LOAD("3d", ".tile") " [sa], " AT3 ", [ma]$;" },
    { CK_RULE(tensor_i2c_offset_tile), .name = "load-default", .accept = "", .refuse = ", {h}|, {0}|, h",
      .assemble = LOAD("3d", "") " [sa], " AT3 ", [ma]$;" },
    { CK_RULE(tensor_i2c_offset_tile), .name = "load-5d", .accept = "", .refuse = ", {h, h, h}",
      .assemble = LOAD("5d", ".tile") " [sa], " AT5 ", [ma]$;" },
    { CK_RULE(tensor_i2c_offset_tile), .name = "prefetch", .accept = "", .refuse = ", {h}|, {0}",
      .assemble = "cp.async.bulk.prefetch.tensor.3d.L2.global.tile " AT3 "$;" },
    { CK_RULE(tensor_i2c_offset_tile), .name = "store", .accept = "", .refuse = ", {h}|, {0}",
      .assemble = "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group " AT3 ", [sa]$;" },
    { CK_RULE(tensor_i2c_offset_tile), .name = "reduce", .accept = "", .refuse = ", {h}|, {0}",
      .assemble = "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs.bulk_group " AT3 ", [sa]$;" },

    { CK_RULE(tensor_i2c_offset_imm), .name = "3d", .seen = "0|32767|32768|65535|65536|-1|2147483647",
      .assemble = LOAD("3d", ".im2col") " [sa], " AT3 ", [ma], {$};" },
    { CK_RULE(tensor_i2c_offset_imm), .name = "4d", .seen = "0|255|256|65535|65536|-1",
      .assemble = LOAD("4d", ".im2col") " [sa], " AT4 ", [ma], {$, 0};" },
    { CK_RULE(tensor_i2c_offset_imm), .name = "5d", .seen = "0|31|32|65535|65536|-1",
      .assemble = LOAD("5d", ".im2col") " [sa], " AT5 ", [ma], {0, 0, $};" },

    MODES("load", "cp.async.bulk.tensor.3d.shared::cluster.global", BYTES " [sa], " AT3 ", [ma], {h}", ".im2col",
          ".im2col_no_offs|.im2col_no_offs::w|.im2col::h|.im2row"),
    MODES("load-no-offsets", "cp.async.bulk.tensor.3d.shared::cluster.global", BYTES " [sa], " AT3 ", [ma]", ".tile|",
          ".im2col|.im2col_no_offs"),
    MODES("store", "cp.async.bulk.tensor.3d.global.shared::cta", ".bulk_group " AT3 ", [sa]", ".im2col_no_offs|.tile|",
          ".im2col|.im2col::w"),
    MODES("reduce", "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add", ".bulk_group " AT3 ", [sa]",
          ".im2col_no_offs|.tile|", ".im2col|.im2col::w"),
    MODES("prefetch", "cp.async.bulk.prefetch.tensor.3d.L2.global", " " AT3 ", {h}", ".im2col",
          ".im2col_no_offs|.tile"),

    { CK_RULE(tensor_i2c_multicast), .name = "form", .accept = "{h}, h|{h}, 3", .refuse = "{h}|h, {h}|{h}, r0|{h}, {h}",
      .assemble = LOAD("3d", ".im2col") ".multicast::cluster [sa], " AT3 ", [ma], $;" },
    { CK_RULE(tensor_i2c_multicast), .name = "form-hint", .accept = "{h}, h, pol",
      .refuse = "{h}, pol, h|{h}, pol|{h}, h|h, pol",
      .assemble = LOAD("3d", ".im2col") ".multicast::cluster.L2::cache_hint [sa], " AT3 ", [ma], $;" },
    { CK_RULE(tensor_i2c_multicast), .name = "hint", .accept = "{h}, pol", .refuse = "{h}, h, pol|pol|{h}|pol, {h}",
      .assemble = LOAD("3d", ".im2col") ".L2::cache_hint [sa], " AT3 ", [ma], $;" },
    { CK_RULE(tensor_i2c_multicast), .name = "form-4d", .accept = "{h, h}, h", .refuse = "{h, h}|{h}, h|{h, h, h}, h",
      .assemble = LOAD("4d", ".im2col") ".multicast::cluster [sa], " AT4 ", [ma], $;" },
    { CK_RULE(tensor_i2c_multicast), .name = "form-5d", .accept = "{h, h, h}, h", .refuse = "{h, h, h}|{h}, h",
      .assemble = LOAD("5d", ".im2col") ".multicast::cluster [sa], " AT5 ", [ma], $;" },

    { CK_RULE(tensor_i2cw_info), .name = "3d", .accept = "{h, h}|{0, 31}|{511, h}",
      .refuse = "{h}|{h, h, h}|h|h, h|{r0, r1}|{d0, d1}", .assemble = WIDE("3d") " [sa], " AT3 ", [ma], $;" },
    { CK_RULE(tensor_i2cw_info), .name = "4d", .accept = "{h, h}", .refuse = "{h}|{h, h, h}|h|{r0, r1}",
      .assemble = WIDE("4d") " [sa], " AT4 ", [ma], $;" },
    { CK_RULE(tensor_i2cw_info), .name = "5d", .accept = "{h, h}", .refuse = "{h}|{h, h, h}|h|{r0, r1}",
      .assemble = WIDE("5d") " [sa], " AT5 ", [ma], $;" },
    { CK_RULE(tensor_i2cw_info), .name = "128-3d", .accept = "{h, h}", .refuse = "{h}|{h, h, h}|h|{r0, r1}",
      .assemble = WIDE128("3d") " [sa], " AT3 ", [ma], $;" },
    { CK_RULE(tensor_i2cw_info), .name = "128-4d", .accept = "{h, h}", .refuse = "{h}|{h, h, h}|h|{r0, r1}",
      .assemble = WIDE128("4d") " [sa], " AT4 ", [ma], $;" },
    { CK_RULE(tensor_i2cw_info), .name = "128-5d", .accept = "{h, h}", .refuse = "{h}|{h, h, h}|h|{r0, r1}",
      .assemble = WIDE128("5d") " [sa], " AT5 ", [ma], $;" },
    { CK_RULE(tensor_i2cw_info), .name = "cta-4d", .accept = "{h, h}", .refuse = "{h}|{h, h, h}|h|{r0, r1}",
      .assemble = CTA("4d", ".im2col::w") " [sa], " AT4 ", [ma], $;" },
    { CK_RULE(tensor_i2cw_info), .name = "prefetch-5d", .accept = "{h, h}", .refuse = "{h}|{h, h, h}|h|{r0, r1}",
      .assemble = "cp.async.bulk.prefetch.tensor.5d.L2.global.im2col::w " AT5 ", $;" },
    { CK_RULE(tensor_i2cw_info), .name = "rank", .accept = "3d", .refuse = "1d|2d|4d|5d",
      .assemble = WIDE("$") " [sa], " AT3 ", [ma], {h, h};" },
    { CK_RULE(tensor_i2cw_ranges), .name = "halo", .seen = "0|511|512|65535|65536|-1",
      .assemble = WIDE("4d") " [sa], " AT4 ", [ma], {$, 0};" },
    { CK_RULE(tensor_i2cw_ranges), .name = "halo-128", .seen = "0|31|32|511|65535",
      .assemble = WIDE128("4d") " [sa], " AT4 ", [ma], {$, 0};" },
    { CK_RULE(tensor_i2cw_ranges), .name = "offset", .seen = "0|31|32|65535|65536|-1",
      .assemble = WIDE("4d") " [sa], " AT4 ", [ma], {0, $};" },
    { CK_RULE(tensor_i2cw_ranges), .name = "offset-128", .seen = "0|31|32|65535",
      .assemble = WIDE128("4d") " [sa], " AT4 ", [ma], {0, $};" },
    { 0 }
};

const struct ck_suite im2col_assemble = { "im2col/assemble", cases };
// SPDX-License-Identifier: Apache-2.0
