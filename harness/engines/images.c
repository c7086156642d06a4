/* The images in an object that nvcc wrote. */
#include "harness/engines/images.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The place of the next ELF file for a GPU (its e_machine is 190) at or after `from`, or `bytes`. */
static size_t next_image(const unsigned char *object, size_t bytes, size_t from)
{
    static const unsigned char magic[] = { 0x7f, 'E', 'L', 'F' };

    for (size_t i = from; i + 64 <= bytes; i++)
        if (!memcmp(object + i, magic, sizeof magic) && object[i + 18] == 190 && !object[i + 19])
            return i;
    return bytes;
}

void ck_images(const unsigned char *object, size_t bytes, char *names, size_t size)
{
    static const char mark[] = "__CUDA_TILEIR"; /* a symbol of every tile image */
    bool tile = false, simt = false;

    for (size_t at = next_image(object, bytes, 0), next; at < bytes; at = next) {
        next = next_image(object, bytes, at + 1);
        if (memmem(object + at, next - at, mark, sizeof mark - 1))
            tile = true;
        else
            simt = true;
    }
    snprintf(names, size, "%s%s%s", simt ? "simt" : "", simt && tile ? " " : "", tile ? "tile" : "");
}
// SPDX-License-Identifier: Apache-2.0
