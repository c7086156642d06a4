/* Flags that several threads write: whose release a read of one acquires. */
#include "tests/unit/emu_obligation.h"

/* Thread 32 writes `data` and does `a`, thread 64 `b`, thread 0 `c`, and then it reads the data. The flag is at
 * s + 2048, and another one 8 bytes on. */
#define THREE(a, b, c)                                                                                                 \
    "@%p0 st.shared.v4.u32 [%s+2048], {%y, %y, %y, %y};\n" SYNC "setp.eq.u32 %t, %i, 64; @%t bra B; @%p1 bra A;\n"     \
    "@!%p0 bra E; " c " ld.global.u32 %x, [%g+512]; bra E;\nA: st.global.u32 [%a], %x; " a "bra E;\nB: " b "E:\n"
/* Threads of three CTAs; the flag is at %h. */
#define CTAS(a, b, c)                                                                                                  \
    "@!%p0 bra E; mov.u32 %r, %ctaid.x; setp.eq.u32 %t, %r, 1; @%t bra B; setp.eq.u32 %t, %r, 2; @%t bra C;\n"         \
    "st.global.u32 [%g], %x; " a "bra E;\nB: " b "bra E;\nC: " c " ld.global.u32 %x, [%g]; E:\n"
#define FLAG                 "[%s+2048]"
#define OTHER                "[%s+2056]"
#define UNTIL(how, n)        UNTIL_AT(how, FLAG, n)
#define SET(how, n)          how " " FLAG ", " n ";\n"
#define ADD(op, n)           op " " FLAG ", " n ";\n"
#define UNTIL_AT(how, at, n) "{ L: " how ".u32 %z, " at "; setp.lt.u32 %t, %z, " n "; @%t bra L; }\n"
#define RELAXED              "ld.relaxed.cta.shared"
#define ACQUIRE              "ld.acquire.cta.shared"
#define ST                   "st.relaxed.cta.shared.u32"
#define ST_RELEASE           "st.release.cta.shared.u32"
#define RELAXED_GPU          "ld.relaxed.gpu.global"
#define ACQUIRE_GPU          "ld.acquire.gpu.global"
/* Of 40 words one after the other. */
#define MANY(what)                                                                                                     \
    "{ mov.u32 %n, 40; add.u32 %q, %s, 2064;\nL: " what                                                                \
    " add.u32 %q, %q, 4; sub.u32 %n, %n, 1; setp.ne.u32 %t, %n, 0;\n"                                                  \
    "@%t bra L; }\n"
#define READY_1 SET(ST_RELEASE, "1")
/* Thread 32 writes `data` and does `a`; behind it in the order of threads, thread 64 does `b` and reads the data. */
#define LATE(a, b)                                                                                                     \
    "@%p0 st.shared.v4.u32 [%s+2048], {%y, %y, %y, %y};\n" SYNC "setp.eq.u32 %t, %i, 64; @%t bra B; @!%p1 bra E;\n"    \
    "st.global.u32 [%a], %x; " a "bra E;\nB: " b "ld.global.u32 %x, [%g+512];\nE:\n"
/* Atomics that leave the flag as it is. */
#define IDLE           "atom.acq_rel.cta.shared.add.u32 %z, " FLAG ", 0;\n"
#define FAILS          "atom.relaxed.cta.shared.cas.b32 %z, " FLAG ", 1, 2;\n"
#define COUNT          ADD("red.relaxed.cta.shared.add.u32", "1")
#define LOOK           ACQUIRE ".u32 %z, " FLAG ";\n"
#define TIMES(n, what) "{ mov.u32 %n, " n ";\nL: " what " sub.u32 %n, %n, 1; setp.ne.u32 %t, %n, 0; @%t bra L; }\n"
/* Threads 32 to 63 write data, do `a`, wait for each other and count themselves; thread 64 reads the data of the first.
 */
#define WARP(a)                                                                                                        \
    "@%p0 st.shared.v4.u32 [%s+2048], {%y, %y, %y, %y};\n" SYNC "setp.eq.u32 %t, %i, 64; @%t bra B;\n"                 \
    "@!%w1 bra E; setp.gt.u32 %t, %i, 64; @%t bra E; st.global.u32 [%a], %x; " a "bar.warp.sync -1;\n" COUNT           \
    "bra E;\n"                                                                                                         \
    "B: " UNTIL(ACQUIRE, "32") "ld.global.u32 %x, [%g+512];\nE:\n"

static const struct obligation obligations[] = {
    /* An atomic operation carries a release on, a store does not: PTX ISA, Observation Order. */
    { "fence.mp", THREE(READY_1, UNTIL(RELAXED, "1") ADD("red.relaxed.cta.shared.add.u32", "1"), UNTIL(ACQUIRE, "2")),
      THREE(READY_1, UNTIL(RELAXED, "1") SET(ST, "2"), UNTIL(ACQUIRE, "2")), .threads = 96 },
    { "fence.mp",
      THREE(READY_1, UNTIL(RELAXED, "1") "atom.relaxed.cta.shared.exch.b32 %z, " FLAG ", 2;\n", UNTIL(ACQUIRE, "2")),
      THREE(READY_1, UNTIL(RELAXED, "1") SET("st.volatile.shared.u32", "2"), UNTIL(ACQUIRE, "2")), .threads = 96 },
    { "fence.mp", THREE(READY_1, UNTIL(ACQUIRE, "1") SET(ST_RELEASE, "2"), UNTIL(ACQUIRE, "2")),
      THREE(READY_1, UNTIL(ACQUIRE, "1") SET(ST, "2"), UNTIL(ACQUIRE, "2")), .threads = 96 },
    { "fence.mp", THREE(READY_1, UNTIL(RELAXED, "1") "fence.acq_rel.cta;\n" SET(ST, "2"), UNTIL(ACQUIRE, "2")),
      THREE(READY_1, UNTIL(RELAXED, "1") "fence.acquire.cta;\n" SET(ST, "2"), UNTIL(ACQUIRE, "2")), .threads = 96 },
    { "order.data-race", THREE(READY_1, UNTIL(ACQUIRE, "1") SET(ST_RELEASE, "2"), UNTIL(ACQUIRE, "2")),
      THREE(READY_1, UNTIL(RELAXED, "1") SET(ST_RELEASE, "2"), UNTIL(ACQUIRE, "2")), .threads = 96 },
    /* What a relaxed read saw is acquired by a fence, whoever writes in between. */
    { "fence.mp",
      THREE(READY_1, UNTIL_AT(RELAXED, OTHER, "1") SET(ST, "2"),
            UNTIL(RELAXED, "1") ST " " OTHER ", 1;\n" UNTIL(RELAXED, "2") "fence.acquire.cta;\n"),
      THREE(READY_1, UNTIL(RELAXED, "1") SET(ST, "2") ST " " OTHER ", 1;\n",
            UNTIL_AT(RELAXED, OTHER, "1") UNTIL(RELAXED, "2") "fence.acquire.cta;\n"),
      .threads = 96 },
    /* A release is the head of its thread's later writes too, whoever wrote in between. */
    { "fence.mp",
      THREE(READY_1 UNTIL(RELAXED, "2") SET(ST, "3"), UNTIL(RELAXED, "1") SET(ST, "2"), UNTIL(ACQUIRE, "3")),
      THREE(SET(ST, "1") UNTIL(RELAXED, "2") SET(ST, "3"), UNTIL(RELAXED, "1") SET(ST, "2"), UNTIL(ACQUIRE, "3")),
      .threads = 96 },
    { "fence.mp",
      THREE(READY_1 UNTIL(RELAXED, "2") ADD("red.relaxed.cta.shared.add.u32", "1"), UNTIL(RELAXED, "1") SET(ST, "2"),
            UNTIL(ACQUIRE, "3")),
      THREE(READY_1 UNTIL(RELAXED, "2") "st.global.u32 [%a], %z;\n" ADD("red.relaxed.cta.shared.add.u32", "1"),
            UNTIL(RELAXED, "1") SET(ST, "2"), UNTIL(ACQUIRE, "3")),
      .threads = 96 },
    /* A relaxed read acquires with a later acquire operation on the location, whoever wrote in between. */
    { "fence.mp",
      THREE(READY_1, UNTIL_AT(RELAXED, OTHER, "1") SET(ST, "2"),
            UNTIL(RELAXED, "1") ST " " OTHER ", 1;\n" UNTIL(ACQUIRE, "2")),
      THREE(READY_1, UNTIL_AT(RELAXED, OTHER, "1") SET(ST, "2"),
            UNTIL(RELAXED, "1") ST " " OTHER ", 1;\n" UNTIL_AT(ACQUIRE, OTHER, "1") UNTIL(RELAXED, "2")),
      .threads = 96 },
    /* A location that has not changed since a relaxed read of it shows more to an acquire operation. */
    { "fence.mp", THREE(READY_1, "", UNTIL(RELAXED, "1") UNTIL(ACQUIRE, "1")),
      THREE(READY_1, "", UNTIL(RELAXED, "1") UNTIL(RELAXED, "1")), .threads = 96 },
    /* The same after releases to many other locations, and after looks at many. */
    { "fence.mp",
      THREE(READY_1 UNTIL(RELAXED, "2") MANY(ST_RELEASE " [%q], 1;") SET(ST, "3"), UNTIL(RELAXED, "1") SET(ST, "2"),
            UNTIL(ACQUIRE, "3")),
      THREE(SET(ST, "1") UNTIL(RELAXED, "2") MANY(ST_RELEASE " [%q], 1;") SET(ST, "3"),
            UNTIL(RELAXED, "1") SET(ST, "2"), UNTIL(ACQUIRE, "3")),
      .threads = 96 },
    { "fence.mp",
      THREE(READY_1, UNTIL_AT(RELAXED, OTHER, "1") SET(ST, "2"),
            UNTIL(RELAXED, "1") MANY(ST " [%q], 1; " RELAXED ".u32 %z, [%q];") ST " " OTHER
                                                                                  ", 1;\n" UNTIL(ACQUIRE, "2")),
      THREE(READY_1, UNTIL(RELAXED, "1") SET(ST, "2") ST " " OTHER ", 1;\n",
            UNTIL_AT(RELAXED, OTHER, "1") UNTIL(RELAXED, "2") MANY(ACQUIRE ".u32 %z, [%s+2048];")),
      .threads = 96 },
    /* A location that was looked at often is one location; a reduction is no look. */
    { "fence.mp",
      THREE(READY_1 UNTIL_AT(RELAXED, OTHER, "1") ST " " OTHER ", 2;\n", ST " " OTHER ", 1;\n",
            UNTIL(RELAXED, "1") TIMES("10", RELAXED ".u32 %z, " FLAG ";") UNTIL_AT(ACQUIRE, OTHER, "2")
                UNTIL(ACQUIRE, "1")),
      THREE(READY_1 UNTIL_AT(RELAXED, OTHER, "1") ST " " OTHER ", 2;\n", ST " " OTHER ", 1;\n",
            UNTIL(RELAXED, "1") TIMES("10", RELAXED ".u32 %z, " FLAG ";") UNTIL_AT(ACQUIRE, OTHER, "2")),
      .threads = 96 },
    { "fence.mp",
      THREE(READY_1, UNTIL_AT(RELAXED, OTHER, "2") ST " " OTHER ", 3;\n",
            UNTIL(RELAXED, "1") "red.relaxed.cta.shared.add.u32 " OTHER ", 1;\nred.relaxed.cta.shared.add.u32 " OTHER
                                ", 1;\n" UNTIL_AT(ACQUIRE, OTHER, "3") UNTIL(ACQUIRE, "1")),
      THREE(READY_1, UNTIL_AT(RELAXED, OTHER, "2") ST " " OTHER ", 3;\n",
            UNTIL(RELAXED, "1") "red.relaxed.cta.shared.add.u32 " OTHER ", 1;\nred.relaxed.cta.shared.add.u32 " OTHER
                                ", 1;\n" UNTIL_AT(ACQUIRE, OTHER, "3")),
      .threads = 96 },
    /* An atomic that leaves the value as it was: nothing shows that its release comes before a read. */
    { "order.data-race", LATE(READY_1, LOOK), LATE(IDLE, LOOK), .threads = 96 },
    { "order.data-race", LATE(READY_1, LOOK), LATE(IDLE TIMES("300", IDLE), IDLE TIMES("1000", "") LOOK),
      .threads = 96 },
    { "order.data-race", LATE(READY_1, LOOK), LATE("fence.acq_rel.cta;\n" FAILS, LOOK), .threads = 96 },
    { "order.data-race", LATE("membar.cta;\n" COUNT, LOOK "membar.cta;\n"),
      LATE("membar.cta;\n" FAILS, LOOK "membar.cta;\n"), .threads = 96 },
    { "order.data-race", LATE(READY_1, LOOK), LATE(IDLE MANY(ST_RELEASE " [%q], 1;"), LOOK), .threads = 96 },
    { "fence.mp", LATE(IDLE COUNT, LOOK), LATE(COUNT IDLE, LOOK), .threads = 96 },
    { "fence.mp", LATE(IDLE COUNT, LOOK), LATE("atom.relaxed.cta.shared.add.u32 %z, " FLAG ", 0;\n" COUNT, LOOK),
      .threads = 96 },
    { "fence.mp",
      THREE("fence.acq_rel.cta;\n" FAILS ST_RELEASE " " OTHER ", 1;\n", UNTIL_AT(ACQUIRE, OTHER, "1") COUNT,
            UNTIL(ACQUIRE, "1")),
      THREE(FAILS ST_RELEASE " " OTHER ", 1;\n", UNTIL_AT(ACQUIRE, OTHER, "1") COUNT, UNTIL(ACQUIRE, "1")),
      .threads = 96 },
    { "fence.mp", THREE("st.global.u32 [%a], %y;\n" IDLE COUNT, "", UNTIL(ACQUIRE, "1")),
      THREE(IDLE "st.global.u32 [%a], %y;\n" COUNT, "", UNTIL(ACQUIRE, "1")), .threads = 96 },
    /* Each of several threads releases what it knows itself. */
    { "fence.mp", THREE(IDLE COUNT, "", IDLE UNTIL(ACQUIRE, "1")), THREE(COUNT IDLE, "", IDLE UNTIL(ACQUIRE, "1")),
      .threads = 96 },
    { "fence.mp", WARP(IDLE), WARP(""), .threads = 96 },
    /* What others have told it is part of that; where too many are kept already, it counts at once. */
    { "fence.mp", THREE(ST_RELEASE " " OTHER ", 1;\n", UNTIL_AT(ACQUIRE, OTHER, "1") IDLE COUNT, UNTIL(ACQUIRE, "1")),
      THREE(ST_RELEASE " " OTHER ", 1;\n", UNTIL_AT(ACQUIRE, OTHER, "1") COUNT, UNTIL(ACQUIRE, "1")), .threads = 96 },
    { "fence.mp",
      THREE(TIMES("1000", "") IDLE COUNT, "", TIMES("300", IDLE ST_RELEASE " " OTHER ", 1;") UNTIL(ACQUIRE, "1")),
      THREE(TIMES("1000", "") COUNT, "", TIMES("300", IDLE ST_RELEASE " " OTHER ", 1;") UNTIL(ACQUIRE, "1")),
      .threads = 96 },
    /* But what one writes who knows of it shows it; and who knows of it, by whatever means, comes after it. */
    { "order.data-race",
      THREE(IDLE ST_RELEASE " " OTHER ", 1;\n", UNTIL_AT(ACQUIRE, OTHER, "1") COUNT, UNTIL(ACQUIRE, "1")),
      THREE(IDLE ST_RELEASE " " OTHER ", 1;\n", COUNT, UNTIL(ACQUIRE, "1")), .threads = 96 },
    { "fence.mp", LATE(IDLE ST " " OTHER ", 1;\n", RELAXED ".u32 %z, " OTHER ";\n" IDLE),
      LATE(ST " " OTHER ", 1;\n" IDLE, RELAXED ".u32 %z, " OTHER ";\n" IDLE), .threads = 96 },
    /* Widths: each element of a vector; either half of a wide flag; a byte is no reason to forget its neighbours. */
    { "fence.mp",
      THREE("st.release.cta.shared.v2.u32 " FLAG ", {%x, %x};\n", UNTIL(RELAXED, "7") SET(ST, "8"),
            UNTIL_AT(ACQUIRE, "[%s+2052]", "7")),
      THREE("st.release.cta.shared.v2.u32 " FLAG ", {%x, %x};\n",
            UNTIL(RELAXED, "7") "mov.u32 %z, 8; st.relaxed.cta.shared.v2.u32 " FLAG ", {%z, %z};\n",
            UNTIL_AT(ACQUIRE, "[%s+2052]", "8")),
      .threads = 96 },
    { "fence.mp",
      THREE("mov.b64 %d, 0x100000001; st.release.cta.shared.u64 " FLAG ", %d;\n", UNTIL(RELAXED, "1"),
            UNTIL_AT(ACQUIRE, "[%s+2052]", "1")),
      THREE("mov.b64 %d, 0x100000001; st.release.cta.shared.u64 " FLAG ", %d;\n",
            UNTIL(RELAXED, "1") "mov.b64 %d, 0x200000002; st.relaxed.cta.shared.u64 " FLAG ", %d;\n",
            UNTIL_AT(ACQUIRE, "[%s+2052]", "2")),
      .threads = 96 },
    { "fence.mp", THREE(READY_1, UNTIL(RELAXED, "1") "st.relaxed.cta.shared.u8 [%s+2049], %x;\n", UNTIL(ACQUIRE, "2")),
      NULL, .threads = 96 },
    /* Clusters; scopes. */
    { "fence.mp",
      CTAS("st.release.gpu.global.u32 [%h], 1;\n",
           UNTIL_AT(RELAXED_GPU, "[%h]", "1") "atom.relaxed.gpu.global.add.u32 %z, [%h], 1;\n",
           UNTIL_AT(ACQUIRE_GPU, "[%h]", "2")),
      CTAS("st.release.gpu.global.u32 [%h], 1;\n",
           UNTIL_AT(RELAXED_GPU, "[%h]",
                    "1") "st.relaxed.gpu.global.u32 [%h], 2; st.relaxed.gpu.global.u32 [%h+8], 1;\n",
           UNTIL_AT(RELAXED_GPU, "[%h+8]", "1") UNTIL_AT(ACQUIRE_GPU, "[%h]", "2")),
      .clusters = 3 },
    { "fence.mp",
      CTAS("st.release.cluster.global.u32 [%h], 1;\n",
           UNTIL_AT("ld.relaxed.cluster.global", "[%h]", "1") "red.relaxed.cluster.global.add.u32 [%h], 1;\n",
           UNTIL_AT("ld.acquire.cluster.global", "[%h]", "2")),
      CTAS("st.release.cluster.global.u32 [%h], 1;\n",
           UNTIL_AT("ld.relaxed.cluster.global", "[%h]", "1") "st.relaxed.sys.global.u32 [%h], 2;\n"
                                                              "st.relaxed.gpu.global.u32 [%h+8], 1;\n",
           UNTIL_AT(RELAXED_GPU, "[%h+8]", "1") UNTIL_AT("ld.acquire.gpu.global", "[%h]", "2")),
      .ctas = 3 },
    /* A lock that is opened by a store; a counter that is set back. */
    { "order.data-race",
      "@%p0 st.shared.v2.u32 [%s], {%y, %y}; @%p0 st.shared.u32 [%s+2048], 0;\n" SYNC
      "{ L: atom.acquire.cta.shared.cas.b32 %z, [%s+2048], 0, 1; setp.ne.u32 %t, %z, 0; @%t bra L; }\n"
      "ld.shared.u32 %y, [%s]; add.u32 %y, %y, 1; st.shared.u32 [%s], %y; st.release.cta.shared.u32 [%s+2048], 0;\n",
      "@%p0 st.shared.v2.u32 [%s], {%y, %y}; @%p0 st.shared.u32 [%s+2048], 0;\n" SYNC
      "{ L: atom.acquire.cta.shared.cas.b32 %z, [%s+2048], 0, 1; setp.ne.u32 %t, %z, 0; @%t bra L; }\n"
      "ld.shared.u32 %y, [%s]; st.release.cta.shared.u32 [%s+2048], 0; add.u32 %y, %y, 1; st.shared.u32 [%s], %y;\n" },
    { "fence.mp",
      THREE("red.release.cta.shared.add.u32 " FLAG ", 1;\n",
            "red.release.cta.shared.add.u32 " FLAG ", 1;\n" UNTIL(ACQUIRE, "2") SET(ST_RELEASE, "9"),
            UNTIL(ACQUIRE, "9")),
      THREE("red.release.cta.shared.add.u32 " FLAG ", 1;\n",
            "red.release.cta.shared.add.u32 " FLAG ", 1;\n" UNTIL(ACQUIRE, "2") SET(ST, "9"), UNTIL(ACQUIRE, "9")),
      .threads = 96 },
};

int main(void)
{
    return test_obligations("emu_flag", obligations, sizeof obligations / sizeof *obligations, false);
}
// SPDX-License-Identifier: Apache-2.0
