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
    { "a store again, beside another's",
      BY("32", "st.shared.u32 [%s+64], %x;\n")
          SYNC BY("0", "st.shared.u32 [%s], %x;\n" TELL "st.shared.u32 [%s], %i;\n") BY("32", SLEEP SLEEP GET),
      "order.data-race@32:0",
      { "written by thread 0,0,0 of CTA 0,0,0 (line 21)" } },
    { "two reads of what nobody has written", BY("0", GET GET), "order.unwritten@0:- order.unwritten@0:-",
      .init = true },
    /* ---- threads that know the same ---- */
    { "one of two that saw the same has fenced",
      BY("0", PUT TELL) BY("32", LATER "ld.relaxed.cta.shared.u32 %z, [%s+3072]; fence.acq_rel.cta;\n" GET)
          BY("64", SLEEP SLEEP "ld.relaxed.cta.shared.u32 %z, [%s+3072];\n" GET),
      "fence.mp@64:0", .threads = 96 },
    /* ---- whole lines and pages ---- */
    { "a copy gives lines that it reads no value",
      BY("0", OUT("1280") WAITED OUT("1280") WAITED "ld.shared.u32 %y, [%s+1152];\n"), "order.unwritten@0:-",
      .init = true },
};

int main(void)
{
    return test_stories("emu_judge_kept", stories, sizeof stories / sizeof *stories);
}
// SPDX-License-Identifier: Apache-2.0
