/* L04: a ring of numbers is smoothed in steps, and each step is a phase of an mbarrier. */
#include "harness/lab/lab.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void smooth(struct lab_launch *l)
{
    const uint32_t threads = lab_draw(l, 32, 64, 32), rings = lab_draw(l, 1, 2, 1), steps = lab_draw(l, 4, 7, 1);
    const size_t count = (size_t)threads * rings, size = count * sizeof(float);
    const float *in = lab_floats(l, count);
    float *now = lab_room(l, size), *next = lab_room(l, size);

    memcpy(now, in, size);
    for (uint32_t k = 0; k < steps; k++) {
        for (size_t i = 0; i < count; i++) {
            const float *ring = now + i / threads * threads;
            next[i] = ring[(i % threads + threads - 1) % threads] + ring[(i + 1) % threads];
        }
        memcpy(now, next, size);
    }

    lab_grid(l, rings, 1, 1);
    lab_block(l, threads, 1, 1);
    lab_out(l, now, size, 0);
    lab_in(l, in, size);
    lab_u32(l, steps);
    lab_at_least(l, LAB_PHASES, (uint64_t)steps * rings, "the threads must meet at the mbarrier after each step");
    lab_remark(l, LAB_BARRIERS, rings, "one __syncthreads(), after the init, is enough: the steps have the mbarrier");
}

const struct lab lab_l04 = {
    .id = "L04",
    .folder = "L04-phase-parity",
    .file = "smooth.cu",
    .title = "Phase and parity",
    .kernel = "smooth",
    .prepare = { smooth },
};
// SPDX-License-Identifier: Apache-2.0
