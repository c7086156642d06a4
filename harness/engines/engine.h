/* An engine: anything that can assemble PTX, encode a tensor map, or launch a kernel. A column of the matrix.
 *
 * One struct of functions; nothing above it knows which it is. Functions that an engine lacks are NULL. All are called
 * in a worker process, after open and before close, so an engine may die of what it is asked to do.
 */
#ifndef COPYCHECK_ENGINE_H
#define COPYCHECK_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expected/rule.h"
#include "expected/step.h"
#include "expected/tensor_map.h"

enum ck_outcome_kind {
    CK_O_DONE,        /* launched and ended; encoded; assembled ("accept") */
    CK_O_REFUSED,     /* an error that the engine reports and survives: code, line, message */
    CK_O_FAULT,       /* an error of the device: the context is lost */
    CK_O_HANG,        /* did not end */
    CK_O_CRASHED,     /* an assembler ended by a signal (code), or by an error of its own */
    CK_O_TIMEOUT,     /* an assembler did not end before its deadline */
    CK_O_MEMORY,      /* more memory than an assembler may take, or than the emulator has */
    CK_O_DIAGNOSED,   /* the emulator names a broken rule */
    CK_O_UNSUPPORTED, /* the engine cannot do this at all: message says what it needed and what it found */
    CK_O_COUNT
};

extern const char *const ck_outcome_names[CK_O_COUNT];

struct ck_outcome {
    enum ck_outcome_kind kind;
    long code;         /* CUresult, exit status or signal; 0 where there is none */
    int line;          /* of the PTX text, 1-based; 0 where none is known */
    char message[512]; /* one line, without the engine's own decoration; "" where there is none */
    char rule[96];     /* id of the rule that was broken, where one is known */
    uint64_t machine;  /* hash of the machine code that was made of the text, or was launched (cubin.h); 0: not known */
    char also[200];    /* ids of further rules that the same fault breaks, with commas; "" for none */
};

/* PTX for an engine to assemble. */
struct ck_ptx {
    const char *text;
    size_t size;
    const char *target; /* "sm_90a" */
    int version;        /* 90 for PTX 9.0 */
    uint64_t *machine; /* receives the hash of the machine code of each entry k0, k1 ... of an accepted text, 0 where it
                        * is not known; or NULL */
    size_t entries;    /* how many of these there are */
    char *log;         /* receives what the assembler printed, with a NUL, of an engine that tells_lines; or NULL */
    size_t log_size;
};

/* A text in a high-level language for an engine to compile. */
enum ck_language { CK_TILE_CPP, CK_TILE_PYTHON, CK_CUDA_CPP };

struct ck_source {
    enum ck_language language;
    const char *text;
    size_t size;
    const char *options;  /* words for the compiler, separated by spaces */
    const char *look_for; /* of CK_CUDA_CPP: words to look for in what comes out, separated by spaces; or NULL */
};

struct ck_device_launch {
    const char *kernel; /* entry name, found in the engine's modules */
    uint32_t grid[3], block[3], cluster[3];
    uint32_t smem;
    const void *args;
    size_t size;
    bool members; /* `args` are the kernel's parameters, each aligned to the largest power of two, 16 at most, that
                   * divides its size, a tensor map to 128; else they are its only parameter */
    bool bounded; /* `args` begin with a struct ck_head, whose limit bounds the kernel's waits */
    const char *constant; /* a symbol of the kernel's module that is written first, or NULL */
    const void *constant_bytes;
    size_t constant_size;
    unsigned deadline_ms;
    const struct ck_device_launch *before; /* a grid that goes first; this one may begin while it is at work; or NULL */
};

enum ck_memory { CK_MEM_DEVICE, CK_MEM_HOST, CK_MEM_EDGE }; /* see harness/ck.h: plain, slow, nothing mapped after it */

/* Bytes on a device, at an address that alloc gave, and here. */
struct ck_piece {
    uint64_t at;
    void *bytes;
    size_t size;
};

struct ck_engine;

struct ck_engine_ops {
    bool one; /* it has a device, which one process at a time should hold */
    /* False with a message where the engine cannot be used on this machine. Also fills engine->facts. */
    bool (*open)(struct ck_engine *e, struct ck_outcome *out);
    void (*close)(struct ck_engine *e);
    /* Does ahead of time what any worker of the engine will need: a share of it, where several ask. May be NULL. */
    void (*prepare)(struct ck_engine *e);
    void (*assemble)(struct ck_engine *e, const struct ck_ptx *ptx, struct ck_outcome *out);
    /* What is wrong with an entry is said of its lines, and other entries are looked at all the same. What was printed
     * can be read with ck_ptxas_next. */
    bool tells_lines;
    /* Compiles a source. An accepted one leaves in `message` which images the object holds ("tile", "simt", "simt
     * tile"), or, of CUDA C++, which of the words looked for. */
    bool (*speaks)(const struct ck_engine *e, enum ck_language language);
    void (*compile)(struct ck_engine *e, const struct ck_source *source, struct ck_outcome *out);
    /* `object` receives the map (64-byte aligned unless the case is about that). Bit i of `null` passes NULL for the
     * i-th pointer argument: map, globalAddress, globalDim, globalStrides, boxDim, elementStrides. */
    void (*encode)(struct ck_engine *e, const struct tensor_map *map, void *object, unsigned null,
                   struct ck_outcome *out);
    /* cuTensorMapReplaceAddress on a map that encode made. */
    void (*replace_address)(struct ck_engine *e, void *object, uint64_t address, struct ck_outcome *out);
    /* Memory lives until reset. EDGE memory is placed so that its last byte is the last mapped one. */
    uint64_t (*alloc)(struct ck_engine *e, enum ck_memory kind, size_t bytes, struct ck_outcome *out);
    bool (*write)(struct ck_engine *e, uint64_t to, const void *from, size_t bytes, struct ck_outcome *out);
    bool (*read)(struct ck_engine *e, void *to, uint64_t from, size_t bytes, struct ck_outcome *out);
    /* The same for several pieces of memory, of an engine to which one large copy is less than many small ones. Bytes
     * between two pieces may be written, where nothing lies. May be NULL. */
    bool (*write_all)(struct ck_engine *e, const struct ck_piece *pieces, size_t count, struct ck_outcome *out);
    bool (*read_all)(struct ck_engine *e, const struct ck_piece *pieces, size_t count, struct ck_outcome *out);
    void (*launch)(struct ck_engine *e, const struct ck_device_launch *launch, struct ck_outcome *out);
    /* Carries out a host's calls, in order, and waits for all in the end; launches[i] is the launch of step i. */
    void (*steps)(struct ck_engine *e, struct ck_step *steps, const struct ck_device_launch *launches, size_t count,
                  struct ck_outcome *out);
    /* Page-locked host memory, until reset; and whether the driver knows an address as such. */
    bool (*pinned)(struct ck_engine *e, size_t bytes, void **p, struct ck_outcome *out);
    bool (*is_pinned)(struct ck_engine *e, const void *p);
    void (*unpin)(struct ck_engine *e, void *p);
    /* How many registers a thread of the kernel has, or -1. */
    int (*registers)(struct ck_engine *e, const char *kernel, struct ck_outcome *out);
    /* The address of a function of the driver's API by its name, of this CUDA version (12000), or NULL. */
    void *(*entry_point)(struct ck_engine *e, const char *name, int version);
    /* Told, of an engine that keeps what a case does, that `bytes` bytes at `at` were to be `expected`. May be NULL. */
    void (*compared)(struct ck_engine *e, uint64_t at, const void *expected, size_t bytes);
    void (*reset)(struct ck_engine *e); /* frees all memory of the point that ended */
};

struct ck_engine {
    char name[48];
    const struct ck_engine_ops *ops;
    char build[32];     /* of an assembler that says it: "36424714_0" */
    char facts[160];    /* what was found: "NVIDIA H200 sm_90 driver 580.159.04", "ptxas 13.0.88" */
    int sm;             /* of the device, 90; 0 for an assembler */
    int toolkit;        /* that built its kernels' machine code, 130 for 13.0; 0 where it runs PTX */
    int ptx;            /* newest PTX ISA that it takes, 90; 0 while unknown */
    bool finds_hangs;   /* a launch that cannot end ends at once: waits in kernels need no limit */
    bool any_target;    /* it runs what it knows of any target, newer ones than `sm` too */
    bool keeps_time;    /* its clocks are a device's */
    bool links;         /* a linker makes its modules of compilation units */
    bool asked_for;     /* of an assembler: the user named its toolkit */
    unsigned device;    /* before open: which one to use of the machine's devices that are alike (gpu_probe.h) */
    const char *config; /* toolkit or kernel folder, what the engine was made with */
    void *state;        /* its own, between open and close */
};

/* What this thread spent on what a GPU cannot do without, ns, and how often it launched. */
struct ck_engine_cost {
    uint64_t context, load, compile, copy, launch;
    unsigned long launches;
};
extern _Thread_local struct ck_engine_cost ck_engine_cost;

/* The rule that an assembler's refusal is about, or NULL where nothing says which. `statement` is the refused statement
 * as ck_text_statement gives it; `message` is without decoration. The table: message.c. */
const struct ck_rule *ck_message_rule(const char *statement, const char *message);

#endif
// SPDX-License-Identifier: Apache-2.0
