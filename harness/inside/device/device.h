/* The device that a program of the host sees when `copycheck exec` runs it: one GPU of compute capability 9.0, which is
 * the emulator in the program's own process. The functions of the driver API (driver/) and of the runtime API
 * (runtime/) are thin layers over this room, and share its handles, as NVIDIA's do.
 *
 * An operation takes place when it is issued, whatever its stream: that is one of the orders that a device may choose.
 * Only where a kernel waits for what comes after its launch does the call return before (later.h).
 * Errors are those of the driver API; cudaError_t has the same numbers. All functions expect device_lock to be held. */
#ifndef COPYCHECK_INSIDE_DEVICE_H
#define COPYCHECK_INSIDE_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cuda.h>

#include "harness/check/check.h"
#include "harness/emu/emu.h"

/* ---- the device: device.c, begin.c, enter.c, end.c --------------------------------------------------------------- */

struct device {
    struct emu *machine;       /* NULL: there was no memory for it */
    struct check_args options; /* of exec: format, schedules, delivery, seed, limits */
    struct judged {
        char name[200];      /* --kernel-name: in the names of kernels that are judged */
        uint64_t skip, most; /* --launch-skip, --launch-count: of their launches */
    } judged;
    unsigned sms;      /* how many multiprocessors it says it has */
    CUresult error;    /* of a kernel that ended with an error: every call returns it from then on */
    bool leak_check;   /* --leak-check: memory that was not freed at the end is told of */
    bool begun;        /* there has been a call that needs it */
    bool initialised;  /* cuInit was called ... */
    bool runtime;      /* ... or a function of the runtime, which does the same and makes a context current */
    uint64_t launches; /* issued */
};
extern struct device device;

/* The lock: how often this thread has it. */
void device_lock(void);
void device_unlock(void);
unsigned device_held(void);
/* Around each call of the API, which holds the lock; a thread may take it again, for a callback that calls the API. */
void device_enter(void);
void device_leave(void);
/* Lets the device go, however often this thread has taken it: around a function of the program's that the device
 * calls. Then takes it again as often. */
unsigned device_release(void);
void device_retake(unsigned held);
/* The error that every call returns after a fault; CUDA_SUCCESS before. Makes the machine at its first call. */
CUresult device_state(void);
/* As cudaDeviceReset: all allocations, modules and errors go. */
void device_reset(void);
/* An attribute of the device, as an H200 answers; false where it is not one that this file knows. */
bool device_attribute(CUdevice_attribute which, int *value);
#define DEVICE_NAME   "NVIDIA H200"
#define DEVICE_MEMORY 150109880320ull /* bytes that it says it has: an H200, driver 580.159.04 */

/* ---- memory: memory.c, list.c ------------------------------------------------------------------------------------ */

enum memory_kind {
    MEMORY_DEVICE,     /* cudaMalloc and its like */
    MEMORY_MANAGED,    /* cudaMallocManaged */
    MEMORY_HOST,       /* cudaMallocHost, cudaHostAlloc */
    MEMORY_REGISTERED, /* cudaHostRegister: the program's own memory */
    MEMORY_ARRAY,      /* the texels of an array */
    MEMORY_VARIABLE,   /* of a module */
    MEMORY_POOL,       /* an operation of a stream: cudaMallocAsync */
    MEMORY_MAPPED,     /* of virtual memory management */
    MEMORY_GRAPH,      /* of a graph's nodes that allocate, or that read a condition */
};

struct pool;
struct memory {
    uint64_t at, bytes;
    enum memory_kind kind;
    unsigned flags;    /* those of the call that made it */
    uint64_t number;   /* counts allocations from 1 */
    struct pool *pool; /* of cudaMallocAsync; NULL: of no pool */
    bool resting;      /* of a graph: between its free node and its next allocation node */
    bool told;         /* the host has copied from it what nobody has written, and was told so */
};

/* Memory of `bytes` bytes; CUDA_ERROR_OUT_OF_MEMORY where there is none. */
CUresult memory_new(enum memory_kind kind, uint64_t bytes, unsigned flags, uint64_t *at);
CUresult memory_register(void *host, uint64_t bytes, unsigned flags);
/* Memory that whoever calls has mapped becomes the device's; all such memory from an address on ends. */
CUresult memory_map(uint64_t at, uint64_t bytes);
void memory_unmap(uint64_t at, uint64_t bytes);
/* Frees what begins at this address; CUDA_ERROR_INVALID_VALUE where nothing of the kind does. */
CUresult memory_free(uint64_t at, bool registered);
/* Says so where this address, which a call was to free, is of memory that was freed before. */
void memory_look_freed(uint64_t at, const char *call);
/* Says what was not freed. */
void memory_say_leaks(void);
/* The memory that an address lies in, or NULL. */
const struct memory *memory_of(uint64_t address);
/* The same, and a variable of a module, whose kind is MEMORY_VARIABLE. False: the address is none of the device's. */
bool memory_at(uint64_t address, struct memory *out);
/* Whether bytes of a copy may be read or written: those of one allocation, or the host's own. A copy may leave neither.
 */
CUresult memory_copy(void *to, const void *from, size_t bytes);
CUresult memory_set(void *to, const void *pattern, unsigned width, size_t count);
/* Whether the device has this byte: an allocation of any kind, or a variable of a module. */
bool memory_is_device(uint64_t at);
/* Whether these bytes are one allocation's, or none of the device's at all. */
bool memory_is_whole(uint64_t at, uint64_t bytes);
/* Whether any of these bytes has been written. */
bool memory_has_value(uint64_t at, uint64_t bytes);
/* Says, once for each allocation, that the host copies from it what nobody has written. */
void memory_say_unwritten(uint64_t to, uint64_t from);
void memory_join_pool(uint64_t at, struct pool *p);
void memory_leave_pool(uint64_t at); /* the pool goes, the memory stays */
/* A graph's memory keeps its address: it rests when a node has freed it. Other memory is freed. */
CUresult memory_rest(uint64_t at, bool rests);
uint64_t memory_used(void); /* bytes of the device's own */
/* Frees all of it. */
void memory_forget(void);
/* Calls `each` for all memory that has not been freed. */
void memory_each(void (*each)(const struct memory *m, void *state), void *state);

/* ---- modules: module.c ------------------------------------------------------------------------------------------- */

struct module;
struct function {
    struct module *module;
    uint32_t number;  /* of the function in the PTX module */
    int most_dynamic; /* cudaFuncAttributeMaxDynamicSharedMemorySize */
    int carveout, nonportable;
    CUfunc_cache cache;  /* what it prefers */
    uint32_t cluster[3]; /* what an attribute asks for; 0: nothing */

    struct check_result found;                                              /* by its launches, each finding once */
    enum { WAITS_UNKNOWN, WAITS_FIRST, WAITS_LATER } waits;                 /* for the grid before: waits.h */
    enum { ALONE_UNKNOWN, ALONE, ALONE_NOT } alone;                         /* it waits for nobody: waits.h */
    bool traced;                                                            /* what it accesses has to be kept */
    enum { UNWRITTEN_UNKNOWN, UNWRITTEN_UNUSED, UNWRITTEN_USED } unwritten; /* shared memory that its launches read */
    struct function *next;
};

/* A module from PTX text (`size` 0: it ends in a NUL), a fat binary, or the struct around one. The PTX is read when a
 * part of it is first asked for; `lazily` false: at once. */
CUresult module_new(const void *image, size_t size, bool lazily, struct module **out);
void module_free(struct module *m);
/* Modules lose what was loaded of them: their variables begin anew when they are next asked for. */
void module_reset(void);
/* Reads the PTX and loads it into the machine; what went wrong is then said once. */
CUresult module_load(struct module *m);
const struct ptx_module *module_ptx(struct module *m);
/* Whether a handle is that of a function, or of a module. */
bool module_owns(const struct function *f);
bool module_known(const struct module *m);
const char *module_name(const struct module *m);
CUresult module_function(struct module *m, const char *name, struct function **out);
/* Sets an attribute; CUDA_ERROR_INVALID_VALUE where there is none such, or it cannot have this value. */
CUresult function_set(struct function *f, CUfunction_attribute which, int value);
/* An attribute of a function; CUDA_ERROR_INVALID_VALUE where there is none such. */
CUresult function_attribute(const struct function *f, CUfunction_attribute which, int *value);
/* The entry's name, its parameters. */
const struct ptx_function *function_entry(const struct function *f);
/* Parameter `number` of a function, from 0: its offset among all of them, in bytes, and its size, unless `bytes` is
 * NULL. CUDA_ERROR_INVALID_VALUE where there is none such. */
CUresult function_parameter(const struct function *f, size_t number, size_t *offset, size_t *bytes);
/* A variable of global memory: its address and size. Of constant memory: where its bytes are in the host's memory. */
CUresult module_variable(struct module *m, const char *name, uint64_t *at, size_t *bytes);
/* Calls `each` for the global memory of all modules' variables. */
void module_each_variable(void (*each)(uint64_t at, uint64_t bytes, void *state), void *state);

/* ---- launches: launch.c ------------------------------------------------------------------------------------------ */

struct launch {
    struct function *function;
    uint32_t grid[3], block[3], cluster[3]; /* cluster: 0 where none is asked for */
    uint32_t smem;                          /* dynamic shared memory, in bytes */
    bool cooperative;
    bool dependent;        /* it may begin before the launch before it in its stream has ended */
    unsigned char *params; /* as the kernel's declarations lay them out; owned by whoever made it */
};

/* Lays out the parameters of a launch: from an address for each (`args`), or from a block of bytes. The caller frees
 * them. */
CUresult launch_params(const struct function *f, void **args, const void *block, size_t bytes, unsigned char **out);
/* What the driver refuses before anything runs: the error, or CUDA_SUCCESS. */
CUresult launch_refused(const struct launch *l);
/* Of that, whether its clusters divide the grid, are not too large, and are what the kernel requires. */
bool launch_has_fine_clusters(const struct launch *l);
/* Runs a launch and judges it. What a kernel's fault does to the device is in device.error then. */
CUresult launch_run(const struct launch *l);
/* Whether its threads wait for nobody but one another. */
bool launch_is_alone(const struct launch *l);
/* Bytes of the kernel's static shared memory. */
uint64_t launch_static_bytes(const struct function *f);
/* ---- occupancy: occupancy.c -------------------------------------------------------------------------------------- */

/* CTAs that a multiprocessor holds at a time. */
CUresult occupancy_ctas(const struct function *f, int threads, size_t smem, int *ctas);
/* Dynamic shared memory that each of so many CTAs of a multiprocessor can have. */
CUresult occupancy_dynamic(const struct function *f, int ctas, int threads, size_t *bytes);

/* ---- what is said: say.c, findings.c ----------------------------------------------------------------------------- */

/* A function of the API that this device has not: it is named at the end. Returns CUDA_ERROR_NOT_SUPPORTED. */
CUresult say_missing(const char *name);
/* Something that exec says at once, without a rule. */
void say_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A finding about the host's side of the program, which no rule of PTX is about; `kind` is its name. */
void say_host(const char *kind, bool remark, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The host accesses this memory while the kernel may run. Called in a handler of signals. */
void say_host_race(const struct memory *m, uint64_t at, bool writes, bool kernel_writes, const char *kernel);
/* Whether --kernel-name, --launch-skip and --launch-count want this launch judged. */
bool say_is_judged(const struct launch *l);
/* Says what a launch has found in the schedule of this number, unless one before has found it. */
void say_launch(const struct launch *l, const struct emu_report *report, unsigned schedule);
/* Where the kernels' printf goes. */
FILE *say_print_to(void);
/* What kernels have printed goes to standard output: at each point where a device's buffer is written out. */
void say_printed(void);

#endif
// SPDX-License-Identifier: Apache-2.0
