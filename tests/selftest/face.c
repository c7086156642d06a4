/* Each thing that a case may ask of the harness, asked rightly and wrongly. */
#include "tests/selftest/fake.h"
#include "tests/selftest/rules.h"

#include <string.h>

SELF(face_memory, "memory")
SELF(face_rows, "rows")
SELF(face_outcomes, "outcomes")
SELF(face_judging, "judging")
SELF(face_measure, "ticks", .evidence = CK_OBSERVED)
SELF(face_driver, "driver")
SELF(face_source, "source")
SELF(face_source_seen, "source-seen", .evidence = CK_OBSERVED)
SELF_NEEDS(face_needs, "needs", "sm_100a")
SELF_NEEDS(face_two, "two", "two GPUs")
SELF(face_open, "open", .evidence = CK_OBSERVED)

static struct fake_args copy_args(struct ck_buf to, struct ck_buf from)
{
    return (struct fake_args){ .to = to.device, .from = from.device, .bytes = from.size };
}

static enum ck_end launch(struct ck *t, const char *kernel, const struct fake_args *a, bool may_hang)
{
    return ck_launch(
        t,
        &(struct ck_launch){
            .kernel = kernel, .grid = { 2, 2 }, .cluster = { 2 }, .args = a, .size = sizeof *a, .may_hang = may_hang });
}

/* All kinds of memory hold what was put there, and what the host changes goes up again. */
static void every_memory(struct ck *t)
{
    const struct ck_buf inputs[] = { ck_input(t, 100), ck_slow_input(t, 100), ck_edge_input(t, 100) };
    const struct ck_buf outputs[] = { ck_output(t, 100), ck_edge_output(t, 100), ck_zeroed(t, 100) };
    unsigned char *kept = ck_alloc(t, 100);

    ck_note(t, "seeded byte %u, random %llu", inputs[0].host[0], (unsigned long long)ck_random(t));
    ck_filled(t, outputs[0], 0, 100, CK_POISON);
    ck_filled(t, outputs[1], 0, 100, CK_POISON);
    ck_filled(t, outputs[2], 0, 100, 0);
    for (int i = 0; i < 3; i++) {
        const struct fake_args a = copy_args(outputs[i], inputs[i]);
        ck_expect(t, "zero and poison bytes", memchr(inputs[i].host, 0, 100) || memchr(inputs[i].host, CK_POISON, 100),
                  0);
        memcpy(kept, inputs[i].host, 100);
        launch(t, "copy", &a, false);
        ck_equal(t, outputs[i], kept);
        memset(inputs[i].host, 9, 100);
        ck_changed(t, inputs[i]);
        launch(t, "copy", &a, false);
        ck_equal_at(t, outputs[i], 50, inputs[i].host, 50);
    }
}

/* Asks for more buffers than a point may have. */
static void too_many_buffers(struct ck *t)
{
    for (int i = 0; i < 100; i++)
        ck_input(t, 8);
    ck_expect(t, "never", 0, 0);
}

/* Asks for more pieces of host memory than a point may have. */
static void too_much_scratch(struct ck *t)
{
    for (int i = 0; i < 1000; i++)
        ck_alloc(t, 8);
    ck_expect(t, "never", 0, 0);
}

/* Compares bytes behind the end of a buffer. */
static void looks_outside(struct ck *t)
{
    ck_filled(t, ck_zeroed(t, 16), 8, 16, 0);
}

/* Encodes a map of the axis' rank: a legal one is made, an illegal one is refused. */
static void encodes(struct ck *t)
{
    const struct ck_buf b = ck_input(t, 64);
    const struct tensor_map map = { .rank = ck_int(t, "rank") };
    struct ck_tmap out;

    ck_encode(t, &map, b, &out);
    ck_expect(t, "the first byte of the map", out.bytes[0], 0);
}

/* Launches the kernel that the axis names, and says how that ended. */
static void launches(struct ck *t)
{
    const struct ck_buf from = ck_input(t, 16), to = ck_output(t, 16);
    const struct fake_args a = copy_args(to, from);
    const enum ck_end end = launch(t, ck_word(t, "kernel"), &a, false);

    ck_no_digest(t);
    ck_see(t, "end %d, bits %u%s", (int)end, ck_timeouts(t), ck_conforming(t) ? "" : ", a breach");
}

/* The same of a kernel that may hang: the bits of its waits are there, and the run goes on. */
static void launches_what_may_hang(struct ck *t)
{
    const struct ck_buf from = ck_input(t, 16), to = ck_output(t, 16);
    const struct fake_args a = copy_args(to, from);
    const enum ck_end end = launch(t, ck_word(t, "kernel"), &a, true);

    ck_no_digest(t);
    ck_see(t, "end %d, bits %u", (int)end, ck_timeouts(t));
    ck_expect(t, "the bits of the wait", ck_timeouts(t), 5);
}

/* A launch after one that faulted: the harness calls the case broken. */
static void launches_again(struct ck *t)
{
    const struct ck_buf from = ck_input(t, 16), to = ck_output(t, 16);
    const struct fake_args a = copy_args(to, from);

    if (launch(t, ck_word(t, "kernel"), &a, false) == CK_FAULT)
        launch(t, "copy", &a, false);
}

/* Passes arguments that are too small to start with struct ck_head. */
static void small_arguments(struct ck *t)
{
    const char byte = 0;

    ck_launch(t, &(struct ck_launch){ .kernel = "copy", .args = &byte, .size = 1 });
}

/* Fails nine times: the report shows the first ones. */
static void many_failures(struct ck *t)
{
    for (unsigned i = 0; i < 9; i++)
        ck_expect(t, "it", i, 99);
}

/* Four rounds behind a warm one; one in which a way took no time; and none behind the warm one. */
static void measures(struct ck *t)
{
    static const uint64_t ticks[][2] = { { 999, 1 }, { 10, 5 }, { 40, 5 }, { 20, 5 }, { 30, 5 } };
    static const uint64_t nothing[][2] = { { 3, 1 }, { 3, 0 } };

    ck_expect(t, "rounds on an engine that keeps time", ck_rounds(t, 9), 9);
    if (ck_is(t, "ticks", "four"))
        ck_ratio(t, "slower", ticks, 5, 1);
    else if (ck_is(t, "ticks", "nothing"))
        ck_ratio(t, "slower", nothing, 2, 0);
    else
        ck_ratio(t, "slower", ticks, 1, 1);
}

/* What this engine lacks is a skip that says what it is. */
static void asks_a_driver(struct ck *t)
{
    struct ck_step step = { 0 };
    unsigned char object[128];
    const struct tensor_map map = { 0 };
    void *p = ck_pinned(t, 8); /* ordinary memory will do */

    memset(p, 1, 8);
    ck_unpin(t, p);
    ck_needs_unlinked(t);
    if (ck_is(t, "what", "streams"))
        ck_steps(t, &step, 1);
    else if (ck_is(t, "what", "pages"))
        ck_is_pinned(t, p);
    else if (ck_is(t, "what", "registers"))
        ck_registers(t, "copy");
    else
        ck_encode_through(t, "cuTensorMapEncodeTiled", 12000, &map, object);
}

static const char *const not_turned = "the self-test looks at the verdict alone";

static const struct ck_case cases[] = {
    { CK_RULE(face_memory), .run = every_memory, .no_mutant = not_turned },
    { CK_RULE(face_memory), .name = "buffers", .run = too_many_buffers, .no_mutant = not_turned },
    { CK_RULE(face_memory), .name = "scratch", .run = too_much_scratch, .no_mutant = not_turned },
    { CK_RULE(face_memory), .name = "outside", .run = looks_outside, .no_mutant = not_turned },
    { CK_RULE(face_rows), .name = "rank", .run = encodes, .axes = { { "rank", "2 6" } }, .no_mutant = not_turned },
    { CK_RULE(face_rows), .name = "axis", .assemble = "${colour}", .accept = "good", .no_mutant = not_turned },
    { CK_RULE(face_rows), .name = "version", .assemble = "good", .version = "newest", .accept = "", .target = "sm_90",
      .no_mutant = not_turned },
    { CK_RULE(face_rows), .name = "words", .encode = "rank=two", .accept = "", .no_mutant = not_turned },
    { CK_RULE(face_rows), .name = "type", .encode = "type=$", .accept = "f99|f16", .no_mutant = not_turned },
    { CK_RULE(face_rows), .name = "colour", .encode = "rank=${colour}", .accept = "2", .no_mutant = not_turned },
    { CK_RULE(face_outcomes), .name = "may-hang", .run = launches_what_may_hang, .axes = { { "kernel", "wait" } },
      .no_mutant = not_turned },
    { CK_RULE(face_outcomes), .name = "args", .run = small_arguments, .no_mutant = not_turned },
    { CK_RULE(face_outcomes), .name = "again", .run = launches_again, .axes = { { "kernel", "fault" } },
      .seen_only = true },
    { CK_RULE(face_judging), .run = many_failures, .no_mutant = not_turned },
    { CK_RULE(face_measure), .run = measures, .axes = { { "ticks", "four nothing cold" } }, .no_mutant = not_turned },
    { CK_RULE(face_driver), .run = asks_a_driver, .axes = { { "what", "streams pages registers names" } },
      .no_mutant = not_turned },
    { CK_RULE(face_source), .name = "cuda", .cuda = "$ one;", .accept = "good|bad", .refuse = "bad|good|because",
      .says = "because" },
    { CK_RULE(face_source), .name = "holds", .cuda = "good $;", .accept = "one|two", .holds = "one !two" },
    { CK_RULE(face_source), .name = "none", .cuda = "good $;", .accept = "three|two", .holds = "!two" },
    { CK_RULE(face_source), .name = "end", .cuda = "$;", .accept = "endless|unknown" },
    { CK_RULE(face_source), .name = "axis", .cuda = "good ${colour};", .accept = "one" },
    { CK_RULE(face_source_seen), .name = "words", .cuda = "good $;", .seen = "one|three", .holds = "one two" },
    { CK_RULE(face_source_seen), .name = "tile", .compile = "good $;", .seen = "one", .options = "-O$" },
    { CK_RULE(face_needs), .run = launches, .axes = { { "kernel", "copy" } }, .no_mutant = not_turned },
    { CK_RULE(face_two), .run = launches, .axes = { { "kernel", "copy" } }, .no_mutant = not_turned },
    { CK_RULE(face_open), .run = launches, .axes = { { "kernel", "fault refused sleep die before" } },
      .breaches = { { "odd", "x", .set = "kernel=copy", .only = "kernel=refused", .varies = true } } },
    { CK_RULE(face_open), .name = "encode", .run = encodes, .axes = { { "rank", "6" } } },
    { 0 },
};
const struct ck_suite face_suite = { "face", cases };
// SPDX-License-Identifier: Apache-2.0
