/* libFuzzer target: the PTX parser and checker must survive any bytes, in bounded time and memory. (`make fuzz-ptx`
 * builds and runs it.) */
#include "tests/fuzz/module.h"

static const char head[] = ".version 9.0\n.target sm_90a\n.address_size 64\n"
                           ".shared .align 128 .b8 sa[64]; .global .b8 ga[64] = {1, 2};\n"
                           ".func (.param .b32 r) f(.param .b32 a) { ret; }\n.entry k(.param .b64 a) {\n"
                           ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>; .reg .b16 %h<3>;\n";
static const char tail[] = "\nret;\n}\n";

static void walk(const struct ptx_module *m, const char *text, size_t size)
{
    char line[300];
    size_t sum = 0;

    (void)text;
    (void)size;
    for (uint32_t k = 0; k < m->n_functions; k++) {
        const struct ptx_function *f = &m->functions[k];
        for (uint32_t j = 0; j < f->n_instructions && j < 50; j++) {
            ptx_print(m, f, &m->instructions[f->instructions + j], line, sizeof line);
            sum += strlen(line);
            ptx_source(m, &m->instructions[f->instructions + j], line, sizeof line);
            sum += strlen(line);
        }
    }
    if (sum == SIZE_MAX)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_module(data, size, head, tail, walk);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
