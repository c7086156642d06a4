/* How a bulk copy's bytes count on its barrier. */
#include "kernels/bulk.h"
#include "tests/bulk/image.h"

enum { BLOCK = 32, TX_LIMIT = (1 << 20) - 1, PROBE = 200 * 1000 /* nanoseconds; a copy takes a few thousand */ };

/* Runs the steps; the barrier must flip once, at the end if `early` is false. */
static void do_tx_from(struct ck *t, struct ck_buf in, struct bulk_tx_args a, bool early)
{
    const uint32_t copied = a.early_copies * a.size + a.late_copies * a.late_size;
    const struct ck_buf out = ck_output(t, (size_t)copied + 64);
    const struct ck_buf flags = ck_output(t, 16);
    unsigned char *expected = poisoned(t, out.size);
    uint32_t got[3];

    memcpy(expected, in.host, copied);
    a.in = in.device;
    a.out = out.device;
    a.flags = flags.device;
    a.bytes = copied + 64;
    if (ck_launch(t,
                  &(struct ck_launch){
                      .kernel = "bulk_tx", .block = { BLOCK }, .smem = a.bytes + 16, .args = &a, .size = sizeof a }) ==
        CK_FAULT)
        return;
    memcpy(got, flags.host, sizeof got);
    ck_expect(t, "phase over before the last step", got[0], early);
    ck_expect(t, "phase over at the end", got[1], 1);
    ck_expect(t, "next phase over as well", got[2], 0);
    ck_equal(t, out, expected);
}

static void do_tx(struct ck *t, struct bulk_tx_args a, bool early)
{
    do_tx_from(t, ck_input(t, a.early_copies * a.size + a.late_copies * a.late_size), a, early);
}

/* The thread looks at the barrier once, right after the copy, whose source is far away. */
static void goes_on(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");

    do_tx_from(
        t, ck_slow_input(t, size),
        (struct bulk_tx_args){
            .size = size, .arrivals = 1, .early_expect = size, .early_arrive = 1, .early_copies = 1, .probe = 0 },
        false);
}

/* Sixteen bytes more are expected than the first copy brings; a second copy brings them. */
static void equals_size(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");

    do_tx(t,
          (struct bulk_tx_args){ .size = size,
                                 .arrivals = 1,
                                 .early_expect = size + (ck_variant(t, "exact") ? 0 : 16),
                                 .early_arrive = 1,
                                 .early_copies = 1,
                                 .late_copies = 1,
                                 .late_size = 16,
                                 .probe = PROBE },
          false);
}

/* All bytes are in before any are expected: the pending arrival keeps the phase open. */
static void late_expect(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size"), copies = (uint32_t)ck_int(t, "copies");

    do_tx(t,
          (struct bulk_tx_args){ .size = size,
                                 .arrivals = 1,
                                 .early_copies = copies,
                                 .early_arrive = ck_variant(t, "arrive"),
                                 .late_expect = copies * size * (ck_variant(t, "twice") ? 2 : 1),
                                 .late_arrive = !ck_variant(t, "arrive"),
                                 .probe = PROBE },
          false);
}

/* The expected bytes come to the limit. All but one copy's are completed by instruction: shared memory is smaller. */
static void at_limit(struct ck *t)
{
    const uint32_t size = 1024;
    const uint32_t all = ck_variant(t, "over") ? TX_LIMIT + 1 : (uint32_t)ck_int(t, "bytes");

    do_tx(t,
          (struct bulk_tx_args){ .size = size,
                                 .arrivals = 1,
                                 .early_expect = all,
                                 .early_copies = 1,
                                 .complete = all - size,
                                 .late_expect = ck_variant(t, "more") ? 16 : 0,
                                 .late_arrive = 1,
                                 .probe = PROBE },
          false);
}

static void not_an_arrival(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size"), arrivals = (uint32_t)ck_int(t, "arrivals");

    do_tx(t,
          (struct bulk_tx_args){ .size = size,
                                 .arrivals = ck_variant(t, "fewer") ? arrivals - 1 : arrivals,
                                 .early_expect = size,
                                 .early_arrive = arrivals - 1,
                                 .early_copies = 1,
                                 .late_arrive = 1,
                                 .probe = PROBE },
          false);
}

static const struct ck_case cases[] = {
    { CK_RULE(bulk_nonblocking), .run = goes_on, .axes = { { "size", "16 1024 65536" } },
      .no_mutant = "how soon the bytes are there is recorded, whatever it is" },
    { CK_RULE(bulk_tx_equals_size), .run = equals_size,
      .axes = { { "size", "16 32 48 64 128 256 1024 4096 16384 65536" } },
      .mutants = { { "exact", "expect no byte more than the first copy brings" } } },
    { CK_RULE(bulk_tx_late_expect), .run = late_expect, .axes = { { "size", "16 1024 65536" }, { "copies", "1" } },
      .mutants = { { "arrive", "the last arrival before the bytes are expected" } } },
    { CK_RULE(bulk_tx_signed), .run = late_expect, .axes = { { "size", "16 1024" }, { "copies", "2 3 8 64" } },
      .mutants = { { "twice", "expect twice the bytes" } } },
    { CK_RULE(bulk_tx_limit), .run = at_limit, .axes = { { "bytes", "1048560 1048575" } },
      .mutants = { { "more", "expect 16 bytes that nothing brings", .only = "bytes=1048560" } },
      .breaches = { { "over", "expect 2^20 bytes", .only = "bytes=1048560", .faults = true } } },
    { CK_RULE(bulk_tx_not_an_arrival), .run = not_an_arrival,
      .axes = { { "size", "16 4096" }, { "arrivals", "2 3 8" } },
      .mutants = { { "fewer", "one arrival fewer than the barrier was made for" } } },
    { 0 }
};

const struct ck_suite bulk_tx = { "bulk-tx", cases };
