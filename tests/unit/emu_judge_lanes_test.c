/* Accesses that the lanes of a warp make together, held against those before and after: judge/patterns.c. Each row is
 * for a place of it where tools/judge-mutants found none; emu_patterns_test goes through random ones. */
#include "tests/unit/emu_obligation.h"

/* 256 instructions: to the end of a turn, where what lanes have done together ends well. Lanes come to be together
 * again.
 */
#define FOUR    "add.u32 %z, %z, 1; add.u32 %z, %z, 1; add.u32 %z, %z, 1; add.u32 %z, %z, 1;\n"
#define SIXTEEN FOUR FOUR FOUR FOUR
#define TURN_ENDS                                                                                                      \
    SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN    \
        SIXTEEN SIXTEEN
/* The lane's word of a row; two bytes of it, in %z and %o; lanes 8 to 15 store there again. */
#define OF_ROW     "and.b32 %o, %i, 31; shl.b32 %o, %o, 2; add.u32 %o, %o, %s;\n"
#define OF_PAIRS   "and.b32 %o, %i, 31; shl.b32 %o, %o, 3; add.u32 %o, %o, %s; mov.b64 %d, {%s, %s};\n"
#define GLOBAL_ROW OF_ROW "sub.u32 %z, %o, %s; cvt.u64.u32 %d, %z; add.u64 %d, %d, %g;\n"
#define SHORTS     "and.b32 %z, %i, 31; shl.b32 %z, %z, 1; add.u32 %z, %z, %s; mov.b16 %k, 3; mov.u32 %o, %z;\n"
#define MIDDLE     TURN_ENDS "sub.u32 %y, %i, 8; setp.lt.u32 %t, %y, 8; @%t st.shared.u16 [%o], %k;\n" TURN_ENDS
#define EVEN_PAIRS "and.b32 %z, %i, 2; setp.eq.u32 %t, %z, 0; and.pred %t, %t, %w1;\n"
/* Thread 0's 32 bytes, of which %o is the lane's; each lane of its warp releases; lanes 0 and 31 of the second warp. */
#define TWO_ROWS                                                                                                       \
    "and.b32 %o, %i, 31; add.u32 %o, %o, %s; @%p0 " PUT                                                                \
    "@%p0 st.shared.v4.u32 [%s+16], {%x, %x, %x, %x};\n@%p0 " UP(".release.cta", "2048", "1")
#define RELEASED     "@%w0 " UP(".release.cta", "2048", "1")
#define TWO_OF_THREE "setp.lt.u32 %t, %i, 64; @%t bar.sync 1, 64; @!%t nanosleep.u32 900000;\n"
#define OUTER        "add.u32 %z, %i, 1; and.b32 %z, %z, 31; setp.le.u32 %t, %z, 1; and.pred %t, %t, %w1;\n"

/* Eight lanes of the second warp read one word, each by an instruction of its own; two warps of three meet. */
#define READ_32_TO_35 BY("32", GET) BY("33", GET) BY("34", GET) BY("35", GET)
#define READ_36_TO_39 BY("36", GET) BY("37", GET) BY("38", GET) BY("39", GET)
#define TWO_MEET      "setp.lt.u32 %t, %i, 64; @%t bar.sync 1, 64;\n"
#define EIGHT_READ    READ_32_TO_35 READ_36_TO_39 TWO_MEET

static const struct obligation obligations[] = {
    /* Lanes that read together, of which the first and the last alone know of the writes. */
    { "order.data-race",
      TWO_ROWS "@%w1 ld.acquire.cta.shared.u32 %z, [%s+2048];\n" TURN_ENDS "@%w1 ld.shared.u8 %y, [%o];\n" SYNC,
      TWO_ROWS OUTER "@%t ld.acquire.cta.shared.u32 %z, [%s+2048];\n" TURN_ENDS "@%w1 ld.shared.u8 %y, [%o];\n" SYNC },
    /* A lane reads what another one has read: a write knows of one of them. So with a word that all have read. */
    { "order.data-race",
      FLAGS OF_ROW "@%w0 " LOAD_OWN TURN_ENDS BY("1", "ld.shared.u32 %y, [%o+4];\n")
          TURN_ENDS SYNC BY("32", "st.shared.u32 [%s+8], %x;\n"),
      FLAGS OF_ROW "@%w0 " LOAD_OWN TURN_ENDS "setp.eq.u32 %t, %i, 1; @%t ld.shared.u32 %y, [%o+4];\n" TURN_ENDS BY(
          "2", UP(".release.cta", "2048", "1")) BY("32", AT(".acquire.cta", "2048", "1") "st.shared.u32 [%s+8], %x;\n"),
      .tells = "read by thread 1,0,0" },
    { "order.data-race", FLAGS "@%w0 " GET TURN_ENDS SYNC BY("32", PUT),
      FLAGS "@%w0 " GET TURN_ENDS BY("0", UP(".release.cta", "2048", "1"))
          BY("32", AT(".acquire.cta", "2048", "1") PUT),
      .tells = "read by thread 1,0,0" },
    /* Lanes read again what they have written, and have released since. */
    { "order.data-race", OF_ROW "@%w0 " STORE RELEASED TURN_ENDS "@%w0 " LOAD_OWN TURN_ENDS SYNC "@%w1 " LOAD_OWN,
      OF_ROW "@%w0 " STORE RELEASED TURN_ENDS "@%w0 " LOAD_OWN TURN_ENDS "@%w1 " SLEEP "@%w1 " LOAD_OWN },
    /* Lanes store to a new line, of which one has released before: who knows of that does not know of its store. */
    { "order.data-race",
      FLAGS OF_ROW BY("1", UP(".release.cta", "2048", "1")) TURN_ENDS
      "@%w0 " STORE TURN_ENDS SYNC BY("33", AT(".acquire.cta", "2048", "1") "ld.shared.u32 %y, [%s+4];\n"),
      FLAGS OF_ROW BY("1", UP(".release.cta", "2048", "1")) TURN_ENDS
      "@%w0 " STORE TURN_ENDS BY("33", SLEEP AT(".acquire.cta", "2048", "1") "ld.shared.u32 %y, [%s+4];\n"),
      .tells = "written by thread 1,0,0" },
    /* Some lanes store again, between others' bytes. */
    { "order.data-race", SHORTS "@%w0 st.shared.u16 [%z], %k;\n" MIDDLE SYNC BY("32", "ld.shared.u32 %y, [%s+40];\n"),
      SHORTS "@%w0 st.shared.u16 [%z], %k;\n" MIDDLE BY("32", SLEEP "ld.shared.u32 %y, [%s+40];\n") },
    /* Lanes read a row, of which many have read a word before, who are known by now: the last one stands for them. */
    { "order.data-race",
      EIGHT_READ OF_ROW TURN_ENDS "@%w0 " LOAD_OWN TURN_ENDS SYNC BY("64", "st.shared.u32 [%s], %x;\n"),
      EIGHT_READ OF_ROW TURN_ENDS "@%w0 " LOAD_OWN TURN_ENDS BY("64", SLEEP SLEEP "st.shared.u32 [%s], %x;\n"),
      .threads = 96, .tells = "read by thread 0,0,0" },
    /* Lanes store to several lines, in one of which another thread has stored: the others are new. */
    { "order.data-race",
      BY("32", "st.shared.u32 [%s+160], %x;\n") SYNC "@%w0 st.shared.v4.u32 [%o], {%i, %i, %i, %i};\n" TURN_ENDS,
      BY("32", "st.shared.u32 [%s+160], %x;\n") TURN_ENDS "@%w0 st.shared.v4.u32 [%o], {%i, %i, %i, %i};\n" TURN_ENDS,
      .tells = "written by thread 10,0,0" },
    /* Lanes that are no neighbours read one word. */
    { "order.data-race", EVEN_PAIRS "@%t " GET TURN_ENDS SYNC BY("32", PUT),
      EVEN_PAIRS "@%t " GET TURN_ENDS BY("32", PUT), .tells = "read by thread 33,0,0" },
    /* A warp reads what another one has read, just as often released, which writes it then. */
    { "order.data-race", OF_ROW LOAD_OWN TURN_ENDS SYNC "@%w0 " STORE, OF_ROW LOAD_OWN TURN_ENDS "@%w0 " STORE,
      .tells = "read by thread 32,0,0" },
    /* Some lanes store to their part of a line, of which the others only read theirs. */
    { "order.data-race",
      OF_ROW "and.b32 %y, %i, 31; setp.lt.u32 %t, %y, 16; and.pred %t, %t, %w0;\n@%t " STORE
             "setp.ge.u32 %t, %y, 16; and.pred %t, %t, %w0;\n@%t " LOAD_OWN SYNC "@%w1 " LOAD_OWN,
      OF_ROW "and.b32 %y, %i, 31; setp.lt.u32 %t, %y, 16; and.pred %t, %t, %w0;\n@%t " STORE
             "setp.ge.u32 %t, %y, 16; and.pred %t, %t, %w0;\n@%t " LOAD_OWN TURN_ENDS "@%w1 " SLEEP "@%w1 " LOAD_OWN },
    /* The same where all have read the whole line before: nobody has written what the others only read. */
    { "order.data-race",
      OF_ROW "and.b32 %y, %i, 31; setp.lt.u32 %t, %y, 16; and.pred %t, %t, %w0;\n"
             "@%w0 ld.shared.u32 %z, [%o]; @%t st.shared.u32 [%o], %s;\n" TURN_ENDS
             "setp.ge.u32 %t, %y, 16; and.pred %t, %t, %w1; @%t " SLEEP "@%t ld.shared.u32 %z, [%o];\n",
      OF_ROW "and.b32 %y, %i, 31; setp.lt.u32 %t, %y, 16; and.pred %t, %t, %w0;\n"
             "@%w0 ld.shared.u32 %z, [%o]; @%t st.shared.u32 [%o], %s;\n" TURN_ENDS
             "setp.lt.u32 %t, %y, 16; and.pred %t, %t, %w1; @%t " SLEEP "@%t ld.shared.u32 %z, [%o];\n",
      .tells = "written by thread 0,0,0" },
    /* Lanes store to halves of what they stored before: lane 1 to one of lane 0's. */
    { "order.data-race",
      "shl.b32 %o, %i, 3; add.u32 %o, %o, %s; @%w0 st.shared.u64 [%o], %d;\n" SYNC OF_ROW "@%w0 " STORE,
      "shl.b32 %o, %i, 3; add.u32 %o, %o, %s; @%w0 st.shared.u64 [%o], %d;\n" OF_ROW TURN_ENDS "@%w0 " STORE,
      .tells = "written by thread 0,0,0" },
    /* What a warp stores over another one's values is compared with a third one's store of the same, ... */
    { "order.data-race",
      OF_ROW "@%w0 st.shared.u32 [%o], %s;\n" SYNC "setp.lt.u32 %t, %i, 64; and.pred %t, %t, %w1;\n"
             "@%t " STORE SYNC,
      OF_ROW "@%w0 st.shared.u32 [%o], %s;\n" TWO_OF_THREE TURN_ENDS "@%w1 " STORE SYNC, .threads = 96,
      .too = "order.same-value", .tells = "written by thread 0,0,0" },
    { "order.data-race",
      OF_ROW "@%w0 st.shared.u32 [%o], %s;\n" SYNC "setp.lt.u32 %t, %i, 64; and.pred %t, %t, %w1;\n"
             "@%t " STORE SYNC,
      "mov.b64 %d, {%s, %s}; shl.b32 %o, %i, 3; add.u32 %o, %o, %s; @%w0 st.shared.u64 [%o], %d;\n" OF_ROW TWO_OF_THREE
          TURN_ENDS "@%w1 " STORE SYNC,
      .threads = 96, .too = "order.same-value", .tells = "written by thread 0,0,0" },
    /* ... also where some of its lanes alone have changed anything, ... */
    { "order.data-race",
      OF_ROW "@%w0 st.shared.u32 [%o], %s;\n" SYNC "setp.lt.u32 %t, %i, 64; and.pred %t, %t, %w1;\n"
             "@%t " STORE SYNC,
      OF_ROW "selp.b32 %y, %s, %x, %p0; @%w0 st.shared.u32 [%o], %y;\n" TWO_OF_THREE TURN_ENDS "@%w1 " STORE SYNC,
      .threads = 96, .too = "order.same-value", .tells = "written by thread 0,0,0" },
    /* ... unless the three are one value. */
    { "order.same-value", OF_ROW "@%w0 " STORE SYNC "setp.lt.u32 %t, %i, 64; and.pred %t, %t, %w1;\n@%t " STORE SYNC,
      OF_ROW "@%w0 " STORE TWO_OF_THREE TURN_ENDS "@%w1 " STORE SYNC, .threads = 96, .remark = true },
    /* Nor does a thread's own value before count. */
    { "order.same-value", OF_ROW "@%w0 st.shared.u32 [%o], %s;\n" TURN_ENDS "@%w0 " STORE SYNC,
      OF_ROW "@%w0 st.shared.u32 [%o], %s; @%w1 nanosleep.u32 5000;\n" TURN_ENDS STORE SYNC, .remark = true },
    { "order.same-value", OF_PAIRS "@%w0 st.shared.u64 [%o], %d;\n" TURN_ENDS "@%w0 " STORE SYNC,
      OF_PAIRS "@%w0 st.shared.u64 [%o], %d; @%w1 nanosleep.u32 5000;\n" TURN_ENDS STORE SYNC, .remark = true },
    /* Lanes read again what they have read as what nobody writes, and have released since. */
    { "access.nc-written",
      GLOBAL_ROW "@%w0 ld.global.u32 %y, [%d];\n" RELEASED TURN_ENDS "@%w0 ld.global.u32 %y, [%d];\n" TURN_ENDS SYNC
                 "@%w1 st.global.u32 [%d], %y;\n",
      GLOBAL_ROW "@%w0 ld.global.nc.u32 %y, [%d];\n" RELEASED TURN_ENDS "@%w0 ld.global.u32 %y, [%d];\n" TURN_ENDS SYNC
                 "@%w1 st.global.u32 [%d], %y;\n" },
    /* Lanes that come to a barrier together: one that has ended before tells nobody there what it did. */
    { "order.data-race", BY("1", PUT) SYNC BY("1", "exit;\n") TURN_ENDS SYNC BY("32", GET),
      BY("1", PUT "exit;\n") TURN_ENDS SYNC BY("32", GET) },
    /* Lanes that read a swizzled row together, none of which has done more than the others. */
    { "swz.reader-as-writer",
      TILE_LOAD("0, 0", "%s", "%m") SYNC OF_ROW "xor.b32 %o, %o, 16;\n" TURN_ENDS
                                                "@%w1 ld.shared.u32 %y, [%o+128];\n" SYNC,
      TILE_LOAD("0, 0", "%s", "%m") SYNC OF_ROW TURN_ENDS "@%w1 ld.shared.u32 %y, [%o+128];\n" SYNC,
      .maps = { "swizzle=128B" }, .tiles = true },
};

int main(void)
{
    return test_obligations("emu_judge_lanes", obligations, sizeof obligations / sizeof *obligations, false);
}
// SPDX-License-Identifier: Apache-2.0
