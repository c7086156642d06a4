/* setmaxnreg: the registers that a warp owns, and the pool of its CTA. PTX says how many a warp begins with only by
 * .maxnreg, or by .minnctapersm beside .maxntid or .reqntid; of another kernel nothing is known, and nothing waits. */
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

/* Registers of a multiprocessor; their grain; more than these a bound of CTAs does not settle. */
enum { REGISTERS = 65536, GRAIN = 8, SETTLED = 232 };

/* How many registers each thread of the kernel begins with; 0: not known. */
static uint32_t at_first(const struct ptx_function *f)
{
    const uint32_t *block = f->reqntid[0] ? f->reqntid : f->maxntid;
    uint64_t threads = f->minnctapersm, n;

    if (f->maxnreg)
        return (f->maxnreg + GRAIN - 1) / GRAIN * GRAIN;
    for (unsigned k = 0; k < 3; k++)
        threads *= k && !block[k] ? 1 : block[k];
    n = threads ? REGISTERS / threads / GRAIN * GRAIN : 0;
    return n > SETTLED ? 0 : (uint32_t)n;
}

static void check(struct emu_thread *t, const struct emu_op *op, uint32_t owned)
{
    const uint32_t n = op->registers.count;

    if (op->registers.more && owned > n)
        emu_complain(t, &rule_setmaxnreg_inc_owned, NULL, 0, 0,
                     "setmaxnreg.inc to %u registers, and each thread of the warp owns %u", n, owned);
    if (!op->registers.more && owned < n)
        emu_complain(t, &rule_setmaxnreg_dec_owned, NULL, 0, 0,
                     "setmaxnreg.dec to %u registers, and each thread of the warp owns %u", n, owned);
}

/* The first lane of a warp does it for all. */
static void set_registers(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);
    struct emu_cta *cta = t->cta;
    struct emu_warp *w = &cta->warps[t->warp];
    const uint32_t first = at_first(cta->cluster->grid->entry), n = op->registers.count;
    const uint32_t owned = w->registers ? w->registers : first;

    if (w->registers_set == t->registers_set && first) {
        if (op->registers.more && n > owned && n - owned > cta->pool) {
            emu_block(t, EMU_WAIT_REGISTERS, n - owned, 0);
            return;
        }
        check(t, op, owned);
        if (op->registers.more || n < owned)
            cta->pool += owned - n;
        w->registers = n;
        emu_wake(cta->cluster);
    }
    w->registers_set += w->registers_set == t->registers_set;
    t->registers_set++;
    if (watch)
        watch->setmaxnreg(t);
}

emu_handler *emu_decode_setmaxnreg(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    if (i->op != OP_setmaxnreg)
        return NULL;
    op->registers.count = (uint16_t)ptx_operand(m, i, 0)->value;
    op->registers.more = ptx_has(m, i, PTX_inc);
    return set_registers;
}
// SPDX-License-Identifier: Apache-2.0
