/* All labs, in their order. */
#include "harness/lab/lab.h"

#include <stddef.h>

const struct lab *const lab_all[] = {
    NULL,
};
