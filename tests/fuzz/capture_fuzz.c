/* libFuzzer target: captures of launches. (`make fuzz-capture` builds and runs it.)
 *
 * The input is the sections of a capture; the line at its end, with the digest that no random change would hit, is made
 * here. What is read must be written and read again as the same bytes. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/hash.h"
#include "harness/capture/capture.h"

/* Larger pieces of memory are legal, and nothing that a fuzzer should fill. */
enum { MOST = 1 << 22 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether it names no large memory: each number of more than 7 digits might be one. */
static bool is_small(const uint8_t *data, size_t size)
{
    size_t digits = 0;

    for (size_t i = 0; i < size; i++) {
        digits = data[i] >= '0' && data[i] <= '9' ? digits + 1 : 0;
        if (digits > 7)
            return false;
    }
    return true;
}

static char *written(const struct capture *c, size_t *size)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, size);

    if (!to || !capture_write(to, c))
        abort();
    fclose(to);
    return text;
}

static void read_again(const struct capture *c)
{
    struct capture other;
    char error[300] = "", *first, *second;
    size_t first_size, second_size;

    for (size_t i = 0; i < c->memory_count; i++)
        if (c->memory[i].bytes > MOST)
            return;
    if (strlen(c->machine) > 4096 || strlen(c->entry) > 1024)
        return;
    first = written(c, &first_size);
    if (!capture_read(first, first_size, &other, error, sizeof error))
        abort();
    second = written(&other, &second_size);
    if (first_size != second_size || memcmp(first, second, first_size) != 0)
        abort();
    capture_free(&other);
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t magic = strlen(CAPTURE_MAGIC);
    struct capture c;
    char error[300] = "", *text;
    size_t at = magic + size;

    if (!is_small(data, size))
        return -1;
    text = malloc(at + 64);
    if (!text)
        return 0;
    memcpy(text, CAPTURE_MAGIC, magic);
    if (size)
        memcpy(text + magic, data, size);
    at += (size_t)sprintf(text + at, "end %" PRIu64 " 0\n", fnv1a(FNV1A_BASIS, text, at));
    text[at++] = '\n';
    if (!capture_is(text, at))
        abort();
    if (capture_read(text, at, &c, error, sizeof error))
        read_again(&c);
    else if (!error[0])
        abort();
    capture_free(&c);
    free(text);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
