/* Instruction table: tensor copies, reductions and prefetch, tensor maps. */
#include "harness/emu/forms/tables.h"

#define LOAD "mbarrier::complete_tx::bytes ?L2::cache_hint "

const struct ptx_form ptx_forms_tensor[] = {
    /* Loads to the cluster's shared memory: tile, im2col, im2col::w, gather4. */
    { OP_cp_async_bulk_tensor,
      "$dim ?tile shared::cluster global " LOAD "?multicast::cluster ?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as <multicast::cluster>su16 <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_tensor,
      "3d im2col shared::cluster global " LOAD "?multicast::cluster ?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as v1u16 <multicast::cluster>su16 <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_tensor,
      "4d im2col shared::cluster global " LOAD "?multicast::cluster ?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as v2u16 <multicast::cluster>su16 <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_tensor,
      "5d im2col shared::cluster global " LOAD "?multicast::cluster ?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as v3u16 <multicast::cluster>su16 <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_tensor,
      "3d|4d|5d im2col::w|im2col::w::128 shared::cluster global " LOAD
      "?multicast::cluster ?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as v2u16 <multicast::cluster>su16 <L2::cache_hint>su64", 86, "100x" },
    { OP_cp_async_bulk_tensor,
      "2d tile::gather4 shared::cluster global " LOAD "?multicast::cluster ?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as <multicast::cluster>su16 <L2::cache_hint>su64", 86, "100x" },

    /* To the CTA's own shared memory. */
    { OP_cp_async_bulk_tensor, "$dim ?tile shared::cta@86 global " LOAD "?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_tensor, "3d im2col shared::cta@86 global " LOAD "?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as v1u16 <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_tensor, "4d im2col shared::cta@86 global " LOAD "?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as v2u16 <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_tensor, "5d im2col shared::cta@86 global " LOAD "?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as v3u16 <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_tensor,
      "3d|4d|5d im2col::w|im2col::w::128/100x shared::cta@86 global " LOAD "?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as v2u16 <L2::cache_hint>su64", 86, "100" },
    { OP_cp_async_bulk_tensor,
      "2d tile::gather4 shared::cta@86 global " LOAD "?cta_group::1@86/100x|cta_group::2@86/100x",
      "as t as <L2::cache_hint>su64", 86, "100" },

    /* Stores. */
    { OP_cp_async_bulk_tensor, "$dim ?tile global shared::cta bulk_group ?L2::cache_hint", "t as <L2::cache_hint>su64",
      80, "90" },
    { OP_cp_async_bulk_tensor, "3d|4d|5d im2col_no_offs global shared::cta bulk_group ?L2::cache_hint",
      "t as <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_tensor, "2d tile::scatter4 global shared::cta bulk_group ?L2::cache_hint",
      "t as <L2::cache_hint>su64", 86, "100x" },

    { OP_cp_reduce_async_bulk_tensor,
      "$dim ?tile global shared::cta add|min|max|inc|dec|and|or|xor bulk_group ?L2::cache_hint",
      "t as <L2::cache_hint>su64", 80, "90" },
    { OP_cp_reduce_async_bulk_tensor,
      "3d|4d|5d im2col_no_offs global shared::cta add|min|max|inc|dec|and|or|xor bulk_group ?L2::cache_hint",
      "t as <L2::cache_hint>su64", 80, "90" },
    /* ptxas 13.0 takes this one, the PTX ISA does not list it */
    { OP_cp_reduce_async_bulk_tensor,
      "2d tile::scatter4 global shared::cta add|min|max|inc|dec|and|or|xor bulk_group ?L2::cache_hint",
      "t as <L2::cache_hint>su64", 86, "100x" },

    { OP_cp_async_bulk_prefetch_tensor, "$dim ?tile L2 global ?L2::cache_hint", "t <L2::cache_hint>su64", 80, "90" },
    { OP_cp_async_bulk_prefetch_tensor, "3d im2col L2 global ?L2::cache_hint", "t v1u16 <L2::cache_hint>su64", 80,
      "90" },
    { OP_cp_async_bulk_prefetch_tensor, "4d im2col L2 global ?L2::cache_hint", "t v2u16 <L2::cache_hint>su64", 80,
      "90" },
    { OP_cp_async_bulk_prefetch_tensor, "5d im2col L2 global ?L2::cache_hint", "t v3u16 <L2::cache_hint>su64", 80,
      "90" },
    { OP_cp_async_bulk_prefetch_tensor, "3d|4d|5d im2col::w|im2col::w::128 L2 global ?L2::cache_hint",
      "t v2u16 <L2::cache_hint>su64", 86, "100x" },
    { OP_cp_async_bulk_prefetch_tensor, "2d tile::gather4 L2 global ?L2::cache_hint", "t <L2::cache_hint>su64", 86,
      "100x" },

    /* Editing a tensor map. */
    { OP_tensormap_replace, "tile global_address ?global|shared::cta b1024 b64", "aS0 su64", 83, "9xa" },
    { OP_tensormap_replace, "tile rank ?global|shared::cta b1024 b32", "aS0 su32", 83, "9xa" },
    { OP_tensormap_replace, "tile box_dim|global_dim|element_stride ?global|shared::cta b1024 b32", "aS0 i0..4 su32",
      83, "9xa" },
    { OP_tensormap_replace, "tile global_stride ?global|shared::cta b1024 b64", "aS0 i0..4 su64", 83, "9xa" },
    { OP_tensormap_replace, "tile elemtype ?global|shared::cta b1024 b32", "aS0 i0..12", 83, "9xa" },
    { OP_tensormap_replace, "tile elemtype ?global|shared::cta b1024 b32", "aS0 i13..15", 87, "1xx" },
    { OP_tensormap_replace, "tile interleave_layout ?global|shared::cta b1024 b32", "aS0 i0..2", 83, "9xa" },
    { OP_tensormap_replace, "tile swizzle_mode ?global|shared::cta b1024 b32", "aS0 i0..3", 83, "9xa" },
    { OP_tensormap_replace, "tile swizzle_mode ?global|shared::cta b1024 b32", "aS0 i4", 88, "103a" },
    { OP_tensormap_replace, "tile swizzle_atomicity ?global|shared::cta b1024 b32", "aS0 i0..3", 86, "1xx" },
    { OP_tensormap_replace, "tile fill_mode ?global|shared::cta b1024 b32", "aS0 i0..1", 83, "9xa" },
    { OP_tensormap_cp_fenceproxy, "global shared::cta tensormap::generic release cta|cluster|gpu|sys sync aligned",
      "ag as i128", 83, "90" },
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
