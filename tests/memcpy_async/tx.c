/* cuda::device::memcpy_async_tx: the copy, and the bytes that the program announces itself. */
#include <string.h>

#include "harness/ck.h"
#include "kernels/libcu_memcpy.h"

enum { BARRIER = 64 };

/* One thread copies and announces the bytes, with the arrival or by itself, before or after; when the threads have
 * waited, the bytes are there and no others changed. The variants announce another number, or nothing, or take memory
 * of another kind. */
static void tx(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "bytes"), dst = (uint32_t)ck_int(t, "dst");
    const uint32_t half = (size + dst + 255) / 256 * 256, image = 2 * half;
    struct ck_buf in = ck_input(t, image), far = ck_output(t, image), out = ck_output(t, image),
                  room = ck_zeroed(t, 256);
    unsigned char *want = ck_alloc(t, image);
    struct libcu_tx_args a = { .in = in.device,
                               .far = far.device,
                               .out = out.device,
                               .room = room.device,
                               .image = image,
                               .dst = dst,
                               .size = size,
                               .announced = (int32_t)size };

    a.order = ck_is(t, "order", "arrive-after")   ? LIBCU_TX_ARRIVE_AFTER
              : ck_is(t, "order", "expect-after") ? LIBCU_TX_EXPECT_AFTER
                                                  : LIBCU_TX_EXPECT_BEFORE;
    memset(want, CK_POISON, half);
    memcpy(want + half, in.host + half, half);
    memcpy(want + dst, in.host, size);
    if (ck_variant(t, "less"))
        a.announced -= 8; /* no part of the copy is that many bytes short */
    if (ck_variant(t, "more"))
        a.announced += 16;
    a.from_shared = ck_variant(t, "src-shared");
    a.to_global = ck_variant(t, "dst-global");
    a.global_barrier = ck_variant(t, "barrier-global");
    ck_launch(t, &(struct ck_launch){ .kernel = "libcu_tx",
                                      .block = { (uint32_t)ck_int(t, "threads") },
                                      .smem = image + BARRIER,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, out, want);
}

#define ORDERS                                                                                                         \
    {                                                                                                                  \
        "order", "arrive-after expect-after expect-before"                                                             \
    }

static const struct ck_case cases[] = {
    { CK_RULE(cxx_tx_copy), .run = tx,
      .axes = { { "bytes", "16 32 48 64 112 128 256 1024 4096" },
                { "dst", "0 16 112" },
                { "threads", "1 32 128" },
                ORDERS },
      .mutants = { { "less", "announce 8 bytes fewer" }, { "more", "announce 16 bytes more" } } },
    { CK_RULE(cxx_tx_no_expect), .run = tx,
      .axes = { { "bytes", "16 512 4096" }, { "dst", "=0" }, { "threads", "=32" }, ORDERS },
      .mutants = { { "more", "announce 16 bytes more" } },
      .breaches = { { "nothing", "announce nothing", .kernel = "no_expect", .varies = true,
                      .only = "order=arrive-after" } } },
    { CK_RULE(cxx_tx_spaces), .run = tx,
      .axes = { { "bytes", "16 512" }, { "dst", "=0" }, { "threads", "=32" }, { "order", "=arrive-after" } },
      .mutants = { { "more", "announce 16 bytes more" } },
      .breaches = { { "dst-global", "the destination is in global memory", .only = "bytes=512", .faults = true },
                    { "src-shared", "the source is in shared memory", .only = "bytes=512", .faults = true },
                    { "barrier-global", "the barrier is in global memory", .only = "bytes=512", .faults = true } } },
    { 0 },
};

const struct ck_suite memcpy_async_tx = { "memcpy-async-tx", cases };
// SPDX-License-Identifier: Apache-2.0
