/* Functions of the API that this device has not: build/inside/names.c has one for each. */
#include "harness/inside/device/device.h"
#include "harness/inside/names.h"

int missing(const char *name)
{
    CUresult result;

    device_enter();
    device_state();
    result = say_missing(name);
    device_leave();
    return result;
}

int missing_of_library(const char *name)
{
    enum { NOT_SUPPORTED = 15 };

    missing(name);
    return NOT_SUPPORTED;
}
// SPDX-License-Identifier: Apache-2.0
