/* The light judge (judge/light_state.h): copies that arrive at an mbarrier. */
#include "tests/unit/emu_light.h"

/* Two mbarriers with these counts, which all know of. */
#define INITS(a, b)                                                                                                    \
    "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s+496], " a "; @%p mbarrier.init.shared.b64 [s+504], " b     \
    ";\n" BAR
#define ARRIVE(place) "mbarrier.arrive.shared.b64 %d, [s+" place "];\n"
#define BEHIND(place) "cp.async.mbarrier.arrive.noinc.shared.b64 [s+" place "];\n"
#define BEFORE(place) "cp.async.mbarrier.arrive.shared.b64 [s+" place "];\n" ARRIVE(place)
#define WAIT(label, place, parity)                                                                                     \
    label ": mbarrier.try_wait.parity.shared.b64 %q, [s+" place "], " parity "; @!%q bra " label ";\n"
/* The first warp does one thing, the second another, and the third nothing; or a third. */
#define TWO(first, second)                                                                                             \
    "setp.ge.u32 %p, %t, 64; @%p bra E; setp.ge.u32 %p, %t, 32; @%p bra B;\n" first "bra E;\nB: " second
#define THREE(first, second, third)                                                                                    \
    "setp.ge.u32 %p, %t, 64; @%p bra C; setp.ge.u32 %p, %t, 32; @%p bra B;\n" first "bra E;\nB: " second               \
    "bra E;\nC: " third
#define COPY "cp.async.ca.shared.global [%b], [%g], 4;\n"
#define TAKE "ld.shared.u32 %x, [s+8];\n" /* a word that the first warp copies */
#define GIVE "setp.eq.u32 %p, %t, 32; @%p st.shared.u32 [s+8], 1;\n"
/* A thread waits at so many, where the copies that it has waited for arrive. */
#define MANY(number)                                                                                                   \
    "setp.ne.u32 %p, %t, 0; @%p bra E; mov.u32 %k, 0; mov.u32 %a, s;\n"                                                \
    "I: mbarrier.init.shared.b64 [%a+368], 1; add.u32 %a, %a, 8; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, " number       \
    "; @%p bra I; mov.u32 %k, 0; mov.u32 %a, s;\nL: " COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%a+368];\n"     \
    "W: mbarrier.try_wait.parity.shared.b64 %q, [%a+368], 0; @!%q bra W;\n"                                            \
    "add.u32 %a, %a, 8; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, " number "; @%p bra L;\n"
#define ROUND        "and.b32 %y, %k, 1;\n"
#define AGAIN(label) "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 20; @%p bra " label ";\n"

static const struct program programs[] = {
    { "behind a wait", ALL INITS("32", "1") TWO(COPY BEHIND("496"), WAIT("W", "496", "0") TAKE) },
    { "behind a wait, by arrivals of the threads' own",
      ALL INITS("32", "1") TWO(COPY BEFORE("496"), WAIT("W", "496", "0") TAKE) },
    { "without a wait", ALL INITS("32", "1") THREE(COPY BEHIND("496"), TAKE, WAIT("W", "496", "0")),
      "cpasync.visibility.others" },
    { "by who has not waited himself", ALL INITS("32", "1") THREE(COPY BEHIND("496") TAKE, "", WAIT("W", "496", "0")),
      "cpasync.visibility.others" },
    { "by who has waited himself", ALL INITS("32", "1") TWO(COPY BEHIND("496") WAIT("W", "496", "0") TAKE, "") },
    { "no copy at all", ALL INITS("32", "1") TWO(BEHIND("496"), WAIT("W", "496", "0")) },
    { "an arrival counts for no bytes, and orders none",
      ALL INITS("32", "1") TWO(OWN BEHIND("496"), WAIT("W", "496", "0") TAKE), "order.data-race" },
    { "issued behind the arrival",
      ALL INITS("32", "1") TWO(BEHIND("496") COPY "cp.async.wait_all;\n", WAIT("W", "496", "0") TAKE),
      "cpasync.visibility.others" },
    { "some before it, some behind it",
      ALL INITS("32", "1") TWO(COPY BEHIND("496") "cp.async.ca.shared.global [%b+256], [%g], 4; cp.async.wait_all;\n",
                               WAIT("W", "496", "0") TAKE),
      .eager = true },
    { "the same, and those behind it are read",
      ALL INITS("32", "1") TWO(COPY BEHIND("496") "cp.async.ca.shared.global [%b+256], [%g], 4; cp.async.wait_all;\n",
                               WAIT("W", "496", "0") "ld.shared.u32 %x, [s+264];\n"),
      "cpasync.visibility.others" },
    { "a wait, and a barrier behind it", ALL INITS("32", "1") "setp.ge.u32 %p, %t, 32; @%p bra B;\n" COPY BEHIND(
                                             "496") "B: setp.ne.u32 %p, %t, 64; @%p "
                                                    "bra C;\n" WAIT("W", "496", "0") "C: " BAR TAKE BAR GIVE },
    { "a barrier, and no wait",
      ALL INITS("32", "1") "setp.ge.u32 %p, %t, 32; @%p bra B;\n" COPY BEHIND(
          "496") "B: " BAR "setp.eq.u32 %p, %t, 40; @%p " TAKE WAIT("W", "496", "0"),
      "cpasync.visibility.others" },
    { "a barrier, and then the wait",
      ALL INITS("32", "1") "setp.ge.u32 %p, %t, 32; @%p bra B;\n" COPY BEHIND(
          "496") "B: " BAR "setp.ne.u32 %p, %t, 40; @%p bra E;\n" WAIT("W", "496", "0") TAKE },
    { "one waits and leaves, and others meet at a barrier",
      ALL INITS("32", "1") "setp.ge.u32 %p, %t, 32; @%p bra B;\n" COPY BEHIND(
          "496") "B: setp.ne.u32 %p, %t, 64; @%p "
                 "bra C;\n" WAIT("W", "496", "0") "bra E;\nC: " BAR TAKE,
      "cpasync.visibility.others" },
    { "one waits, and tells it by another mbarrier",
      ALL INITS("32", "32")
          THREE(COPY BEHIND("496"), WAIT("W", "496", "0") ARRIVE("504"), WAIT("V", "504", "0") TAKE) },
    { "one waits, and tells it by a barrier of two warps",
      ALL INITS("32", "1")
          THREE(COPY BEHIND("496"), WAIT("W", "496", "0") "bar.sync 1, 64;\n", "bar.sync 1, 64;\n" TAKE) },
    { "one waits behind what it has told",
      ALL INITS("32", "32") THREE(COPY BEHIND("496"), ARRIVE("504") WAIT("W", "496", "0"), WAIT("V", "504", "0") TAKE),
      "mbarrier.wait.async-not-covered" },
    { "two that wait, one behind the other",
      ALL INITS("32", "1")
          THREE(COPY BEHIND("496"), WAIT("W", "496", "0") TAKE, "nanosleep.u32 10000;\n" WAIT("V", "496", "0") TAKE) },
    { "a wait at another mbarrier",
      ALL INITS("32", "32") THREE(COPY BEHIND("496"), "cp.async.ca.shared.global [%b], [%g], 4;\n" BEHIND("504"),
                                  WAIT("V", "504", "0") TAKE WAIT("W", "496", "0")),
      "mbarrier.wait.async-not-covered" },
    { "waits at two",
      ALL INITS("32", "32") THREE(COPY BEHIND("496"), COPY BEHIND("504"),
                                  WAIT("V", "504", "0") WAIT("W", "496", "0") TAKE "ld.shared.u32 %x, [s+136];\n") },
    { "written over behind a wait", ALL INITS("32", "1") TWO(COPY BEHIND("496"), WAIT("W", "496", "0") GIVE) },
    { "written over without one", ALL INITS("32", "1") THREE(COPY BEHIND("496"), GIVE, WAIT("W", "496", "0")),
      "cpasync.order.write-dst-early" },
    { "copied over behind a wait",
      ALL INITS("32", "1")
          TWO(COPY BEHIND("496"), WAIT("W", "496", "0") "cp.async.ca.shared.global [%b+-128], [%g], 4; "
                                                        "cp.async.wait_all;\n") },
    { "over and over again",
      ALL INITS("32", "32") "mov.u32 %k, 0;\n" TWO("L: " COPY BEHIND("496") ROUND WAIT("V", "504", "%y") AGAIN("L"),
                                                   "M: " ROUND WAIT("W", "496", "%y") TAKE ARRIVE("504") AGAIN("M")) },
    { "the same by arrivals of the threads' own",
      ALL INITS("32", "32") "mov.u32 %k, 0;\n" TWO("L: " COPY BEFORE("496") ROUND WAIT("V", "504", "%y") AGAIN("L"),
                                                   "M: " ROUND WAIT("W", "496", "%y") TAKE ARRIVE("504") AGAIN("M")) },
    { "the same, and not handed back",
      ALL INITS("32", "32") "mov.u32 %k, 0;\n" TWO("L: " COPY BEHIND("496") ROUND WAIT("V", "504", "%y") AGAIN("L"),
                                                   "M: " ROUND WAIT("W", "496", "%y") ARRIVE("504") TAKE AGAIN("M")),
      "cpasync.order.war-dst" },
    { "the second phase, behind a wait for the first",
      ALL INITS("32", "32") TWO(COPY BEHIND("496") WAIT("V", "504", "0") COPY BEHIND("496") WAIT("X", "496", "1"),
                                WAIT("W", "496", "0") TAKE ARRIVE("504") "nanosleep.u32 10000;\n" TAKE),
      "cpasync.order.war-dst" },
    { "a second copy into what nobody has seen",
      ALL INITS("64", "1") TWO(COPY BEHIND("496") COPY BEHIND("496"), WAIT("W", "496", "0") TAKE),
      "cpasync.order.pair-unordered" },
    { "arrivals at two mbarriers behind one copy",
      ALL INITS("32", "32")
          THREE(COPY BEHIND("496") BEHIND("504"), WAIT("W", "496", "0") TAKE, WAIT("V", "504", "0")) },
    { "the same, which are seen at the second alone",
      ALL INITS("32", "32") TWO(COPY BEHIND("496") BEHIND("504"), WAIT("V", "504", "0") TAKE), .doubts = true },
    { "threads wait for their groups as well",
      ALL INITS("32", "1") TWO(COPY BEHIND("496") "cp.async.wait_all;\n" WAIT("W", "496", "0") TAKE, ""),
      .eager = true },
    { "nobody waits", ALL INITS("32", "1") TWO(COPY BEHIND("496"), ""), "cpasync.exit-pending" },
    { "one arrival more than there are", ALL INITS("33", "1") TWO(COPY BEHIND("496"), WAIT("W", "496", "0")),
      "mbarrier.phase.all-arrive" },
    { "arrivals of the threads' own take the place of those behind copies",
      ALL INITS("32", "1") TWO(COPY BEHIND("496") ARRIVE("496"), WAIT("W", "496", "0") TAKE),
      "mbarrier.phase.over-arrive" },
    { "arrivals that count themselves, and none else",
      ALL INITS("32", "1") TWO(COPY "cp.async.mbarrier.arrive.shared.b64 [s+496];\n", WAIT("W", "496", "0")),
      "mbarrier.phase.all-arrive" },
    { "one waits there, and another one elsewhere, who reads",
      ALL INITS("32", "32") THREE(COPY BEHIND("496") ARRIVE("504"), WAIT("W", "496", "0"),
                                  WAIT("V", "504", "0") "nanosleep.u32 10000;\n" TAKE),
      "mbarrier.wait.async-not-covered", .eager = true },
    { "at more mbarriers than have an entry", MANY("17"), .doubts = true },
    { "at as many as have one", MANY("16") },
    { "an arrival of a thread's own in the place of the one behind a copy",
      ALL INITS("1", "1") "setp.eq.u32 %p, %t, 32; @%p bra B; setp.ne.u32 %p, %t, 0; @%p bra E;\n" COPY BEHIND(
          "496") "bra E;\nB: " ARRIVE("496") WAIT("W", "496", "0") WAIT("V", "496", "1") TAKE,
      "mbarrier.phase.over-arrive" },
    { "a bulk copy that nobody waits for, beside others that are waited for",
      "setp.ne.u32 %p, %t, 0; @%p bra E; cp.async.bulk.global.shared::cta.bulk_group [%c], [s], 16;\n"
      "cp.async.commit_group; cp.async.wait_all;\n",
      "bulk.exit.source-alive", .unasked = true },
    { "two wait for the first phase, one for the second, and the other one reads",
      ALL INITS("32", "1")
          THREE(COPY BEHIND("496") WAIT("V", "496", "0") "cp.async.ca.shared.global [%b+128], [%g], 4;\n" BEHIND("496"),
                WAIT("W", "496", "0") WAIT("X", "496", "1"),
                WAIT("Y", "496", "0") "nanosleep.u32 20000; ld.shared.u32 %x, [s+136];\n"),
      "cpasync.visibility.others", .eager = true },
    { "at bytes that are none", "setp.eq.u32 %p, %t, 0; @%p cp.async.mbarrier.arrive.noinc.shared.b64 [s+496];\n",
      "mbarrier.init.required" },
    { "at one that its thread knows nothing of",
      ALL "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s+496], 95;\n"
          "@!%p cp.async.mbarrier.arrive.noinc.shared.b64 [s+496];\n",
      "mbarrier.init.needs-sync" },
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
