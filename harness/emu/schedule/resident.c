/* How many CTAs of a grid an H200 holds at a time. CUDA Programming Guide, Compute Capabilities: 9.0.
 *
 * How many registers a thread takes is not in PTX: without .maxnreg they set no limit here, so that a device may hold
 * fewer CTAs. That the CTAs of a cluster share a part of the device (a GPC) is not modelled either. */
#include "harness/emu/schedule/resident.h"

#include "harness/emu/machine/image.h"
#include "harness/emu/machine/shared.h"
#include "harness/emu/machine/thread.h"

/* Of one multiprocessor: CTAs, threads, 32-bit registers, bytes of shared memory. The system's part of a CTA's shared
 * memory is EMU_SHARED_BASE bytes. */
enum { MULTIPROCESSORS = 132, CTAS = 32, THREADS = 2048, REGISTERS = 64 << 10, SHARED = 228 << 10 };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t size_of(const struct emu_grid *g)
{
    return (uint64_t)g->cluster_dim[0] * g->cluster_dim[1] * g->cluster_dim[2];
}

static uint64_t ctas_of_multiprocessor(const struct emu_grid *g)
{
    const uint64_t threads = emu_warps_of(g->block[0] * g->block[1] * g->block[2]) * EMU_WARP;
    const uint64_t shared = emu_shared_of(emu_image_of(g->machine, g->module), g->entry)->dynamic + g->smem;
    uint64_t n = least(CTAS, THREADS / threads);

    n = least(n, SHARED / (shared > EMU_SHARED_BASE ? shared : EMU_SHARED_BASE));
    if (g->entry->maxnreg)
        n = least(n, REGISTERS / (g->entry->maxnreg * threads));
    return n ? n : 1;
}

uint64_t emu_most_resident(const struct emu_grid *g)
{
    const uint64_t most = MULTIPROCESSORS * ctas_of_multiprocessor(g), chosen = g->machine->options.resident;
    const uint64_t clusters = (chosen ? least(chosen, most) : most) / size_of(g);

    return clusters ? clusters : 1;
}

uint64_t emu_first_resident(const struct emu_grid *g)
{
    const uint64_t one_each = MULTIPROCESSORS / size_of(g), most = emu_most_resident(g);

    return one_each ? least(one_each, most) : 1;
}
// SPDX-License-Identifier: Apache-2.0
