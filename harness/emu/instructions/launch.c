/* Launches by kernels. CUDA Programming Guide, "CUDA Dynamic Parallelism". */
#include "harness/emu/instructions/launch.h"

#include <string.h>

#include "harness/emu/machine/address.h"
#include "harness/emu/machine/children.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/heap.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

enum { SUCCESS = 0, NO_MEMORY = 2, MOST_THREADS = 1024 }; /* cudaSuccess, cudaErrorMemoryAllocation */

/* Streams that are no objects: cudaStreamTailLaunch, cudaStreamFireAndForget. A stream that a kernel makes has a number
 * behind theirs. */
enum { TAIL_LAUNCH = 3, FIRST_STREAM = 64 };

/* The whole numbers of an extent; false where it is empty or too large. */
static bool extent_of(struct emu_thread *t, const struct emu_call *c, unsigned k, uint64_t most, uint32_t out[3])
{
    unsigned char bytes[12] = { 0 };
    uint64_t product = 1;

    emu_call_bytes(t, c, k, bytes, sizeof bytes);
    memcpy(out, bytes, sizeof bytes);
    for (int i = 0; i < 3; i++) {
        if (!out[i] || out[i] > most)
            return false;
        product *= out[i];
    }
    return product <= most;
}

/* An entry of the module, by what stands for its address: its number and 1. */
static const struct ptx_function *entry_of(struct emu_thread *t, uint64_t address)
{
    const struct ptx_module *m = emu_run_of(t)->image->module;
    const struct ptx_function *f =
        address && address <= m->n_functions ? &m->functions[m->functions[address - 1].definition] : NULL;

    if (!f || !f->is_entry || !f->has_body)
        emu_bad_access(t, NULL, 0, 0, "a launch of 0x%llx, which is no kernel of the module",
                       (unsigned long long)address);
    return f;
}

void emu_launch_buffer(struct emu_thread *t, const struct emu_call *c)
{
    struct emu_child child = { .entry = entry_of(t, emu_call_argument(t, c, 0)) };

    child.smem = (uint32_t)emu_call_argument(t, c, 3);
    if (!extent_of(t, c, 1, INT32_MAX, child.grid) || !extent_of(t, c, 2, MOST_THREADS, child.block))
        emu_bad_access(
            t, NULL, 0, 0,
            "the launch of %.60s is refused (cudaErrorInvalidConfiguration): %u,%u,%u CTAs of %u,%u,%u threads",
            child.entry->name, child.grid[0], child.grid[1], child.grid[2], child.block[0], child.block[1],
            child.block[2]);
    emu_call_return(t, c, emu_child_prepare(emu_machine_of(t), &child));
}

void emu_launch_device(struct emu_thread *t, const struct emu_call *c)
{
    const uint64_t buffer = emu_call_argument(t, c, 0), stream = emu_call_argument(t, c, 1);
    struct emu_child *child = emu_child_launch(emu_machine_of(t), buffer, stream == TAIL_LAUNCH);
    const struct emu_watch *watch = emu_watch_all(t);

    if (!child)
        emu_bad_access(t, NULL, buffer, 0, "a launch with parameters at 0x%llx, which is no buffer that waits for one",
                       (unsigned long long)buffer);
    if (watch && watch->child_launched)
        watch->child_launched(t, child);
    emu_call_return(t, c, SUCCESS);
}

/* Stores 8 bytes where an argument points. */
static void store(struct emu_thread *t, uint64_t to, uint64_t value)
{
    struct emu_cta *cta = NULL;
    uint64_t offset = 0;
    unsigned char *bytes = emu_bytes(t, PTX_none, to, sizeof value, sizeof value, EMU_WRITE, &offset, &cta);

    if ((cta || emu_is_global(to)) && emu_watched(t, cta))
        emu_watch_of(t)->access(t, cta ? PTX_shared : PTX_none, cta, cta ? offset : to, sizeof value, EMU_WRITE);
    memcpy(bytes, &value, sizeof value);
}

void emu_launch_handle(struct emu_thread *t, const struct emu_call *c)
{
    store(t, emu_call_argument(t, c, 0), FIRST_STREAM + t->steps);
    emu_call_return(t, c, SUCCESS);
}

void emu_launch_malloc(struct emu_thread *t, const struct emu_call *c)
{
    const uint64_t at = emu_heap_take(emu_machine_of(t), emu_call_argument(t, c, 1));

    store(t, emu_call_argument(t, c, 0), at);
    emu_call_return(t, c, at ? SUCCESS : NO_MEMORY);
}

/* A copy has its arguments to, from, bytes, kind; a fill to, value, bytes. */
static void move(struct emu_thread *t, const struct emu_call *c, bool fills)
{
    const struct emu_child copy = { .to = emu_call_argument(t, c, 0),
                                    .from = fills ? 0 : emu_call_argument(t, c, 1),
                                    .value = (uint8_t)(fills ? emu_call_argument(t, c, 1) : 0),
                                    .bytes = emu_call_argument(t, c, 2) };

    emu_call_return(t, c, emu_child_copy(emu_machine_of(t), &copy) ? SUCCESS : NO_MEMORY);
}

void emu_launch_copy(struct emu_thread *t, const struct emu_call *c)
{
    move(t, c, false);
}

void emu_launch_fill(struct emu_thread *t, const struct emu_call *c)
{
    move(t, c, true);
}

void emu_launch_error_text(struct emu_thread *t, const struct emu_call *c)
{
    emu_call_return(t, c, emu_child_no_error(emu_machine_of(t)));
}

void emu_launch_success(struct emu_thread *t, const struct emu_call *c)
{
    emu_call_return(t, c, SUCCESS);
}
// SPDX-License-Identifier: Apache-2.0
