/* All labs, in their order. */
#include "harness/lab/lab.h"

#include <stddef.h>

extern const struct lab lab_l01, lab_l02;
extern const struct lab lab_l05, lab_l06, lab_l07, lab_l08;

const struct lab *const lab_all[] = {
    &lab_l01, &lab_l02, &lab_l05, &lab_l06, &lab_l07, &lab_l08, NULL,
};
