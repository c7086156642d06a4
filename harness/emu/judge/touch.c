/* An access of shared or global memory, line by line. */
#include "harness/emu/judge/touch.h"

#include <string.h>

#include "harness/emu/judge/alike.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/line.h"
#include "harness/emu/judge/pages.h"
#include "harness/emu/judge/singles.h"
#include "harness/emu/judge/swizzle.h"
#include "harness/emu/judge/unmade.h"

/* Of an instruction, by its index in the module: whether it reads texels. */
static bool reads_texels(const struct order *o, uint32_t at)
{
    const uint16_t op = at == PTX_NO ? OP_none : o->module->instructions[at].op;

    return op == OP_tex || op == OP_tld4 || op == OP_suld;
}

/* Whether it is an atomic or a reduction that makes the new value of the one that is there: one that exchanges does
 * not. */
static bool makes_of_old(const struct order *o, const struct order_record *now)
{
    return now->kind & RECORD_ATOMIC &&
           (now->at == PTX_NO || !ptx_has(o->module, &o->module->instructions[now->at], PTX_exch));
}

/* Whether an access of global memory reads what nobody has written. Of a word, that is any of its bytes; of a vector or
 * a copy all of them, which may reach behind the last element, or take a struct's padding along. */
static bool reads_nothing(struct order *o, const struct order_record *now, uint64_t key, uint64_t n)
{
    enum { WORD = 4 };
    bool any = false, all = true;

    if (now->kind & RECORD_MAP || (now->kind & RECORD_WRITE && !makes_of_old(o, now)))
        return false;
    for (uint64_t at = key, end = key + n; at < end && !any;) {
        const unsigned first = (unsigned)(at % LINE);
        const unsigned last = end - at < LINE - first ? first + (unsigned)(end - at) - 1 : LINE - 1;
        const struct order_line *line = order_line_written_of(o, at);
        if (!line)
            return false;
        any = order_line_any_written(line, first, last);
        all = any && order_line_written(line, first, last);
        at += last - first + 1;
    }
    return !any || (!all && n <= WORD);
}

bool order_has_nothing(struct order *o, uint64_t key, uint64_t n)
{
    bool any, all;

    if (!o->cluster->grid->machine->options.check_init)
        return false;
    order_values_of(o, key, n, &any, &all);
    return !any;
}

void order_touch_as(struct order *o, struct emu_thread *t, uint32_t flight, const struct order_record *now,
                    uint64_t key, uint64_t n)
{
    const bool asked = o->cluster->grid->machine->options.check_init, shared = order_is_shared(key);
    const bool init = asked && shared &&
                      (now->kind & RECORD_WRITE ? makes_of_old(o, now) : flight == PTX_NO); /* a copy may read more */
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
    bool unwritten = asked && !shared && reads_nothing(o, now, key, n);
    uint32_t laid = 0;

    if (f && (f->tensor || f->kind == COPY_WGMMA) && !(now->kind & RECORD_WRITE) && shared)
        x.laid = &laid;
    for (uint64_t at = key, end = key + n; at < end;) {
        if (at % (1 << PAGE_BITS) == 0 && end - at >= 1 << PAGE_BITS && !init) {
            struct order_page *page = order_page_at(o, at);
            if (!page)
                return;
            order_page_access(&x, page);
            at += 1 << PAGE_BITS;
            continue;
        }
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

void order_forget_values(struct order *o, uint64_t key, uint64_t n)
{
    for (uint64_t at = key; at < key + n; at += LINE) {
        struct order_line *line = order_line_of(o, at);
        if (line)
            memset(line->written, 0, sizeof line->written);
    }
}
// SPDX-License-Identifier: Apache-2.0
