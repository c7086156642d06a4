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
/* The lane's word of a row; in %z; two bytes of it, in %z and %o; lanes 8 to 15 store there again. */
#define OF_ROW "and.b32 %o, %i, 31; shl.b32 %o, %o, 2; add.u32 %o, %o, %s;\n"
#define ROW    "and.b32 %z, %i, 31; shl.b32 %z, %z, 2; add.u32 %z, %z, %s;\n"
#define SHORTS "and.b32 %z, %i, 31; shl.b32 %z, %z, 1; add.u32 %z, %z, %s; mov.b16 %k, 3; mov.u32 %o, %z;\n"
#define MIDDLE TURN_ENDS "sub.u32 %y, %i, 8; setp.lt.u32 %t, %y, 8; @%t st.shared.u16 [%o], %k;\n" TURN_ENDS
/* Thread 0's 32 bytes, of which %o is the lane's; each lane of its warp releases; lanes 0 and 31 of the second warp. */
#define TWO_ROWS                                                                                                       \
    "and.b32 %o, %i, 31; add.u32 %o, %o, %s; @%p0 " PUT                                                                \
    "@%p0 st.shared.v4.u32 [%s+16], {%x, %x, %x, %x};\n@%p0 " UP(".release.cta", "2048", "1")
#define RELEASED "@%w0 " UP(".release.cta", "2048", "1")
#define OUTER    "add.u32 %z, %i, 1; and.b32 %z, %z, 31; setp.le.u32 %t, %z, 1; and.pred %t, %t, %w1;\n"

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
    /* Some lanes store again, between others' bytes. */
    { "order.data-race", SHORTS "@%w0 st.shared.u16 [%z], %k;\n" MIDDLE SYNC BY("32", "ld.shared.u32 %y, [%s+40];\n"),
      SHORTS "@%w0 st.shared.u16 [%z], %k;\n" MIDDLE BY("32", SLEEP "ld.shared.u32 %y, [%s+40];\n") },
    /* What a warp stores over another one's values is compared with a third one's store of the same, ... */
    { "order.data-race",
      ROW "@%w0 st.shared.u32 [%z], %s;\n" SYNC "setp.lt.u32 %t, %i, 64; and.pred %t, %t, %w1;\n"
          "@%t st.shared.u32 [%z], %x;\n" SYNC,
      ROW "@%w0 st.shared.u32 [%z], %s; setp.lt.u32 %t, %i, 64; @%w0 nanosleep.u32 5000;\n"
          "@%t bar.sync 1, 64; @!%t nanosleep.u32 900000;\n"
          "@%w1 st.shared.u32 [%z], %x;\n" SYNC,
      .threads = 96, .too = "order.same-value" },
    { "order.data-race",
      ROW "@%w0 st.shared.u32 [%z], %s;\n" SYNC "setp.lt.u32 %t, %i, 64; and.pred %t, %t, %w1;\n"
          "@%t st.shared.u32 [%z], %x;\n" SYNC,
      ROW "mov.b64 %d, {%s, %s}; shl.b32 %o, %i, 3; add.u32 %o, %o, %s; @%w0 st.shared.u64 [%o], %d;\n"
          "setp.lt.u32 %t, %i, 64; @%w0 nanosleep.u32 5000;\n"
          "@%t bar.sync 1, 64; @!%t nanosleep.u32 900000;\n"
          "@%w1 st.shared.u32 [%z], %x;\n" SYNC,
      .threads = 96, .too = "order.same-value" },
    /* ... unless the three are one value. */
    { "order.same-value",
      ROW "@%w0 st.shared.u32 [%z], %x;\n" SYNC "setp.lt.u32 %t, %i, 64; and.pred %t, %t, %w1;\n"
          "@%t st.shared.u32 [%z], %x;\n" SYNC,
      ROW "setp.lt.u32 %t, %i, 64; and.pred %t, %t, %w1; @%t bar.sync 1, 64;\n"
          "setp.ge.u32 %t, %i, 64; @%t nanosleep.u32 900000; st.shared.u32 [%z], %x; @%w0 bar.sync 1, 64;\n" SYNC,
      .threads = 96, .remark = true },
    /* Nor does a thread's own value before count. */
    { "order.same-value", ROW "@%w0 st.shared.u32 [%z], %s;\n" TURN_ENDS ROW "@%w0 st.shared.u32 [%z], %x;\n" SYNC,
      ROW "@%w0 st.shared.u32 [%z], %s; @%w1 nanosleep.u32 5000;\n" TURN_ENDS ROW "st.shared.u32 [%z], %x;\n" SYNC,
      .remark = true },
    /* Lanes that read a swizzled row together. */
    { "swz.reader-as-writer",
      TILE_LOAD("0, 0", "%s", "%m") SYNC OF_ROW "xor.b32 %o, %o, 16;\n@%w0 ld.shared.u32 %y, [%o+128];\n" SYNC,
      TILE_LOAD("0, 0", "%s", "%m") SYNC OF_ROW "@%w0 ld.shared.u32 %y, [%o+128];\n" SYNC, .maps = { "swizzle=128B" },
      .tiles = true },
};

int main(void)
{
    return test_obligations("emu_judge_lanes", obligations, sizeof obligations / sizeof *obligations, false);
}
