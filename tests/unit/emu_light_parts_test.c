/* The light judge (judge/light_state.h): what threads of a CTA know of one another by mbarriers and by barriers of some
 * of them (judge/light_clock.c). */
#include "tests/unit/emu_light.h"

/* Two mbarriers with these counts, which all know of. */
#define INITS(a, b)                                                                                                    \
    "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s+496], " a "; @%p mbarrier.init.shared.b64 [s+504], " b     \
    ";\n" BAR
#define ARRIVE(place) "mbarrier.arrive.shared.b64 %d, [s+" place "];\n"
#define WAIT(label, place, parity)                                                                                     \
    label ": mbarrier.try_wait.parity.shared.b64 %q, [s+" place "], " parity "; @!%q bra " label ";\n"
/* The first warp does one thing, the second another, and the third nothing. */
#define TWO(first, second)                                                                                             \
    "setp.ge.u32 %p, %t, 64; @%p bra E; setp.ge.u32 %p, %t, 32; @%p bra B;\n" first "bra E;\nB: " second
/* The first two do the one, the third the other. */
#define THIRD(first, second) "setp.ge.u32 %p, %t, 64; @%p bra B;\n" first "bra E;\nB: " second
#define LOOP(label, times)   label ": add.u32 %k, %k, 1; setp.lt.u32 %p, %k, " times "; @%p bra " label ";\n"
#define ONE                  "setp.eq.u32 %p, %t, 0; @%p "
#define READ                 "ld.shared.u32 %x, [s+8];\n" /* a word of the first warp */
#define WRITE                "setp.eq.u32 %p, %t, 64; @%p st.shared.u32 [s+8], 1;\n"

static const struct program programs[] = {
    { "behind a wait for a phase", ALL INITS("32", "1") TWO(OWN ARRIVE("496"), WAIT("W", "496", "0") READ) },
    { "without one", ALL INITS("32", "1") TWO(OWN ARRIVE("496"), READ), "order.data-race" },
    { "stored behind the arrival", ALL INITS("32", "1") TWO(ARRIVE("496") OWN, WAIT("W", "496", "0") READ),
      "mbarrier.arrive.after-unordered" },
    { "stored before the arrival, and behind it",
      ALL INITS("32", "1") TWO(OWN ARRIVE("496") OWN, WAIT("W", "496", "0") READ), "mbarrier.arrive.after-unordered" },
    { "behind a wait, and handed back", ALL INITS("32", "32") TWO(OWN ARRIVE("496") WAIT("V", "504", "0") OWN,
                                                                  WAIT("W", "496", "0") READ ARRIVE("504")) },
    { "behind a wait, and not handed back",
      ALL INITS("32", "32") TWO(OWN ARRIVE("496") OWN, WAIT("W", "496", "0") READ ARRIVE("504")),
      "mbarrier.arrive.after-unordered" },
    { "over and over again", ALL INITS("32", "32") "mov.u32 %k, 0;\n" TWO(
                                 "L: " OWN ARRIVE("496") "and.b32 %y, %k, 1;\n" WAIT(
                                     "V", "504", "%y") "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, "
                                                       "40; @%p bra L;\n",
                                 "M: and.b32 %y, %k, 1;\n" WAIT("W", "496", "%y")
                                     READ ARRIVE("504") "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 40; @%p bra M;\n") },
    { "read by two warps, and written behind their arrivals",
      ALL INITS("64", "1") THIRD(READ ARRIVE("496"), WAIT("W", "496", "0") WRITE) },
    { "read by two warps, of which one arrives twice",
      ALL INITS("64", "1")
          THIRD(READ "setp.lt.u32 %p, %t, 32; @%p bra E;\n" ARRIVE("496") ARRIVE("496"), WAIT("W", "496", "0") WRITE),
      "order.data-race" },
    { "read once more behind the arrival",
      ALL INITS("64", "1") THIRD(READ ARRIVE("496") "setp.eq.u32 %p, %t, 40; @%p " READ, WAIT("W", "496", "0") WRITE),
      "mbarrier.arrive.after-unordered" },
    { "read by one more, who had done nothing before, and learned of nobody",
      ALL INITS("64", "1") "mov.u32 %k, 0;\n" THIRD(
          READ "ld.shared.u32 %x, [s+12];\n" ARRIVE("496"),
          "setp.eq.u32 %p, %t, 64; @%p bra W; setp.ne.u32 %p, %t, 65; @%p bra E;\n" LOOP(
              "R", "200") "ld.shared.u32 %x, [s+12]; bra E;\n" WAIT("W", "496", "0")
              WRITE LOOP("M", "1000") "st.shared.u32 [s+12], 1;\n"),
      "order.data-race" },
    { "read by one that a thread knows nothing of, and which has itself the least number",
      ALL INITS("1", "1") "setp.eq.u32 %p, %t, 0; @%p bra T; setp.eq.u32 %p, %t, 32; @%p bra A;\n"
                          "setp.ne.u32 %p, %t, 64; @%p bra E;\n" READ ARRIVE(
                              "496") "bra E;\nA: " READ
                                     "bra E;\nT: " READ WAIT("W", "496", "0") "st.shared.u32 [s+8], 1;\n",
      "order.data-race" },
    { "what a thread knows that does not wait there",
      ALL INITS("32", "1") "mov.u32 %k, 0; setp.ge.u32 %p, %t, 64; @%p bra C; setp.ge.u32 %p, %t, 32; @%p bra B;\n" OWN
          ARRIVE("496") "bra E;\nB: " LOOP("R", "400") "bar.sync 1, 32;\n" READ "bra E;\nC: " WAIT("W", "496", "0"),
      "order.data-race" },
    { "what another one knows that has waited before",
      ALL INITS("1", "32") "mov.u32 %k, 0; setp.ge.u32 %p, %t, 64; @%p bra C; setp.ge.u32 %p, %t, 32; @%p bra B;\n" ONE
          ARRIVE("496") OWN ARRIVE("504") "bra E;\nB: " WAIT("V", "504", "0")
              WAIT("W", "496", "0") "bra E;\nC: " LOOP("R", "400") WAIT("X", "496", "0") READ,
      "order.data-race" },
    { "an arrival for a warp that has met",
      ALL INITS("1", "1") TWO(OWN WARP ONE ARRIVE("496"), WAIT("W", "496", "0") READ) },
    { "an arrival for a warp that has not met",
      ALL INITS("1", "1") TWO(OWN ONE ARRIVE("496"), WAIT("W", "496", "0") READ), "order.data-race" },
    { "a warp that has met, and stored since",
      ALL INITS("1", "1") TWO(WARP OWN ONE ARRIVE("496"), WAIT("W", "496", "0") READ), "order.data-race" },
    { "a wait by one thread of a warp that meets",
      ALL INITS("32", "1")
          TWO(OWN ARRIVE("496"), "setp.ne.u32 %p, %t, 32; @%p bra M;\n" WAIT("W", "496", "0") "M: " WARP READ) },
    { "a wait by one thread of a warp that does not meet",
      ALL INITS("32", "1")
          TWO(OWN ARRIVE("496"), "setp.ne.u32 %p, %t, 32; @%p bra M;\n" WAIT("W", "496", "0") "M: " READ),
      "order.data-race" },
    { "from one to the next",
      ALL INITS("32", "32") "setp.ge.u32 %p, %t, 64; @%p bra C; setp.ge.u32 %p, %t, 32; @%p bra B;\n" OWN ARRIVE(
          "496") "bra E;\nB: " WAIT("W", "496", "0") ARRIVE("504") "bra E;\nC: " WAIT("V", "504", "0") READ },
    { "a barrier of all behind a wait",
      ALL INITS("32", "1") "setp.ge.u32 %p, %t, 32; @%p bra B;\n" OWN ARRIVE("496") "B: " BAR READ },
    { "the phase before",
      ALL INITS("32", "1") TWO(ARRIVE("496") WAIT("V", "496", "0") OWN ARRIVE("496"), WAIT("W", "496", "0") READ),
      "order.data-race" },
    { "an init that not all know of",
      "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s+496], 96;\n" ARRIVE("496"), "mbarrier.init.needs-sync" },
    { "an init that all know of by another mbarrier",
      INITS("1", "1") "setp.eq.u32 %p, %t, 0; @!%p bra W; mbarrier.init.shared.b64 [s+488], 96;\n" ARRIVE("496")
          WAIT("W", "496", "0") ARRIVE("488") },
    { "two inits", INITS("1", "1") ONE "mbarrier.init.shared.b64 [s+496], 1;\n", "mbarrier.init.live-object" },
    { "an init of bytes that others have read", ALL READ ONE "mbarrier.init.shared.b64 [s+8], 1;\n",
      "order.data-race" },
    { "an init of bytes that others have read before it",
      ALL READ ONE "nanosleep.u32 20000;\n" ONE "mbarrier.init.shared.b64 [s+8], 1;\n", "order.data-race" },
    { "read by two warps, of which most threads have done nothing",
      ALL INITS("34", "1") "setp.lt.u32 %p, %t, 32; setp.gt.and.u32 %q, %t, 1, %p; @%q bra E;\n" THIRD(
          READ ARRIVE("496"), WAIT("W", "496", "0") WRITE) },
    { "a wait by some threads of a warp, which read together",
      ALL INITS("32", "1")
          TWO(OWN ARRIVE("496"),
              "setp.ge.u32 %p, %t, 48; @%p bra M;\n" WAIT(
                  "W", "496",
                  "0") "M: match.any.sync.b32 %y, 7, 0xffffffff; mov.u32 %k, 0; setp.lt.u32 %p, %t, 48;\nL: @%p " READ
                       "add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 40; @%q bra L;\n") },
    { "an init of bytes that others have read, which all have written before",
      ALL BAR READ ONE "nanosleep.u32 20000;\n" ONE "mbarrier.init.shared.b64 [s+8], 1;\n", .doubts = true },
    { "read by all before there is anything to know, and written by who knows of two warps",
      ALL BAR READ "setp.ge.u32 %p, %t, 64; @%p bra E; bar.sync 1, 64;\n" ONE "st.shared.u32 [s+8], 1;\n",
      "order.data-race" },
    { "read by two warps before there is anything to know, and written by who knows of them",
      ALL BAR "setp.ge.u32 %p, %t, 64; @%p bra E;\n" READ "bar.sync 1, 64;\n" ONE "st.shared.u32 [s+8], 1;\n" },
    { "one word read by two warps, another one by one more of eleven",
      ONE "st.shared.u64 [s+8], 1;\n" INITS(
          "64", "1") "mov.u32 %k, 0; setp.eq.u32 %p, %t, 320; @%p bra C; setp.ge.u32 %p, %t, 65; @%p bra E;\n"
                     "setp.ge.u32 %p, %t, 64; @%p bra B;\n" READ
                     "ld.shared.u32 %x, [s+12];\n" ARRIVE("496") "bra E;\nB: " WAIT("W", "496", "0")
                         LOOP("M", "4000") "st.shared.u32 [s+8], 1; bra E;\nC: " LOOP("R", "400") READ,
      "order.data-race", .threads = 352, .ctas = 2 },
    { "words that are read by more sets of warps than have a number",
      BAR "mov.u32 %a, big; mov.u32 %k, 0; shr.u32 %y, %t, 5; setp.eq.u32 %p, %t, 0; @!%p bra J;\n"
          "I: st.shared.u32 [%a], 0; add.u32 %a, %a, 4; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 1024; @%q bra I;\n"
          "J: " BAR "setp.ge.u32 %p, %t, 320; @%p bra E; bar.sync 1, 320; mov.u32 %a, big; mov.u32 %k, 0;\n"
          "L: shr.u32 %x, %k, %y; and.b32 %x, %x, 1; setp.ne.u32 %q, %x, 0; @%q ld.shared.u32 %x, [%a];\n"
          "add.u32 %a, %a, 4; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 1024; @%q bra L;\n"
          "bar.sync 1, 320; mov.u32 %k, 0; mov.u32 %a, big; setp.eq.u32 %p, %t, 0; @!%p bra E;\n"
          "M: st.shared.u32 [%a], 1; add.u32 %a, %a, 4; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 1024; @%q bra M;\n",
      .threads = 352, .ctas = 2, .shared = 4096 },
    { "an init by a thread that leaves", ONE "mbarrier.init.shared.b64 [s+496], 95;\n" ONE "bra E;\n" BAR ARRIVE("496"),
      "mbarrier.init.needs-sync" },
    { "the bytes of one, read",
      "setp.eq.u32 %p, %t, 0; @%p st.shared.u64 [s+496], %d;\n" INITS("1", "1") ONE "ld.shared.u32 %x, [s+500];\n",
      "mbarrier.object.opaque-read" },
    { "the bytes of one, written", INITS("1", "1") ONE "st.shared.u32 [s+500], 1;\n", "mbarrier.inval.required" },
    { "the bytes of one, copied to",
      INITS("1", "1") ONE "cp.async.ca.shared.global [s+500], [%g], 4;\n"
                          "cp.async.wait_all;\n",
      "mbarrier.inval.required" },
    { "the end of one", INITS("1", "1") ONE "mbarrier.inval.shared.b64 [s+496];\n" },
    { "an arrival in a phase that nobody waited for", INITS("1", "1") ONE ARRIVE("496") "@%p " ARRIVE("496"),
      "mbarrier.phase.observe-before-next" },
    { "an arrival in a phase that somebody waited for",
      INITS("1", "1") "setp.ne.u32 %p, %t, 0; @%p bra E;\n" ARRIVE("496") WAIT("W", "496", "0") ARRIVE("496") },
    { "a wait for the same phase again",
      INITS("1", "1") "setp.ne.u32 %p, %t, 0; @%p bra E;\n" ARRIVE("496") WAIT("W", "496", "0") WAIT("V", "496", "0"),
      .doubts = true },
    { "a wait for the phase before the first, twice",
      INITS("1", "1") "setp.ne.u32 %p, %t, 0; @%p bra E;\n" WAIT("W", "496", "1") WAIT("V", "496", "1") },
    { "an arrival that is relaxed", INITS("1", "1") ONE "mbarrier.arrive.relaxed.cta.shared.b64 %d, [s+496];\n",
      .doubts = true },
    { "a wait that is relaxed",
      INITS("1", "1") "setp.ne.u32 %p, %t, 0; @%p bra E;\n" ARRIVE("496") "W: mbarrier.try_wait.parity.relaxed.cta."
                                                                          "shared.b64 %q, [s+496], 0; @!%q bra W;\n",
      .doubts = true },
    { "an arrival that drops out", INITS("2", "1") ONE "mbarrier.arrive_drop.shared.b64 %d, [s+496];\n",
      .doubts = true },
    { "one that does not complete", INITS("2", "1") ONE "mbarrier.arrive.noComplete.shared.b64 %d, [s+496], 1;\n",
      .doubts = true },
    { "bytes that have come", INITS("1", "1") ONE "mbarrier.complete_tx.relaxed.cta.shared.b64 [s+496], 16;\n",
      .doubts = true },
    { "bytes that are expected", INITS("1", "1") ONE "mbarrier.expect_tx.relaxed.cta.shared.b64 [s+496], 16;\n",
      .doubts = true },
    { "a barrier of two warps", ALL "setp.ge.u32 %p, %t, 64; @%p bra E;\n" OWN "bar.sync 1, 64;\n" READ },
    { "a barrier of two warps, read by the third", ALL THIRD(OWN "bar.sync 1, 64;\n", READ), "order.data-race" },
    { "a barrier to which one comes without a wait", ALL TWO(OWN "bar.arrive 1, 64;\n", "bar.sync 1, 64;\n" READ) },
    { "what it does behind that", ALL TWO("bar.arrive 1, 64;\n" OWN, "bar.sync 1, 64;\n" READ), "order.data-race" },
    { "read by it behind that", ALL TWO("bar.arrive 1, 64; ld.shared.u32 %x, [s+200];\n", OWN "bar.sync 1, 64;\n"),
      "order.data-race" },
    { "what it learns behind that",
      ALL INITS("32", "32") "setp.ge.u32 %p, %t, 64; @%p bra C; setp.ge.u32 %p, %t, 32; @%p bra B;\n" OWN ARRIVE(
          "496") "bra E;\nB: bar.arrive 1, 64;\n" WAIT("W", "496", "0")
          ARRIVE("504") "bra E;\nC: " WAIT("V", "504", "0") READ "bar.sync 1, 64;\n" },
    { "a barrier of one warp",
      ALL TWO("setp.eq.u32 %p, %t, 2; @%p st.shared.u32 [s+8], 1; bar.sync 1, 32;\n" READ, "") },
    { "two barriers by turns",
      ALL "mov.u32 %k, 0;\n" TWO("L: " OWN "bar.arrive 1, 64; bar.sync 2, 64; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, "
                                 "20; @%p bra L;\n",
                                 "M: bar.sync 1, 64;\n" READ "bar.arrive 2, 64; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, "
                                 "20; @%p bra M;\n") },
    { "a barrier of two warps, over and over again",
      ALL BAR "mov.u32 %k, 0; setp.ge.u32 %p, %t, 64; @%p bra E;\nL: " OWN "bar.sync 1, 64;\n" READ
              "bar.sync 1, 64; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 20; @%p bra L;\n" },
    { "the same, where the third has stored too, and read nothing",
      ALL "mov.u32 %k, 0; setp.ge.u32 %p, %t, 64; @%p bra E;\nL: " OWN "bar.sync 1, 64;\n" READ
          "bar.sync 1, 64; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 20; @%p bra L;\n" },
    { "one of others, behind a barrier of all",
      "setp.lt.u32 %p, %t, 64; @%p bar.sync 1, 64;\n" BAR "setp.ge.u32 %q, %t, 32; @%q bar.sync 1, 64;\n" },
    { "one of all between", "setp.lt.u32 %p, %t, 64; @%p bar.sync 1, 64;\n" BAR "bar.sync 1, 96;\n"
                            "setp.ge.u32 %q, %t, 32; @%q bar.sync 1, 64;\n" },
    { "one value by a warp behind a wait",
      ALL INITS("32", "1")
          TWO(OWN ARRIVE("496"), WAIT("W", "496", "0") "ld.shared.u32 %x, [s]; st.shared.u32 [s+8], 7;\n") },
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
