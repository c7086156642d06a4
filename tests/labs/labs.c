/* All labs, in their order. */
#include "harness/lab/lab.h"

#include <stddef.h>

extern const struct lab lab_l01, lab_l02, lab_l03, lab_l04, lab_l05, lab_l06, lab_l07, lab_l08, lab_l09, lab_l10,
    lab_l11, lab_l12, lab_l13;

const struct lab *const lab_all[] = {
    &lab_l01, &lab_l02, &lab_l03, &lab_l04, &lab_l05, &lab_l06, &lab_l07,
    &lab_l08, &lab_l09, &lab_l10, &lab_l11, &lab_l12, &lab_l13, NULL,
};
// SPDX-License-Identifier: Apache-2.0
