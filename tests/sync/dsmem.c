/* The shared memory of other CTAs: a CTA may use it from a first barrier of the cluster to a last one, and only that of
 * ranks which the cluster has. */
#include "harness/ck.h"
#include "kernels/dsmem.h"

enum { THREADS = 64, SLOW = 20000 };

/* Between two barriers of the cluster every thread writes a word into the shared memory of the next CTA, then reads
 * its own place and that one: it finds the word of the CTA before, and the one that it wrote. The breaches leave out
 * a barrier, or map to a rank that the cluster does not have. */
static void exchange(struct ck *t)
{
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas");
    const struct ck_buf out = ck_output(t, 2 * ctas * THREADS * 4);
    const struct dsmem_args a = { .out = out.device, .delay = SLOW };
    uint32_t *expected = ck_alloc(t, out.size);

    for (uint32_t cta = 0; cta < ctas; cta++)
        for (uint32_t i = 0; i < THREADS; i++) {
            expected[2 * cta * THREADS + i] = (cta + ctas - 1) % ctas * 4096 + i + 1;
            expected[(2 * cta + 1) * THREADS + i] = cta * 4096 + i + 1;
        }
    if (ck_launch(t, &(struct ck_launch){ .kernel = "dsmem_exchange",
                                          .grid = { ctas },
                                          .cluster = { ctas },
                                          .block = { THREADS },
                                          .smem = 4 * THREADS,
                                          .args = &a,
                                          .size = sizeof a }) == CK_DONE)
        ck_equal(t, out, expected);
}

#define WRITES_OWN "own", "write into the own shared memory", .kernel = "own"

static const struct ck_case cases[] = {
    { CK_RULE(dsmem_entry), .run = exchange, .axes = { { "ctas", "2 4 8" } }, .mutants = { { WRITES_OWN } },
      .breaches = { { "at-once", "no barrier before the first access", .kernel = "no_entry", .faults = true,
                      .varies = true } } },
    { CK_RULE(dsmem_exit), .run = exchange, .axes = { { "ctas", "2 4 8" } }, .mutants = { { WRITES_OWN } },
      .breaches = { { "leave", "no barrier behind the last access", .kernel = "no_exit", .faults = true,
                      .varies = true } } },
    { CK_RULE(dsmem_rank_range), .run = exchange, .axes = { { "ctas", "2 4 8" } }, .mutants = { { WRITES_OWN } },
      .breaches = { { "beyond", "map to the rank behind the last", .kernel = "beyond", .faults = true } } },
    { 0 },
};

const struct ck_suite sync_dsmem_cases = { "sync/dsmem", cases };
// SPDX-License-Identifier: Apache-2.0
