/* Lines of the shadow that hold the same: neighbouring lines mostly do where copies go. */
#include "harness/emu/judge/alike.h"

#include "harness/emu/judge/line.h"
#include "harness/emu/judge/spans.h"
#include "harness/emu/machine/lanes.h"

typedef uint64_t __attribute__((may_alias, aligned(4))) word; /* spans are aligned as their numbers */
typedef int64_t __attribute__((may_alias, vector_size(16), aligned(8))) pair;

static inline bool same_span(const struct order_span *a, const struct order_span *b)
{
    const word *x = (const word *)a, *y = (const word *)b;

    return !((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]));
}

/* Lists that hold the same spans, at most two: neighbouring lines mostly do where copies go. */
static inline bool alike(const struct order_list *a, const struct order_list *b)
{
    return a->n == b->n && !a->more && same_span(&a->own[0], &b->own[0]) &&
           (a->n == 1 || same_span(&a->own[1], &b->own[1]));
}

static unsigned replace_any(const struct order_access *x, struct order_line *line, unsigned count)
{
    _Static_assert(sizeof(struct order_span) == 24 && _Alignof(struct order_list) == 8, "a span is three words");
    _Static_assert(sizeof(struct order_list) == 4 * sizeof(pair), "a list is four pairs of words");
    const pair *before = (const pair *)&x->before, *after = (const pair *)&x->after;
    const pair b0 = before[0], b1 = before[1], b2 = before[2], b3 = before[3];
    const pair a0 = after[0], a1 = after[1], a2 = after[2], a3 = after[3];
    const int64_t all = x->now.kind & RECORD_WRITE ? -1 : 0;

    for (unsigned i = 0; i < count; i++, line++) {
        pair *list = (pair *)&line->list;
        const pair differs = (list[0] ^ b0) | (list[1] ^ b1) | (list[2] ^ b2) | (list[3] ^ b3);
        if ((differs[0] | differs[1]) && !alike(&line->list, &x->before))
            return i;
        list[0] = a0;
        list[1] = a1;
        list[2] = a2;
        list[3] = a3;
        *(pair *)line->written |= (pair){ all, all };
    }
    return count;
}

#ifdef __x86_64__
typedef int64_t __attribute__((may_alias, vector_size(32), aligned(8))) four_words;
typedef long long __attribute__((vector_size(32))) four_long;

/* The same with vectors of AVX2. */
EMU_AVX2 static unsigned replace_avx2(const struct order_access *x, struct order_line *line, unsigned count)
{
    const four_words *before = (const four_words *)&x->before, *after = (const four_words *)&x->after;
    const four_words b0 = before[0], b1 = before[1], a0 = after[0], a1 = after[1];
    const bool writes = x->now.kind & RECORD_WRITE;

    /* Two at a time, as long as they go well. */
    unsigned i = 0;
    for (; i + 1 < count; i += 2, line += 2) {
        four_words *list = (four_words *)&line[0].list, *next = (four_words *)&line[1].list;
        const four_words differs = (list[0] ^ b0) | (list[1] ^ b1) | (next[0] ^ b0) | (next[1] ^ b1);
        if (!__builtin_ia32_ptestz256((four_long)differs, (four_long)differs))
            break;
        list[0] = next[0] = a0;
        list[1] = next[1] = a1;
        if (writes)
            *(pair *)line[0].written = *(pair *)line[1].written = (pair){ -1, -1 };
    }
    for (; i < count; i++, line++) {
        four_words *list = (four_words *)&line->list;
        const four_words differs = (list[0] ^ b0) | (list[1] ^ b1);
        if (!__builtin_ia32_ptestz256((four_long)differs, (four_long)differs) && !alike(&line->list, &x->before))
            return i;
        list[0] = a0;
        list[1] = a1;
        if (writes)
            *(pair *)line->written = (pair){ -1, -1 };
    }
    return count;
}
#endif

/* Of so many lines, how many from the first on hold what x->before does, which is something: they hold x->after now,
 * and where the access is a write, all their bytes have been written. A line that has cells has an empty list. */
static unsigned replace(const struct order_access *x, struct order_line *line, unsigned count)
{
    EMU_IF_AVX2(if (emu_has_avx2()) return replace_avx2(x, line, count);)
    return replace_any(x, line, count);
}

bool order_lines_access(struct order_access *x, struct order_line *line, unsigned count)
{
    for (unsigned i = 0; i < count;) {
        const unsigned done = x->before.n ? replace(x, line, count - i) : 0;
        i += done;
        line += done;
        if (i == count)
            return done == count || done + 1 == count;
        const bool apart = line->cells || line->list.more;
        const struct order_list before = line->list;
        order_line_access(x, line, 0, LINE - 1);
        x->before.n = 0;
        if (!apart && !line->cells && !line->list.more && before.n <= 2) {
            x->before = before;
            x->after = line->list;
        }
        i++;
        line++;
    }
    return count == 1;
}

void order_page_access(struct order_access *x, struct order_page *p)
{
    const bool writes = x->now.kind & RECORD_WRITE;

    if (p->open == PAGE_ALIKE && x->before.n && alike(&p->lines[0].list, &x->before)) {
        p->lines[0].list = x->after;
        p->written |= writes;
    } else if (p->open == PAGE_ALIKE) {
        const struct order_list was = p->lines[0].list;
        order_lines_access(x, p->lines, 1);
        if (x->before.n || (!was.n && !p->lines[0].cells && !p->lines[0].list.more)) {
            p->written |= writes;
            if (!was.n) /* as each of the others */
                x->o->cluster->run->joined += (PAGE_LINES - 1) * ORDER_OF_LINE;
            return;
        }
        order_page_open_as(p, &was);
        order_lines_access(x, &p->lines[1], PAGE_LINES - 1);
    } else if (order_lines_access(x, p->lines, PAGE_LINES)) {
        p->open = PAGE_ALIKE;
        p->written = writes;
    }
}
// SPDX-License-Identifier: Apache-2.0
