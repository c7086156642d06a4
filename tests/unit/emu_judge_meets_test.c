/* Two accesses that meet without an order, and in which words that is told: which rule, which other one, which remedy.
 * Found by tools/judge-mutants, as the rows of emu_judge_edges_test.c. */
#include "tests/unit/emu_story.h"

#define EXPECTS(bytes) "mbarrier.arrive.expect_tx.shared.b64 _, [%m], " bytes ";\n"
#define LOADS(to, size, bar)                                                                                           \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" to "], [%g], " size ", [" bar "];\n"
#define ARRIVES(bar)       "mbarrier.arrive.shared.b64 _, [" bar "];\n"
#define SENDS              "cp.async.bulk.global.shared::cta.bulk_group [%h], [%s], 16; cp.async.bulk.commit_group;\n"
#define SENT               "cp.async.bulk.wait_group 0;\n"
#define LATER              "nanosleep.u32 500;\n"
#define OF_CTA(rank, text) "{ setp.eq.u32 %t, %r, " rank "; and.pred %t, %t, %p0; @!%t bra N;\n" text "N: }\n"
/* Ten lanes store, each to lines of its own: lane 6 where lane 8 has its first store, by `more` lanes 4 and 2 too. */
#define TWICE(more)                                                                                                    \
    "{ setp.gt.u32 %t, %i, 9; @%t bra N; shl.b32 %z, %i, 8; cvt.u64.u32 %d, %z; add.u64 %b, %h, %d;\n"                 \
    "st.global.u32 [%b], %i; st.global.u32 [%b+520], %i;\n" more "N: }\n"
#define SEE_BOTH BY("40", LATER LATER LATER LATER "ld.global.v4.u32 {%x, %y, %z, %r}, [%h+2048];\n")

static const struct story stories[] = {
    { "a cp.async behind a write of its source",
      BY("32", "st.global.u32 [%g], %x;\n") BY("0", LATER COPY WAIT_ALL),
      "cpasync.order.write-src-early@0:32",
      { "order the write before the copy or after its wait" } },
    { "a copy into what was read too early",
      INIT SYNC BY("0", ARRIVES("%m") LATER EXPECTS("1024") LOADS("%s", "1024", "%m") SPIN(".shared", "%m", "1"))
          BY("32", WAIT GET),
      "mbarrier.tx.wrong-phase@0:32",
      { "read by thread 32,0,0", "written by a copy of thread 0,0,0" },
      .also = "bulk.dst.no-early-read" },
    { "a second wait for the phase before a read",
      INIT SYNC BY("0", PUT ARRIVES("%m") SPIN(".shared", "%n", "0") PUT LATER LATER ARRIVES("%m"))
          BY("32", WAIT GET ARRIVES("%n") LATER WAIT GET),
      "mbarrier.phase.parity-alternates@32:0", .also = "order.data-race" },
    { "a second wait that has nothing to do with it",
      INIT SYNC BY("0", ARRIVES("%m") SPIN(".shared", "%n", "0") ARRIVES("%m")) BY("64", PUT)
          BY("32", WAIT ARRIVES("%n") WAIT LATER GET),
      "order.data-race@32:64", .threads = 96 },
    { "bytes that a phase did not expect",
      INIT SYNC BY("0", "mbarrier.arrive.expect_tx.shared.b64 _, [%n], 16;\n" LOADS("%s+1024", "16", "%n")
                            LOADS("%s", "64", "%n")
                                SPIN(".shared", "%n", "0") "mbarrier.arrive.expect_tx.shared.b64 _, [%n], 64;\n" SPIN(
                                    ".shared", "%n", "1")) BY("32", SPIN(".shared", "%n", "0") GET),
      "mbarrier.tx.wrong-phase@0:0 mbarrier.wait.async-not-covered@32:0",
      { "expect as many bytes as the copies bring: the phase completed without these" } },
    { "a source written while its thread is on the way to the wait",
      BY("0", SENDS) SYNC BY("32", PUT) BY("0", LATER SENT),
      "bulk.src.stable@32:0",
      { "wait_group.read before the barrier" } },
    { "a source written while its thread is at the wait",
      BY("1", SENDS) SYNC "{ setp.eq.u32 %t, %i, 1; @%t bra W; @%p0 st.shared.u32 [%s], %x; bra X; W: " SENT "X: }\n",
      "bulk.src.stable@0:1",
      { "wait_group.read before the barrier" } },
    { "a source written while its thread is to come to a barrier before the wait",
      BY("0", SENDS) SYNC BY("32", PUT) BY("0", LATER) SYNC BY("0", SENT),
      "bulk.src.stable@32:0",
      { "a barrier does not wait for copies" } },
    { "a source written while its thread is at the next barrier",
      BY("0", SENDS) SYNC BY("32", LATER PUT) SYNC BY("0", SENT),
      "bulk.src.stable@32:0",
      { "wait_group.read before the barrier" } },
    { "a wait that leaves as many groups as the one before it",
      BY("0", SENDS "cp.async.bulk.global.shared::cta.bulk_group [%h+64], [%s], 16; cp.async.bulk.commit_group;\n"
                    "cp.async.bulk.wait_group 1; cp.async.bulk.wait_group 1; ld.global.u32 %y, [%h+64];\n" SENT),
      "bulkgrp.wait.n@0:0", .also = "bulk.dst.no-early-read bulkgrp.commit.empty" },
    { "an init of another CTA, fenced",
      OF_CTA("0", "mbarrier.init.shared.b64 [%m], 1; fence.acq_rel.cluster;\n") PEER("%y", "%m")
          OF_CTA("1", LATER LATER "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%y];\n") CLUSTER,
      "mbarrier.cluster.remote-init-sync@0:0",
      { "fence.acq_rel.cluster (line 15), which makes no thread wait" },
      "where it waits for threads",
      .ctas = 2 },
    { "an init of the own CTA, fenced",
      BY("0", "mbarrier.init.shared.b64 [%n], 1; fence.acq_rel.cta;\n") BY("32", LATER LATER ARRIVES("%n")),
      "mbarrier.init.needs-sync@32:0",
      { "the mbarrier at offset 5128 (bars + 8) is used by thread 32,0,0" },
      "which makes no thread wait" },
    /* ---- patterns share lines: the first in the order of turns is told ---- */
    { "two patterns", TWICE("") SEE_BOTH, "order.data-race@40:6" },
    { "four patterns", TWICE("st.global.u32 [%b+1072], %i; st.global.u32 [%b+1624], %i;\n") SEE_BOTH,
      "order.data-race@40:6" },
    { "two patterns in a line that another thread has begun",
      BY("33", LATER "st.global.u32 [%h+2096], %i; st.global.u32 [%h+2160], %i;\n") LATER LATER TWICE("") SEE_BOTH,
      "order.data-race@40:6" },
    { "each line of a pattern of several",
      "@%w0 st.shared.v4.u32 [%o], {%i, %i, %i, %i};\n" BY("40", LATER "ld.shared.u32 %y, [%s+160];\n"),
      "order.data-race@40:10" },
    /* ---- the remedy of a wait that does not cover a copy ---- */
    { "a copy that is not tied",
      INIT SYNC BY("1", COPY ARRIVES("%m") WAIT LOAD_OWN WAIT_ALL),
      "mbarrier.wait.async-not-covered@1:1",
      { "tie the copy to the mbarrier with cp.async.mbarrier.arrive, or wait for its group" } },
    { "a copy that is tied by an arrival that counts for none",
      INIT SYNC BY("1", ARRIVES("%m") COPY "cp.async.mbarrier.arrive.shared.b64 [%m];\n" WAIT LOAD_OWN WAIT_ALL),
      "mbarrier.wait.async-not-covered@1:1",
      { "without .noinc it counts for none, and no phase waits for it" } },
    { "a copy that is issued behind the arrival",
      INIT SYNC BY("1", "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n" COPY WAIT LOAD_OWN WAIT_ALL),
      "mbarrier.wait.async-not-covered@1:1",
      { "cp.async.mbarrier.arrive behind the copies" } },
    { "a bulk copy of what another thread's copy brings, which is not tied",
      INIT SYNC BY("33", COPY) BY("2", LATER ARRIVES("%m"))
          BY("1", WAIT FENCE
             "cp.async.bulk.global.shared::cta.bulk_group [%h], [%q], 16;\ncp.async.bulk.commit_group;\n" SENT)
              SYNC WAIT_ALL,
      "mbarrier.wait.async-not-covered@1:33",
      { "tie the copy to the mbarrier with cp.async.mbarrier.arrive, or wait for its group" } },
    /* ---- a copy that writes what another one still reads ---- */
    { "the source of a copy with an mbarrier",
      READY EXPECT
      "@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%z], [%s+2048], 1024, [%y];\n"
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%n], 16;\n" LOAD("%s+2048", "%g", "16", "%n")
          WAIT SPIN(".shared", "%n", "0") CLUSTER,
      "bulk.order.none-between@0:0",
      { "wait on the first copy's mbarrier before the copy that writes its source" },
      .also = "bulk.src.stable",
      .ctas = 2 },
    { "what malloc did not give",
      "{ .param .b64 p; st.param.b64 [p], %g; call.uni free, (p); }\n",
      "access.heap@0:-",
      { "free of offset 0 of g, which malloc did not return" },
      .faults = true,
      .functions = ".extern .func free(.param .b64 p);\n" },
    /* A load whose value an atom.cas checks, and a copy that adds there, of which a flag alone tells: it is no guess.
     */
    { "a guess that a copy changes",
      "@%p1 st.shared.v4.u32 [%s], {%x, %x, %x, %x};\n" FLAGS BY(
          "1", "ld.global.u32 %y, [%g];\n" UP(".relaxed.cta", "2048", "1"))
          BY("32", FENCE AT(".relaxed.cta", "2048",
                            "1") "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g], [%s], 16;\n"
                                 "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n")
              BY("99", "atom.global.cas.b32 %z, [%g], %y, %x;\n"),
      "order.data-race@32:1" },
};

int main(void)
{
    return test_stories("emu_judge_meets", stories, sizeof stories / sizeof *stories);
}
// SPDX-License-Identifier: Apache-2.0
