/* libFuzzer target: the PTX parser and checker must survive any bytes, in bounded time and memory.
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -std=gnu17 -I. tests/fuzz/ptx_fuzz.c harness/emu/{arena,...}.c
 *
 * (`make fuzz-ptx` does.) Bytes that are no module are tried as statements in a kernel too, so that the fuzzer gets at
 * the operands. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/front/ptx.h"

static const char head[] = ".version 9.0\n.target sm_90a\n.address_size 64\n"
                           ".shared .align 128 .b8 sa[64]; .global .b8 ga[64] = {1, 2};\n"
                           ".func (.param .b32 r) f(.param .b32 a) { ret; }\n.entry k(.param .b64 a) {\n"
                           ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>; .reg .b16 %h<3>;\n";
static const char tail[] = "\nret;\n}\n";

static void walk(const struct ptx_module *m)
{
    char text[300];
    size_t sum = 0;
    for (uint32_t k = 0; k < m->n_functions; k++) {
        const struct ptx_function *f = &m->functions[k];
        for (uint32_t j = 0; j < f->n_instructions && j < 50; j++) {
            ptx_print(m, f, &m->instructions[f->instructions + j], text, sizeof text);
            sum += strlen(text);
            ptx_source(m, &m->instructions[f->instructions + j], text, sizeof text);
            sum += strlen(text);
        }
    }
    if (sum == SIZE_MAX)
        abort();
}

static void try(const char *text, size_t size)
{
    const struct ptx_limits limits = { .memory_bytes = 64 << 20 };
    struct ptx_error error;
    char out[1024];
    struct ptx_module *m = ptx_parse(text, size, &limits, &error);
    if (m && ptx_check(m, text, size, &error))
        walk(m);
    else {
        ptx_error_print(&error, "fuzz", out, sizeof out);
        if (!error.message[0] || error.line < 1) /* every refusal says what and where */
            abort();
    }
    ptx_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] == '.') {
        try((const char *)data, size);
        return 0;
    }
    char *text = malloc(sizeof head + size + sizeof tail);
    if (!text)
        return 0;
    memcpy(text, head, sizeof head - 1);
    memcpy(text + sizeof head - 1, data, size);
    memcpy(text + sizeof head - 1 + size, tail, sizeof tail - 1);
    try(text, sizeof head + size + sizeof tail - 2);
    free(text);
    return 0;
}
