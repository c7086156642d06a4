/* Kernels that wait for somebody outside. */
#include "harness/inside/device/outside.h"

static _Thread_local struct {
    bool (*outside)(bool got_on, void *state);
    void *state;
    bool away;
} own;
static unsigned away; /* with the lock of the device */

void outside_set(bool (*outside)(bool got_on, void *state), void *state)
{
    own.outside = outside;
    own.state = state;
}

void outside_options(struct emu_options *options)
{
    options->outside = own.outside;
    options->outside_state = own.state;
}

bool outside_wait(void)
{
    return own.outside && own.outside(false, own.state);
}

void outside_goes(void)
{
    own.away = true;
    away++;
}

void outside_ends(void)
{
    away -= own.away;
    own.away = false;
}

bool outside_is_away(void)
{
    return own.away;
}

unsigned outside_all_away(void)
{
    return away;
}
// SPDX-License-Identifier: Apache-2.0
