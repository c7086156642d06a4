/* An access of shared or global memory, line by line. */
#include "harness/emu/judge/touch.h"

#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/line.h"
#include "harness/emu/judge/pages.h"
#include "harness/emu/judge/spans.h"
#include "harness/emu/judge/swizzle.h"
#include "harness/emu/judge/unmade.h"

/* Of an instruction, by its index in the module: whether it reads texels. */
static bool reads_texels(const struct order *o, uint32_t at)
{
    const uint16_t op = at == PTX_NO ? OP_none : o->module->instructions[at].op;

    return op == OP_tex || op == OP_tld4 || op == OP_suld;
}

void order_touch_as(struct order *o, struct emu_thread *t, uint32_t flight, const struct order_record *now,
                    uint64_t key, uint64_t n)
{
    const bool init = o->cluster->grid->machine->options.check_init && flight == PTX_NO && !(now->kind & RECORD_WRITE);
    const struct order_flight *f = flight == PTX_NO ? NULL : order_flight_at(o, flight);
    struct order_access x = {
        .o = o,
        .t = t,
        .flight = flight,
        .thread = order_number(o, t),
        .now = *now,
        .async = f && !f->generic,
        .cached = !f && !(now->kind & RECORD_WRITE) && reads_texels(o, now->at),
        .key = key,
        .n = n,
    };
    bool unwritten = false;
    uint32_t laid = 0;

    if (f && (f->tensor || f->kind == COPY_WGMMA) && !(now->kind & RECORD_WRITE) && order_is_shared(key))
        x.laid = &laid;
    for (uint64_t at = key, end = key + n; at < end;) {
        const unsigned first = (unsigned)(at % LINE);
        const unsigned last = end - at < LINE - first ? first + (unsigned)(end - at) - 1 : LINE - 1;
        struct order_line *line = order_line_of(o, at);
        if (!line)
            return;
        if (first == 0 && end - at >= LINE && !init) { /* whole lines, to the end of the page */
            const uint64_t most = PAGE_LINES - at % (1 << PAGE_BITS) / LINE, lines = (end - at) / LINE;
            order_lines_access(&x, line, (unsigned)(lines < most ? lines : most));
            at += (lines < most ? lines : most) * LINE;
            continue;
        }
        unwritten |= init && !order_line_written(line, first, last);
        order_line_access(&x, line, first, last);
        at += last - first + 1;
    }
    if (laid)
        order_swizzle_report(o, t, f, order_flight_at(o, laid - 1));
    if (unwritten)
        order_report_unwritten(o, t, key, n);
}

void order_touch(struct order *o, struct emu_thread *t, uint32_t flight, uint64_t key, uint64_t n, uint8_t kind)
{
    const struct ptx_instruction *source = t->pc ? t->pc[-1].source : NULL;
    const uint32_t thread = order_number(o, t);

    order_touch_as(o, t, flight,
                   &(struct order_record){
                       .who = flight == PTX_NO ? o->base + thread : RECORD_FLIGHT | flight,
                       .epoch = flight == PTX_NO ? o->thread[thread].view[VIEW_GENERIC].own[OWN_NOW] : 0,
                       .at = source ? (uint32_t)(source - o->module->instructions) : PTX_NO,
                       .kind = kind,
                   },
                   key, n);
}
// SPDX-License-Identifier: Apache-2.0
