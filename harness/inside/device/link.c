/* Several PTX texts as one. */
#include "harness/inside/device/link.h"

#include <stdio.h>

bool link_texts(const struct fatbin *from, char **out, size_t *size, char *error, size_t error_size)
{
    (void)out;
    (void)size;
    snprintf(error, error_size, "it was linked from %zu object files (-rdc=true)", from->count);
    return false;
}
