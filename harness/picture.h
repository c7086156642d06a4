/* Small text pictures that help to understand a rule. */
#ifndef COPYCHECK_PICTURE_H
#define COPYCHECK_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

/* Draws the picture of a rule after an empty line; false if there is none. What can be computed is asked of the
 * oracle. */
bool ck_picture(FILE *to, const char *rule);

#endif
