/* libFuzzer target: fat binaries, as `copycheck exec` and `copycheck capture` take the PTX out of them.
 *
 * (`make fuzz-fatbin` builds and runs it.) A fat binary says itself how long it is, and whoever loads one trusts it
 * that far: so the header is made here, and the input is what stands behind it, the entries. The first byte says how
 * they are given: alone, in the struct that nvcc puts around them, or twice, as the linker does. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fatbinary_section.h>

#include "harness/inside/device/fatbin.h"

enum { HEADER = 16, MAGIC = (int)0xba55ed50u };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes behind a header, in a block of just their size. */
static unsigned char *image_of(const uint8_t *data, size_t size)
{
    unsigned char *image = malloc(HEADER + size);
    const int magic = MAGIC;
    const uint16_t header = HEADER;
    const uint64_t bytes = size;

    if (!image)
        return NULL;
    memset(image, 0, HEADER);
    memcpy(image, &magic, sizeof magic);
    memcpy(image + 6, &header, sizeof header);
    memcpy(image + 8, &bytes, sizeof bytes);
    if (size)
        memcpy(image + HEADER, data, size);
    return image;
}

/* What is taken is text with its NUL; what is refused is refused with a line. */
static void take(const void *image, size_t size)
{
    static struct fatbin f;
    char error[300] = "";
    size_t sum = 0;

    const bool taken = fatbin_read(image, size, &f, error, sizeof error);
    if (!taken && !error[0])
        abort();
    for (size_t i = 0; i < f.count && taken; i++) {
        if (f.texts[i].text[f.texts[i].size])
            abort();
        for (size_t k = 0; k < f.texts[i].size; k++)
            sum += (unsigned char)f.texts[i].text[k];
    }
    if (sum == SIZE_MAX)
        abort();
    fatbin_free(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *image;

    if (!size || *data > 2)
        return -1;
    image = image_of(data + 1, size - 1);
    if (!image)
        return 0;
    void *const linked[] = { image, image, NULL };
    const __fatBinC_Wrapper_t one = { .magic = FATBINC_MAGIC, .version = 1, .data = (void *)image };
    const __fatBinC_Wrapper_t both = { .magic = FATBINC_MAGIC,
                                       .version = FATBINC_LINK_VERSION,
                                       .filename_or_fatbins = (void *)linked };
    switch (*data) {
    case 0: take(image, 0); break;
    case 1: take(&one, 0); break;
    default: take(&both, 0); break;
    }
    free(image);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
