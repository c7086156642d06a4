/* What stands around each call of the API. */
#include "harness/inside/device/device.h"
#include "harness/inside/device/guard.h"

void device_enter(void)
{
    device_lock();
    if (device_held() == 1)
        guard_open();
}

void device_leave(void)
{
    if (device_held() == 1)
        guard_close();
    device_unlock();
}

unsigned device_release(void)
{
    const unsigned before = device_held();

    while (device_held())
        device_leave();
    return before;
}

void device_retake(unsigned before)
{
    while (device_held() < before)
        device_enter();
}
// SPDX-License-Identifier: Apache-2.0
