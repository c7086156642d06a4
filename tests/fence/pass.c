/* Data passed on from block to block by flags and tickets: which fences must be between two blocks. And ordinary
 * accesses: which addresses they may have. What a machine does in a breach is recorded. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/fence.h"

enum { WORDS = 64 };

static uint32_t word_of(const struct ck_buf *b, size_t i)
{
    uint32_t w;

    memcpy(&w, b->host + 4 * i, sizeof w);
    return w;
}

static enum ck_end launch(struct ck *t, const char *kernel, const struct fence_args *a, uint32_t blocks,
                          uint32_t threads)
{
    return ck_launch(t, &(struct ck_launch){
                            .kernel = kernel, .grid = { blocks }, .block = { threads }, .args = a, .size = sizeof *a });
}

/* Records, for a breach, whether what came out is what the conforming form gives. */
static void see(struct ck *t, bool same)
{
    ck_see(t, same ? "as conforming" : "differs");
}

/* The first block writes data, fences and raises a flag; each of the others sees the flag, fences and reads this
 * data. */
static void pass_on(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    const size_t size = (size_t)(blocks - 1) * WORDS * 4;
    const struct ck_buf in = ck_input(t, WORDS * 4 + 4), data = ck_output(t, WORDS * 4), out = ck_output(t, size);
    const struct fence_args a = { .in = in.device + (ck_variant(t, "source") ? 4 : 0),
                                  .data = data.device,
                                  .flag = ck_zeroed(t, 4).device,
                                  .out = out.device,
                                  .words = WORDS };
    unsigned char *expected = ck_alloc(t, size);

    for (size_t at = 0; at < size; at += WORDS * 4)
        memcpy(expected + at, in.host, WORDS * 4);
    if (launch(t, "fence_pass", &a, blocks, 32) != CK_DONE)
        return;
    if (ck_conforming(t))
        ck_equal(t, out, expected);
    else
        see(t, !memcmp(out.host, expected, size));
}

/* Each block writes its word, fences and draws a ticket; the block that draws the last one fences and adds all words
 * up, and the sum is right. */
static void ticket(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    const struct ck_buf in = ck_input(t, blocks * 4), data = ck_output(t, blocks * 4), out = ck_output(t, 4);
    const struct fence_args a = {
        .in = in.device, .data = data.device, .flag = ck_zeroed(t, 4).device, .out = out.device
    };
    uint32_t sum = ck_variant(t, "sum");

    for (uint32_t i = 0; i < blocks; i++)
        sum += word_of(&in, i);
    if (launch(t, "fence_ticket", &a, blocks, 32) != CK_DONE)
        return;
    if (ck_conforming(t))
        ck_expect(t, "sum", word_of(&out, 0), sum);
    else
        see(t, word_of(&out, 0) == sum);
}

/* Every thread of every block counts itself with an atomic addition: none is lost. The breach reads, adds and
 * writes, and loses some. */
static void count(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks"), threads = (uint32_t)ck_int(t, "threads");
    const struct ck_buf data = ck_zeroed(t, 4);
    const struct fence_args a = { .data = data.device };

    ck_no_digest(t); /* without atomics the count is another each time */
    if (launch(t, "fence_count", &a, blocks, threads) != CK_DONE)
        return;
    if (ck_conforming(t))
        ck_expect(t, "count", word_of(&data, 0), blocks * threads + ck_variant(t, "count"));
    else
        see(t, word_of(&data, 0) == blocks * threads);
}

/* A word is loaded from an address that is a multiple of its size, inside its buffer: it is the word that is there.
 * The breaches load from between two words, or from an address in no buffer. */
static void load(struct ck *t)
{
    const struct ck_buf in = ck_input(t, 64), out = ck_output(t, 4);
    const bool far = ck_variant(t, "far");
    const size_t offset = far ? 0 : (size_t)ck_int(t, "offset");
    const struct access_args a = { .in = far ? 4096 : in.device, .out = out.device, .offset = offset };

    if (ck_launch(t, &(struct ck_launch){ .kernel = "access_load", .block = { 32 }, .args = &a, .size = sizeof a }) !=
        CK_DONE)
        return;
    if (ck_conforming(t))
        ck_expect(t, "word", word_of(&out, 0), word_of(&in, offset / 4 + ck_variant(t, "next")));
}

static const struct ck_case cases[] = {
    { CK_RULE(fence_mp), .run = pass_on, .axes = { { "blocks", "2 17 64" } },
      .mutants = { { "source", "write what lies one word further on" } },
      .breaches = { { "no-fence", "leave both fences out", .kernel = "no_fence", .varies = true },
                    { "cta-scope", "fence at cta scope", .kernel = "cta_scope", .varies = true } } },
    { CK_RULE(fence_mp), .name = "ticket", .run = ticket, .axes = { { "blocks", "2 64" } },
      .mutants = { { "sum", "expect one more" } },
      .breaches = { { "no-fence", "leave both fences out", .kernel = "no_fence", .varies = true } } },
    { CK_RULE(order_data_race), .run = count, .axes = { { "blocks", "1 2 64" }, { "threads", "32 256" } },
      .mutants = { { "count", "expect one more" } },
      .breaches = { { "plain", "read, add and write", .kernel = "plain", .varies = true } } },
    { CK_RULE(access_align), .run = load, .axes = { { "offset", "0 4 60" } },
      .mutants = { { "next", "expect the next word", .only = "offset=0/4" } },
      .breaches = { { "odd", "load from an odd address", .set = "offset=1", .only = "offset=0", .faults = true },
                    { "half", "load from two bytes further on", .set = "offset=2", .only = "offset=0",
                      .faults = true } } },
    { CK_RULE(access_bounds), .run = load, .axes = { { "offset", "0 60" } },
      .mutants = { { "next", "expect the next word", .only = "offset=0" } },
      .breaches = { { "far", "load from address 4096", .only = "offset=0", .faults = true } } },
    { 0 }
};

const struct ck_suite fence_pass = { "fence/pass", cases };
// SPDX-License-Identifier: Apache-2.0
