/* All labs, in their order. */
#include "harness/lab/lab.h"

#include <stddef.h>

extern const struct lab lab_l01;

const struct lab *const lab_all[] = {
    &lab_l01,
    NULL,
};
