/* Programs on the emulator and on a GPU. */
#ifndef COPYCHECK_SYNC_FUZZ_RUN_H
#define COPYCHECK_SYNC_FUZZ_RUN_H

#include "expected/rule.h"
#include "tools/sync_fuzz/program.h"

struct outcome {
    bool named;                 /* a rule is broken, or it does not end well */
    bool ended;                 /* it ran to its end, and `global` has what it left */
    const struct ck_rule *rule; /* of the first finding; NULL: none */
    char message[400];
};

struct emu_text; /* a module that is read */
struct emu_text *emu_text_read(const struct ck_growing *text, char *message, size_t size);
void emu_text_free(struct emu_text *t);
/* The schedule is that of `check --schedule`; 0 comes first. `most` instructions; `global`: GLOBAL_BYTES, before the
 * run and after it. */
struct outcome emu_text_run(struct emu_text *t, const struct program *p, const char *entry, unsigned schedule,
                            uint64_t most, unsigned char *global);

/* The same as exec runs it, four times: copies early and late, lanes in step and not. Whether the judge finds the same
 * with the light judge before it as alone; else a message. `watched`: how many of the four the light judge has watched
 * to their ends. */
bool emu_text_as_exec(struct emu_text *t, const struct program *p, const char *entry, uint64_t most, unsigned *watched,
                      char *message, size_t size);

/* The first GPU: takes a module of programs. False with a message. */
bool gpu_take(const struct ck_growing *text, char *message, size_t size);
/* Runs one of them. False with a message: the context may be lost. */
bool gpu_run(const struct program *p, const char *entry, unsigned char *global, char *message, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
