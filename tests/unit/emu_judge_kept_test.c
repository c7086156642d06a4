/* What the judge keeps of accesses and of what threads know, where only part of it is replaced. Found by
 * tools/judge-mutants, as the rows of emu_judge_edges_test.c. */
#include "tests/unit/emu_story.h"

#define TELL  "st.release.cta.shared.u32 [%s+3072], 1;\n"
#define LATER "nanosleep.u32 500;\n"
/* Threads 0 to 3. */
#define FOUR(text) "{ setp.gt.u32 %t, %i, 3; @%t bra N;\n" text "N: }\n"
#define WAITED     "cp.async.bulk.wait_group 0;\n"
#define OUT(size)  "cp.async.bulk.global.shared::cta.bulk_group [%h], [%s], " size "; cp.async.bulk.commit_group;\n"

/* Thread 32 writes the first bytes of a line, and others of it, so that its list has room for more. */
#define WRITTEN BY("32", PUT "st.shared.u32 [%s+64], %x; st.shared.u32 [%s+80], %x; st.shared.u32 [%s+96], %x;\n")

/* A flag at [%s+2048], and one that comes behind it; single threads read and write them. */
#define FLAG_0     "@%p0 st.shared.u32 [%s+2048], %y; @%p0 st.shared.u32 [%s+2056], %y;\n" SYNC
#define RAISE(q)   "st" q ".cta.shared.u32 [%s+2048], 1;\n"
#define LOOK(q)    "ld" q ".cta.shared.u32 %z, [%s+2048];\n"
#define POLL       "atom.add.release.cta.shared.u32 %z, [%s+2048], 0;\n"
#define NEXT       "st.relaxed.cta.shared.u32 [%s+2056], 1;\n"
#define SEES_NEXT  "{ L: ld.relaxed.cta.shared.u32 %z, [%s+2056]; setp.eq.u32 %t, %z, 0; @%t bra L; }\n"
#define GLOBAL(q)  q ".global.u32 [%g+2048], "
#define PUT_AT(at) "st.shared.v4.u32 [%s+" at "], {%x, %x, %x, %x};\n"
#define EACH_16    "ld.shared.v4.u32 {%x, %y, %z, %r}, [%o];\n"

static const struct story stories[] = {
    /* ---- a thread's later access stands for its earlier one ---- */
    { "a read again",
      WRITTEN SYNC BY("0", GET TELL GET) BY("32", SLEEP PUT),
      "order.data-race@32:0",
      { "read by thread 0,0,0 of CTA 0,0,0 (line 22)" } },
    { "a read again by the first of four",
      WRITTEN SYNC FOUR(GET) BY("0", TELL GET) BY("32", SLEEP SLEEP PUT),
      "order.data-race@32:0",
      { "read by thread 0,0,0 of CTA 0,0,0 (line 24)" } },
    { "a read again by the last of four",
      "@%p0 mbarrier.init.shared.b64 [%m], 3;\n" WRITTEN SYNC FOUR(
          GET "setp.eq.u32 %t, %i, 3; @!%t mbarrier.arrive.shared.b64 _, [%m];\n") BY("3", TELL GET)
          BY("32", WAIT SLEEP PUT),
      "order.data-race@32:3",
      { "read by thread 3,0,0 of CTA 0,0,0 (line 26)" } },
    { "a row's read again by the last of four",
      BY("32", PUT_AT("0") PUT_AT("16") PUT_AT("32") PUT_AT("48")) SYNC FOUR(EACH_16) BY("3", TELL EACH_16)
          BY("32", SLEEP SLEEP "st.shared.u32 [%s+48], %x;\n"),
      "order.data-race@32:3",
      { "read by thread 3,0,0 of CTA 0,0,0 (line 26)" } },
    { "a part of what four have read, read again by the last of them",
      "@%p0 mbarrier.init.shared.b64 [%m], 3;\n" BY("32", PUT)
          SYNC FOUR("ld.shared.v4.u32 {%x, %y, %z, %r}, [%s];\n"
                    "setp.eq.u32 %t, %i, 3; @!%t mbarrier.arrive.shared.b64 _, [%m];\n") BY("3", TELL GET)
              BY("32", WAIT SLEEP "st.shared.u32 [%s+8], %x;\n"),
      "order.data-race@32:3" },
    { "a store again, beside another's",
      BY("32", "st.shared.u32 [%s+64], %x;\n")
          SYNC BY("0", "st.shared.u32 [%s], %x;\n" TELL "st.shared.u32 [%s], %i;\n") BY("32", SLEEP SLEEP GET),
      "order.data-race@32:0",
      { "written by thread 0,0,0 of CTA 0,0,0 (line 21)" } },
    { "a store again, in front of another's",
      BY("0", "st.shared.u32 [%s], %x;\n") BY("33", "st.shared.u32 [%s+4], %x;\n")
          BY("0", LATER "st.shared.u32 [%s], %i;\n") BY("40", SLEEP "ld.shared.u64 %d, [%s];\n"),
      "order.data-race@40:0" },
    { "two reads of what nobody has written", BY("0", GET GET), "order.unwritten@0:- order.unwritten@0:-",
      .init = true },
    /* ---- threads that know the same ---- */
    { "one of two that saw the same has fenced",
      BY("0", PUT TELL) BY("32", LATER "ld.relaxed.cta.shared.u32 %z, [%s+3072]; fence.acq_rel.cta;\n" GET)
          BY("64", SLEEP SLEEP "ld.relaxed.cta.shared.u32 %z, [%s+3072];\n" GET),
      "fence.mp@64:0", .threads = 96 },
    /* ---- what is released to a flag, and is gone from there ---- */
    { "what a poll released counts for those who see no more than the flag",
      FLAG_0 BY("0", PUT POLL NEXT) BY("32", SEES_NEXT LOOK(".relaxed")) BY("64", SLEEP LOOK(".relaxed") GET),
      "fence.mp@64:0", .threads = 96 },
    { "a poll counts after others have seen the flag",
      FLAG_0 BY("0", PUT POLL LATER LATER NEXT) BY("32", SEES_NEXT LOOK(".relaxed")) BY("96", LATER LOOK(".acquire"))
          BY("64", SLEEP SLEEP LOOK(".acquire") GET),
      "", .threads = 128 },
    { "a flag that another has overwritten",
      FLAG_0 BY("0", PUT RAISE(".release")) BY("32", LATER RAISE(".relaxed")) BY("64", SLEEP LOOK(".acquire") GET),
      "fence.mp@64:0", .threads = 96 },
    { "a release that is no longer remembered, after others have seen the flag",
      FLAG_0 BY("0", PUT RAISE(".release") LATER LATER
                "mov.u32 %z, 64; L: add.u32 %s, %s, 4; st.release.cta.shared.u32 [%s+1024], 1; sub.u32 %z, %z, 1;\n"
                "setp.ne.u32 %t, %z, 0; @%t bra L;\n") BY("32", "nanosleep.u32 200;\n" RAISE(".relaxed"))
          BY("96", LATER LOOK(".acquire")) BY("64", SLEEP SLEEP LOOK(".acquire") GET),
      "", .threads = 128 },
    { "a flag that a poll of too narrow a scope has overwritten, after others have seen it",
      "{ setp.ne.u32 %t, %r, 0; @%t bra A; @!%p0 bra E; st.global.u32 [%h], %x;\n" GLOBAL(
          "st.release.gpu") "1; bra E;\n"
                            "A:" BY("0", LATER "ld.acquire.gpu.global.u32 %z, [%g+2048];\n")
                                BY("32", LATER LATER "atom.add.relaxed.cta.global.u32 %z, [%g+2048], 0;\n")
                                    BY("64", SLEEP SLEEP SLEEP SLEEP
                                       "ld.acquire.gpu.global.u32 %z, [%g+2048]; ld.global.u32 %y, [%h];\n") "E: }\n",
      "order.data-race@32:0 order.data-race@64:0", .threads = 96, .ctas = 2 },
    /* ---- barriers ---- */
    { "lanes that have ended release nothing",
      "{ setp.ne.u32 %t, %i, 1; @%t bra N;\n" PUT "exit; N: }\n" SYNC BY("0", GET), "order.data-race@0:1" },
    { "a relaxed wait for copies that arrive",
      INIT SYNC BY("0", COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n")
          BY("32", SPIN(".relaxed.cta.shared::cta", "%m", "0") GET) BY("0", WAIT_ALL),
      "mbarrier.wait.relaxed-no-order@32:0" },
    { "bytes that another thread announces than the one that arrives",
      INIT SYNC BY("0",
                   PUT "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%m], 16;\n"
                       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s+1024], [%g], 16, [%m];\n")
          BY("64", SLEEP "mbarrier.arrive.shared.b64 _, [%m];\n") BY("32", WAIT GET),
      "mbarrier.tx.wrong-phase@0:0 mbarrier.expect_tx.no-order@32:0", .threads = 96 },
    { "inits that another thread of the CTA tells of",
      "@%p0 mbarrier.init.shared.b64 [%m], 1; @%p0 fence.mbarrier_init.release.cluster;\n" SYNC
      "@%p0 exit;\n" LOOSE_CLUSTER PEER(
          "%y", "%m") "@%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%y];\n" CLUSTER,
      "", .ctas = 2 },
    /* ---- whole lines and pages ---- */
    { "a line that a copy has written as a whole has one list again, also where many had read a cell of it",
      "{ mul.lo.u32 %z, %i, 20; and.b32 %z, %z, 127; cvt.u64.u32 %d, %z; add.u64 %d, %d, %h; ld.global.u32 %y, [%d]; }\n"
      "ld.global.u32 %y, [%h];\nld.global.u32 %y, [%h];\n" BY("1", "ld.global.u32 %y, [%h];\n")
          BY("35", "ld.global.u32 %y, [%h];\n") SYNC BY("0", OUT("128"))
              BY("32", SLEEP "ld.global.u64 %d, [%h];\nld.global.u64 %d, [%h];\n") SYNC BY("0", WAITED),
      "bulk.dst.no-early-read@32:0" },
    { "what is discarded has no value, and what lies behind it has",
      BY("0", "discard.global.L2 [%h], 128; ld.global.u32 %y, [%h+128]; ld.global.u32 %y, [%h+64];\n"),
      "order.unwritten@0:-",
      { "bytes 64 to 67 of h" },
      .init = true },
    { "a copy gives lines that it reads no value",
      BY("0", OUT("1280") WAITED OUT("1280") WAITED "ld.shared.u32 %y, [%s+1152];\n"), "order.unwritten@0:-",
      .init = true },
};

int main(void)
{
    return test_stories("emu_judge_kept", stories, sizeof stories / sizeof *stories);
}
// SPDX-License-Identifier: Apache-2.0
