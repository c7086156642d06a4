/* libcopycheck: copycheck's verdicts for other programs, such as compilers that test the kernels they make.
 *
 *     cc test.c $(pkg-config --cflags --libs copycheck)
 *
 * A kernel runs on an emulator, so no GPU is needed. No function prints anything, ends the program, or keeps a pointer
 * of the caller's. All of them may be called from several threads at once, on different results. Texts are UTF-8, and
 * end in a NUL. docs/library.md has an example. */
#ifndef COPYCHECK_H
#define COPYCHECK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header. A library of a larger number has all of it. */
#define COPYCHECK_INTERFACE 1

/* The number of the library's own interface; the version of copycheck as text, "0.1". */
int copycheck_interface(void);
const char *copycheck_version(void);

enum copycheck_status {
    COPYCHECK_CLEAN = 0,     /* no rule was broken, though there may be remarks */
    COPYCHECK_DIAGNOSED = 1, /* a rule was broken */
    COPYCHECK_NO_VERDICT = 2 /* bad input, a limit, or something that the emulator does not model: copycheck_message */
};

/* ---- a launch -----------------------------------------------------------------------------------------------------
 */

enum copycheck_kind {
    COPYCHECK_VALUE,     /* `bytes` bytes at `data`: a scalar or a struct, as the kernel takes it */
    COPYCHECK_BUFFER,    /* global memory: `bytes` bytes, read from `data` and written back there; the parameter is its
                            address */
    COPYCHECK_UNWRITTEN, /* the same without a value: what the kernel reads before it writes it is a finding */
    COPYCHECK_MAP        /* tensor map number `map`, by value or, for a parameter of 8 bytes, by its address */
};

struct copycheck_argument {
    enum copycheck_kind kind;
    void *data;
    size_t bytes;
    size_t map;
};

/* A tensor map over the buffer of argument number `buffer`, from `offset` bytes on. `words` are those of `copycheck
 * encode`: "type=f16 dims=64x128 strides=128 box=64x32 swizzle=128B". */
struct copycheck_map {
    const char *words;
    size_t buffer, offset;
};

struct copycheck_launch {
    const char *ptx; /* the module */
    size_t ptx_bytes;
    const char *name;                           /* what findings call the PTX; NULL: "module.ptx" */
    const char *entry;                          /* the kernel; NULL: the only one */
    unsigned grid[3], block[3], cluster[3];     /* 0: 1, or what the kernel asks for */
    unsigned dynamic_bytes;                     /* of shared memory */
    const struct copycheck_argument *arguments; /* one for each parameter, in order */
    size_t argument_count;
    const struct copycheck_map *maps;
    size_t map_count;
    const char *const *options; /* further options of `copycheck check`, such as "--schedules=10"; ends with NULL; NULL:
                                   none */
};

/* One place of a finding. */
struct copycheck_place {
    unsigned ptx_line;  /* 0: there is none */
    const char *ptx;    /* the instruction */
    const char *source; /* the CUDA line, "FILE:LINE", from -lineinfo; "" where it is not known */
    unsigned thread[3], block[3];
    const char *where; /* "bytes 16 to 19 of --arg 2" */
};

struct copycheck_finding {
    const char *rule;                        /* its id in the catalogue; "" for none */
    int remark;                              /* worth knowing, and no reason to reject the kernel */
    const char *message, *sentence, *remedy; /* what happened; what the rule says; what to do */
    struct copycheck_place here, other;
};

struct copycheck_result;

/* Runs a launch and judges it. Never NULL, but for want of memory. Free it with copycheck_free. */
struct copycheck_result *copycheck_check(const struct copycheck_launch *launch);
void copycheck_free(struct copycheck_result *r);

enum copycheck_status copycheck_status(const struct copycheck_result *r);
/* Of a result without a verdict, one line: why; else "". */
const char *copycheck_message(const struct copycheck_result *r);
/* All that `copycheck check` says of it, as text and as JSON Lines. */
const char *copycheck_text(const struct copycheck_result *r);
const char *copycheck_json(const struct copycheck_result *r);
/* What the kernel printed. */
const char *copycheck_printed(const struct copycheck_result *r);
/* The findings that lead, those that break a rule before remarks; NULL where i is too large. */
size_t copycheck_count(const struct copycheck_result *r);
const struct copycheck_finding *copycheck_finding(const struct copycheck_result *r, size_t i);

/* ---- the rest -----------------------------------------------------------------------------------------------------
 */

/* Parameter number i of a kernel: its bytes, and the PTX type of what it holds ("u64", "f32", "b8"). Returns 0; 1 where
 * the kernel has no such parameter; 2 with a line in `error` where the text is no PTX or has no such kernel. */
int copycheck_parameter(const char *ptx, size_t ptx_bytes, const char *entry, size_t i, size_t *bytes, char type[16],
                        char *error, size_t error_size);

/* Whether cuTensorMapEncodeTiled accepts a call (words as above, `address=` too): 0 it does, 1 it refuses and `text`
 * says which limits are broken and what the nearest legal values are, 2 the words are wrong, and `text` says how. */
int copycheck_encode(const char *words, char *text, size_t size);

/* Whether PTX is well formed by the PTX ISA: 0; 2 with the first error in `text`. */
int copycheck_assemble(const char *ptx, size_t ptx_bytes, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
// SPDX-License-Identifier: Apache-2.0
