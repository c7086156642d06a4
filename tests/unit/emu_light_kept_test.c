/* The light judge (judge/light_state.h): what it keeps, and for how long: which bytes have a value, from launch to
 * launch; records, when its time begins again; what it does where it may take no more memory. */
#include "tests/unit/emu_light.h"

#define LAUNCH_0 "setp.eq.u32 %p, %n, 0;\n"
#define LAUNCH_1 "setp.ne.u32 %q, %n, 0;\n"

/* ---- values ------------------------------------------------------------------------------------------------------ */

static const struct program values[] = {
    { "memory that the host has written", "ld.global.u32 %x, [%g];\n" },
    { "a row of it",
      "mov.u32 %k, 0;\nL: ld.global.u32 %x, [%g]; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 3; @%p bra L;\n" },
    { "memory of nobody, where CTAs before have written such",
      "mov.u32 %a, %ctaid.x; setp.lt.u32 %p, %a, 8; @%p st.global.u32 [%g], 1; @!%p ld.global.u32 %x, [%g];\n",
      "order.unwritten", .blank = true },
    { "memory that a launch before has written",
      LAUNCH_0 LAUNCH_1 "@%p st.global.u32 [%g], 1; @%q ld.global.u32 %x, [%g];\n", .blank = true, .launches = 2 },
    { "memory beside what a launch before has written",
      LAUNCH_0 LAUNCH_1 "@%p st.global.u32 [%g], 1; @%q ld.global.u32 %x, [%c+400];\n", "order.unwritten",
      .blank = true, .launches = 2 },
    { "what nobody has written may be read", "ld.shared.u32 %x, [%b]; ld.global.u32 %x, [%g];\n", .blank = true,
      .unasked = true },
    { "memory beside what a launch has written in which nobody asked",
      LAUNCH_0 LAUNCH_1 "@%p st.global.u32 [%g], 1; @%q ld.global.u32 %x, [%c+400];\n", .blank = true, .unasked = true,
      .launches = 2 },
};

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (unsigned jobs = 1; jobs <= 2; jobs++)
            as_said(&values[i], jobs);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

/* More barriers than there are times. Up to shortly before there are no more, each thread stores its word, and the
 * first byte of another, again and again. */
#define BAR_8 "bar.sync 0; bar.sync 0; bar.sync 0; bar.sync 0; bar.sync 0; bar.sync 0; bar.sync 0; bar.sync 0;\n"
#define LONG                                                                                                           \
    "mov.u32 %k, 0;\nL: setp.lt.u32 %q, %k, 7700; @%q st.shared.u32 [%b], %k; @%q st.shared.u8 [%b+64], %h;\n"         \
    "bar.sync 0;\n" BAR_8 BAR_8 "add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 7712; @%q bra L;\n"
#define FIRST  "setp.eq.u32 %p, %t, 0;\n"
#define SECOND "setp.eq.u32 %p, %t, 1;\n"

#define BAR_AT_496 FIRST "@%p mbarrier.init.shared.b64 [s+496], 2; @%p st.shared.u32 [s+480], 0;\n" BAR
/* The same, with something else in place of the stores. */
#define ENDS(what)                                                                                                     \
    "mov.u32 %k, 0;\nL: setp.lt.u32 %q, %k, 100;\n" what "bar.sync 0;\n" BAR_8 BAR_8                                   \
    "add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 7712; @%q bra L;\n"
#define END "mbarrier.inval.shared.b64 [s+496];\n"

static const struct program long_ones[] = {
    { "words and bytes of others, behind very many barriers",
      LONG SECOND "@%p st.shared.u8 [s+64], %h; @%p ld.shared.u32 %x, [s];\n", .threads = 2, .ctas = 1 },
    { "a byte that nobody is to write, behind very many barriers",
      FIRST "@%p ld.global.nc.u8 %h, [%c];\n" LONG "@%p st.global.u8 [%c], %h;\n", "access.nc-written", .threads = 2,
      .ctas = 1 },
    { "a neighbour's word, behind very many barriers",
      LONG "st.shared.u32 [%b], %k;\n" FIRST "@%p ld.shared.u32 %x, [s+4];\n", "order.data-race", .threads = 2,
      .ctas = 1 },
    { "what nobody has written is read as such, behind very many barriers",
      FIRST "@%p ld.global.u32 %x, [%c];\n" LONG FIRST "@%p ld.global.nc.u32 %x, [%c];\n", .threads = 2, .ctas = 1 },
    { "the end of an mbarrier that was used shortly before, behind very many barriers",
      BAR_AT_496 ENDS("@%q mbarrier.test_wait.parity.shared.b64 %p, [s+496], 0;\n") FIRST "@%p " END, .threads = 2,
      .ctas = 1 },
    { "a use that nobody has told of, though its warp had converged before, behind very many barriers",
      BAR_AT_496 ENDS("@%q match.any.sync.b32 %x, 7, 3;\n") SECOND
      "@!%p bra F; mbarrier.test_wait.parity.shared.b64 %q, [s+496], 0; bra E;\n"
      "F: nanosleep.u32 20000; fence.sc.cta;\n" END,
      "mbarrier.inval.quiescent", .threads = 2, .ctas = 1 },
    { "a use that nobody has told of, though a count tells of what came before, behind very many barriers",
      BAR_AT_496 ENDS("@%q atom.add.acq_rel.cta.shared.u32 %x, [s+480], 1;\n") SECOND
      "@!%p bra F; mbarrier.test_wait.parity.shared.b64 %q, [s+496], 0; bra E;\n"
      "F: nanosleep.u32 20000; atom.add.acquire.cta.shared.u32 %x, [s+480], 1;\n" END,
      "mbarrier.inval.quiescent", .threads = 2, .ctas = 1 },
};

static void test_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
        as_said(&long_ones[i], 1);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* A word of each line of what a CTA may have of shared memory, then one of each of 40 pages; by stores that lanes make
 * together, or not. */
#define MUCH(q)                                                                                                        \
    "setp.eq.u32 %p, %t, 0; mov.u32 %a, big; mov.u32 %k, 0;\n"                                                         \
    "L: @%p st" q                                                                                                      \
    ".shared.u32 [%a], %k; add.u32 %a, %a, 128; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 1800; @%q bra L;\n"             \
    "mov.u64 %d, %c; mov.u32 %k, 0;\n"                                                                                 \
    "M: @%p st" q                                                                                                      \
    ".global.u32 [%d], %k; add.u64 %d, %d, 4096; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 40; @%q bra M;\n"

/* In bytes: too little for what the light judge keeps of it, though not for the launch; and enough. */
enum { LITTLE = 500 << 10, ENOUGH = 564 << 10, STEP = 512 };

#define LAST "setp.eq.u32 %p, %t, 1; @%p ld.global.u32 %x, [%c+159744];\n"

/* Wherever it is that memory runs out, it doubts. `last` reads another thread's word in the last page. */
static void test_short(const char *much, const char *last)
{
    struct program clean = { "much memory", much,      .blank = true,       .pages = 40,
                             .threads = 2,  .ctas = 1, .shared = 1800 * 128 };
    struct program raced = clean;
    bool doubted = true;

    raced.name = "much memory, and another's word in the last page";
    raced.body = last;
    raced.rule = "order.data-race";
    for (uint64_t memory = LITTLE; memory <= ENOUGH; memory += STEP) {
        clean.memory = raced.memory = memory;
        clean.doubts = same_with(&clean, 1);
        assert_true(doubted || !clean.doubts);
        assert_true(memory != LITTLE || clean.doubts);
        doubted = clean.doubts;
        as_said(&raced, 1);
    }
    assert_false(doubted);
}

static void test_memory(void **state)
{
    (void)state;
    test_short(MUCH(""), MUCH("") LAST);
    test_short(MUCH(".volatile"), MUCH(".volatile") LAST);
}

/* What a CTA has taken is there again for those behind it: all of them together need more. */
static void test_given_back(void **state)
{
    static const struct program few = {
        "each CTA a little",
        "mov.u32 %k, 0;\nL: st.shared.u32 [%b], %k; st.global.u32 [%g], %k; add.u32 %k, %k, 1;\n"
        "setp.lt.u32 %q, %k, 3; @%q bra L;\n",
        .threads = 2,
        .memory = 300 << 10,
    };

    (void)state;
    as_said(&few, 1);
    assert_int_equal(atoi(of[1].text), EMU_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_values), cmocka_unit_test(test_time),
                                        cmocka_unit_test(test_memory), cmocka_unit_test(test_given_back) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
