/* Atomic sums of two halves at once, whose addend comes from different registers. */
#include <stdio.h>
#include <string.h>

#include "expected/reduce.h"
#include "harness/ck.h"
#include "kernels/atom_packed.h"

#define SHARED                                                                                                         \
    "atom.shared.add.noftz.f16x2 atom.shared.add.noftz.bf16x2 red.shared.add.noftz.f16x2 red.shared.add.noftz.bf16x2 "
#define GENERIC "atom.add.noftz.f16x2 atom.add.noftz.bf16x2 red.add.noftz.f16x2 red.add.noftz.bf16x2 "
#define GLOBAL                                                                                                         \
    "atom.global.add.noftz.f16x2 atom.global.add.noftz.bf16x2 red.global.add.noftz.f16x2 red.global.add.noftz.bf16x2"

/* Four numbers in 64 bits, no two of which are alike, and two numbers in memory: all sums are exact. */
static const uint64_t addends_f16 = 0x4800440040003C00, addends_bf16 = 0x4100408040003F80;
static const uint32_t held_f16 = 0x4C004E00, held_bf16 = 0x41804200;

static uint32_t form_of(struct ck *t)
{
    static const char *const forms[] = {
#define TEXT(form, result) form,
        ATOM_PACKED_FORMS(TEXT)
#undef TEXT
    };
    uint32_t i = 0;

    while (i + 1 < sizeof forms / sizeof *forms && !ck_is(t, "form", forms[i]))
        i++;
    return i;
}

/* The sums of both halves, each by itself. */
static uint32_t sums(bool bf16, uint32_t a, uint32_t b)
{
    const struct reduction add = { REDUCE_ADD, bf16 ? REDUCE_BF16 : REDUCE_F16 };

    return (uint32_t)reduce_element(add, a & 0xFFFF, b & 0xFFFF) | (uint32_t)reduce_element(add, a >> 16, b >> 16)
                                                                       << 16;
}

/* Launches, with the addend from the axis `addend`; returns the word that memory holds then. */
static uint32_t sum_of(struct ck *t, const char *kernel, uint32_t *expected)
{
    const struct ck_buf addend = ck_input(t, 16), word = ck_output(t, 16);
    const bool bf16 = form_of(t) & 1;
    const uint64_t addends = bf16 ? addends_bf16 : addends_f16;
    const struct atom_packed_args a = { .addend = addend.device, .word = word.device, .form = form_of(t) };
    uint32_t held = bf16 ? held_bf16 : held_f16;

    memcpy(addend.host, &addends, sizeof addends);
    memcpy(word.host, &held, sizeof held);
    ck_changed(t, addend);
    ck_changed(t, word);
    *expected = sums(bf16, held, (uint32_t)(ck_is(t, "addend", "high") ? addends >> 32 : addends));
    ck_launch(t, &(struct ck_launch){ .kernel = kernel, .block = { 1 }, .smem = 16, .args = &a, .size = sizeof a });
    memcpy(&held, word.host, sizeof held);
    return held;
}

/* An atomic of two halves adds both of the addend's, which is in a register of its own. */
static void from_own_register(struct ck *t)
{
    uint32_t expected;
    const uint32_t got = sum_of(t, "atom_packed_own", &expected);

    ck_expect(t, "sums", got, expected);
}

/* The same where the addend is one half of a 64-bit register, and memory is global. */
static void from_half(struct ck *t)
{
    uint32_t expected;
    const char *const high = ck_variant(t, "other-half") ? "low" : "high";
    const uint32_t got = sum_of(t, ck_is(t, "addend", high) ? "atom_packed_high" : "atom_packed_low", &expected);

    ck_expect(t, "sums", got, expected);
}

/* The same in shared memory, where compilers make a loop of the atomic. What comes out is recorded: compilers take the
 * wrong bits of the 64. */
static void from_half_in_shared(struct ck *t)
{
    uint32_t expected;
    const uint32_t got = sum_of(t, ck_is(t, "addend", "high") ? "atom_packed_high" : "atom_packed_low", &expected);

    if (got == expected)
        ck_see(t, "both sums are right");
    else
        ck_see(t, "%x, not %x", got, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(access_packed_addend), .run = from_own_register,
      .axes = { { "form", SHARED GENERIC GLOBAL }, { "addend", "own" } },
      .mutants = { { "other-half", "load the other half", .kernel = "other_half" } } },
    { CK_RULE(access_packed_addend), .name = "global", .run = from_half,
      .axes = { { "form", GLOBAL }, { "addend", "low high" } },
      .mutants = { { "other-half", "take the other half" } } },
    { CK_RULE(access_packed_addend), .name = "shared", .run = from_half_in_shared,
      .axes = { { "form", SHARED GENERIC }, { "addend", "low high" } }, .seen_only = true,
      .no_mutant = "what happens is recorded, whatever it is" },
    { 0 }
};

const struct ck_suite access_packed = { "access/packed", cases };
// SPDX-License-Identifier: Apache-2.0
