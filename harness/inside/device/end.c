/* The end of the device, and of what it holds. */
#include "harness/inside/device/array.h"
#include "harness/inside/device/later.h"

/* The program has ended: its own functions of this kind have run. */
__attribute__((destructor)) static void end(void)
{
    if (!device.begun)
        return;
    device_enter();
    later_wait(NULL);
    if (device.leak_check)
        memory_say_leaks();
    device_leave();
}

void device_reset(void)
{
    later_wait(NULL);
    /* What a fault has left cannot be used again: so on an H200. */
    device.error = device.error == CUDA_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_DEVICE_UNAVAILABLE;
    if (device.leak_check)
        memory_say_leaks();
    memory_forget();
    array_forget();
    module_reset();
}
// SPDX-License-Identifier: Apache-2.0
