/* One mistake, one finding: findings that say the same of other places are folded under the first, and so is what
 * follows from it. Nothing is dropped: every finding stays in the result, behind the one that leads it.
 *
 * A program that breaks one rule often breaks others: bytes that are read too early may not have been written yet, a
 * thread that runs ahead arrives too often, and then nothing fits. These are told as "follows", since the first finding
 * may explain them. To be folded two findings need a common line, except what is said of the counts of an mbarrier and
 * of a deadlock: a thread that ran ahead upsets them all. */
#include "harness/check/fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/hash.h"
#include "harness/check/about.h"

enum { NONE = 0, SOURCE_MAX = 1000, TEXT_MAX = 300, MBARRIER_BYTES = 8, OFFSET = (1 << EMU_RANK_SHIFT) - 1 };

/* In which turn a finding looks for one to follow. In the first it follows findings before it. What is said better by
 * another one has the second, what says only how a run went on has the last: these follow findings behind them too. */
enum turn { FIRST, SECOND, LAST, TURNS };

/* A finding, as it is compared. Lines are numbers: equal for instructions of one CUDA line, inlined from the same
 * lines.
 */
struct view {
    enum subject subject;
    uint32_t here, there, cause;        /* lines, NONE: there is none */
    uint32_t here_source, there_source; /* the same whatever the instruction; NONE: there is no CUDA line */
    uint32_t here_form, there_form;     /* NONE: there is a CUDA line, which says more */
    uint64_t mbarrier; /* 1 and the offset of the one that it is about, or that its copy signals; 0: none */
    enum turn turn;
    bool leads;  /* it explains what is said of its mbarrier and of their copies, also before it */
    bool ahead;  /* a thread or a copy ran ahead of what it should have waited for */
    bool upset;  /* what such a thread or copy upsets: counts, phases, a deadlock */
    bool counts; /* of that, what is not said of two accesses */
    bool ends;   /* nobody waited for a copy until its CTA ended */
};

struct fold {
    struct check_result *result;
    const struct ptx_module *module;
    struct view *view;
    uint64_t *texts; /* hashes of the texts that have numbers; number n is texts[n - 1] */
    uint32_t text_count;
};

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* The text of an instruction behind its guard. */
static const char *form_of(const struct fold *x, const struct ptx_instruction *i, char *text, size_t size)
{
    const struct ptx_function *f = ptx_function_of(x->module, i);

    *text = 0;
    if (f)
        ptx_print(x->module, f, i, text, size);
    return *text == '@' ? text + strcspn(text, " ") + (text[strcspn(text, " ")] == ' ') : text;
}

/* The number of this text, the same for equal ones. */
static uint32_t number_of(struct fold *x, const char *text)
{
    const uint64_t hash = fnv1a(FNV1A_BASIS, text, strlen(text));
    uint32_t n = 0;

    while (n < x->text_count && x->texts[n] != hash)
        n++;
    if (n == x->text_count)
        x->texts[x->text_count++] = hash;
    return n + 1;
}

/* Without -lineinfo: the instruction but for registers and addresses, since an unrolled loop repeats it. */
static uint32_t form_number(struct fold *x, const struct ptx_instruction *i)
{
    char text[TEXT_MAX], form[TEXT_MAX + 8];
    const char *const begin = form_of(x, i, text, sizeof text);

    if (!*begin)
        return NONE;
    snprintf(form, sizeof form, "form %.*s", (int)strcspn(begin, " "), begin);
    return number_of(x, form);
}

/* The numbers of an instruction's line and, unless it is NULL, of its form. Instructions are on the same line if they
 * come from the same CUDA line by the same calls; without -lineinfo, if they are the same. */
static void number_lines(struct fold *x, const struct ptx_instruction *i, uint32_t *line, uint32_t *form,
                         uint32_t *source_line)
{
    char text[SOURCE_MAX + 32], source[SOURCE_MAX] = "";

    if (!i)
        return;
    ptx_source_called(x->module, i, source, sizeof source);
    if (*source)
        snprintf(text, sizeof text, "%u %s", i->op, source);
    else
        snprintf(text, sizeof text, "%td", i - x->module->instructions);
    *line = number_of(x, text);
    if (form && !*source)
        *form = form_number(x, i);
    if (source_line && *source)
        *source_line = number_of(x, source);
}

static bool is_copy(const struct ptx_instruction *i)
{
    return i && (i->op == OP_cp_async || i->op == OP_cp_async_bulk || i->op == OP_cp_async_bulk_tensor ||
                 i->op == OP_cp_reduce_async_bulk || i->op == OP_cp_reduce_async_bulk_tensor);
}

/* Whether the copy comes after the access in this run, and might have come before it: the other way round the finding
 * says more. */
static bool turned_round(const struct emu_finding *f)
{
    return is_copy(f->here.at) && f->there.at && !is_copy(f->there.at) && f->there.at->op != OP_wgmma_mma_async &&
           f->there.at->op != OP_wgmma_mma_async_sp;
}

static bool is_stuck(const struct emu_finding *f)
{
    return !strncmp(f->message, "deadlock", strlen("deadlock"));
}

static bool is_access(const struct emu_finding *f)
{
    return f->rule && about_begins(f->rule->id, "access.bounds access.align access.own-window ");
}

/* Whether a finding before this one is about bytes without a value. */
static bool is_behind_unwritten(const struct fold *x, size_t i)
{
    while (i-- > 0)
        if (x->result->found[i].finding.rule == &rule_order_unwritten)
            return true;
    return false;
}

static void look(struct fold *x, size_t i)
{
    const struct emu_finding *f = &x->result->found[i].finding;
    const char *id = f->rule ? f->rule->id : "deadlock.";
    struct view *v = &x->view[i];

    *v = (struct view){ .subject = about_subject(id),
                        .turn = about_begins(id, "order.unwritten bulk.exit. cpasync.exit ") ? LAST : FIRST,
                        .ahead = about_ahead(id),
                        .upset = about_upset(id) };
    number_lines(x, f->here.at, &v->here, &v->here_form, &v->here_source);
    number_lines(x, f->there.at, &v->there, &v->there_form, &v->there_source);
    number_lines(x, f->cause, &v->cause, NULL, NULL);
    v->ends = about_begins(id, "bulk.exit. cpasync.exit ");
    v->counts = about_count(id) || (about_begins(id, "mbarrier. ") && is_stuck(f));
    v->upset |= v->counts;
    if (is_stuck(f)) /* what has upset the counts is given to its leader first */
        v->turn = LAST;
    if (is_access(f) && is_behind_unwritten(x, i)) /* and so is what was read */
        v->turn = LAST;
    v->mbarrier = f->signals                                                          ? f->signals
                  : about_begins(id, "mbarrier. ") && f->here.bytes == MBARRIER_BYTES ? (f->here.address & OFFSET) + 1
                                                                                      : 0;
}

static bool same_thread(const struct emu_place *a, const struct emu_place *b)
{
    return a->known && b->known && !memcmp(a->tid, b->tid, sizeof a->tid) &&
           !memcmp(a->ctaid, b->ctaid, sizeof a->ctaid);
}

static bool shares_line(const struct view *a, const struct view *b)
{
    return (a->here && (a->here == b->here || a->here == b->there)) ||
           (a->there && (a->there == b->here || a->there == b->there));
}

/* A wait by the wrong parity explains all counts, and what is upset on its lines, also before it. */
static bool by_parity(const struct fold *x, size_t i)
{
    const struct emu_finding *f = &x->result->found[i].finding;

    for (size_t k = 0; k < x->result->count && x->view[i].upset; k++)
        if (x->result->found[k].finding.rule == &rule_mbarrier_phase_parity_alternates && f->rule &&
            x->result->found[k].finding.rule != f->rule && (x->view[i].counts || shares_line(&x->view[i], &x->view[k])))
            return true;
    return false;
}

/* The rule of PTX. */
static const struct ck_rule *plain(const struct emu_finding *f)
{
    return f->behind ? f->behind : f->rule;
}

/* Whether the finding leads as it says. One arrival more than an mbarrier counts may also be of a thread that ran
 * ahead: then the first that is said of two accesses is that its copy meets another one of its own at the same place,
 * or that somebody reads who has not waited at all, or who has waited there by the wrong parity. Or what is said of two
 * accesses comes before it: that somebody reads who waited for another mbarrier alone. */
static bool leads(const struct fold *x, size_t k)
{
    const struct check_found *found = x->result->found;

    if (!found[k].finding.leads || plain(&found[k].finding) != &rule_mbarrier_phase_over_arrive)
        return found[k].finding.leads;
    for (size_t i = 0; i < x->result->count; i++)
        if (found[i].finding.rule == &rule_mbarrier_phase_parity_alternates &&
            x->view[i].mbarrier == x->view[k].mbarrier)
            return false;
    for (size_t i = 0; i < k; i++)
        if ((found[i].finding.rule == &rule_mbarrier_wait_async_not_covered ||
             found[i].finding.rule == &rule_wgmma_smem_written) &&
            x->view[i].mbarrier == x->view[k].mbarrier)
            return false;
    for (size_t i = 0; i < x->result->count; i++) {
        const struct view *v = &x->view[i];
        if (v->there && !v->counts && v->mbarrier == x->view[k].mbarrier)
            return plain(&found[i].finding) != &rule_bulk_dst_no_early_read &&
                   (found[i].finding.twins || !is_copy(found[i].finding.here.at) ||
                    !is_copy(found[i].finding.there.at));
    }
    return true;
}

/* A finding explains what is said of its mbarrier and of their copies, also before it is known. */
static bool is_led(const struct fold *x, size_t i)
{
    const struct view *v = &x->view[i];

    for (size_t k = 0; k < x->result->count && v->upset; k++)
        if (x->view[k].leads && ((v->mbarrier && v->mbarrier == x->view[k].mbarrier) || shares_line(v, &x->view[k])))
            return true;
    return false;
}

/* A thread that refills a buffer too early announces the bytes too early as well: the arrival follows, though it comes
 * first. */
static bool announces(const struct fold *x, size_t i)
{
    const struct emu_place *p = &x->result->found[i].finding.here;

    if (x->result->found[i].finding.rule == &rule_mbarrier_inval_quiescent)
        return false;
    for (size_t k = 0; k < x->result->count && x->view[i].counts && x->view[i].mbarrier; k++) {
        const struct emu_finding *g = &x->result->found[k].finding;
        if (x->view[k].there && x->view[k].mbarrier == x->view[i].mbarrier && is_copy(g->here.at) && x->view[k].ahead &&
            same_thread(p, &g->here))
            return true;
    }
    return false;
}

/* ---- what belongs together --------------------------------------------------------------------------------------- */

static bool same_pair(const struct view *a, const struct view *b)
{
    return (a->here == b->here && a->there == b->there) || (a->here == b->there && a->there == b->here);
}

/* The same two lines of CUDA: what a statement reads and what it writes there are two accesses. */
static bool same_statements(const struct view *a, const struct view *b)
{
    return a->here_source && a->there_source &&
           ((a->here_source == b->here_source && a->there_source == b->there_source) ||
            (a->here_source == b->there_source && a->there_source == b->here_source));
}

static bool names(const struct emu_finding *f, const struct ck_rule *rule)
{
    bool named = f->rule == rule;

    for (int i = 0; i < EMU_ALSO && rule; i++)
        named |= f->also[i] == rule;
    return named;
}

/* Whether finding k is the mistake of finding i at another place. */
static bool is_place(const struct fold *x, size_t i, size_t k)
{
    const struct emu_finding *f = &x->result->found[i].finding, *g = &x->result->found[k].finding;
    const struct view *a = &x->view[i], *b = &x->view[k];

    if (f->rule != g->rule || f->remark != g->remark)
        return false;
    if (f->rule == &rule_dsmem_entry || f->rule == &rule_dsmem_exit) /* one barrier of the cluster, for all accesses */
        return true;
    if ((a->cause && (a->cause == b->cause || a->cause == b->there)) || (b->cause && b->cause == a->there))
        return true;
    if (same_pair(a, b) || (a->there && b->there && shares_line(a, b)) || (a->mbarrier && a->mbarrier == b->mbarrier))
        return true;
    return a->here_form && a->here_form == b->here_form && a->there_form == b->there_form;
}

/* Whether what is said in finding k of counts, phases or a deadlock may follow from the finding that leads i, in which
 * something ran ahead: it is about an mbarrier or a thread that the leader or its followers are about. Copies without
 * an mbarrier may upset any; a deadlock follows where counts have been upset already. */
static bool upsets(const struct fold *x, size_t i, size_t k)
{
    const struct check_found *found = x->result->found;
    const struct emu_finding *g = &found[k].finding;
    const bool stuck = is_stuck(g);
    const bool parity = found[i].finding.rule == &rule_mbarrier_phase_parity_alternates;
    bool linked = parity || (!stuck && !x->view[i].mbarrier);

    for (size_t m = 0; m < x->result->count && !linked; m++) {
        const struct emu_finding *f = &found[m].finding;
        if (!found[m].settled || found[m].leader != found[i].leader)
            continue;
        linked = (x->view[m].mbarrier && x->view[m].mbarrier == x->view[k].mbarrier) ||
                 (stuck ? x->view[m].counts : same_thread(&f->here, &g->here) || same_thread(&f->there, &g->here));
    }
    return linked;
}

/* Whether something ran ahead in finding i that may have upset what finding k is about, be it on other lines. */
static bool is_upset_by(const struct fold *x, size_t i, size_t k)
{
    const struct view *a = &x->view[i], *b = &x->view[k];

    if (a->leads && i < k && b->upset && b->subject == DESTINATION) /* who is let go too early upsets other mbarriers */
        return true;
    if (!a->ahead)
        return false;
    if (b->upset && (shares_line(a, b) || (a->mbarrier && a->mbarrier == b->mbarrier)))
        return true;
    return b->counts && (i < k || b->turn != FIRST) && upsets(x, i, k);
}

/* A product of wgmma is in flight when its registers, or what it reads, are touched. */
static bool is_product(const struct emu_finding *f)
{
    return f->rule == &rule_wgmma_regs_in_flight || f->rule == &rule_wgmma_smem_overwritten;
}

/* What a product reads and what another access writes: in one run the two may meet in both orders. */
static bool is_read_by_product(const struct emu_finding *f)
{
    return f->rule == &rule_wgmma_smem_written || f->rule == &rule_wgmma_smem_overwritten;
}

/* Another thread than the one that issued a store has waited for it. */
static bool waits_elsewhere(const struct emu_finding *f)
{
    return f->rule == &rule_bulk_wait_store_issuer_only || f->rule == &rule_bulkgrp_per_thread;
}

/* Finding k is about a copy that finding i says to write over an mbarrier: it lies where it should not. */
static bool lies_on_mbarrier(const struct fold *x, size_t i, size_t k)
{
    const struct emu_finding *f = &x->result->found[i].finding;
    const struct view *a = &x->view[i], *b = &x->view[k];

    return f->rule == &rule_mbarrier_object_opaque_write && is_copy(f->there.at) && a->there &&
           (a->there == b->here || a->there == b->there);
}

/* Finding k is about threads of one CTA that race, that read too early or take a value of a lane that is not there,
 * behind an operation of a warp whose lanes finding i says to have named different members: they have not met there. */
static bool met_by_other_masks(const struct fold *x, size_t i, size_t k)
{
    const struct emu_finding *f = &x->result->found[i].finding, *g = &x->result->found[k].finding;

    return f->rule == &rule_warp_same_mask && f->here.at < g->here.at &&
           (g->rule == &rule_order_data_race || g->rule == &rule_order_unwritten || g->rule == &rule_warp_source) &&
           !memcmp(f->here.ctaid, g->here.ctaid, sizeof f->here.ctaid) &&
           (!g->there.known || !memcmp(f->here.ctaid, g->there.ctaid, sizeof f->here.ctaid));
}

/* Of findings about one line: whether i explains k, whatever the two are about. */
static bool explains(const struct fold *x, size_t i, size_t k)
{
    const struct emu_finding *f = &x->result->found[i].finding, *g = &x->result->found[k].finding;
    const struct view *a = &x->view[i], *b = &x->view[k];
    const bool both_orders = a->there && same_pair(a, b) && turned_round(g) && !turned_round(f); /* in one run */

    return (both_orders && b->subject != PROXY) ||
           (b->ends && a->subject != PROXY && !a->ends) || /* what was said of the copy says why nobody waited */
           (is_product(f) && is_product(g) && a->there == b->there) ||
           (waits_elsewhere(f) && waits_elsewhere(g) && same_pair(a, b)) ||
           (is_read_by_product(f) && is_read_by_product(g) && (same_pair(a, b) || same_statements(a, b))) ||
           (f->rule == &rule_dsmem_entry && b->subject == DESTINATION) ||
           (f->rule == &rule_order_unwritten && is_stuck(g));
}

/* The same of findings about one subject. */
static bool is_more_of(const struct fold *x, size_t i, size_t k)
{
    const struct emu_finding *f = &x->result->found[i].finding, *g = &x->result->found[k].finding;
    const struct view *a = &x->view[i], *b = &x->view[k];

    if (a->subject == PROXY && a->there && a->there == b->there) /* one fence behind one write */
        return true;
    return b->turn == LAST || (a->there && b->there && same_pair(a, b)) || same_statements(a, b) ||
           (a->cause && a->cause == b->cause) || names(f, g->rule) || names(g, f->rule);
}

/* Whether a thread was let go by a wait for an older phase in finding i: what it then reads may not be written yet. */
static bool reads_too_early(const struct fold *x, size_t i, size_t k)
{
    const struct ck_rule *rule = x->result->found[i].finding.rule;

    return (rule == &rule_mbarrier_phase_older_state || rule == &rule_mbarrier_phase_parity_alternates) &&
           x->result->found[k].finding.rule == &rule_order_unwritten;
}

/* Whether finding k is about bytes that nobody had written yet, and finding i about a write of them that comes in no
 * order with another thread's access: the one who reads them came too soon. */
static bool reads_what_races(const struct fold *x, size_t i, size_t k)
{
    const struct emu_finding *f = &x->result->found[i].finding, *g = &x->result->found[k].finding;

    return (f->rule == &rule_order_data_race || f->rule == &rule_fence_mp) && g->rule == &rule_order_unwritten &&
           f->cluster == g->cluster && f->here.address < g->here.address + g->here.bytes &&
           g->here.address < f->here.address + f->here.bytes;
}

/* Whether finding k is about an address out of place, in a CTA that has read bytes without a value: it may be one. */
static bool goes_astray(const struct fold *x, size_t i, size_t k)
{
    const struct emu_finding *f = &x->result->found[i].finding, *g = &x->result->found[k].finding;

    return i < k && f->rule == &rule_order_unwritten && is_access(g) &&
           !memcmp(f->here.ctaid, g->here.ctaid, sizeof f->here.ctaid);
}

/* Whether all that threads do with one another's data may follow from finding i, and so finding k: they race at a flag
 * on their way to it. Or an object is missing at which k waits for more arrivals, or a barrier has counted one thread
 * twice, and lacks another. */
static bool is_behind_flag(const struct fold *x, size_t i, size_t k)
{
    const struct emu_finding *f = &x->result->found[i].finding, *g = &x->result->found[k].finding;
    const bool passes = g->rule == &rule_fence_mp || g->rule == &rule_order_data_race || is_stuck(g);

    return i < k && ((f->flag && passes && !g->flag) || (f->rule == &rule_mbarrier_init_required && is_stuck(g)) ||
                     (f->rule == &rule_bar_next_use && g->rule == &rule_deadlock_barrier));
}

/* Whether finding k may follow from finding i. */
static bool follows(const struct fold *x, size_t i, size_t k)
{
    const struct view *a = &x->view[i], *b = &x->view[k];

    if (x->result->found[i].finding.remark || x->result->found[k].finding.remark)
        return false;
    return lies_on_mbarrier(x, i, k) || met_by_other_masks(x, i, k) || is_upset_by(x, i, k) ||
           is_behind_flag(x, i, k) || reads_too_early(x, i, k) || reads_what_races(x, i, k) || goes_astray(x, i, k) ||
           (shares_line(a, b) && (explains(x, i, k) || (a->subject == b->subject && is_more_of(x, i, k))));
}

/* Whether another finding says more of it: a copy that lies on an mbarrier, masks of a warp that differ. Or of the same
 * two lines: one in which the copy came first; or, where two copies have no order, one of the reads between them. */
static bool said_better(const struct fold *x, size_t i)
{
    const struct emu_finding *f = &x->result->found[i].finding;
    const bool turned = turned_round(f), pair = is_copy(f->here.at) && is_copy(f->there.at) && x->view[i].ahead;

    for (size_t k = 0; k < x->result->count; k++)
        if (k != i && (lies_on_mbarrier(x, k, i) || met_by_other_masks(x, k, i)))
            return true;
    for (size_t k = 0; k < x->result->count && (turned || pair); k++) {
        const struct emu_finding *g = &x->result->found[k].finding;
        if (turned && !turned_round(g) && same_pair(&x->view[i], &x->view[k]) && i != k)
            return true;
        if (pair && (g->rule == &rule_bulk_dst_reuse_war || g->rule == &rule_cpasync_order_war_dst) &&
            shares_line(&x->view[i], &x->view[k]))
            return true;
    }
    return false;
}

/* ---- leaders ---------------------------------------------------------------------------------------------------- */

/* Gives finding k to the leader of one that it repeats, else of one that explains it: of those before it and, in a
 * later turn, of those behind it. Where there is none it leads. */
static void settle(struct fold *x, size_t k)
{
    struct check_found *found = x->result->found;
    const size_t end = x->view[k].turn == FIRST ? k : x->result->count;

    for (int places = 1; places >= 0; places--)
        for (size_t i = 0; i < end; i++) {
            if (i == k || !found[i].settled || (!places && found[i].role == CHECK_FOLLOWS && !x->view[k].ends))
                continue;
            if (places ? !is_place(x, i, k) : !follows(x, i, k))
                continue;
            found[k].leader = found[i].leader;
            found[k].role = places && found[i].role != CHECK_FOLLOWS ? CHECK_PLACE : CHECK_FOLLOWS;
            found[k].settled = true;
            return;
        }
    found[k].leader = k;
    found[k].role = CHECK_LEADS;
    found[k].settled = true;
}

/* Moves finding `first` and those like it behind it (of its leader, role and rule) to the end of `sorted`. */
static size_t move(struct check_result *r, size_t first, size_t leader, struct check_found *sorted, size_t n)
{
    const struct check_found like = r->found[first];

    for (size_t k = first; k < r->count; k++) {
        struct check_found *g = &r->found[k];
        if (!g->settled || g->leader != like.leader || g->role != like.role || g->finding.rule != like.finding.rule)
            continue;
        g->settled = false;
        sorted[n] = *g;
        sorted[n++].leader = leader;
    }
    return n;
}

/* Leaders in the order of the run, each with its places and then its followers behind it; remarks at the end. */
static bool arrange(struct check_result *r)
{
    struct check_found *sorted = r->count ? calloc(r->count, sizeof *sorted) : NULL;
    size_t n = 0;

    if (!sorted)
        return !r->count;
    for (int remark = 0; remark < 2; remark++)
        for (size_t i = 0; i < r->count; i++) {
            const size_t first = n;
            if (r->found[i].role != CHECK_LEADS || r->found[i].finding.remark != remark)
                continue;
            r->leaders += !remark;
            n = move(r, i, first, sorted, n);
            for (int role = CHECK_PLACE; role <= CHECK_FOLLOWS; role++)
                for (size_t k = 0; k < r->count; k++)
                    if (r->found[k].settled && r->found[k].leader == i && (int)r->found[k].role == role)
                        n = move(r, k, first, sorted, n);
        }
    memcpy(r->found, sorted, r->count * sizeof *sorted);
    free(sorted);
    return true;
}

bool check_fold(struct check_result *r, const struct ptx_module *m)
{
    struct fold x = { .result = r, .module = m };
    bool fine;

    if (!r->count)
        return true;
    x.view = calloc(r->count, sizeof *x.view);
    x.texts = calloc(r->count * 7, sizeof *x.texts);
    fine = x.view && x.texts;
    for (size_t i = 0; fine && i < r->count; i++)
        look(&x, i);
    for (size_t i = 0; fine && i < r->count; i++)
        x.view[i].leads = leads(&x, i);
    for (size_t i = 0; fine && i < r->count; i++)
        if (by_parity(&x, i) || (!x.view[i].leads && (announces(&x, i) || is_led(&x, i) || said_better(&x, i))))
            x.view[i].turn = SECOND;
    for (int turn = FIRST; fine && turn < TURNS; turn++)
        for (size_t i = 0; i < r->count; i++)
            if ((int)x.view[i].turn == turn)
                settle(&x, i);
    free(x.view);
    free(x.texts);
    return fine && arrange(r);
}
// SPDX-License-Identifier: Apache-2.0
