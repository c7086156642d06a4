/* The beginning of the device, and what it says it is. */
#include "harness/inside/device/device.h"
#include "harness/inside/device/guard.h"
#include "harness/inside/device/settings.h"

CUresult device_state(void)
{
    if (!device.begun) {
        device.begun = true;
        settings_read();
        guard_begin();
        device.machine = emu_new(&device.options.options);
    }
    return device.machine ? device.error : CUDA_ERROR_OUT_OF_MEMORY;
}

static const int attributes[CU_DEVICE_ATTRIBUTE_MAX] = {
#define ATTRIBUTE(number, value) [number] = (value),
#include "harness/inside/device/attributes.def"
#undef ATTRIBUTE
};

bool device_attribute(CUdevice_attribute which, int *value)
{
    if ((int)which <= 0 || which >= CU_DEVICE_ATTRIBUTE_MAX)
        return false;
    device_state();
    *value = which == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT ? (int)device.sms : attributes[which];
    return true;
}
// SPDX-License-Identifier: Apache-2.0
