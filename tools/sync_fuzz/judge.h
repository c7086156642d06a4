/* One program judged: its right form in all schedules, some wrong forms until they are named. */
#ifndef COPYCHECK_SYNC_FUZZ_JUDGE_H
#define COPYCHECK_SYNC_FUZZ_JUDGE_H

#include "tools/sync_fuzz/mutate.h"
#include "tools/sync_fuzz/run.h"

enum { MUTATIONS_MAX = 4096, ORDERS_TRIED = 12 /* by the model, before it takes a wrong form for harmless */ };

/* What came of a form of a program. `form`: -1 the right one, else the number of the wrong one in mutation_list. */
struct verdict {
    uint64_t seed;
    int form;
    unsigned ops;
    bool good; /* right and clean with the bytes of the model, or wrong and named */
    enum mutation_kind mutation;
    enum op_kind op;   /* that was changed */
    enum flaw flaw;    /* as the model says */
    unsigned schedule; /* the first that shows it */
    char rule[48], message[400];
};

typedef void verdict_fn(void *context, const struct verdict *v);

struct settings {
    unsigned schedules, tries, wrong; /* schedules of a right form, of a wrong one; wrong forms of a program */
    bool as_exec; /* in place of all that, whether exec's light judge sees all that the judge does: emu_text_as_exec */
};

/* False where the seed gives no program. */
bool judge_seed(const struct settings *s, uint64_t seed, verdict_fn *tell, void *context);
/* The right forms of `count` seeds on the GPU, in one module; how many were run: a launch that fails ends it. */
unsigned judge_gpu(uint64_t seed, unsigned count, verdict_fn *tell, void *context);

/* The form of a seed, made of the stages in `only` (0: all). False where there is none. */
bool form_make(struct program *p, uint64_t seed, int form, uint32_t only);
/* Leaves out stages while the form stays as it is with all of them: right and not clean, wrong and not named. Returns
 * the stages left, 0: all. */
uint32_t form_shrink(const struct settings *s, uint64_t seed, int form);
/* The form as PTX, with how to check it. */
void form_print(const struct program *p, int form);

#endif
// SPDX-License-Identifier: Apache-2.0
