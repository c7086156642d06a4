/* The machines that run programs. */
#ifndef COPYCHECK_ASYNC_FUZZ_ENGINES_H
#define COPYCHECK_ASYNC_FUZZ_ENGINES_H

#include "tools/async_fuzz/fuzz.h"

/* One way to run a program: the GPU, the emulator under one kind of delivery, or an assembler that only takes it. */
enum engine_kind { ENGINE_GPU, ENGINE_EMU, ENGINE_PTXAS };

struct way {
    enum engine_kind kind;
    unsigned delivery; /* enum emu_delivery */
    uint64_t seed;
    unsigned level; /* of the driver's compiler: 0 to 4 */
    char name[32];  /* "gpu", "late", "random:7" */
};

enum verdict { RAN, BROKE }; /* BROKE: a finding, a fault, a refusal; the message says which */

/* A module of programs in the hands of one engine. NULL with a message where it is not taken. */
struct batch;
struct batch *batch_load(const struct way *way, const struct ck_growing *text, char *message, size_t size);
/* `memory` is the program's, before the run and after it. */
enum verdict batch_run(struct batch *b, const struct program *p, unsigned char *memory, char *message, size_t size);
void batch_free(struct batch *b);

/* Instructions that the emulator has executed in this process. */
extern uint64_t emu_instructions;

#endif
// SPDX-License-Identifier: Apache-2.0
