/* A thread that waits by going round a loop: what it looks at there. The scheduler notes it before a deadlock is
 * reported (schedule/around.c); nothing has changed since. */
#include "harness/emu/judge/loop.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/name.h"

const struct emu_look *deadlock_look(const struct emu_thread *t)
{
    const bool loops = t->wait == EMU_WAIT_MEMORY || t->wait == EMU_WAIT_MBARRIER;

    return loops && t->around ? t->around->waits_at : NULL;
}

/* The value there as one number; of more than 8 bytes the first 8. */
static unsigned long long value_of(const struct emu_look *l)
{
    const unsigned char *from = l->cta ? l->cta->shared + l->address : (const unsigned char *)(uintptr_t)l->address;
    uint64_t value = 0;

    memcpy(&value, from, l->size < sizeof value ? l->size : sizeof value);
    return value;
}

void deadlock_look_words(const struct emu_thread *t, const struct emu_look *look, char *out, size_t size)
{
    char where[140], name[60];

    if (look->cta) {
        emu_shared_name(look->cta->cluster->grid, look->address, name, sizeof name);
        snprintf(where, sizeof where, "offset %llu%s of shared memory of CTA %u,%u,%u",
                 (unsigned long long)look->address, name, look->cta->ctaid[0], look->cta->ctaid[1],
                 look->cta->ctaid[2]);
    } else {
        emu_spot_words(t, PTX_global, look->address, where, sizeof where);
    }
    snprintf(out, size, "%llu at %s", value_of(look), where);
}

void deadlock_loop_words(const struct emu_thread *t, char *out, size_t size)
{
    const struct emu_around *a = t->around;
    char what[160];

    snprintf(out, size, "a loop");
    if (a && a->first_line && a->first_line == a->last_line)
        snprintf(out, size, "the loop in line %u", a->first_line);
    else if (a && a->first_line)
        snprintf(out, size, "the loop of lines %u to %u", a->first_line, a->last_line);
    for (unsigned i = 0; a && i < a->look_count; i++) {
        deadlock_look_words(t, &a->looks[i], what, sizeof what);
        ck_append(out, size, "%s %s", i ? "," : ", which reads", what);
    }
}
// SPDX-License-Identifier: Apache-2.0
