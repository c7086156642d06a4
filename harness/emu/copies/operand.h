/* Operands of copies in memory, checked before the copy is issued. */
#ifndef COPYCHECK_EMU_COPIES_OPERAND_H
#define COPYCHECK_EMU_COPIES_OPERAND_H

#include "harness/emu/machine/address.h"
#include "harness/emu/machine/state.h"

struct emu_flight;

/* An operand of a copy in memory, and the rules that it is under; a rule that is NULL does not exist. */
struct emu_operand {
    const char *what; /* "source" */
    uint16_t space;
    uint64_t address, bytes;
    unsigned align;
    enum emu_access access;
    const struct ck_rule *aligned, *inside, *also; /* its alignment; its bounds, and another rule broken with them */
    const struct ck_rule *own;                     /* that .shared::cta means the executing CTA */
};
/* Where it lies: a CTA and an offset, or no CTA and a global address; ends the grid where a rule is broken that leaves
 * nothing to go on with. */
void emu_operand_place(struct emu_thread *t, const struct emu_operand *o, struct emu_cta **cta, uint64_t *at);
/* A multicast mask: CTAs that exist, and have not exited. */
void emu_operand_mask(struct emu_thread *t, uint16_t mask);
/* A copy lands in a CTA: it must not have exited. */
void emu_operand_landing(const struct emu_flight *f, const struct emu_cta *to);

#endif
// SPDX-License-Identifier: Apache-2.0
