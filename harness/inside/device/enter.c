/* What stands around each call of the API, and the device's end. */
#include "harness/inside/device/array.h"
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

/* The program has ended: its own functions of this kind have run. */
__attribute__((destructor)) static void end(void)
{
    if (!device.begun)
        return;
    device_enter();
    if (device.leak_check)
        memory_say_leaks();
    device_leave();
}

void device_reset(void)
{
    device.error = CUDA_SUCCESS;
    if (device.leak_check)
        memory_say_leaks();
    memory_forget();
    array_forget();
    module_reset();
}
// SPDX-License-Identifier: Apache-2.0
