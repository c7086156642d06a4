/* What a case is made of, and what its run function may call.
 *
 * A case checks one rule. Its points are the choices of its axes; each runs on each engine that can do it. There are
 * six kinds; the member that is set says which:
 *
 *   run       a launch case: C that prepares buffers, launches a kernel and compares bytes
 *   assemble  a table row: PTX statements that an assembler must accept or refuse
 *   encode    a table row: one cuTensorMapEncodeTiled call that must be accepted or refused
 *   compile   a table row: CUDA Tile C++ that nvcc must accept or refuse
 *   cuda      a table row: CUDA C++ that nvcc must accept or refuse, and what it makes of it
 *   python    a table row: a cuTile Python kernel that its compiler must accept or refuse
 *
 * In the text of a row, `$` is replaced by each alternative of `accept`, `refuse` and `seen` in turn, and `${axis}` by
 * the value of that axis. Alternatives are separated by '|'; an empty one is legal.
 *
 *   { CK_RULE(cpasync_size_set), .assemble = "cp.async.ca.shared.global [sa], [g], $;",
 *     .accept = "4|8|16", .refuse = "0|1|2|3|5|12|32|-4" },
 *
 * makes the points cpasync.size.set:accept=4 ... cpasync.size.set:refuse=-4. The harness makes its mutant: it
 * moves an alternative of one side to the other side, where the verdict must turn.
 */
#ifndef COPYCHECK_CK_H
#define COPYCHECK_CK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expected/listing.h"
#include "expected/rule.h"
#include "expected/step.h"
#include "expected/tensor_map.h"
#include "kernels/args.h"

struct ck; /* one point on one engine, while it runs */

enum { CK_AXES = 6, CK_VARIANTS = 5 };

struct ck_axis {
    const char *name;
    const char *values; /* words separated by spaces; "0..15" means the integers from 0 to 15; "=16" means one value
                         * that only variants change, and that is not part of the points' names */
};

/* A one-line change of a case: a mutant must turn the verdict; a breach is run to see what the machine does. Where the
 * run function makes the change itself, it asks ck_variant for the name. */
struct ck_variant {
    const char *name;     /* short, in the point's name */
    const char *change;   /* what is changed, as a sentence fragment: "read before the wait" */
    const char *set;      /* axes of the case set for it, "side=none rank=2", also to values that the case does not
                           * list. In a row, "$=TEXT" replaces the alternative */
    const char *kernel;   /* the kernel NAME is replaced by NAME__kernel */
    const char *survives; /* a mutant that this machine cannot show: why ("same machine code on sm_90a") */
    const char *only;     /* "axis=value ...": only points that match; NULL: all points */
    bool faults;          /* a breach after which the context may be lost: run last, alone */
    bool varies;          /* a breach whose effect differs from run to run: recorded, not compared */
};

struct ck_case {
    const struct ck_rule *rule;
    const char *at;   /* FILE:LINE; CK_RULE sets it */
    const char *name; /* distinguishes the cases of one rule; NULL for the only or first one */

    const char *needs; /* of a launch that shows the rule by other means: in place of what the rule needs */

    void (*run)(struct ck *t);
    const char *assemble;
    const char *encode;
    const char *compile; /* statements of a tile kernel, or declarations only: see harness/plan/source.c */
    const char *cuda;    /* statements of a kernel, or declarations only: see harness/plan/source.c */
    const char *python;

    const char *accept, *refuse, *seen; /* the alternatives for `$`; those of `seen` are recorded, they do not gate */
    const char *target, *version;       /* of an assemble row, default from the rule's needs; may hold `$` */
    const char *declare;                /* of a row: further declarations at the module's level; may hold `$` */
    const char *head;                   /* of a compile, cuda or python row: stands in place of the usual first lines */
    const char *options;                /* of a compile or cuda row: in place of nvcc's usual options; may hold `$` */
    const char *says;  /* of a compile, cuda or python row: words that each refusal's message must hold */
    const char *holds; /* of a compile row: what an accepted object must hold, "tile", "simt" or
                        * "tile simt": the images that nvcc made; of a cuda row: words that the PTX
                        * must hold, "mbarrier.init !atom.", with ! those that it must not; with
                        * "-cubin" in `options` words that nvdisasm writes; may hold `$` */

    struct ck_axis axes[CK_AXES];
    bool (*valid)(struct ck *t); /* false drops a meaningless choice of axes from the plan; may only read axes */
    struct ck_variant mutants[CK_VARIANTS];
    struct ck_variant breaches[CK_VARIANTS];
    const char *no_mutant; /* why the case has no mutant */
    bool faults;           /* the conforming form itself may lose the context: run last, alone */
    bool seen_only;        /* a launch case whose outcome is recorded and does not gate */
    bool timed;            /* it measures time: nothing else is launched on the device meanwhile */
    bool slow;             /* points of it take the emulator a second, or a driver's compiler all its time: they begin
                            * first, so that nobody waits for one */
};

#define CK_STRING_(x)   #x
#define CK_STRING(x)    CK_STRING_(x)
#define CK_RULE(symbol) .rule = &rule_##symbol, .at = __FILE__ ":" CK_STRING(__LINE__)
/* A case of a listing (expected/listing.h). */
#define CK_LISTING(symbol) .rule = &listing_##symbol.rule, .at = __FILE__ ":" CK_STRING(__LINE__)

/* The cases of one file; the build collects every suite of tests/. The array ends with a case without a rule. */
struct ck_suite {
    const char *name;
    const struct ck_case *cases;
};

/* ---- axes -------------------------------------------------------------------------------------------------------
 * Values of the point's axes, with the variant's changes applied. A case that asks for an axis that it lacks ends its
 * point as broken. */
int64_t ck_int(struct ck *t, const char *axis);
const char *ck_word(struct ck *t, const char *axis);
bool ck_is(struct ck *t, const char *axis, const char *value); /* whether the axis has this value */
/* Whether this run is the variant of that name: the place of a one-line change. `make lint` finds a name that no case
 * of the file (of the folder, in a header) has. */
bool ck_variant(struct ck *t, const char *name);

/* ---- memory ------------------------------------------------------------------------------------------------------
 * Device memory with a host image. Buffers are 1024-byte aligned and lie between guard bands of 256 bytes that are
 * checked after every launch. Host images go up before the first launch that follows a change announced by
 * ck_changed (or the buffer's making), and come down after every launch. All live until the point ends. */
struct ck_buf {
    unsigned char *host;
    uint64_t device; /* the address that a kernel uses */
    size_t size;     /* bytes */
};

enum { CK_POISON = 0xA5 }; /* what ck_output holds; ck_input has no such byte */

struct ck_buf ck_input(struct ck *t, size_t bytes);  /* seeded bytes, neither 0 nor CK_POISON */
struct ck_buf ck_output(struct ck *t, size_t bytes); /* CK_POISON throughout */
struct ck_buf ck_zeroed(struct ck *t, size_t bytes);
struct ck_buf ck_slow_input(struct ck *t, size_t bytes); /* as ck_input, in host memory: far away, so copies are late */
struct ck_buf ck_edge_input(struct ck *t, size_t bytes); /* as ck_input; nothing is mapped after its last byte */
struct ck_buf ck_edge_output(struct ck *t, size_t bytes);
void ck_changed(struct ck *t, struct ck_buf b); /* the case wrote b.host: send it up before the next launch */
void *ck_alloc(struct ck *t, size_t bytes);     /* host scratch, zeroed, freed when the point ends */
uint64_t ck_random(struct ck *t);               /* the point's own seeded sequence */

/* ---- doing -------------------------------------------------------------------------------------------------------
 * Encodes `map` with `buffer.device` as its address plus map->address as an offset; a refusal fails the point. */
void ck_encode(struct ck *t, const struct tensor_map *map, struct ck_buf buffer, struct ck_tmap *out);
/* One encode call as it is, for cases about the call itself: `object` receives the map; bit i of `null` passes NULL
 * for the i-th pointer argument (map, globalAddress, globalDim, globalStrides, boxDim, elementStrides). Returns 0 or
 * the CUresult. */
long ck_encode_call(struct ck *t, const struct tensor_map *map, void *object, unsigned null);
/* cuTensorMapReplaceAddress on such an object. Returns 0 or the CUresult. */
long ck_replace_address(struct ck *t, void *object, uint64_t address);

/* Kernel argument structs start with struct ck_head (kernels/args.h), which ck_launch fills in. */
struct ck_launch {
    const char *kernel;         /* its entry name; kernels/FILE.cu is found from it */
    uint32_t grid[3], block[3]; /* 0 means 1 */
    uint32_t cluster[3];        /* a zero in [0]: no cluster attribute */
    uint32_t smem;              /* dynamic shared memory, bytes */
    const void *args;           /* the kernel's only parameter, a struct that starts with struct ck_head */
    bool members;               /* the members of that struct are parameters of their own: a tile kernel */
    bool plain;                 /* the same, and the struct has no head: a listing, whose waits have no bound */
    size_t size;
    const char *constant; /* a __constant__ symbol of the kernel's file that receives bytes first, or NULL */
    const void *constant_bytes;
    size_t constant_size;
    const struct ck_launch *before; /* a grid that goes first in the same stream, and that this one depends on: it may
                                     * begin while that one is at work (programmatic stream serialization) */
    bool refused;  /* the engine is to refuse the launch: then ck_launch returns CK_REFUSED, and nothing has run */
    bool may_hang; /* a device-side wait may run out: see ck_timeouts, the point does not hang for it */
};

enum ck_end { CK_DONE, CK_FAULT, CK_HANG, CK_REFUSED };

/* Launches and waits. A fault or hang ends the point with that verdict, unless the point is a breach or seen_only:
 * then the outcome is recorded, and the call returns it (after a fault no further launch is possible). */
enum ck_end ck_launch(struct ck *t, const struct ck_launch *launch);
uint32_t ck_timeouts(struct ck *t); /* the bits that waits of the last launch set */

/* ---- the host ----------------------------------------------------------------------------------------------------
 * Page-locked host memory, which copies reach without a detour; ordinary memory where the engine has a model of streams
 * in place of a driver. ck_alloc gives pageable memory. */
void *ck_pinned(struct ck *t, size_t bytes);
/* Carries out a host's calls in order, then waits for all. Buffers go up before, and come down behind it, as with
 * ck_launch. */
void ck_steps(struct ck *t, struct ck_step *steps, size_t count);
/* Whether the driver knows the address as page-locked memory; ck_unpin frees what ck_pinned gave. Skips without one. */
bool ck_is_pinned(struct ck *t, const void *p);
void ck_unpin(struct ck *t, void *p);
/* Whether the driver has a function of this name for this CUDA version (12000), and how it encodes `map`: as
 * ck_encode_call, or -1 where there is no such function. */
long ck_encode_through(struct ck *t, const char *name, int version, const struct tensor_map *map, void *object);
/* How many registers a thread of the kernel has. Skips where there is no machine code. */
int ck_registers(struct ck *t, const char *kernel);
/* Ends the point as a skip on an engine that links its modules: ptxas leaves setmaxnreg out of a compilation unit. */
void ck_needs_unlinked(struct ck *t);
/* Ends the point as a skip on an engine whose clocks and streams say nothing of a device. */
void ck_needs_device(struct ck *t);

/* ---- measuring ---------------------------------------------------------------------------------------------------
 * Of cases of evidence OBSERVED: two ways to do the same, timed by the kernel in turn, in many rounds of one launch. */
unsigned ck_rounds(struct ck *t, unsigned rounds); /* as many, or 2 on an engine whose clocks say nothing of a device */
/* Records the time of the first way over that of the second: the median of the rounds, and the quartiles. ticks[i] are
 * the two times of round i; the first `warm` rounds do not count. `what` says which ways, in stable words: "cp.async
 * over a bulk copy". Ends the point as a skip where clocks say nothing; what was judged before must hold there too. */
void ck_ratio(struct ck *t, const char *what, const uint64_t (*ticks)[2], unsigned rounds, unsigned warm);

/* ---- judging -----------------------------------------------------------------------------------------------------
 * A point that calls none of these says nothing, and is reported as unproven. In a breach they record and do not
 * gate. Each returns whether it held, and the run function goes on. */
bool ck_equal(struct ck *t, struct ck_buf got, const void *expected);
bool ck_equal_at(struct ck *t, struct ck_buf got, size_t offset, const void *expected, size_t bytes);
bool ck_filled(struct ck *t, struct ck_buf got, size_t offset, size_t bytes, unsigned char value);
bool ck_expect(struct ck *t, const char *what, uint64_t got, uint64_t expected);
/* What was observed, in a few stable words; several calls are joined by "; ". Compared with the recorded matrix. */
void ck_see(struct ck *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Further words for a reader, not compared. */
void ck_note(struct ck *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The point cannot run here: ends it as a skip. */
void ck_skip(struct ck *t, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
bool ck_conforming(struct ck *t); /* false in a breach */
void ck_no_digest(struct ck *t);  /* output bytes differ from run to run by nature (a clock): keep no digest of them */

#endif
// SPDX-License-Identifier: Apache-2.0
