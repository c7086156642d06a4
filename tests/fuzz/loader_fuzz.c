/* libFuzzer target: what loads code. (`make fuzz-loader` builds and runs it.) An input that begins with 0x7f is a
 * cubin, whose machine code is looked for; any other is a module, which is loaded beside itself, its variables set and
 * read. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/emu.h"
#include "harness/engines/cubin.h"
#include "tests/fuzz/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char head[] = ".version 9.0\n.target sm_90a\n.address_size 64\n";

static void set_variables(struct emu *e, const struct ptx_module *m)
{
    enum { MOST = 4096 };
    static const unsigned char bytes[MOST + 1];

    for (uint32_t i = 0; i < m->n_variables; i++) {
        const struct ptx_variable *v = &m->variables[i];
        uint64_t at, size;
        if (v->size <= MOST)
            emu_set_variable(e, m, v->name, bytes, v->size);
        if (emu_variable(e, m, v->name, &at, &size) && size <= MOST && emu_set_variable(e, m, v->name, bytes, size + 1))
            abort();
    }
    emu_set_variable(e, m, "no such variable", bytes, 1);
}

static void load(const struct ptx_module *m, const char *text, size_t size)
{
    const struct emu_options options = { .max_memory = 4 << 20 };
    struct emu *e = emu_new(&options);
    char error[256] = "";

    (void)text;
    (void)size;
    if (!e)
        return;
    for (int i = 0; i < 2; i++)
        if (!emu_load(e, m, error, sizeof error)) {
            if (!error[0])
                abort();
            emu_free(e);
            return;
        }
    set_variables(e, m);
    emu_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && *data == 0x7f) {
        unsigned char *image = malloc(size); /* of just this size */
        if (image) {
            memcpy(image, data, size);
            if (ck_cubin_code(image, size, "k") != ck_cubin_code(image, size, "k"))
                abort();
            ck_cubin_code(image, size, "");
        }
        free(image);
        return 0;
    }
    fuzz_module(data, size, head, "\n", load);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
