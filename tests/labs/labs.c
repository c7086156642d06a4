/* All labs, in their order. */
#include "harness/lab/lab.h"

#include <stddef.h>

/* clang-format off: a lab a line */
extern const struct lab lab_l01;
extern const struct lab lab_l02;
extern const struct lab lab_l03;
extern const struct lab lab_l05;
extern const struct lab lab_l06;
extern const struct lab lab_l07;
extern const struct lab lab_l08;
extern const struct lab lab_l09;
extern const struct lab lab_l10;
extern const struct lab lab_l11;
extern const struct lab lab_l12;

const struct lab *const lab_all[] = {
    &lab_l01,
    &lab_l02,
    &lab_l03,
    &lab_l05,
    &lab_l06,
    &lab_l07,
    &lab_l08,
    &lab_l09,
    &lab_l10,
    &lab_l11,
    &lab_l12,
    NULL,
};
