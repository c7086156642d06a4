/* What assemblers make of the barrier of a cluster, of mapa and getctarank, of st.async and red.async, and of the
 * directives about clusters. */
#include "harness/ck.h"

#define STASYNC  "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"
#define REDASYNC "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
#define TARGETS  "sm_90|sm_90a"
#define OLD      "sm_75|sm_80|sm_86|sm_89"

static const struct ck_case cases[] = {
    /* ---- the barrier ---- */
    { CK_RULE(cluster_barrier_forms), .name = "arrive", .assemble = "barrier.cluster.arrive$;",
      .accept = "|.release|.relaxed|.aligned|.release.aligned|.relaxed.aligned",
      .refuse = ".acquire|.acq_rel|.seq_cst|.weak|.volatile|.cta|.cluster|.sync| 0| n| p|.release.relaxed" },
    { CK_RULE(cluster_barrier_forms), .name = "wait", .assemble = "barrier.cluster.wait$;",
      .accept = "|.acquire|.aligned|.acquire.aligned",
      .refuse = ".relaxed|.release|.acq_rel|.seq_cst|.cta|.cluster| 0| n| p" },
    { CK_RULE(cluster_barrier_forms), .name = "kind", .assemble = "barrier.cluster$;", .accept = ".arrive|.wait",
      .refuse = "|.sync|.red|.sync 0|.arrive.wait" },
    { CK_RULE(cluster_barrier_isa), .name = "version", .version = "$", .target = "sm_90",
      .assemble = "barrier.cluster.arrive; barrier.cluster.wait;", .accept = "7.8|8.0|8.3|8.6|9.0",
      .refuse = "7.7|7.0" },
    { CK_RULE(cluster_barrier_isa), .name = "order", .version = "$", .target = "sm_90",
      .assemble = "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;", .accept = "8.0|8.3|8.6|9.0",
      .refuse = "7.8|7.7" },
    { CK_RULE(cluster_barrier_isa), .name = "relaxed", .version = "$", .target = "sm_90",
      .assemble = "barrier.cluster.arrive.relaxed;", .accept = "8.0|8.3|8.6|9.0", .refuse = "7.8|7.7" },
    { CK_RULE(cluster_barrier_isa), .name = "target", .version = "8.0", .target = "$",
      .assemble = "barrier.cluster.arrive;", .accept = TARGETS, .refuse = OLD },
    { CK_RULE(cluster_barrier_isa), .name = "target-wait", .version = "8.0", .target = "$",
      .assemble = "barrier.cluster.wait;", .accept = TARGETS, .refuse = OLD },

    /* ---- directives ---- */
    { CK_RULE(cluster_directives), .assemble = "", .declare = ".entry e() $ { ret; }",
      .accept = "|.reqnctapercluster 2|.reqnctapercluster 2, 2|.reqnctapercluster 2, 2, 2|.maxclusterrank 8"
                "|.explicitcluster|.explicitcluster .reqnctapercluster 4",
      .refuse = ".maxclusterrank 8 .reqnctapercluster 2|.reqnctapercluster 2 .maxclusterrank 8" },
    { CK_RULE(cluster_directives_are_clusters), .assemble = "", .declare = ".entry e() $ { ret; }",
      .accept = ".blocksareclusters .reqntid 32 .reqnctapercluster 2|.reqntid 32 .reqnctapercluster 2",
      .refuse = ".blocksareclusters|.blocksareclusters .reqntid 32|.blocksareclusters .reqnctapercluster 2" },
    { CK_RULE(cluster_directives_size), .assemble = "", .declare = ".entry e() $ { ret; }",
      .seen = ".reqnctapercluster 0|.reqnctapercluster 8|.reqnctapercluster 9|.reqnctapercluster 17"
              "|.reqnctapercluster 1024|.maxclusterrank 0|.maxclusterrank 16|.maxclusterrank 17" },

    /* ---- addresses ---- */
    { CK_RULE(dsmem_mapa_forms), .name = "space", .assemble = "mapa$.u32 ra, sa, n;", .accept = ".shared::cluster",
      .refuse = ".shared|.shared::cta|.global|.local|.const" },
    { CK_RULE(dsmem_mapa_forms), .name = "type", .assemble = "mapa.shared::cluster$;",
      .accept = ".u32 ra, sa, n|.u64 d0, d1, n|.u32 ra, sa, 1|.u64 d0, d1, 1",
      .refuse = ".b32 ra, sa, n|.u16 h, sa, n| ra, sa, n|.u32 ra, sa|.u32 ra, sa, n, n" },
    { CK_RULE(dsmem_mapa_forms), .name = "generic", .assemble = "mapa.u64 d0, g, $;", .accept = "n|0|7",
      .refuse = "d1|h|p|f0" },
    { CK_RULE(dsmem_mapa_forms), .name = "rank", .assemble = "mapa.shared::cluster.u32 ra, sa, $;",
      .accept = "n|0|1|15", .refuse = "d0|st|h|p" },
    { CK_RULE(dsmem_mapa_forms), .name = "source", .assemble = "mapa.shared::cluster.u32 ra, $, n;",
      .accept = "sa|sbuf|sbuf+16|mb", .refuse = "d0|p|h" },
    { CK_RULE(dsmem_mapa_target), .version = "8.0", .target = "$", .assemble = "mapa.shared::cluster.u32 ra, sa, n;",
      .accept = TARGETS, .refuse = OLD },
    { CK_RULE(dsmem_mapa_target), .name = "rank-of", .version = "8.0", .target = "$",
      .assemble = "getctarank.shared::cluster.u32 n, ra;", .accept = TARGETS, .refuse = OLD },
    { CK_RULE(dsmem_mapa_target), .name = "version", .target = "sm_90", .version = "$",
      .assemble = "mapa.shared::cluster.u32 ra, sa, n; getctarank.shared::cluster.u32 n, ra;",
      .accept = "7.8|8.0|8.6|9.0", .refuse = "7.7" },
    { CK_RULE(dsmem_mapa_rank_unchecked), .assemble = "mapa.shared::cluster.u32 ra, sa, $;",
      .seen = "8|15|16|255|65536|-1" },
    { CK_RULE(dsmem_getctarank_form), .name = "result", .assemble = "getctarank.shared::cluster.u32 $, ra;",
      .accept = "n|r0", .refuse = "d0|st|h|p" },
    { CK_RULE(dsmem_getctarank_form), .name = "generic", .assemble = "getctarank.u64 $, g;", .accept = "n|r0",
      .refuse = "d0|st|h|p" },

    /* ---- st.async ---- */
    { CK_RULE(stasync_forms), .name = "scalar", .assemble = STASYNC ".$, [ma];",
      .accept = "b32 [ra], n|u32 [ra], n|s32 [ra], n|f32 [ra], f0|b64 [ra], d0|u64 [ra], d0|s64 [ra], d0|f64 [ra], fd0",
      .refuse = "b8 [ra], h|u8 [ra], h|b16 [ra], h|u16 [ra], h|f16 [ra], h|b128 [ra], d0|pred [ra], p" },
    { CK_RULE(stasync_forms), .name = "v2", .assemble = STASYNC ".v2.$, [ma];",
      .accept = "b32 [ra], {n, m}|u32 [ra], {n, m}|s32 [ra], {n, m}|f32 [ra], {f0, f1}|b64 [ra], {d0, d1}"
                "|u64 [ra], {d0, d1}|s64 [ra], {d0, d1}|f64 [ra], {fd0, fd0}",
      .refuse = "b32 [ra], {n, m, n, m}|b16 [ra], {h, h}" },
    { CK_RULE(stasync_forms), .name = "v4", .assemble = STASYNC ".v4.$, [ma];",
      .accept = "b32 [ra], {n, m, n, m}|u32 [ra], {n, m, n, m}|s32 [ra], {n, m, n, m}|f32 [ra], {f0, f1, f0, f1}",
      .refuse = "b64 [ra], {d0, d1, d2, d3}|u64 [ra], {d0, d1, d2, d3}|f64 [ra], {fd0, fd0, fd0, fd0}"
                "|b32 [ra], {n, m}" },
    { CK_RULE(stasync_forms), .name = "vector", .assemble = STASYNC "$.u32 [ra], {n, m}, [ma];", .accept = ".v2",
      .refuse = ".v3|.v1|.v8|.v4" },
    { CK_RULE(stasync_forms), .name = "order",
      .assemble = "st.async$.shared::cluster.mbarrier::complete_tx::bytes.u32 [ra], n, [ma];", .accept = "|.weak",
      .refuse = ".relaxed|.relaxed.cluster|.volatile|.acquire|.release.cluster" },
    { CK_RULE(stasync_needs_mechanism), .assemble = "st.async.shared::cluster$.u32 [ra], n, [ma];",
      .accept = ".mbarrier::complete_tx::bytes", .refuse = "|.bulk_group|.mbarrier::arrive::one" },
    { CK_RULE(stasync_needs_mechanism), .name = "global", .version = "8.7", .target = "sm_90",
      .assemble = "st.async.$;", .accept = "weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [ra], n, [ma]",
      .refuse = "release.gpu.global.u32 [g], n|release.sys.global.u32 [g], n|mmio.release.sys.global.u32 [g], n" },
    { CK_RULE(stasync_mbar_operand), .assemble = "st.async.$;",
      .seen = "shared::cluster.mbarrier::complete_tx::bytes.u32 [ra], n"
              "|shared::cta.mbarrier::complete_tx::bytes.u32 [sa], n, [ma]" },
    { CK_RULE(stasync_target), .version = "8.1", .target = "$", .assemble = STASYNC ".u32 [ra], n, [ma];",
      .accept = TARGETS, .refuse = OLD },
    { CK_RULE(stasync_target), .name = "reduce", .version = "8.1", .target = "$",
      .assemble = REDASYNC ".add.u32 [ra], n, [ma];", .accept = TARGETS, .refuse = OLD },
    { CK_RULE(stasync_target), .name = "version", .version = "$", .target = "sm_90",
      .assemble = STASYNC ".u32 [ra], n, [ma];", .accept = "8.1|8.3|8.6|9.0", .refuse = "8.0|7.8" },
    { CK_RULE(stasync_target), .name = "reduce-version", .version = "$", .target = "sm_90",
      .assemble = REDASYNC ".add.u32 [ra], n, [ma];", .accept = "8.1|8.3|8.6|9.0", .refuse = "8.0|7.8" },

    /* ---- red.async ---- */
    { CK_RULE(redasync_ops), .name = "word", .assemble = REDASYNC ".$ [ra], n, [ma];",
      .accept = "inc.u32|dec.u32|min.u32|min.s32|max.u32|max.s32|and.b32|or.b32|xor.b32|add.u32|add.s32",
      .refuse = "inc.s32|dec.s32|inc.b32|and.u32|or.u32|xor.s32|add.b32|exch.b32|cas.b32|sub.u32|min.b32|u32" },
    { CK_RULE(redasync_ops), .name = "long", .assemble = REDASYNC ".$ [ra], d0, [ma];", .accept = "add.u64",
      .refuse = "min.u64|max.u64|min.s64|max.s64|and.b64|or.b64|xor.b64|inc.u64|dec.u64" },
    { CK_RULE(redasync_ops), .name = "float", .assemble = REDASYNC ".$, [ma];", .accept = "add.u32 [ra], n",
      .refuse = "add.f32 [ra], f0|min.f32 [ra], f0|max.f32 [ra], f0|add.f64 [ra], fd0|add.f32 [ra], n" },
    { CK_RULE(redasync_ops), .name = "order",
      .assemble = "red.async$.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
                  "[ra], n, [ma];",
      .accept = ".relaxed.cluster",
      .refuse = "|.relaxed|.cluster|.relaxed.cta|.relaxed.gpu|.relaxed.sys|.release.cluster|.acquire.cluster|.weak" },
    { CK_RULE(redasync_s64), .assemble = REDASYNC ".$ [ra], d0, [ma];", .seen = "add.s64|add.b64" },
    { 0 },
};

const struct ck_suite cluster_assemble = { "cluster/assemble", cases };
// SPDX-License-Identifier: Apache-2.0
