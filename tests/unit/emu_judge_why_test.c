/* Which of several rules a finding names, and what it advises: where a thread meets a copy that is under way, what was
 * missing tells the one from the other. Found by tools/judge-mutants, as the rows of emu_judge_edges_test.c. */
#include "tests/unit/emu_obligation.h"

#define OUT           "cp.async.bulk.global.shared::cta.bulk_group [%h], [%s], 16;\n"
#define BULK_DONE     "cp.async.bulk.commit_group;\n"
#define BULK_REST(n)  "cp.async.bulk.wait_group " n ";\n"
#define BULK_READS(n) "cp.async.bulk.wait_group.read " n ";\n"
#define SENT          PUT FENCE OUT BULK_DONE
#define ISSUED        OUT BULK_DONE /* of what nobody has written */
#define GET_H         "ld.global.u32 %y, [%h];\n"
#define PUT_H         "st.global.u32 [%h], %x;\n"
#define RAISE(q)      "st" q ".global.u32 [%g+2048], 1;\n"
#define SEE(q)        "{ L: ld" q ".global.u32 %z, [%g+2048]; setp.lt.u32 %t, %z, 1; @%t bra L; }\n"
#define OF(cluster, text)                                                                                              \
    "{ mov.u32 %z, %ctaid.x; setp.eq.u32 %t, %z, " cluster "; and.pred %t, %t, %p0; @!%t bra N;\n" text "N: }\n"
#define EXPECT_N(bytes) "mbarrier.arrive.expect_tx.shared.b64 _, [%m], " bytes ";\n"
#define IN_TO(to, size)                                                                                                \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" to "], [%g], " size ", [%m];\n"
#define BACK                                                                                                           \
    "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 16;\n"                                                              \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s+1024], [%h], 16, [%m];\n" WAIT

/* The map of %g's tensor, written to global memory at %d; PART leaves out 8 bytes that are 0 in any case. */
#define WORD(at)        "ld.b64 %b, [%v+" at "]; st.global.b64 [%d+" at "], %b;\n"
#define HALF(at)        "ld.b32 %y, [%v+" at "]; st.global.b32 [%d+" at "], %y;\n"
#define MAP_AT(at)      "add.u64 %d, %h, " at ";\n"
#define WORDS_0         WORD("0") WORD("8") WORD("16") WORD("24") WORD("32") WORD("40") WORD("48") WORD("56")
#define WORDS_64        WORD("64") WORD("72") WORD("80") WORD("88") WORD("96") WORD("112") WORD("120")
#define PART            WORDS_0 WORDS_64
#define MAKE_MAP        PART WORD("104")
#define MAP_RELEASE     "fence.proxy.tensormap::generic.release.gpu;\n"
#define MAP_ACQUIRE     "fence.proxy.tensormap::generic.acquire.gpu [%d], 128;\n"
#define MAP_ACQUIRE_SYS "fence.proxy.tensormap::generic.acquire.sys [%d], 128;\n"
#define TILE_IN                                                                                                        \
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [%d, {0, 0}], [%m];\n"
#define TILE_OUT  "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d, {0, 0}], [%s];\n"
#define LOAD_TILE "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 1024;\n" TILE_IN WAIT

static const struct obligation obligations[] = {
    /* ---- the source of a store is written: what the writer is to wait for ---- */
    { "bulk.src.stable", BY("0", SENT BULK_READS("0") PUT BULK_REST("0")), BY("0", SENT PUT BULK_REST("0")),
      .says = "wait with wait_group.read before the source is written" },
    { "bulk.src.stable", BY("0", SENT BULK_READS("0")) SYNC BY("32", PUT) BY("0", BULK_REST("0")),
      BY("0", SENT) SYNC BY("32", SLEEP PUT) BY("0", BULK_REST("0")), .says = "wait_group.read before the barrier" },
    { "bulk.src.stable", BY("0", SENT BULK_READS("0")) SYNC BY("32", PUT) BY("0", BULK_REST("0")),
      BY("0", SENT) SYNC BY("32", PUT) BY("0", BULK_REST("0")), .says = "wait_group.read before the barrier" },
    { "bulk.src.stable", BY("0", SENT BULK_READS("0")) SYNC BY("32", PUT) SYNC BY("0", BULK_REST("0")),
      BY("0", SENT) SYNC BY("32", PUT) SYNC SYNC BY("0", BULK_REST("0")),
      .says = "a barrier does not wait for copies" },
    { "bulk.src.stable", SYNC BY("0", ISSUED BULK_READS("0")) SYNC BY("32", PUT) BY("0", BULK_REST("0")),
      SYNC BY("0", ISSUED BULK_READS("0")) BY("32", SLEEP PUT) BY("0", BULK_REST("0")),
      .says = "a barrier between the issuer's wait and the write" },
    { "bulk.src.stable", BY("0", ISSUED BULK_READS("0")) SYNC BY("32", PUT) BY("0", BULK_REST("0")),
      BY("0", ISSUED BULK_READS("0")) BY("32", SLEEP PUT) BY("0", BULK_REST("0")),
      .says = "if the copy is to read what is written" },
    /* ---- the destination of a store ---- */
    { "bulk.dst.no-early-read", BY("0", SENT BULK_REST("0") GET_H), BY("0", SENT GET_H BULK_REST("0")),
      .says = "wait with wait_group before the destination is read" },
    { "bulk.weak", BY("0", SENT BULK_REST("0") PUT_H), BY("0", SENT PUT_H BULK_REST("0")),
      .says = "wait with wait_group before the destination is written" },
    { "fence.mp", BY("0", SENT BULK_REST("0") RAISE(".release.gpu")) BY("32", SEE(".acquire.gpu") GET_H),
      BY("0", SENT BULK_REST("0") RAISE(".relaxed.gpu")) BY("32", SEE(".relaxed.gpu") GET_H),
      .also = "bulkgrp.wait.visible-issuer-only" },
    { "fence.mp", BY("0", ISSUED BULK_READS("0") RAISE(".release.gpu")) BY("32", SEE(".acquire.gpu") PUT),
      BY("0", ISSUED BULK_READS("0") RAISE(".relaxed.gpu")) BY("32", SEE(".relaxed.gpu") PUT),
      .also = "bulk.src.stable" },
    /* ---- a copy that reads what another one of the thread is still to write ---- */
    { "bulkgrp.uncommitted", INIT SYNC BY("0", SENT BULK_REST("0") BACK),
      INIT SYNC BY("0", PUT FENCE OUT BULK_REST("0") BACK BULK_DONE BULK_REST("0")),
      .says = "commit the first copy before the wait" },
    { "bulkgrp.wait.n", INIT SYNC BY("0", SENT BULK_REST("0") BACK),
      INIT SYNC BY("0", SENT BULK_REST("1") BACK BULK_REST("0")), .says = "wait_group 0 at line 21" },
    { "bulkgrp.read.not-visible", INIT SYNC BY("0", SENT BULK_REST("0") BACK),
      INIT SYNC BY("0", SENT BULK_READS("0") BACK BULK_REST("0")), .says = "wait without .read" },
    /* ---- a copy of another cluster ---- */
    { "fence.mp", OF("0", SENT BULK_REST("0") RAISE(".release.gpu")) OF("1", SEE(".acquire.gpu") GET_H),
      OF("0", SENT BULK_REST("0") RAISE(".relaxed.gpu")) OF("1", SEE(".relaxed.gpu") GET_H), .clusters = 2,
      .also = "bulkgrp.wait.visible-issuer-only" },
    { "fence.mp", OF("0", SENT BULK_REST("0") RAISE(".release.gpu")) OF("1", SEE(".acquire.gpu") PUT_H),
      OF("0", SENT BULK_REST("0") RAISE(".relaxed.gpu")) OF("1", SEE(".relaxed.gpu") PUT_H), .clusters = 2,
      .also = "bulk.weak" },
    { "bulk.weak", OF("0", SENT BULK_REST("0") RAISE(".release.gpu")) OF("1", SEE(".acquire.gpu") PUT_H),
      OF("0", SENT RAISE(".release.gpu") BULK_REST("0")) OF("1", SEE(".acquire.gpu") PUT_H), .clusters = 2,
      .says = "before the destination is written" },
    { "bulkgrp.read.not-visible", OF("0", SENT BULK_REST("0") RAISE(".release.gpu")) OF("1", SEE(".acquire.gpu") GET_H),
      OF("0", SENT BULK_READS("0") RAISE(".release.gpu")) OF("1", SEE(".acquire.gpu") GET_H), .clusters = 2 },
    { "bulkgrp.wait.visible-issuer-only",
      OF("0", SENT BULK_REST("0") RAISE(".release.gpu")) OF("1", SEE(".acquire.gpu") GET_H),
      OF("0", SENT RAISE(".release.gpu") BULK_REST("0")) OF("1", SEE(".acquire.gpu") GET_H), .clusters = 2 },
    /* ---- cp.async ---- */
    { "cpasync.weak",
      BY("0", COPY COMMIT WAIT_GROUP("0") RAISE(".release.gpu"))
          BY("32", SEE(".acquire.gpu") "ld.relaxed.cta.shared.u32 %y, [%s];\n"),
      BY("0", COPY COMMIT RAISE(".release.gpu")) BY("32", SEE(".acquire.gpu") "ld.relaxed.cta.shared.u32 %y, [%s];\n")
          WAIT_ALL },
    /* A wait on an mbarrier to which no copy is tied. */
    { "mbarrier.wait.async-not-covered",
      INIT SYNC BY("0", COPY "mbarrier.arrive.shared.b64 _, [%m];\n" WAIT WAIT_ALL LOAD_OWN),
      INIT SYNC BY("0", COPY "mbarrier.arrive.shared.b64 _, [%m];\n" WAIT LOAD_OWN WAIT_ALL),
      .also = "cpasync.order.read-early" },
    /* ---- which phase of which mbarrier ---- */
    /* The last wait was for the phase before the copy's. */
    { "bulk.dst.reuse-war",
      INIT SYNC BY("0", EXPECT_N("16") IN_TO("%s", "16")) WAIT SYNC BY("0", EXPECT_N("16") IN_TO("%s+1024", "16"))
          SPIN(".shared", "%m", "1") BY("32", "ld.shared.u32 %y, [%s+1024];\n"),
      INIT SYNC BY("0", EXPECT_N("16") IN_TO("%s", "16")) WAIT SYNC BY("0", EXPECT_N("16") IN_TO("%s+1024", "16"))
          BY("32", "ld.shared.u32 %y, [%s+1024];\n") SPIN(".shared", "%m", "1") },
    /* ---- tensor maps in global memory ---- */
    { "tensor.proxy.map", MAP_AT("1024") INIT SYNC BY("1", MAKE_MAP MAP_RELEASE) SYNC BY("32", MAP_ACQUIRE LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("1", MAKE_MAP) SYNC BY("32", MAP_ACQUIRE LOAD_TILE),
      .says = "release after the write",
      .tells = "and its CTA has not acquired what thread 1,0,0 of CTA 0,0,0 wrote there (line " },
    /* Released, and acquired before that, or not at all. */
    { "tensor.proxy.map", MAP_AT("1024") INIT SYNC BY("32", MAKE_MAP MAP_RELEASE MAP_ACQUIRE LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("32", MAP_ACQUIRE MAKE_MAP MAP_RELEASE LOAD_TILE), .says = "before the write" },
    { "tensor.proxy.map", MAP_AT("1024") INIT SYNC BY("32", MAKE_MAP MAP_RELEASE MAP_ACQUIRE LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("32", MAKE_MAP MAP_RELEASE LOAD_TILE), .says = "it has been released" },
    /* Not acquired at this address, or by a thread that is not known to have done it. */
    { "tensor.proxy.map",
      MAP_AT("1024") INIT SYNC BY("0", MAKE_MAP MAP_RELEASE) SYNC BY("33", MAP_ACQUIRE) SYNC BY("32", LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("0", MAKE_MAP MAP_RELEASE) SYNC BY("33", MAP_ACQUIRE) BY("32", SLEEP LOAD_TILE) },
    { "tmap.fence.range", MAP_AT("1024") INIT SYNC BY("0", MAKE_MAP MAP_RELEASE) SYNC BY("32", MAP_ACQUIRE LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("0", MAKE_MAP MAP_RELEASE)
          SYNC BY("32", MAP_AT("2048") MAP_ACQUIRE MAP_AT("1024") LOAD_TILE) },
    /* Many acquires, of other addresses or of the same one. */
    { "tensor.proxy.map",
      MAP_AT("1024") INIT SYNC BY("0", MAKE_MAP MAP_RELEASE)
          SYNC BY("32", MAP_ACQUIRE MAP_AT("2048") MAP_ACQUIRE MAP_AT("2176") MAP_ACQUIRE MAP_AT("2304")
                            MAP_ACQUIRE MAP_AT("2432") MAP_ACQUIRE MAP_AT("1024") LOAD_TILE),
      NULL },
    { "tensor.proxy.map",
      MAP_AT("1024") INIT SYNC BY("0", MAP_ACQUIRE MAP_ACQUIRE MAP_ACQUIRE MAKE_MAP MAP_RELEASE MAP_ACQUIRE)
          SYNC BY("0", MAP_ACQUIRE) BY("32", SLEEP LOAD_TILE),
      NULL },
    /* Words of a map that a thread alone writes, apart from each other. */
    { "tensor.proxy.map",
      MAP_AT("1024") INIT SYNC BY("1", SLEEP HALF("0") HALF("16") HALF("40") MAP_RELEASE)
          SYNC BY("32", MAP_ACQUIRE_SYS LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("1", SLEEP HALF("0") HALF("16") HALF("40")) SYNC BY("32", MAP_ACQUIRE_SYS LOAD_TILE),
      .hosted = true, .says = "release after the write" },
    { "tensor.map.stable", MAP_AT("1024") INIT SYNC BY("0", MAKE_MAP MAP_RELEASE) SYNC BY("32", MAP_ACQUIRE LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("0", MAKE_MAP MAP_RELEASE) BY("32", SLEEP MAP_ACQUIRE LOAD_TILE) },
    /* A store by such a map is one copy of its group. */
    { "bulk.src.stable", MAP_AT("1024") BY("0", MAP_ACQUIRE_SYS TILE_OUT BULK_DONE BULK_READS("0") PUT BULK_REST("0")),
      MAP_AT("1024") BY("0", MAP_ACQUIRE_SYS TILE_OUT BULK_DONE PUT BULK_REST("0")), .hosted = true,
      .table = " 1 copy" },
    /* A fence of memory does not reach the proxy of maps: the writer's, or the user's. */
    { "tensor.proxy.map", MAP_AT("1024") INIT SYNC BY("1", MAKE_MAP MAP_RELEASE) SYNC BY("32", MAP_ACQUIRE LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("1", MAKE_MAP "fence.acq_rel.gpu;\n") SYNC BY("32", LOAD_TILE),
      .table = "which does not reach the tensormap proxy" },
    { "tensor.proxy.map", MAP_AT("1024") INIT SYNC BY("1", MAKE_MAP MAP_RELEASE) SYNC BY("32", MAP_ACQUIRE LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("1", MAKE_MAP) SYNC BY("32", "fence.acq_rel.gpu;\n" LOAD_TILE),
      .table = "which does not reach the tensormap proxy" },
    /* A store's group tells that its map has been read, too. */
    { "bulkgrp.read.tensormap",
      MAP_AT("1024") INIT SYNC BY("0", MAKE_MAP MAP_RELEASE MAP_ACQUIRE TILE_OUT BULK_DONE BULK_REST("0") WORD("0")),
      MAP_AT("1024") INIT SYNC BY("0", MAKE_MAP MAP_RELEASE MAP_ACQUIRE TILE_OUT BULK_DONE WORD("0") BULK_REST("0")) },
    /* The rest of this map is from before the launch: what is not acquired is told once. */
    { "tensor.proxy.map", MAP_AT("1024") INIT SYNC BY("0", PART MAP_RELEASE) SYNC BY("32", MAP_ACQUIRE LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("0", PART) SYNC BY("32", LOAD_TILE),
      .tells = "the tensor map at offset 1024 of h is used by thread 32,0,0 of CTA 0,0,0 (line " },
    /* What the host wrote. */
    { "tmap.host.acquire-sys", MAP_AT("1024") INIT SYNC BY("0", MAP_ACQUIRE_SYS LOAD_TILE),
      MAP_AT("1024") INIT SYNC BY("0", MAP_AT("2048") MAP_ACQUIRE_SYS MAP_AT("1024") LOAD_TILE), .hosted = true,
      .tells = "and its CTA has not acquired what the host wrote there" },
    /* The reading of a map may be waited for in groups as well. */
    { "tensor.map.stable",
      MAP_AT("1024")
          INIT SYNC BY("0", MAKE_MAP MAP_RELEASE MAP_ACQUIRE
                       "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 1024;\n" TILE_IN
                       "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; st.global.b64 [%d], %b;\n" WAIT),
      MAP_AT("1024") INIT SYNC BY("0", MAKE_MAP MAP_RELEASE MAP_ACQUIRE
                                  "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 1024;\n" TILE_IN
                                  "st.global.b64 [%d], %b;\n" WAIT),
      .also = "bulkgrp.load-optional" },
    { "fence.tensormap.global-only", MAP_AT("0") MAP_ACQUIRE,
      "cvt.u64.u32 %d, %s; cvta.shared.u64 %d, %d;\n" MAP_ACQUIRE,
      .tells = "an acquire of a tensor map at offset 1024 (s + 0) of shared memory, " },
};

int main(void)
{
    return test_obligations("emu_judge_why", obligations, sizeof obligations / sizeof *obligations, false);
}
// SPDX-License-Identifier: Apache-2.0
