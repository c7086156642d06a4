/* L03: threads meet at an mbarrier, whose bytes serve another purpose afterwards. */
#include "harness/lab/lab.h"

#include <stddef.h>
#include <stdint.h>

static void roughness(struct lab_launch *l)
{
    const uint32_t threads = lab_draw(l, 64, 128, 32), lines = lab_draw(l, 1, 3, 1);
    const size_t count = (size_t)threads * lines;
    const float *in = lab_floats(l, count);
    float *out = lab_room(l, lines * sizeof *out);

    for (uint32_t line = 0; line < lines; line++) {
        const float *x = in + (size_t)line * threads;
        for (uint32_t t = 0; t < threads; t++)
            out[line] += x[t] * x[t] - x[t] * x[(t + 1) % threads];
    }

    lab_grid(l, lines, 1, 1);
    lab_block(l, threads, 1, 1);
    lab_out(l, out, lines * sizeof *out, 0);
    lab_in(l, in, count * sizeof *in);
    lab_at_least(l, LAB_PHASES, lines, "the threads must wait for each other at the mbarrier");
    lab_remark(l, LAB_BARRIERS, 4 * (uint64_t)lines,
               "four __syncthreads() are enough: after init, before and after inval, before the sum");
}

const struct lab lab_l03 = {
    .id = "L03",
    .folder = "L03-mbarrier-life",
    .file = "roughness.cu",
    .title = "The life of an mbarrier",
    .kernel = "roughness",
    .prepare = { roughness },
};
// SPDX-License-Identifier: Apache-2.0
