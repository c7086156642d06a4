/* The listings of the notes 004, first half: the forms of cp.async, and PTX. */
#include <string.h>

#include "tests/listings/numbers.h"
#include "tests/listings/page.h"

/* 16 bytes of each thread, from the last one to the first one. */
static void ptx_basic(struct ck *t)
{
    const size_t threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, threads * 16), out = ck_output(t, in.size);
    unsigned char *const want = ck_alloc(t, in.size);

    for (size_t i = 0; i < threads; i++)
        memcpy(want + i * 16, in.host + (threads - 1 - i) * 16, 16);
    page_numbers(t, "ptx_basic", 1, (int64_t)threads, in, out);
    ck_equal(t, out, want);
}

/* What comes out begins 64 bytes further. */
static void ptx_prefetch(struct ck *t)
{
    const size_t threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, 64 + threads * 16), out = ck_output(t, threads * 16);

    page_numbers(t, "ptx_prefetch", 1, (int64_t)threads, in, out);
    ck_equal(t, out, in.host + 64);
}

/* Three numbers of each row of four, and a zero. */
static void src_size_tail(struct ck *t)
{
    const size_t threads = (size_t)ck_int(t, "threads");
    const struct ck_buf in = ck_input(t, threads * 16), out = ck_output(t, in.size);
    unsigned char *const want = ck_alloc(t, in.size);

    for (size_t i = 0; i < threads; i++)
        memcpy(want + i * 16, in.host + i * 16, 12);
    page_numbers(t, "src_size_tail", 1, (int64_t)threads, in, out);
    ck_equal(t, out, want);
}

/* The array, and zeros up to the end of what the threads copy. */
static void ptx_srcsize(struct ck *t)
{
    const size_t bytes = (size_t)ck_int(t, "bytes");
    const struct ck_buf in = ck_input(t, bytes), out = ck_output(t, 512);
    unsigned char *const want = ck_alloc(t, 512);

    memcpy(want, in.host, bytes);
    page_numbers_n(t, "ptx_srcsize", 1, 32, in, out, (int64_t)bytes);
    ck_equal(t, out, want);
}

/* The 16 bytes of each thread below valid_count, and zeros; behind the source there is no memory. */
static void ignore_src(struct ck *t)
{
    const size_t valid = (size_t)ck_int(t, "valid");
    const struct ck_buf in = ck_edge_input(t, valid * 16), out = ck_output(t, 1024);
    unsigned char *const want = ck_alloc(t, 1024);

    memcpy(want, in.host, valid * 16);
    page_numbers_n(t, "ignore_src", 1, 64, in, out, (int64_t)valid);
    ck_equal(t, out, want);
}

/* Tiles of 30 pieces and of one more on both sides; zeros past the ends. Behind the row there is no memory; where the
 * mutant reads there is some. */
static void ptx_ignsrc(struct ck *t)
{
    const size_t n = (size_t)ck_int(t, "pieces"), tiles = (n + 29) / 30;
    const struct ck_buf in = ck_variant(t, "high") ? ck_input(t, n * 16) : ck_edge_input(t, n * 16);
    const struct ck_buf out = ck_output(t, tiles * 512);
    unsigned char *const want = ck_alloc(t, out.size);

    for (size_t i = 0; i < tiles * 32; i++) {
        const size_t piece = i / 32 * 30 + i % 32; /* counted from 1 */
        if (piece >= 1 && piece <= n)
            memcpy(want + i * 16, in.host + (piece - 1) * 16, 16);
    }
    page_numbers_n(t, "ptx_ignsrc", (int64_t)tiles, 32, in, out, (int64_t)n);
    ck_equal(t, out, want);
}

/* The rows of a random list; every third number is -1, and gives zeros. */
static void gather_rows(struct ck *t)
{
    const size_t threads = (size_t)ck_int(t, "threads"), count = 16;
    const struct ck_buf rows = ck_input(t, count * 16), list = ck_input(t, threads * 4);
    const struct ck_buf out = ck_output(t, threads * 16);
    unsigned char *const want = ck_alloc(t, out.size);
    struct {
        uint64_t rows, list, out;
    } a = { rows.device, list.device, out.device };

    for (size_t i = 0; i < threads; i++) {
        const uint32_t row = (uint32_t)(ck_random(t) % count);
        set_number(list.host, i, i % 3 ? row : UINT32_MAX);
        if (i % 3)
            memcpy(want + i * 16, rows.host + row * 16, 16);
    }
    ck_changed(t, list);
    PAGE_LAUNCH(t, "gather_rows", 1, threads, a);
    ck_equal(t, out, want);
}

#define NO_WAIT                                                                                                        \
    {                                                                                                                  \
        "no-wait", "no wait before the read", .kernel = "no_wait", .varies = true                                      \
    }

static const struct ck_case cases[] = {
    /* ---- the forms of cp.async ---- */
    { CK_LISTING(004_cpasync_syntax_ca), .name = "place", .assemble = "cp.async.ca$ [sa], [g], 16;", .version = "7.8",
      .target = "sm_90", .accept = ".shared.global|.shared::cta.global",
      .refuse = ".shared::cluster.global|.global.shared|.shared" },
    { CK_LISTING(004_cpasync_syntax_ca), .name = "size", .assemble = "cp.async.ca.shared.global [sa], [g]$;",
      .accept = ", 4|, 8|, 16|, 16, n|, 4, 3", .refuse = "|, n|, 12|, 32" },
    { CK_LISTING(004_cpasync_syntax_ca), .name = "prefetch", .assemble = "cp.async.ca.shared.global$ [sa], [g], 8;",
      .version = "7.4", .accept = "|.L2::64B|.L2::128B|.L2::256B", .refuse = ".L2|.L2::512B|.L1::128B" },
    { CK_LISTING(004_cpasync_syntax_ca), .name = "policy",
      .assemble = "cp.async.ca.shared.global.L2::cache_hint$ [sa], [g], 8${rest};", .version = "7.4",
      .accept = "|.L2::128B", .refuse = ".L2::cache_hint|.L2", .axes = { { "rest", ",pol ,n,pol" } } },
    { CK_LISTING(004_cpasync_syntax_ca), .name = "no-policy",
      .assemble = "cp.async.ca.shared.global$ [sa], [g], 8, pol;", .version = "7.4", .accept = ".L2::cache_hint",
      .refuse = "|.L2::128B" },
    { CK_LISTING(004_cpasync_syntax_cg), .name = "place", .assemble = "cp.async.cg$ [sa], [g], 16;", .version = "7.8",
      .target = "sm_90", .accept = ".shared.global|.shared::cta.global",
      .refuse = ".shared::cluster.global|.global.shared|.shared" },
    { CK_LISTING(004_cpasync_syntax_cg), .name = "size", .assemble = "cp.async.cg.shared.global [sa], [g]$;",
      .accept = ", 16|, 16, n|, 16, 3", .refuse = "|, n|, 4|, 8|, 8, 4|, 32" },
    { CK_LISTING(004_cpasync_syntax_cg), .name = "prefetch", .assemble = "cp.async.cg.shared.global$ [sa], [g], 16;",
      .version = "7.4", .accept = "|.L2::64B|.L2::128B|.L2::256B", .refuse = ".L2|.L2::512B|.L1::128B" },
    { CK_LISTING(004_cpasync_syntax_cg), .name = "policy",
      .assemble = "cp.async.cg.shared.global.L2::cache_hint$ [sa], [g], 16${rest};", .version = "7.4",
      .accept = "|.L2::128B", .refuse = ".L2::cache_hint|.L2", .axes = { { "rest", ",pol ,n,pol" } } },
    { CK_LISTING(004_cpasync_syntax_cg), .name = "no-policy",
      .assemble = "cp.async.cg.shared.global$ [sa], [g], 16, pol;", .version = "7.4", .accept = ".L2::cache_hint",
      .refuse = "|.L2::128B" },
    { CK_LISTING(004_cpasync_syntax_ignsrc), .name = "ca", .assemble = "cp.async.ca.shared.global [sa], [g], ${size}$;",
      .accept = "|, p", .refuse = ", true|, p, n|, n, p", .axes = { { "size", "4 8 16" } } },
    { CK_LISTING(004_cpasync_syntax_ignsrc), .name = "cg", .assemble = "cp.async.cg.shared.global [sa], [g], ${size}$;",
      .accept = "|, p", .refuse = ", true|, p, n|, n, p", .axes = { { "size", "16" } } },

    /* ---- PTX ---- */
    { CK_LISTING(004_src_size_tail), .run = src_size_tail, .axes = { { "threads", "1..33 64 128 256" } },
      .mutants = { { "last", "give out the fourth number alone", .kernel = "last" } },
      .breaches = { { "dense", "rows of 12 bytes, one behind the other", .kernel = "dense", .only = "threads=7/32",
                      .faults = true },
                    NO_WAIT } },
    { CK_LISTING(004_ignore_src), .run = ignore_src, .axes = { { "valid", "1..64" } },
      .mutants = { { "fewer", "ignore the source of the thread before valid_count too", .kernel = "fewer" } },
      .breaches = { { "one-more", "let the thread valid_count copy too", .kernel = "one_more", .only = "valid=1/33/63",
                      .faults = true },
                    NO_WAIT } },
    { CK_LISTING(004_inline_ignore_src), .run = gather_rows,
      .axes = { { "threads", "1 2 3 31 32 33 64 100 128 255 256" } },
      .mutants = { { "all", "ignore nothing", .kernel = "all" } }, .breaches = { NO_WAIT } },
    { CK_LISTING(004_ptx_basic), .run = ptx_basic, .axes = { { "threads", "2..34 64 128 256" } },
      .mutants = { { "straight", "each thread reads its own piece", .kernel = "straight" } },
      .breaches = { { "no-wait", "no wait before the barrier", .kernel = "no_wait", .varies = true },
                    { "no-sync", "no barrier before others' pieces are read", .kernel = "no_sync", .varies = true } } },
    { CK_LISTING(004_ptx_prefetch), .run = ptx_prefetch, .axes = { { "threads", "1..33 64 128 256" } },
      .mutants = { { "near", "copy from 64 bytes before", .kernel = "near" } }, .breaches = { NO_WAIT } },
    { CK_LISTING(004_ptx_srcsize), .run = ptx_srcsize, .axes = { { "bytes", "1..66 100 255 256 400 511 512" } },
      .mutants = { { "whole", "copy whole pieces only", .kernel = "whole",
                     .only = "bytes=1/2/3/4/8/15/17/31/33/511" } },
      .breaches = { { "unclamped", "give all that is left as the source size", .kernel = "unclamped",
                      .only = "bytes=32/100/511" },
                    { "no-wait", "no wait before the read", .kernel = "no_wait", .only = "bytes=1/16/512",
                      .varies = true } } },
    { CK_LISTING(004_ptx_ignsrc), .run = ptx_ignsrc, .axes = { { "pieces", "1..62 100" } },
      .mutants = { { "high", "look at the high end only", .kernel = "high" } },
      .breaches = { { "low", "look at the low end only: the piece behind the row is read", .kernel = "low",
                      .only = "pieces=1/29/100", .faults = true },
                    NO_WAIT } },
    { 0 }
};

const struct ck_suite listings_004_ptx = { "listings-004-ptx", cases };
// SPDX-License-Identifier: Apache-2.0
