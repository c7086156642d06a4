/* Launches. */
#include "harness/inside/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/check/schedules.h"
#include "harness/inside/device/kept.h"
#include "harness/inside/device/outside.h"
#include "harness/inside/device/races.h"
#include "harness/inside/device/stream.h"
#include "harness/inside/device/waits.h"

enum {
    PARAMS_MOST = 32764,
    SMEM_DEFAULT = 48 << 10,
    SMEM_MOST = 227 << 10,
    CLUSTER_MOST = 8,
    CLUSTER_NONPORTABLE = 16
};

CUresult launch_params(const struct function *f, void **args, const void *block, size_t bytes, unsigned char **out)
{
    const struct ptx_function *entry = function_entry(f);
    const struct ptx_module *m = module_ptx(f->module);

    *out = NULL;
    if (entry->param_bytes > PARAMS_MOST)
        return CUDA_ERROR_INVALID_VALUE;
    *out = calloc(1, entry->param_bytes + 1);
    if (!*out)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (block && bytes <= entry->param_bytes) {
        memcpy(*out, block, bytes);
        return CUDA_SUCCESS;
    }
    if (block || (!args && entry->n_params)) {
        free(*out);
        *out = NULL;
        return block ? CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES : CUDA_ERROR_INVALID_VALUE;
    }
    for (uint32_t i = 0; i < entry->n_params; i++) {
        const struct ptx_variable *p = &m->variables[entry->params + i];
        memcpy(*out + p->offset, args[i], p->size);
    }
    return CUDA_SUCCESS;
}

/* Bytes of static shared memory. */
static uint64_t static_bytes(const struct function *f)
{
    return emu_static_shared(device.machine, module_ptx(f->module), f->number);
}

CUresult function_set(struct function *f, CUfunction_attribute which, int value)
{
    switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 || static_bytes(f) + (uint64_t)value > SMEM_MOST)
            return CUDA_ERROR_INVALID_VALUE;
        f->most_dynamic = value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        if (value < -1 || value > 100)
            return CUDA_ERROR_INVALID_VALUE;
        f->carveout = value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: f->nonportable = value; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        if (value < 0 || function_entry(f)->cluster[0]) /* what the kernel was compiled for stays */
            return value < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_PERMITTED;
        f->cluster[which - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] = (uint32_t)value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        return value < 0 || value > CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING ? CUDA_ERROR_INVALID_VALUE
                                                                                : CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* PTX does not say how many registers a thread will have: */
enum { REGISTERS = 32, THREADS_MOST = 1024, TARGET = 90 };

static int most_threads(const struct ptx_function *entry)
{
    const uint32_t *n = entry->reqntid[0] ? entry->reqntid : entry->maxntid;

    return n[0] ? (int)(n[0] * (n[1] ? n[1] : 1) * (n[2] ? n[2] : 1)) : THREADS_MOST;
}

/* The clusters that a kernel was compiled for, or that an attribute asks for; 0: any. */
static const uint32_t *required_cluster(const struct function *f)
{
    const struct ptx_function *entry = function_entry(f);

    return entry->cluster[0] ? entry->cluster : f->cluster;
}

/* The module's constants, all of which an H200 counts for each of its functions. */
static int constant_bytes(const struct ptx_module *m)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < m->n_variables; i++) {
        const struct ptx_variable *v = &m->variables[i];
        if (v->space == PTX_const)
            bytes = (bytes + v->align - 1) / v->align * v->align + v->size;
    }
    return (int)bytes;
}

CUresult function_attribute(const struct function *f, CUfunction_attribute which, int *value)
{
    const struct ptx_function *entry = function_entry(f);
    const int fixed = (int)static_bytes(f);

    switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = most_threads(entry); break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = fixed; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = constant_bytes(module_ptx(f->module)); break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)entry->local_bytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = entry->maxnreg ? (int)entry->maxnreg : REGISTERS; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = module_ptx(f->module)->sm; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = TARGET; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = 0; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = f->most_dynamic ? f->most_dynamic : fixed > SMEM_DEFAULT ? 0 : SMEM_DEFAULT - fixed;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = f->carveout; break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: *value = entry->explicitcluster; break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        *value = (int)required_cluster(f)[which - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
        break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: *value = f->nonportable; break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = 0; break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

uint64_t launch_static_bytes(const struct function *f)
{
    return static_bytes(f);
}

static bool is_empty(const uint32_t n[3])
{
    return !n[0] || !n[1] || !n[2];
}

/* The clusters of a launch; 0: it has none. */
static const uint32_t *cluster_of(const struct launch *l)
{
    return l->cluster[0] ? l->cluster : required_cluster(l->function);
}

bool launch_has_fine_clusters(const struct launch *l)
{
    const uint32_t *cluster = cluster_of(l), *required = required_cluster(l->function);
    const bool compiled = function_entry(l->function)->cluster[0]; /* a side that is not named is 1 there */
    uint64_t ctas = 1;

    if (!cluster[0] && !cluster[1] && !cluster[2])
        return true;
    for (int i = 0; i < 3; i++) {
        const uint32_t side = cluster[i] || !compiled ? cluster[i] : 1;
        if (!side || l->grid[i] % side || (required[0] && side != (required[i] || !compiled ? required[i] : 1)))
            return false;
        ctas *= side;
    }
    return ctas <= (l->function->nonportable ? CLUSTER_NONPORTABLE : CLUSTER_MOST);
}

CUresult launch_refused(const struct launch *l)
{
    const struct function *f = l->function;
    const struct ptx_function *entry = function_entry(f);
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    const uint64_t shared = static_bytes(f) + l->smem;

    if (is_empty(l->grid) || is_empty(l->block) || l->grid[1] > 65535 || l->grid[2] > 65535 ||
        l->grid[0] > 0x7fffffff || threads > 1024 || l->block[2] > 64)
        return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < 3; i++)
        if (entry->reqntid[0] && l->block[i] != (entry->reqntid[i] ? entry->reqntid[i] : 1))
            return CUDA_ERROR_INVALID_VALUE;
    if (entry->maxntid[0] && threads > (uint64_t)entry->maxntid[0] * (entry->maxntid[1] ? entry->maxntid[1] : 1) *
                                           (entry->maxntid[2] ? entry->maxntid[2] : 1))
        return CUDA_ERROR_INVALID_VALUE;
    if (!launch_has_fine_clusters(l))
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    if (shared > SMEM_MOST || (f->most_dynamic ? l->smem > (uint32_t)f->most_dynamic : shared > SMEM_DEFAULT))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* The error of a fault: by the rule, of the finding that tells of it. A GPU ends a kernel that names other lanes than
 * its own by CUDA_ERROR_ILLEGAL_INSTRUCTION where it is compiled for debugging; elsewhere it goes on. */
static CUresult error_of_fault(const struct emu_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        if (strcmp(report->findings[i].message, report->message))
            continue;
        if (!strcmp(report->findings[i].rule->id, "access.align"))
            return CUDA_ERROR_MISALIGNED_ADDRESS;
        if (!strcmp(report->findings[i].rule->id, "warp.member"))
            return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    }
    return CUDA_ERROR_ILLEGAL_ADDRESS;
}

/* What becomes of the device. */
static CUresult error_of(const struct emu_report *report)
{
    switch (report->end) {
    case EMU_DONE: return CUDA_SUCCESS;
    case EMU_DEADLOCK:
    case EMU_TOO_LONG: return CUDA_ERROR_LAUNCH_TIMEOUT;
    case EMU_UNSUPPORTED: return CUDA_ERROR_NOT_SUPPORTED;
    case EMU_NO_MEMORY: return CUDA_ERROR_OUT_OF_MEMORY;
    case EMU_BAD_LAUNCH: return CUDA_ERROR_INVALID_VALUE;
    case EMU_FAULTED: break;
    }
    if (strstr(report->message, "assert"))
        return CUDA_ERROR_ASSERT;
    return strstr(report->message, "trap") ? CUDA_ERROR_LAUNCH_FAILED : error_of_fault(report);
}

/* Whether its threads wait for the grid before them before all else. */
static bool waits(struct function *f)
{
    if (f->waits == WAITS_UNKNOWN)
        f->waits = waits_first(module_ptx(f->module), function_entry(f)) ? WAITS_FIRST : WAITS_LATER;
    return f->waits == WAITS_FIRST;
}

bool launch_is_alone(const struct launch *l)
{
    struct function *f = l->function;

    if (f->alone == ALONE_UNKNOWN)
        f->alone = waits_for_others(module_ptx(f->module), function_entry(f)) ? ALONE_NOT : ALONE;
    return f->alone == ALONE;
}

static enum emu_end run(const struct launch *l, struct emu_options *options, struct emu_report *report)
{
    const struct ptx_function *entry = function_entry(l->function);

    options->dependents = true;
    options->dependent = l->dependent && !waits(l->function);
    options->cooperative = l->cooperative ? EMU_COOPERATIVE_YES : EMU_COOPERATIVE_NO;
    return emu_launch_of(device.machine, module_ptx(l->function->module), l->function->number, options, l->grid,
                         l->block, cluster_of(l)[0] ? cluster_of(l) : NULL, l->smem, l->params, entry->param_bytes,
                         report);
}

/* ---- reads of what nobody has written ------------------------------------------------------------------------------
 *
 * A kernel may load a word of shared memory that nobody has written, and not use it. That shows where the launch is run
 * again with other bytes there: memory holds the same at its end. */

enum { DOUBT_BYTES = 1 << 30 }; /* of memory that is kept for it, at most */

static struct {
    double ran, spent; /* seconds: of launches; of keeping memory */
} doubts;

static bool is_doubt(const struct emu_finding *f)
{
    return !f->remark && f->rule && !strcmp(f->rule->id, "order.unwritten") && strstr(f->message, "shared memory");
}

/* No document says that it is wrong: a thread that ends with a copy under way, for example. */
static bool is_unsaid(const struct emu_finding *f)
{
    return !f->remark && f->rule && f->rule->evidence == CK_OBSERVED;
}

static bool has(bool (*which)(const struct emu_finding *), const struct emu_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (which(&report->findings[i]))
            return report->end == EMU_DONE;
    return false;
}

/* Whether memory is to be kept for this launch: a small part of the time goes there. */
static bool may_doubt(const struct launch *l)
{
    return l->function->unwritten == UNWRITTEN_UNKNOWN && static_bytes(l->function) + l->smem &&
           doubts.spent < 0.2 + 0.1 * doubts.ran && kept_bytes() < DOUBT_BYTES;
}

/* Runs the launch with other bytes in shared memory. Whether it makes no difference; memory is as the first left it. */
static bool makes_no_difference(const struct launch *l, const struct kept *before)
{
    const struct emu_swaps none = { .count = 0 };
    struct kept after = kept_all();
    struct emu_options options = device.options.options;
    struct emu_report report = { .end = EMU_NO_MEMORY };
    bool same;

    if (after.failed) {
        kept_free(&after);
        return false;
    }
    kept_put_back(before);
    check_schedule(&device.options, &none, 0, &options);
    options.repeated = options.other_values = true;
    run(l, &options, &report);
    same = report.end == EMU_DONE && kept_same(&after);
    kept_put_back(&after);
    kept_free(&after);
    return same;
}

/* Findings on which documents are silent become remarks, and those of such reads where they are unused. They come
 * behind the others. `to` has room for all. */
static void make_remarks(struct emu_report *report, bool unused, struct emu_finding *to)
{
    const size_t all = report->count + report->remarks;
    size_t n = 0;

    for (int remarks = 0; remarks < 2; remarks++) {
        for (size_t i = 0; i < all; i++) {
            const struct emu_finding *f = &report->findings[i];
            const size_t said = strlen(f->message);
            const bool doubt = unused && is_doubt(f);
            if ((f->remark || doubt || is_unsaid(f)) != remarks)
                continue;
            to[n] = *f;
            if (doubt)
                snprintf(to[n].message + said, sizeof to[n].message - said,
                         "; with other bytes there, the launch writes the same");
            to[n++].remark = remarks;
        }
        if (!remarks)
            report->count = n;
    }
    report->remarks = all - report->count;
    report->findings = to;
}

/* Settles whether such reads are findings, of this launch and those of the function that follow, and what else is
 * none. Returns what the report's findings are in from then on, which the caller frees; NULL: they are where they were.
 */
static struct emu_finding *settle_doubts(const struct launch *l, const struct kept *before, struct emu_report *report)
{
    const size_t all = report->count + report->remarks;
    struct function *f = l->function;
    struct emu_finding *own;

    if ((!has(is_doubt, report) && !has(is_unsaid, report)) || !(own = malloc(2 * all * sizeof *own)))
        return NULL;
    memcpy(own, report->findings, all * sizeof *own);
    report->findings = own;
    if (has(is_doubt, report) && f->unwritten == UNWRITTEN_UNKNOWN && before->all && !before->failed &&
        !outside_is_away()) {
        races_off();
        f->unwritten = makes_no_difference(l, before) ? UNWRITTEN_UNUSED : UNWRITTEN_USED;
        races_end(function_entry(f)->name);
    }
    make_remarks(report, f->unwritten == UNWRITTEN_UNUSED, own + all);
    return own;
}

/* The schedules behind the first: what they find counts, what they write does not. */
static void run_more(const struct launch *l, const struct kept *before, struct emu_swaps *swaps)
{
    struct kept after = kept_all();

    for (unsigned k = 1; k < device.options.schedules && !after.failed; k++) {
        struct emu_options options = device.options.options;
        struct emu_report report;
        kept_put_back(before);
        check_schedule(&device.options, swaps, k, &options);
        options.repeated = true;
        run(l, &options, &report);
        say_launch(l, &report, k);
    }
    kept_put_back(&after);
    kept_free(&after);
}

/* ---- launches that may begin early ---------------------------------------------------------------------------------
 *
 * The light judge does not keep what a launch accesses. Few launches need it: those of kernels that may begin early,
 * and touch memory before they wait. */

static struct {
    bool known; /* the launch before let the next one begin, and nothing was kept: */
    struct launch launch;
} early;

static void early_note(const struct launch *l, bool untraced)
{
    const uint64_t bytes = function_entry(l->function)->param_bytes;

    free(early.launch.params);
    early.launch = *l;
    early.launch.params = untraced ? malloc(bytes + 1) : NULL;
    early.known = early.launch.params;
    if (early.known)
        memcpy(early.launch.params, l->params, bytes);
}

/* The launch before runs once more, under the judge, so that this one is compared with it, and leaves memory as it is.
 * Its kernel's next launches go to the judge at once. */
static void early_trace(const struct launch *l)
{
    struct emu_options options = device.options.options;
    struct emu_report report;
    struct kept now;

    if (!early.known || !l->dependent || waits(l->function) || !module_owns(early.launch.function))
        return;
    races_off();
    now = kept_all();
    early.launch.function->traced = true;
    options.light = false;
    if (!now.failed)
        run(&early.launch, &options, &report);
    kept_put_back(&now);
    kept_free(&now);
}

/* What memory holds before the launch, where it is run again. */
static struct kept keep_before(const struct launch *l)
{
    const double begun = device_clock();
    struct kept before = { 0 };

    if (device.options.schedules > 1 || may_doubt(l)) {
        races_off();
        before = kept_all();
        doubts.spent += device_clock() - begun;
    }
    return before;
}

CUresult launch_run(const struct launch *l)
{
    struct emu_options options = device.options.options;
    struct kept before = { 0 };
    struct emu_swaps swaps = { 0 };
    struct emu_report report;
    struct emu_finding *own;
    CUresult result = launch_refused(l);
    bool too_large;
    double begun;

    if (result != CUDA_SUCCESS)
        return result;
    device.launches++;
    options.unwatched = !say_is_judged(l);
    if (!options.unwatched) {
        early_trace(l);
        before = keep_before(l);
    }
    if (before.all && device.options.schedules > 1)
        options.swaps = &swaps;
    options.light &= !l->function->traced;
    begun = device_clock();
    check_schedule(&device.options, &swaps, 0, &options);
    options.unused = l->function->unwritten == UNWRITTEN_UNUSED;
    options.print = say_print_to();
    outside_options(&options);
    races_begin();
    run(l, &options, &report);
    races_end(function_entry(l->function)->name);
    doubts.ran += device_clock() - begun;
    early_note(l, report.untraced);
    own = settle_doubts(l, &before, &report);
    say_launch(l, &report, 0);
    free(own);
    too_large = strstr(report.message, "cudaErrorCooperativeLaunchTooLarge");
    result = too_large ? CUDA_SUCCESS : error_of(&report);
    if (result == CUDA_SUCCESS && !too_large && device.options.schedules > 1 && before.all && !before.failed &&
        !outside_is_away()) {
        races_off();
        run_more(l, &before, &swaps);
        races_end(function_entry(l->function)->name);
    }
    kept_free(&before);
    emu_swaps_free(&swaps);
    device.error = result;
    return too_large ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
}
// SPDX-License-Identifier: Apache-2.0
