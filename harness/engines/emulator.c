/* The emulator as an engine: it assembles by parsing and checking, and launches on the CPU. */
#include "harness/engines/emulator.h"

#include <stdio.h>
#include <string.h>

#include "harness/engines/emulator_launch.h"
#include "harness/emu/machine/machine.h"
#include "harness/emu/ptx/ptx.h"

static void refuse(const struct ptx_error *error, struct ck_outcome *out)
{
    out->kind = CK_O_REFUSED;
    out->code = 1;
    out->line = error->line;
    snprintf(out->message, sizeof out->message, "%s", error->message);
    if (error->rule)
        snprintf(out->rule, sizeof out->rule, "%s", error->rule->id);
}

static void emu_assemble(struct ck_engine *e, const struct ck_ptx *ptx, struct ck_outcome *out)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_parse(ptx->text, ptx->size, NULL, &error);

    (void)e;
    *out = (struct ck_outcome){ 0 };
    if (!m || !ptx_check(m, ptx->text, ptx->size, &error))
        refuse(&error, out);
    ptx_free(m);
}

static const struct ck_engine_ops emu_ops = {
    .open = emu_engine_open,
    .close = emu_engine_close,
    .assemble = emu_assemble,
    .encode = emu_engine_encode,
    .alloc = emu_engine_alloc,
    .write = emu_engine_write,
    .read = emu_engine_read,
    .launch = emu_engine_launch,
    .reset = emu_engine_reset,
};

bool ck_emu_delivery(const char *word, uint64_t seed)
{
    static const char *const words[] = { [EMU_LATE] = "late", [EMU_EAGER] = "eager", [EMU_RANDOM] = "random" };

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(word, words[i])) {
            emu_engine_delivery(i, seed);
            return true;
        }
    return false;
}

bool ck_emu_engine(struct ck_engine *out, const char *kernels)
{
    *out = (struct ck_engine){
        .name = "emu", .ops = &emu_ops, .sm = 90, .ptx = 95, .finds_hangs = true, .config = kernels
    };
    snprintf(out->facts, sizeof out->facts, "PTX ISA 9.5 on this machine's CPU");
    return true;
}
