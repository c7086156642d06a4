/* The first accesses of a line of global memory that go on with no pattern, each by another thread: what a later access
 * meets, and what counts as written, is the same whichever way they are kept. A line has a list, then singles while
 * they are few, then more of them: so every place of the sequence is asked for. Found by tools/judge-mutants, as the
 * rows of emu_judge_edges_test.c. */
#include "tests/unit/emu_story.h"

/* Threads from one number on access words of one line; which one is no linear function of the thread: thread 0 to 9
 * those of AT_TEN, 10 to 13 others. Ten are some more than it takes for the line to have many. */
#define APART(from, more, what)                                                                                        \
    "{ sub.u32 %z, %i, " from "; setp.gt.u32 %t, %z, " more "; @%t bra N; mad.lo.u32 %z, %i, %i, %i;\n"                \
    "mul.lo.u32 %z, %z, 10; and.b32 %z, %z, 124; cvt.u64.u32 %d, %z; add.u64 %d, %d, %h;\n" what "N: }\n"
#define TEN(what)  APART("0", "9", what)
#define FOUR(what) APART("10", "3", what)
#define AT_TEN(what)                                                                                                   \
    BY("40", SLEEP what("0") what("20") what("60") what("120") what("72") what("44") what("36") what("48") what("80")  \
                 what("4"))
#define PUT_WORD      "st.global.u32 [%d], %i;\n"
#define PUT_BYTE      "st.global.u8 [%d], %i;\n"
#define GET_WORD      "ld.global.u32 %y, [%d];\n"
#define GET_BYTE      "ld.global.u8 %y, [%d];\n"
#define SEES(at)      "ld.global.u32 %y, [%h+" at "];\n"
#define SEES_BYTE(at) "ld.global.u8 %y, [%h+" at "];\n"
#define SETS(at)      "st.global.u32 [%h+" at "], %i;\n"
#define SETS_BYTE(at) "st.global.u8 [%h+" at "], %i;\n"
#define RACE(thread)  "order.data-race@40:" thread
#define RACES                                                                                                          \
    RACE("0")                                                                                                          \
    " " RACE("1") " " RACE("2") " " RACE("3") " " RACE("4") " " RACE("5") " " RACE("6") " " RACE("7") " " RACE(        \
        "8") " " RACE("9")

static const struct story stories[] = {
    /* ---- each of them races ---- */
    { "words stored, and read", TEN(PUT_WORD) AT_TEN(SEES), RACES, .init = true },
    { "bytes stored, and read", TEN(PUT_BYTE) AT_TEN(SEES_BYTE), RACES, .init = true },
    { "words read, and stored", TEN(GET_WORD) AT_TEN(SETS), RACES, .init = true },
    { "bytes read, and stored", TEN(GET_BYTE) AT_TEN(SETS_BYTE), RACES, .init = true },
    /* ---- the last one does not take the place of those before ---- */
    { "a word read behind stores", TEN(PUT_WORD) FOUR(GET_WORD) AT_TEN(SEES), RACES, .init = true },
    { "a byte read behind stores", TEN(PUT_WORD) FOUR(GET_BYTE) AT_TEN(SEES), RACES, .init = true },
    { "a byte stored behind stores", TEN(PUT_WORD) FOUR(PUT_BYTE) AT_TEN(SEES), RACES, .init = true },
    { "a word stored behind reads", TEN(GET_WORD) FOUR(PUT_WORD) AT_TEN(SETS), RACES, .init = true },
    { "a byte stored behind reads", TEN(GET_WORD) FOUR(PUT_BYTE) AT_TEN(SETS), RACES, .init = true },
    { "a byte read behind reads", TEN(GET_WORD) FOUR(GET_BYTE) AT_TEN(SETS), RACES, .init = true },
    /* ---- each of them is written, and no more ---- */
    { "words of a blank buffer", TEN(PUT_WORD) SYNC AT_TEN(SEES), "", .init = true, .blank = true },
    { "bytes of a blank buffer", TEN(PUT_BYTE) SYNC AT_TEN(SEES_BYTE), "", .init = true, .blank = true },
    { "a word beside them",
      TEN(PUT_WORD) SYNC BY("40", SEES("8")),
      "order.unwritten@40:-",
      { "of h (of 4096 bytes): " },
      .init = true,
      .blank = true },
    { "a word of which a byte is written", TEN(PUT_BYTE) SYNC BY("40", SEES("80")), "order.unwritten@40:-",
      .init = true, .blank = true },
};

int main(void)
{
    return test_stories("emu_judge_firsts", stories, sizeof stories / sizeof *stories);
}
// SPDX-License-Identifier: Apache-2.0
