/* This machine's own memory in the place of a device's. */
#include "harness/lint/host.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 256, BEHIND = 64 /* bytes that a kernel may overrun without harm to this process */ };

/* Of a thread: launches of an engine may go on in several. */
static _Thread_local void *blocks[BLOCKS];
static _Thread_local size_t block_count;

bool ck_host_open(struct ck_engine *e, struct ck_outcome *out)
{
    (void)e;
    (void)out;
    return true;
}

uint64_t ck_host_alloc(struct ck_engine *e, enum ck_memory kind, size_t bytes, struct ck_outcome *out)
{
    (void)e;
    (void)kind;
    if (block_count == BLOCKS || !(blocks[block_count] = calloc(1, bytes + BEHIND))) {
        *out = (struct ck_outcome){ .kind = CK_O_REFUSED, .message = "out of memory" };
        return 0;
    }
    return (uint64_t)(uintptr_t)blocks[block_count++];
}

bool ck_host_write(struct ck_engine *e, uint64_t to, const void *from, size_t bytes, struct ck_outcome *out)
{
    (void)e;
    (void)out;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return true;
}

bool ck_host_read(struct ck_engine *e, void *to, uint64_t from, size_t bytes, struct ck_outcome *out)
{
    (void)e;
    (void)out;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return true;
}

void ck_host_reset(struct ck_engine *e)
{
    (void)e;
    while (block_count)
        free(blocks[--block_count]);
}
// SPDX-License-Identifier: Apache-2.0
