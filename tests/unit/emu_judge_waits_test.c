/* Mbarriers whose phases, bytes and objects do not fit what threads and copies do with them, and waits that never end:
 * the words that name the mistake, and which of several mistakes is named. What tools/judge-mutants found that no other
 * test holds. */
#include "tests/unit/emu_story.h"

#define MAKE(n)        "@%p0 mbarrier.init.shared.b64 [%m], " n ";\n"
#define INVAL          "@%p0 mbarrier.inval.shared.b64 [%m];\n"
#define ARRIVE_AT(bar) "mbarrier.arrive.shared.b64 _, [" bar "];\n"
#define ANNOUNCE(n)    "mbarrier.arrive.expect_tx.shared.b64 _, [%m], " n ";\n"
#define FAULT          "mov.b64 %d, 0; @%p0 st.global.u32 [%d], %x;\n"
#define RANK_0         "setp.eq.u32 %t, %r, 0; "

static const struct story stories[] = {
    /* ---- objects that are made twice ---- */
    { "by another thread, elsewhere",
      MAKE("1") SYNC "@%p1 mbarrier.init.shared.b64 [%m], 1;\n",
      "mbarrier.init.live-object@32:0",
      { "init it once, or mbarrier.inval before the second init" } },
    { "by the same thread", MAKE("1") MAKE("1"), "mbarrier.init.live-object@0:0", { "leave this init out" } },
    { "by another thread, at the same place",
      "mbarrier.init.shared.b64 [%m], 1;\n",
      "mbarrier.init.live-object@1:0",
      { "let one thread init it, and all meet at a barrier" },
      .threads = 2 },
    /* ---- phases ---- */
    { "one arrival too many while bytes are missing",
      INIT SYNC BULK_LOAD SYNC "@%p1 " ARRIVE_AT("%m") WAIT,
      "mbarrier.phase.over-arrive@32:-",
      { "more threads arrive in phase 0 than init said: 1 have arrived once each" } },
    { "two phases end under copies, and the copies bring too much",
      INIT SYNC LOAD_FROM("%g") SYNC "@!%p1 bra A;\n" ARRIVE_AT("%m") WAIT "A:" SYNC LOAD("%s+2048", "%g", "512", "%m")
          SYNC "setp.eq.u32 %t, %i, 40; @%t " ARRIVE_AT("%m") SYNC "@%p1 " ANNOUNCE("256"),
      "mbarrier.tx.wrong-phase@32:0 mbarrier.tx.wrong-phase@40:0 mbarrier.phase.observe-before-next@32:- "
      "mbarrier.tx.balance@32:0",
      { "256 bytes were announced in all, and its copies bring 1536" },
      .unordered = true },
    { "a phase ends under a copy that is announced later",
      INIT SYNC LOAD_FROM("%g") SYNC "@!%p1 bra A;\n" ARRIVE_AT("%m") WAIT ANNOUNCE("1024")
          SPIN(".shared", "%m", "1") "A:",
      "mbarrier.tx.wrong-phase@32:0", .unordered = true },
    { "a fault under copies",
      INIT SYNC LOAD_FROM("%g") LOAD("%s+2048", "%g", "512", "%n") SYNC "@!%p1 bra A;\n" ARRIVE_AT("%m")
          WAIT ANNOUNCE("256") "A:" SYNC FAULT,
      "mbarrier.tx.wrong-phase@32:0 access.bounds@0:- mbarrier.tx.balance@32:0",
      { "256 bytes were announced in all, and its copies bring 1024" },
      .unordered = true,
      .faults = true },
    { "a fault behind a use of what nobody made", "@%p0 mbarrier.test_wait.parity.shared.b64 %t, [%m], 0;\n" SYNC FAULT,
      "access.bounds@0:-", .faults = true },
    /* ---- bytes that never come ---- */
    { "a copy before the init",
      "@%p0 mbarrier.init.shared.b64 [%n], 1;\n" SYNC LOAD_FROM(
          "%g") "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%n], 512;\n" LOAD("%s+2048", "%g", "512", "%n")
          SPIN(".shared", "%n", "0") MAKE("1") SYNC EXPECT WAIT,
      "mbarrier.init.required@0:0 mbarrier.tx.balance@0:-",
      { "1024 bytes came before the init, which counts from zero" },
      .hangs = true },
    { "bytes of the life before",
      INIT SYNC BULK_LOAD WAIT SYNC INVAL MAKE("1") EXPECT SYNC WAIT,
      "mbarrier.tx.balance@0:-",
      { "none has brought any here" },
      "before the init",
      .hangs = true },
    { "fewer bytes than were announced",
      INIT SYNC "@%p0 " ANNOUNCE("2048") LOAD_FROM("%g") WAIT,
      "mbarrier.tx.balance@0:-",
      { "as many bytes as the copies bring, here 1024" },
      .hangs = true },
    { "more bytes than were announced",
      INIT SYNC "@%p0 " ANNOUNCE("512") LOAD_FROM("%g") WAIT,
      "mbarrier.tx.balance@0:-",
      { "expect all the bytes that the copies bring, here 1024" },
      .hangs = true },
    { "the first of two waits for bytes is told",
      INIT SYNC "@%p0 " ANNOUNCE("2048") LOAD_FROM("%g") "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%n], 512;\n"
                                                         "@%w1 bra A;\n" WAIT "A:" SPIN(".shared", "%n", "0"),
      "mbarrier.tx.balance@0:-",
      { "as many bytes as the copies bring, here 1024" },
      "none has brought any",
      .hangs = true },
    { "a multicast to the other CTA alone",
      READY EXPECT MULTICAST("2") WAIT,
      "mbarrier.tx.balance@0:-",
      { "to CTA rank 1 only" },
      .also = "bulk.mc.unselected-untouched",
      .ctas = 2,
      .hangs = true },
    { "a multicast to none but its own CTA",
      READY EXPECT MULTICAST("1") WAIT,
      "mbarrier.tx.balance@0:-",
      { "to CTA rank 0 only" },
      .also = "bulk.mc.unselected-untouched",
      .ctas = 2,
      .hangs = true },
    { "a multicast whose bytes are counted once for all of its CTAs",
      READY "@%p0 " ANNOUNCE("2048") MULTICAST("3") WAIT,
      "mbarrier.tx.balance@0:-",
      { "as many bytes as the copies bring, here 1024: a multicast counts its size once at each receiver" },
      .also = "bulk.mc.same-mbar-offset",
      .ctas = 2,
      .hangs = true },
    /* ---- arrivals and registers that never come ---- */
    { "what comes behind the wait is for another mbarrier",
      "@%p0 mbarrier.init.shared.b64 [%m], 2; @%p0 mbarrier.init.shared.b64 [%n], 2;\n" SYNC
      "@%p1 bra B; @!%p0 bra E;\n" WAIT ARRIVE_AT("%n") "bra E; B:" ARRIVE_AT("%m") SPIN(".shared", "%n", "0") "E:\n",
      "mbarrier.phase.all-arrive@0:-", .hangs = true },
    { "registers that nobody gives",
      "setmaxnreg.inc.sync.aligned.u32 240;\n",
      "setmaxnreg.pool@0:-",
      { "line 15 needs 176", "registers for each thread of its warp" },
      .directive = ".maxnreg 64\n",
      .hangs = true },
    { "more registers, which are fewer",
      "setmaxnreg.inc.sync.aligned.u32 40;\n",
      "setmaxnreg.inc.owned@0:-",
      { "setmaxnreg.inc to 40 registers, and each thread of the warp owns 64" },
      .directive = ".maxnreg 64\n",
      .threads = 128 },
    { "fewer registers, which are more",
      "setmaxnreg.dec.sync.aligned.u32 128;\n",
      "setmaxnreg.dec.owned@0:-",
      { "setmaxnreg.dec to 128 registers, and each thread of the warp owns 64" },
      .directive = ".maxnreg 64\n",
      .threads = 128 },
    { "registers that a warp has not asked for",
      "@%w0 bra E; setmaxnreg.dec.sync.aligned.u32 40; setmaxnreg.inc.sync.aligned.u32 240; E:\n",
      "setmaxnreg.warpgroup@32:-",
      { "warp 0 ended without" },
      .directive = ".maxnreg 64\n",
      .hangs = true },
};

/* Even lanes meet at a barrier behind a write of thread 32; thread 1 sees that they did, but was not there. */
#define LANES_MEET(odd)                                                                                                \
    "@%p0 st.shared.u32 [%s+64], 0;\n" SYNC                                                                            \
    "and.b32 %z, %i, 1; setp.ne.u32 %t, %z, 0; @%t bra A; @%p1 st.shared.u32 [%s], %x;\n"                              \
    "barrier.sync 1, 32; @%p0 st.volatile.shared.u32 [%s+64], 1; bra E; A: setp.ne.u32 %t, %i, 1; @%t bra E;\n"        \
    "L: ld.volatile.shared.u32 %z, [%s+64]; setp.eq.u32 %t, %z, 0; @%t bra L; " odd " E:\n"
/* Thread 0 of CTA 1 stores into CTA 0 and arrives there by `arrive`; all of CTA 0 wait with `wait` and read. */
#define FROM_PEER(arrive, wait, fence)                                                                                 \
    "@%p0 mbarrier.init.shared.b64 [%m], 1; @%p0 fence.mbarrier_init.release.cluster;\n" CLUSTER PEER("%z", "%s")      \
        PEER("%y", "%m") RANK_0 "@%t bra A; @!%p0 bra E; st.shared::cluster.u32 [%z], %x;\n"                           \
                                "mbarrier.arrive" arrive ".shared::cluster.b64 _, [%y]; bra E;\n"                      \
                                "A:" SPIN(wait, "%m", "0") fence "ld.shared.u32 %y, [%s]; E:\n" CLUSTER
/* Two arrivals of a thread of CTA 1 at CTA 0's mbarrier, for which thread 0 there waits. */
#define TWO_ARRIVE(first, second)                                                                                      \
    "@%p0 mbarrier.init.shared.b64 [%m], 2; @%p0 fence.mbarrier_init.release.cluster;\n" CLUSTER PEER("%y", "%m")      \
        RANK_0 "@%t bra A; @!%p1 bra E; mbarrier.arrive" first ".shared::cluster.b64 _, [%y];\n"                       \
               "mbarrier.arrive" second ".shared::cluster.b64 _, [%y]; bra E;\n"                                       \
               "A: @!%p0 bra E;\n" SPIN(".acquire.cluster.shared::cta", "%m", "0") "E:\n" CLUSTER

/* Thread 64 writes the data and raises [%s+512]; thread 32 overwrites [%s+256], which thread 64 raised first. Thread 0
 * has looked at that one and fenced, then sees both, the second by an acquire. `fence`: behind what it sees of the
 * data. */
#define LOOKS(fence)                                                                                                                                                \
    "@%p0 st.shared.u32 [%s+256], 0; @%p0 st.shared.u32 [%s+512], 0; @%p0 st.shared.u32 [%s+768], 0; @%p0 st.shared.u32 [%s+896], 0;\n" SYNC                        \
    "setp.eq.u32 %t, %i, 64; @%t bra C; @%p1 bra B; @!%p0 bra E;\n"                                                                                                 \
    "L: ld.relaxed.cta.shared.u32 %z, [%s+256]; setp.eq.u32 %t, %z, 0; @%t bra L; fence.acq_rel.cta;\n"                                                             \
    "st.volatile.shared.u32 [%s+768], 1;\n"                                                                                                                         \
    "M: ld.relaxed.cta.shared.u32 %z, [%s+512]; setp.eq.u32 %t, %z, 0; @%t bra M;\n"                                                                                \
    "O: ld.volatile.shared.u32 %z, [%s+896]; setp.eq.u32 %t, %z, 0; @%t bra O;\n"                                                                                   \
    "N: ld.relaxed.cta.shared.u32 %z, [%s+256]; setp.ne.u32 %t, %z, 2; @%t bra N;\n"                                                                                \
    "ld.acquire.cta.shared.u32 %z, [%s+256];\n" fence "ld.shared.u32 %y, [%s]; bra E;\n"                                                                            \
    "B: ld.volatile.shared.u32 %z, [%s+768]; setp.eq.u32 %t, %z, 0; @%t bra B; st.relaxed.cta.shared.u32 [%s+256], 2; st.volatile.shared.u32 [%s+896], 1; bra E;\n" \
    "C: st.relaxed.cta.shared.u32 [%s+256], 1; st.shared.u32 [%s], %x; fence.acq_rel.cta; st.relaxed.cta.shared.u32 [%s+512], 1;\nE:\n"

static const struct obligation rows[] = {
    { "mbarrier.wait.relaxed-no-order", INIT_ALL SYNC STORE ARRIVE(".shared") WAIT LOAD_OTHER,
      INIT_ALL SYNC STORE ARRIVE(".shared")
          SPIN(".relaxed.cta.shared::cta", "%m", "0") "match.any.sync.b32 %y, %x, -1;\n" LOAD_OTHER },
    { "mbarrier.wait.scope-too-small",
      FROM_PEER(".release.cluster", ".relaxed.cluster.shared::cta", "fence.acquire.cluster;\n"),
      FROM_PEER(".release.cluster", ".relaxed.cta.shared::cta", "fence.acquire.cluster;\n"), .ctas = 2 },
    { "mbarrier.wait.scope-too-small", TWO_ARRIVE(".release.cluster", ".release.cluster"),
      TWO_ARRIVE("", ".release.cluster"), .ctas = 2, .remark = true,
      .tells = "an arrival of thread 32,0,0 of CTA 1,0,0 (line 1" },
    /* lanes between those that come to a barrier learn nothing there */
    { "fence.mp", LANES_MEET(""), LANES_MEET("ld.shared.u32 %y, [%s];") },
    /* a fence has acquired what was read before it, and an acquire of one location nothing of another */
    { "fence.mp", LOOKS("fence.acq_rel.cta;"), LOOKS(""), .threads = 96 },
};

int main(void)
{
    const int failed = test_stories("emu_judge_waits", stories, sizeof stories / sizeof *stories);

    return test_obligations("emu_judge_wait_rows", rows, sizeof rows / sizeof *rows, false) + failed;
}
// SPDX-License-Identifier: Apache-2.0
