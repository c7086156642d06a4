/* Handlers of arithmetic, for one thread and for a warp, made from one function of a lane's registers.
 *
 * A warp's handler is a loop over its lanes that the compiler turns into vector code, once for the machine that the
 * program is built for and once for one with AVX2; lanes.c chooses when it runs. The results are the same. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_ALU_LANES_H
#define COPYCHECK_EMU_INSTRUCTIONS_ALU_LANES_H

#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/state.h"

/* The registers of one lane, named as those of a thread are. */
struct emu_lane {
    const uint64_t *r;
};

/* A handler of a thread, and those that do the same for lanes of a warp: lanes.c. */
struct emu_lanes_of {
    emu_handler *run;
    emu_lanes *any, *avx2;
};

/* Handlers that set op->d to name_value(lane, op), a function that has been defined. */
#define EMU_LANES(name)                                                                                                \
    EMU_HANDLER_LANES void name##_whole(uint64_t *r, const struct emu_op *op)                                          \
    {                                                                                                                  \
        uint64_t *d = r + op->d;                                                                                       \
        EMU_EACH_LANE                                                                                                  \
        {                                                                                                              \
            const struct emu_lane one = { r + lane };                                                                  \
            d[lane] = name##_value(&one, op);                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    EMU_LANES_BY(name)

#define EMU_HANDLER_LANES static inline __attribute__((always_inline))

/* The same, where there is also a function name_whole that does it for all lanes of a warp. */
#define EMU_LANES_BY(name)                                                                                             \
    static void name(struct emu_thread *t, const struct emu_op *op)                                                    \
    {                                                                                                                  \
        const struct emu_lane one = { t->r };                                                                          \
        t->r[op->d] = name##_value(&one, op);                                                                          \
    }                                                                                                                  \
    EMU_HANDLER_LANES void name##_each(uint64_t *r, const struct emu_op *op, const uint64_t *on)                       \
    {                                                                                                                  \
        uint64_t *d = r + op->d;                                                                                       \
        if (!on) {                                                                                                     \
            name##_whole(r, op);                                                                                       \
            return;                                                                                                    \
        }                                                                                                              \
        EMU_EACH_LANE                                                                                                  \
        {                                                                                                              \
            const struct emu_lane one = { r + lane };                                                                  \
            const uint64_t value = name##_value(&one, op);                                                             \
            d[lane] = on[lane] ? value : d[lane];                                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    static void name##_any(uint64_t *r, const struct emu_op *op, const uint64_t *on)                                   \
    {                                                                                                                  \
        name##_each(r, op, on);                                                                                        \
    }                                                                                                                  \
    EMU_IF_AVX2(EMU_AVX2 static void name##_avx2(uint64_t *r, const struct emu_op *op, const uint64_t *on) {           \
        name##_each(r, op, on);                                                                                        \
    })                                                                                                                 \
    EMU_LANES_ENTRY(name)

/* What the linker puts together, so that lanes.c finds it; that of WebAssembly names no such place. */
#ifdef __wasm__
#define EMU_LANES_ENTRY(name)                                                                                          \
    static const struct emu_lanes_of name##_lanes __attribute__((unused)) = { name, name##_any, NULL };
#else
#define EMU_LANES_ENTRY(name)                                                                                          \
    static const struct emu_lanes_of name##_lanes = { name, name##_any, EMU_IF_AVX2(name##_avx2) };                    \
    static const struct emu_lanes_of *const name##_entry __attribute__((used, section("emu_lanes"))) = &name##_lanes;
#endif

#endif
// SPDX-License-Identifier: Apache-2.0
