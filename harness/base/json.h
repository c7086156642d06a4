/* JSON, as record files need it: strings out, and a reader that takes an object apart in place, member by member. */
#ifndef COPYCHECK_JSON_H
#define COPYCHECK_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum json_type { JSON_STRING, JSON_NUMBER, JSON_BOOL, JSON_NULL, JSON_NESTED };

struct json_value {
    enum json_type type;
    char *text;  /* of a string: decoded, ends in NUL; of a number: where it begins */
    size_t size; /* of a string: bytes without the NUL; it may hold NULs of its own */
    bool truth;
    bool plain; /* of a string: nothing but printable ASCII without quotes and backslashes */
};

/* Text that is being read. It is changed: strings are decoded in place. `end` must point at a byte
 * that may be read and is no part of a number (a newline, a NUL). */
struct json {
    char *at, *end;
    const char *error; /* what was wrong, NULL while all is well */
    bool first;        /* no member has been read yet */
};

bool json_open(struct json *j); /* the brace that begins an object */
/* The next member of the object. False at its closing brace and on an error: look at j->error. A nested object or array
 * is checked and passed over. */
bool json_member(struct json *j, struct json_value *name, struct json_value *value);
bool json_ends(struct json *j); /* only white space is left */

/* Writes `text` with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void json_write_string(FILE *to, const char *text);
/* A comma, then "NAME":"TEXT"; NULL and an empty text become null. */
void json_write_member(FILE *to, const char *name, const char *text);

#endif
// SPDX-License-Identifier: Apache-2.0
