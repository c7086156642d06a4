/* The emulator as an engine: it assembles by parsing and checking, and launches on the CPU. Kernels are the PTX files
 * of a folder, loaded when first needed. */
#include "harness/engines/emulator.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expected/oracle.h"
#include "harness/base/append.h"
#include "harness/base/text.h"
#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/forms/lax.h"
#include "harness/engines/streams.h"

enum { MODULES = 128 };

struct emulator {
    struct emu *machine;
    char *index;
    struct loaded {
        char file[64];
        char *text;
        struct ptx_module *module;
    } modules[MODULES];
    size_t count;
    struct emu_report report;
};

/* Says what the engine cannot do; false, for the caller to return. */
static bool fail(struct ck_outcome *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct ck_outcome *out, const char *format, ...)
{
    va_list args;

    *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED };
    va_start(args, format);
    vsnprintf(out->message, sizeof out->message, format, args);
    va_end(args);
    return false;
}

/* No answer of the engine's: memory is what this run lacks. */
static bool no_memory(struct ck_outcome *out, const char *what)
{
    fail(out, "no memory %s", what);
    out->kind = CK_O_MEMORY;
    return false;
}

/* Whether a module could not be read or loaded for lack of memory, as its message says. */
static bool says_no_memory(const char *message)
{
    return strstr(message, "out of memory") || strstr(message, "no memory") ||
           strstr(message, "more memory than the limit");
}

static struct emu_options options = {
    .delivery = EMU_LATE, .check_order = true, .check_init = true, .check_scopes = true
};

static bool emulator_open(struct ck_engine *e, struct ck_outcome *out)
{
    struct emulator *s = calloc(1, sizeof *s);

    *out = (struct ck_outcome){ 0 };
    if (s)
        s->machine = emu_new(&options);
    if (!s || !s->machine) {
        free(s);
        return no_memory(out, "for the emulator");
    }
    e->state = s;
    return true;
}

static void emulator_close(struct ck_engine *e)
{
    struct emulator *s = e->state;

    if (!s)
        return;
    emu_free(s->machine);
    for (size_t i = 0; i < s->count; i++) {
        ptx_free(s->modules[i].module);
        free(s->modules[i].text);
    }
    free(s->index);
    free(s);
    e->state = NULL;
}

/* Makes sure that the module of an entry is loaded. */
static bool load_for(struct ck_engine *e, const char *entry, const struct ptx_module **module, struct ck_outcome *out)
{
    struct emulator *s = e->state;
    struct loaded *l = &s->modules[s->count];
    struct ptx_error error;
    char path[512], file[64], why[200];
    size_t size;

    if (!s->index) {
        snprintf(path, sizeof path, "%.440s/index", e->config);
        s->index = ck_text_load(path, NULL);
        if (!s->index)
            return fail(out, "no kernels in %.300s: %s", e->config, "make kernels builds them, --kernels names them");
    }
    if (!ck_text_kernel(s->index, entry, file, sizeof file))
        return fail(out, "no kernel %s in %.300s/index", entry, e->config);
    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->modules[i].file, file)) {
            *module = s->modules[i].module;
            return true;
        }
    if (s->count == MODULES)
        return fail(out, "more kernel files than the emulator has room for");
    snprintf(path, sizeof path, "%.440s/%s.ptx", e->config, file);
    *l = (struct loaded){ .text = ck_text_load(path, &size) };
    if (!l->text)
        return access(path, R_OK) ? fail(out, "no %.300s", path) : no_memory(out, "for the text of the kernels");
    snprintf(l->file, sizeof l->file, "%s", file);
    l->module = ptx_read(l->text, size, NULL, &error);
    if (!l->module) {
        free(l->text);
        if (says_no_memory(error.message))
            return no_memory(out, "for a module of kernels");
        snprintf(why, sizeof why, "line %d: %.150s", error.line, error.message);
        return fail(out, "%.200s, %s", path, why);
    }
    s->count++;
    *module = l->module;
    if (emu_load(s->machine, l->module, why, sizeof why))
        return true;
    l->file[0] = 0; /* it stays, as the machine knows of it, and is not found again */
    return says_no_memory(why) ? no_memory(out, "for a module of kernels") : fail(out, "%.200s: %s", path, why);
}

static uint64_t emulator_alloc(struct ck_engine *e, enum ck_memory kind, size_t bytes, struct ck_outcome *out)
{
    static const char *const names[] = {
        [CK_MEM_DEVICE] = "buffer", [CK_MEM_HOST] = "host buffer", [CK_MEM_EDGE] = "edge buffer"
    };
    struct emulator *s = e->state;
    const uint64_t at = emu_alloc(s->machine, bytes, 1024, true, names[kind]);

    if (!at)
        no_memory(out, "for a buffer, as --max-memory or this machine has no more");
    return at;
}

static bool emulator_write(struct ck_engine *e, uint64_t to, const void *from, size_t bytes, struct ck_outcome *out)
{
    return emu_write(((struct emulator *)e->state)->machine, to, from, bytes) || fail(out, "a write outside memory");
}

static bool emulator_read(struct ck_engine *e, void *to, uint64_t from, size_t bytes, struct ck_outcome *out)
{
    return emu_read(((struct emulator *)e->state)->machine, to, from, bytes) || fail(out, "a read outside memory");
}

static void emulator_encode(struct ck_engine *e, const struct tensor_map *map, void *object, unsigned null,
                            struct ck_outcome *out)
{
    (void)e;
    *out = (struct ck_outcome){ .kind = CK_O_REFUSED, .code = 1 };
    snprintf(out->message, sizeof out->message, "%s: CUDA_ERROR_INVALID_VALUE", tensor_mode_call(map->mode));
    if (null & ~2u || (uintptr_t)object % 64 || !tensor_map_accepted(map))
        return;
    emu_map_encode(map, object);
    *out = (struct ck_outcome){ .kind = CK_O_DONE };
}

static void emulator_replace_address(struct ck_engine *e, void *object, uint64_t address, struct ck_outcome *out)
{
    struct tensor_map map;

    (void)e;
    *out = (struct ck_outcome){ .kind = CK_O_REFUSED, .code = 1 };
    snprintf(out->message, sizeof out->message, "cuTensorMapReplaceAddress: CUDA_ERROR_INVALID_VALUE");
    if ((uintptr_t)object % 64 || !emu_map_read(object, &map))
        return;
    map.address = address;
    if (!tensor_map_accepted(&map))
        return;
    emu_map_encode(&map, object);
    *out = (struct ck_outcome){ .kind = CK_O_DONE };
}

static void launch_one(struct ck_engine *e, const struct ck_device_launch *l, struct ck_outcome *out)
{
    struct emulator *s = e->state;
    const struct ptx_module *module = NULL;
    struct emu_finding named;
    const struct emu_finding *f = NULL;

    if (!load_for(e, l->kernel, &module, out))
        return;
    if (l->constant && !emu_set_variable(s->machine, module, l->constant, l->constant_bytes, l->constant_size)) {
        fail(out, "no symbol %s of that size in the module of %s", l->constant, l->kernel);
        return;
    }
    emu_launch(s->machine, l->kernel, l->grid, l->block, l->cluster, l->smem, l->args, l->size, &s->report);
    *out = (struct ck_outcome){ .kind = CK_O_DONE };
    if (s->report.count) {
        named = s->report.findings[0];
        emu_name_layer(module, &named);
        f = &named;
    }
    switch (s->report.end) {
    case EMU_UNSUPPORTED: out->kind = CK_O_UNSUPPORTED; break;
    case EMU_BAD_LAUNCH: out->kind = CK_O_REFUSED; break;
    case EMU_NO_MEMORY: out->kind = CK_O_MEMORY; break;
    case EMU_DEADLOCK:
    case EMU_TOO_LONG: out->kind = CK_O_HANG; break;
    default: out->kind = f ? CK_O_DIAGNOSED : CK_O_DONE; break;
    }
    snprintf(out->message, sizeof out->message, "%s", f ? f->message : s->report.message);
    if (f && f->rule)
        snprintf(out->rule, sizeof out->rule, "%s", f->rule->id);
    if (f && f->behind)
        ck_append(out->also, sizeof out->also, "%s", f->behind->id);
    for (int i = 0; f && i < EMU_ALSO && f->also[i]; i++)
        ck_append(out->also, sizeof out->also, "%s%s", *out->also ? ", " : "", f->also[i]->id);
}

static void emulator_launch(struct ck_engine *e, const struct ck_device_launch *l, struct ck_outcome *out)
{
    struct emulator *s = e->state;

    if (!l->before) {
        launch_one(e, l, out);
        return;
    }
    if (!emu_before(s->machine))
        no_memory(out, "for what memory held before a launch");
    else
        launch_one(e, l->before, out);
    if (out->kind == CK_O_DONE && !emu_between(s->machine))
        no_memory(out, "for what a launch wrote");
    if (out->kind == CK_O_DONE)
        launch_one(e, l, out);
    emu_behind(s->machine);
}

static void emulator_reset(struct ck_engine *e)
{
    emu_release_all(((struct emulator *)e->state)->machine);
}

static void refuse(const struct ptx_error *error, struct ck_outcome *out)
{
    out->kind = CK_O_REFUSED;
    out->code = 1;
    out->line = error->line;
    snprintf(out->message, sizeof out->message, "%s", error->message);
    if (error->rule)
        snprintf(out->rule, sizeof out->rule, "%s", error->rule->id);
}

static void emulator_assemble(struct ck_engine *e, const struct ck_ptx *ptx, struct ck_outcome *out)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_read(ptx->text, ptx->size, NULL, &error);

    (void)e;
    *out = (struct ck_outcome){ 0 };
    if (!m && says_no_memory(error.message))
        no_memory(out, "for the text's module");
    else if (!m)
        refuse(&error, out);
    const char *remark = m ? form_remark(m, &out->line) : NULL;
    if (remark)
        snprintf(out->message, sizeof out->message, "%s", remark);
    ptx_free(m);
}

static const struct ck_engine_ops emulator_ops = {
    .open = emulator_open,
    .close = emulator_close,
    .assemble = emulator_assemble,
    .encode = emulator_encode,
    .replace_address = emulator_replace_address,
    .alloc = emulator_alloc,
    .write = emulator_write,
    .read = emulator_read,
    .launch = emulator_launch,
    .steps = ck_streams_steps,
    .reset = emulator_reset,
};

bool ck_emu_delivery(const char *word, uint64_t seed)
{
    static const char *const words[] = { [EMU_LATE] = "late", [EMU_EAGER] = "eager", [EMU_RANDOM] = "random" };

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(word, words[i])) {
            options.delivery = i;
            options.seed = seed;
            return true;
        }
    return false;
}

void ck_emu_random_turns(void)
{
    options.turns = EMU_TURNS_RANDOM;
}

bool ck_emu_engine(struct ck_engine *out, const char *kernels)
{
    *out = (struct ck_engine){ .name = "emu",
                               .ops = &emulator_ops,
                               .sm = 90,
                               .ptx = 95,
                               .any_target = true,
                               .finds_hangs = true,
                               .config = kernels };
    snprintf(out->facts, sizeof out->facts, "PTX ISA 9.5 on this machine's CPU");
    return true;
}
// SPDX-License-Identifier: Apache-2.0
