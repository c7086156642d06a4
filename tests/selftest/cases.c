/* Cases that must fail, fault, hang, die, say nothing, or pass by luck: tests/selftest/verdicts.sh says what the
 * harness has to call each. */
#include "tests/selftest/fake.h"
#include "tests/selftest/rules.h"

#include "harness/plan/plan.h"

SELF(self_pass, "pass")
SELF(self_wrong, "wrong")
SELF(self_guard, "guard")
SELF(self_fault, "fault")
SELF(self_hang, "hang")
SELF(self_die, "die")
SELF(self_silent, "silent")
SELF(self_luck, "luck")
SELF(self_company, "company")
SELF(self_skip, "skip")
SELF(self_broken, "broken")
SELF(self_refused, "refused")
SELF(self_flaky, "flaky")
SELF(self_many, "many")
SELF(self_breach, "breach", .kind = CK_OBLIGATION)
SELF(self_observed, "observed", .evidence = CK_OBSERVED)
SELF(self_moody, "moody", .evidence = CK_OBSERVED)
SELF(self_row, "row")
SELF(self_encode, "encode")

/* Copies 64 bytes with the kernel that the axis `kernel` names, and compares. */
static void copies(struct ck *t)
{
    const struct ck_buf from = ck_input(t, 64), to = ck_output(t, 64);
    const struct fake_args a = { .to = to.device, .from = from.device, .bytes = 64 };

    ck_launch(t, &(struct ck_launch){ .kernel = ck_word(t, "kernel"), .args = &a, .size = sizeof a });
    ck_equal(t, to, from.host);
}

/* Like `copies`, but looks at no byte. */
static void copies_blindly(struct ck *t)
{
    const struct ck_buf from = ck_input(t, 64), to = ck_output(t, 64);
    const struct fake_args a = { .to = to.device, .from = from.device, .bytes = 64 };

    ck_launch(t, &(struct ck_launch){ .kernel = "copy", .args = &a, .size = sizeof a });
}

/* Compares the source with itself: nothing that the kernel does can fail it. */
static void passes_by_luck(struct ck *t)
{
    const struct ck_buf from = ck_input(t, 64), to = ck_output(t, 64);
    const struct fake_args a = { .to = to.device, .from = from.device, .bytes = 64 };

    ck_launch(t, &(struct ck_launch){ .kernel = "copy", .args = &a, .size = sizeof a });
    ck_equal(t, from, from.host);
}

/* Asks for an axis that the case lacks. */
static void lacks_an_axis(struct ck *t)
{
    ck_expect(t, "the axis", (uint64_t)ck_int(t, "colour"), 1);
}

/* Asks whether an axis that the case lacks has a value: a misspelt name must not read as "no". */
static void misspells_an_axis(struct ck *t)
{
    ck_expect(t, "the axis", ck_is(t, "kid", "word"), 0);
}

/* Asks for a number where the axis has a word. */
static void word_for_a_number(struct ck *t)
{
    ck_expect(t, "the axis", (uint64_t)ck_int(t, "kind"), 1);
}

/* Compares bytes that begin inside a buffer and end behind it. */
static void looks_past_the_end(struct ck *t)
{
    const struct ck_buf b = ck_zeroed(t, 16);

    ck_equal_at(t, b, 8, b.host, 16);
}

/* Expects another number than it got. */
static void counts_wrong(struct ck *t)
{
    ck_expect(t, "the count", 2, 3);
}

/* Cannot run here, and says why. */
static void skips(struct ck *t)
{
    ck_skip(t, "needs two suns, found one");
}

static const char *const mutants_need = "the self-test looks at the verdict alone";

static const struct ck_case cases[] = {
    { CK_RULE(self_pass), .run = copies, .axes = { { "kernel", "copy" } },
      .mutants = { { "nothing", "copy nothing", .kernel = "nothing" } } },
    { CK_RULE(self_wrong), .run = copies, .axes = { { "kernel", "wrong" } }, .no_mutant = mutants_need },
    { CK_RULE(self_wrong), .name = "count", .run = counts_wrong, .no_mutant = mutants_need },
    { CK_RULE(self_guard), .run = copies, .axes = { { "kernel", "too_much before" } }, .no_mutant = mutants_need },
    { CK_RULE(self_fault), .run = copies, .axes = { { "kernel", "fault" } }, .no_mutant = mutants_need },
    { CK_RULE(self_fault), .name = "foreseen", .run = copies, .axes = { { "kernel", "fault" } }, .faults = true,
      .no_mutant = mutants_need },
    { CK_RULE(self_hang), .run = copies, .axes = { { "kernel", "wait sleep" } }, .no_mutant = mutants_need },
    { CK_RULE(self_die), .run = copies, .axes = { { "kernel", "die leave" } }, .no_mutant = mutants_need },
    { CK_RULE(self_silent), .run = copies_blindly, .no_mutant = mutants_need },
    { CK_RULE(self_luck), .run = passes_by_luck,
      .mutants = { { "nothing", "copy nothing", .kernel = "nothing" },
                   { "again", "the same", .kernel = "again", .survives = "the two kernels are the same" } } },
    { CK_RULE(self_company), .name = "culprit", .run = copies, .axes = { { "kernel", "poison" } },
      .no_mutant = mutants_need },
    { CK_RULE(self_company), .name = "between", .run = copies, .axes = { { "kernel", "copy" }, { "n", "0..20" } },
      .no_mutant = mutants_need },
    { CK_RULE(self_company), .name = "victim", .run = copies, .axes = { { "kernel", "victim" } },
      .no_mutant = mutants_need },
    { CK_RULE(self_skip), .run = skips, .no_mutant = mutants_need },
    { CK_RULE(self_skip), .name = "engine", .run = copies, .axes = { { "kernel", "unsupported" } },
      .no_mutant = mutants_need },
    { CK_RULE(self_broken), .name = "axis", .run = lacks_an_axis, .no_mutant = mutants_need },
    { CK_RULE(self_broken), .name = "misspelt", .run = misspells_an_axis, .axes = { { "kind", "word" } },
      .no_mutant = mutants_need },
    { CK_RULE(self_broken), .name = "number", .run = word_for_a_number, .axes = { { "kind", "word" } },
      .no_mutant = mutants_need },
    { CK_RULE(self_broken), .name = "past", .run = looks_past_the_end, .no_mutant = mutants_need },
    { CK_RULE(self_refused), .run = copies, .axes = { { "kernel", "refused absent" } }, .no_mutant = mutants_need },
    { CK_RULE(self_flaky), .run = copies, .axes = { { "kernel", "sometimes" } }, .no_mutant = mutants_need },
    { CK_RULE(self_breach), .run = copies, .axes = { { "kernel", "copy" } },
      .breaches = { { "fault", "read what is not there", .kernel = "fault", .faults = true },
                    { "nothing", "copy nothing", .kernel = "nothing" },
                    { "again", "the same", .kernel = "again" } },
      .no_mutant = mutants_need },
    { CK_RULE(self_observed), .run = copies, .axes = { { "kernel", "copy wrong wait" } }, .no_mutant = mutants_need },
    { CK_RULE(self_moody), .run = copies, .axes = { { "kernel", "even" } }, .no_mutant = mutants_need },
    { CK_RULE(self_row), .assemble = "$;", .accept = "good|bad|crash|endless|hungry|unknown",
      .refuse = "bad|good|crash", .seen = "good|bad|crash", .target = "sm_90", .version = "8.0",
      .no_mutant = mutants_need },
    { CK_RULE(self_row), .name = "turned", .assemble = "$;", .accept = "good", .refuse = "bad", .target = "sm_90",
      .version = "8.0" },
    { CK_RULE(self_encode), .encode = "rank=$", .accept = "2|6", .refuse = "6|2", .seen = "3|7",
      .no_mutant = mutants_need },
    { CK_RULE(self_many), .run = copies, .axes = { { "kernel", "slow" }, { "n", "0..299" } },
      .no_mutant = mutants_need },
    { 0 },
};

static const struct ck_suite suite = { "selftest", cases };
const struct ck_suite *const ck_suites[] = { &suite, &face_suite, NULL };
// SPDX-License-Identifier: Apache-2.0
