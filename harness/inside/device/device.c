/* The device: its machine, its lock, what it says it is. */
#include "harness/inside/device/device.h"

#include <stdlib.h>
#include <string.h>

#include "harness/inside/device/array.h"
#include "harness/inside/device/guard.h"
#include "harness/inside/device/settings.h"

struct device device;

static pthread_mutex_t lock;
static pthread_once_t lock_made = PTHREAD_ONCE_INIT;
static _Thread_local unsigned held; /* how often this thread has it */

/* A callback may call the API from within a call. */
static void make_lock(void)
{
    pthread_mutexattr_t recursive;

    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

void device_enter(void)
{
    pthread_once(&lock_made, make_lock);
    pthread_mutex_lock(&lock);
    if (!held++)
        guard_open();
}

void device_leave(void)
{
    if (!--held)
        guard_close();
    pthread_mutex_unlock(&lock);
}

bool device_is_held(void)
{
    return held != 0;
}

unsigned device_release(void)
{
    const unsigned before = held;

    while (held)
        device_leave();
    return before;
}

void device_retake(unsigned before)
{
    while (held < before)
        device_enter();
}

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
