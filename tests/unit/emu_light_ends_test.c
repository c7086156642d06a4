/* The light judge (judge/light_state.h): the ends of mbarriers, and what threads of a CTA tell one another by fences
 * and atomics of shared memory (judge/light_marks.c). */
#include "tests/unit/emu_light.h"

/* An mbarrier of 32 arrivals, and a count of those that have left, at 0. */
#define INIT        "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s+496], 32; @%p st.shared.u64 [s+480], 0;\n" BAR
#define ARRIVE      "mbarrier.arrive.shared.b64 %d, [s+496];\n"
#define WAIT(label) label ": mbarrier.try_wait.parity.shared.b64 %q, [s+496], 0; @!%q bra " label ";\n"
#define END         "mbarrier.inval.shared.b64 [s+496];\n"
/* The first warp arrives, and then lets the second one pass, which waits; the third leaves. */
#define USES                                                                                                           \
    "setp.ge.u32 %p, %t, 64; @%p bra E; setp.ge.u32 %p, %t, 32; @%p bra B;\n" ARRIVE                                   \
    "nanosleep.u32 40000; bra C;\nB: " WAIT("W") "C:\n"
#define MATCH         "match.any.sync.b32 %a, 7, 0xffffffff;\n"
#define FIRST         "and.b32 %a, %t, 31; setp.ne.u32 %p, %a, 0; @%p bra E;\n" /* of a warp */
#define FENCE         "fence.sc.cta;\n"
#define COUNT(how)    "atom.add" how ".u32 %x, [s+480], 1;\n"
#define OTHER(thread) "setp.eq.u32 %p, %t, " thread "; @%p bra D;\n"
/* One thread of each of two warps uses it. */
#define ONE_EACH                                                                                                       \
    INIT "and.b32 %a, %t, 31; setp.ge.u32 %q, %t, 64; setp.ne.or.u32 %p, %a, 0, %q; @%p bra E;\n" ARRIVE               \
         "mul.lo.u32 %k, %t, 1000; nanosleep.u32 %k;\n"
#define BY_COPIES(told)                                                                                                \
    "setp.ge.u32 %p, %t, 64; @%p bra E; setp.ge.u32 %p, %t, 32; @%p bra B;\n"                                          \
    "cp.async.ca.shared.global [%b], [%g], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [s+496];\n" told               \
    "bra E;\nB: " told "setp.ne.u32 %p, %t, 32; @%p bra E;\n" WAIT("W") END
#define LAST "setp.ne.u32 %p, %x, 1; @%p bra E;\n"

static const struct program programs[] = {
    { "behind a barrier of all", INIT USES "bar.sync 1, 64;\n"
                                           "setp.eq.u32 %p, %t, 0; @%p " END },
    { "by the last that counts", INIT USES MATCH FIRST FENCE COUNT(".acquire.cta.shared") LAST END },
    { "the same by an atomic that does both",
      INIT USES MATCH FIRST "membar.cta;\n" COUNT(".acq_rel.cta.shared") LAST END },
    { "the same without a fence for the warp", INIT USES MATCH FIRST COUNT(".acq_rel.cta.shared") LAST END,
      .doubts = true },
    { "by an atomic that acquires nothing",
      INIT USES MATCH FIRST "fence.acq_rel.cta;\n" COUNT(".relaxed.cta.shared") LAST END, .doubts = true },
    { "lanes that have not converged", INIT USES FIRST FENCE COUNT(".acquire.cta.shared") LAST END,
      "mbarrier.inval.quiescent" },
    { "used once more behind the fence",
      INIT USES MATCH FENCE "mbarrier.test_wait.parity.shared.b64 %q, [s+496], 1;\n" FIRST COUNT(".acquire.cta.shared")
          LAST END,
      "mbarrier.inval.quiescent" },
    { "another store between, which tells nothing",
      INIT "setp.eq.u32 %p, %t, 64; @%p bra D;\n" USES MATCH FIRST "fence.acq_rel.cta;\n" COUNT(".acquire.cta.shared")
          LAST END "bra E;\nD: nanosleep.u32 20000; st.relaxed.cta.shared.u32 [s+480], 1;\n",
      .doubts = true },
    { "an atomic between, which passes it on",
      INIT "setp.eq.u32 %p, %t, 64; @%p bra D;\n" USES MATCH FIRST FENCE COUNT(
          ".acquire.cta.shared") "setp.ne.u32 %p, %x, 2; @%p bra E;\n" END
                                 "bra E;\nD: nanosleep.u32 20000; atom.add.relaxed.cta.shared.u32 %x, [s+480], 1;\n" },
    { "an atomic of more bytes between",
      INIT "setp.eq.u32 %p, %t, 64; @%p bra D;\n" USES MATCH FIRST FENCE COUNT(
          ".acquire.cta.shared") "setp.ne.u32 %p, %x, 2; @%p bra E;\n" END
                                 "bra E;\nD: nanosleep.u32 20000; atom.add.relaxed.cta.shared.u64 %d, [s+480], 1;\n",
      .doubts = true },
    { "of its bytes, by the thread that has ended it",
      INIT USES MATCH FIRST FENCE COUNT(".acquire.cta.shared") LAST END "st.shared.u32 [s+496], 1;\n" },
    { "of its bytes, by another one",
      INIT USES MATCH FIRST FENCE COUNT(
          ".acquire.cta.shared") "setp.ne.u32 %p, %x, 1; @%p bra D;\n" END
                                 "bra E;\nD: nanosleep.u32 50000; st.shared.u32 [s+496], 1;\n",
      .doubts = true },
    { "used behind its end", INIT "setp.ne.u32 %p, %t, 0; @%p bra E;\n" END ARRIVE, "mbarrier.inval.then-use" },
    { "of one that nobody has made", "setp.ne.u32 %p, %t, 0; @%p bra E;\n" END, "mbarrier.init.required" },
    { "while others wait",
      INIT "setp.ge.u32 %p, %t, 32; @%p bra B;\n" ARRIVE
           "bra E;\nB: setp.ge.u32 %p, %t, 64; @%p bra E;\n" WAIT("W") "setp.eq.u32 %p, %t, 40; @%p " END,
      "mbarrier.inval.quiescent" },
    { "a warp that converges before there is one", MATCH INIT USES "bar.sync 1, 64;\nsetp.eq.u32 %p, %t, 0; @%p " END },
    { "a fence before there is one", FENCE INIT USES "bar.sync 1, 64;\nsetp.eq.u32 %p, %t, 0; @%p " END },
    { "a store elsewhere between, which changes nothing",
      INIT OTHER("64") USES MATCH FIRST FENCE COUNT(".acquire.cta.shared") LAST END
      "bra E;\nD: nanosleep.u32 20000;\n" OWN },
    { "more counts than it has places for",
      OWN INIT OTHER("64") USES MATCH FIRST FENCE COUNT(".acquire.cta.shared") LAST END
      "bra E;\nD: mov.u32 %k, 0;\nL: atom.add.relaxed.cta.shared.u32 %x, [%b], 1; add.u32 %b, %b, 4;\n"
      "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 8; @%p bra L;\n",
      .doubts = true },
    { "a load that acquires and a store that releases, beside it",
      INIT OTHER("64") USES MATCH FIRST FENCE COUNT(".acquire.cta.shared") LAST END
      "bra E;\nD: nanosleep.u32 20000; ld.acquire.cta.shared.u32 %x, [s+480]; st.release.cta.shared.u32 [%b], %x;\n" },
    { "a count that stays as it is, which tells nothing",
      INIT USES MATCH FIRST FENCE
      "setp.eq.u32 %p, %t, 32; @!%p bra F;\n"
      "atom.cas.acquire.cta.shared.b32 %x, [s+480], 99, 1; bra E;\nF: " COUNT(".acquire.cta.shared") END,
      "mbarrier.inval.quiescent" },
    { "half of a warp converges",
      INIT USES
      "and.b32 %a, %t, 31; setp.ge.u32 %p, %a, 16; @%p bra E; nanosleep.u32 20000; match.any.sync.b32 %a, 7, 0xffff;\n" FIRST
          FENCE COUNT(".acquire.cta.shared") LAST END,
      "mbarrier.inval.quiescent" },
    { "a count in global memory",
      INIT USES MATCH FIRST FENCE "atom.add.acquire.cta.global.u32 %x, [%c], 1; and.b32 %x, %x, 1;\n" LAST END,
      .doubts = true },
    { "by an atomic that releases for its thread alone", ONE_EACH COUNT(".acq_rel.cta.shared") LAST END },
    { "by one that does not release", ONE_EACH COUNT(".acquire.cta.shared") LAST END, .doubts = true },
    { "used between two arrivals at another one",
      "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s+496], 1; @%p mbarrier.init.shared.b64 [s+504], 1;\n" BAR
      "setp.eq.u32 %p, %t, 32; @%p bra B; setp.ne.u32 %p, %t, 0; @%p bra E;\n"
      "mbarrier.arrive.shared.b64 %d, [s+504]; mbarrier.test_wait.parity.shared.b64 %q, [s+496], 0; nanosleep.u32 20000;\n"
      "mbarrier.arrive.shared.b64 %d, [s+504]; bra E;\n"
      "B: mbarrier.try_wait.parity.shared.b64 %q, [s+504], 0; @!%q bra B;\n"
      "V: mbarrier.try_wait.parity.shared.b64 %q, [s+504], 1; @!%q bra V;\n" END },
    { "behind copies whose issue its thread has been told of", INIT BY_COPIES("bar.sync 1, 64;\n") },
    { "behind copies whose issue its thread has not been told of", INIT BY_COPIES(""), .doubts = true },
    { "of its bytes, by who has been told of what came before its end",
      "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s+496], 1; @%p mbarrier.init.shared.b64 [s+504], 1;\n" BAR
      "setp.eq.u32 %p, %t, 32; @%p bra B; setp.ne.u32 %p, %t, 0; @%p bra E;\n"
      "mbarrier.arrive.shared.b64 %d, [s+504];\n" END "bra E;\n"
      "B: mbarrier.try_wait.parity.shared.b64 %q, [s+504], 0; @!%q bra B; nanosleep.u32 20000; st.shared.u32 [s+496], 1;\n",
      .doubts = true },
    { "behind what is doubted",
      INIT "setp.ne.u32 %p, %t, 0; @%p bra E; mbarrier.arrive.relaxed.cta.shared.b64 %d, [s+496];\n" END,
      .doubts = true },
    { "and made anew", INIT "setp.ne.u32 %p, %t, 0; @%p bra E;\n" END "mbarrier.init.shared.b64 [s+496], 1;\n",
      .doubts = true },
};

static void as_said_of_each(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        as_said(&programs[i], 1 + i % 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_said_of_each) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
