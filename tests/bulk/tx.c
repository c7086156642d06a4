/* How a bulk copy's bytes count on its barrier. */
#include "kernels/bulk.h"
#include "tests/bulk/image.h"

enum { BLOCK = 32, TX_LIMIT = (1 << 20) - 1, PROBE = 200 * 1000 /* nanoseconds; a copy takes a few thousand */ };

/* Runs the kernel, whose pieces are the input. The barrier must flip once, and not before the last step. */
static void do_tx(struct ck *t, const char *kernel, struct ck_buf in, struct bulk_tx_args a)
{
    const struct ck_buf out = ck_output(t, in.size + 64);
    const struct ck_buf flags = ck_output(t, 16);
    unsigned char *expected = poisoned(t, out.size);
    uint32_t got[3];

    memcpy(expected, in.host, in.size);
    a.in = in.device;
    a.out = out.device;
    a.flags = flags.device;
    a.bytes = (uint32_t)out.size;
    if (ck_launch(t,
                  &(struct ck_launch){
                      .kernel = kernel, .block = { BLOCK }, .smem = a.bytes + 16, .args = &a, .size = sizeof a }) ==
        CK_FAULT)
        return;
    memcpy(got, flags.host, sizeof got);
    ck_expect(t, "phase over before the last step", got[0], 0);
    ck_expect(t, "phase over at the end", got[1], 1);
    ck_expect(t, "next phase over as well", got[2], 0);
    ck_equal(t, out, expected);
}

/* The thread loads from far away, and looks at the barrier once, right behind the load. It may go on before the copy is
 * complete, so the phase is still open. */
static void goes_on(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");

    do_tx(t, "bulk_tx_once", ck_slow_input(t, size), (struct bulk_tx_args){ .size = size, .expect = size, .probe = 0 });
}

/* Sixteen bytes more are expected than the first copy brings; a second copy brings them. A copy takes exactly its own
 * number of bytes off what is expected, so the phase ends with the second copy. */
static void equals_size(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");
    const uint32_t more = ck_variant(t, "exact") ? 0 : 16;

    do_tx(t, "bulk_tx_two", ck_input(t, size + 16),
          (struct bulk_tx_args){ .size = size, .expect = size + more, .probe = PROBE });
}

/* All bytes are there before any are expected. The pending arrival keeps the phase open, and the count of bytes goes
 * below zero meanwhile; with the bytes expected and the arrival made, the phase ends. */
static void late_expect(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size"), copies = (uint32_t)ck_int(t, "copies");
    const uint32_t times = ck_variant(t, "twice") ? 2 : 1;

    do_tx(t, "bulk_tx_late", ck_input(t, copies * size),
          (struct bulk_tx_args){ .size = size, .copies = copies, .expect = copies * size * times, .probe = PROBE });
}

/* The expected bytes come to the limit of 2^20 - 1, and the phase still ends when all are there. A load brings the
 * first of them, and an instruction completes the others: shared memory is smaller. The breach expects one byte more
 * than the limit. */
static void at_limit(struct ck *t)
{
    const uint32_t size = 1024;
    const uint32_t all = ck_variant(t, "over") ? TX_LIMIT + 1 : (uint32_t)ck_int(t, "bytes");

    do_tx(t, "bulk_tx_limit", ck_input(t, size),
          (struct bulk_tx_args){ .size = size, .expect = all, .complete = all - size, .probe = PROBE });
}

/* All bytes are there, and all arrivals but one. A copy's completion is no arrival: the phase stays open until the last
 * arrival comes. */
static void not_an_arrival(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size"), arrivals = (uint32_t)ck_int(t, "arrivals");
    const uint32_t fewer = ck_variant(t, "fewer") ? 1 : 0;

    do_tx(t, "bulk_tx_arrivals", ck_input(t, size),
          (struct bulk_tx_args){
              .size = size, .expect = size, .arrivals = arrivals - fewer, .early = arrivals - 1, .probe = PROBE });
}

static const struct ck_case cases[] = {
    { CK_RULE(bulk_nonblocking), .run = goes_on, .axes = { { "size", "16 1024 65536" } },
      .no_mutant = "how soon the bytes are there is recorded, whatever it is" },
    { CK_RULE(bulk_tx_equals_size), .run = equals_size,
      .axes = { { "size", "16 32 48 64 128 256 1024 4096 16384 65536" } },
      .mutants = { { "exact", "expect no byte more than the first copy brings" } } },
    { CK_RULE(bulk_tx_late_expect), .run = late_expect, .axes = { { "size", "16 1024 65536" }, { "copies", "1" } },
      .mutants = { { "arrive", "the last arrival before the bytes are expected", .kernel = "arrive_first" } } },
    { CK_RULE(bulk_tx_signed), .run = late_expect, .axes = { { "size", "16 1024" }, { "copies", "2 3 8 64" } },
      .mutants = { { "twice", "expect twice the bytes" } } },
    { CK_RULE(bulk_tx_limit), .run = at_limit, .axes = { { "bytes", "1048560 1048575" } },
      .mutants = { { "more", "expect 16 bytes that nothing brings", .kernel = "more", .only = "bytes=1048560" } },
      .breaches = { { "over", "expect 2^20 bytes", .only = "bytes=1048560", .faults = true } } },
    { CK_RULE(bulk_tx_not_an_arrival), .run = not_an_arrival,
      .axes = { { "size", "16 4096" }, { "arrivals", "2 3 8" } },
      .mutants = { { "fewer", "one arrival fewer than the barrier was made for" } } },
    { 0 }
};

const struct ck_suite bulk_tx = { "bulk-tx", cases };
// SPDX-License-Identifier: Apache-2.0
