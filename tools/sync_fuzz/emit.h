/* The writer of PTX: registers and labels that it has given away, and its parts. */
#ifndef COPYCHECK_SYNC_FUZZ_EMIT_H
#define COPYCHECK_SYNC_FUZZ_EMIT_H

#include "tools/sync_fuzz/program.h"

enum { WORD_STEP = 0x3779B9 }; /* word k of an item is its first word plus k times this */

struct emitter {
    struct ck_growing body;
    unsigned r, d, labels; /* numbers of registers of 4 and 8 bytes, of labels */
};

/* An address in a register, and the state space to name. */
struct address {
    const char *text, *space;
    unsigned number;
    bool wide; /* the register has 8 bytes */
};

void put(struct emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct address address_of(struct emitter *e, struct place at, bool generic);
const char *address_text(const struct address *a, char *out, size_t size); /* "[%r7]", in `out` */

/* By how many numbers a thread's items lie apart. */
unsigned op_step(const struct op *o);

void emit_items(struct emitter *e, const struct op *o);
void emit_add(struct emitter *e, const struct op *o);
void emit_sum(struct emitter *e, const struct op *o);
void emit_op(struct emitter *e, const struct program *p, const struct op *o); /* emit_sync.c */

#endif
// SPDX-License-Identifier: Apache-2.0
