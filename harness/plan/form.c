/* The texts of rows as they are in the tables, for readers. */
#include <ctype.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/plan/plan.h"

/* The axis whose ${NAME} is at the beginning of the text, or NULL. */
static const struct ck_axis *axis_at(const struct ck_case *c, const char *text)
{
    for (int i = 0; i < CK_AXES && c->axes[i].name && !strncmp(text, "${", 2); i++) {
        const size_t n = strlen(c->axes[i].name);

        if (!strncmp(text + 2, c->axes[i].name, n) && text[2 + n] == '}')
            return &c->axes[i];
    }
    return NULL;
}

void ck_with_first_values(const struct ck_case *c, const char *text, char *out, size_t size)
{
    *out = '\0';
    while (*text) {
        const struct ck_axis *axis = axis_at(c, text);

        if (axis) {
            const char *value = axis->values + (*axis->values == '=');
            size_t n = strcspn(value, " ");

            if (isdigit((unsigned char)*value) && strspn(value, "0123456789") < n && strstr(value, ".."))
                n = strspn(value, "0123456789"); /* "0..15" */
            ck_append(out, size, "%.*s", (int)n, value);
            text += strlen(axis->name) + 3;
        } else {
            ck_append(out, size, "%c", *text++);
        }
    }
}

bool ck_has_place(const char *text)
{
    for (; text && (text = strchr(text, '$')) != NULL; text++)
        if (text[1] != '{')
            return true;
    return false;
}
// SPDX-License-Identifier: Apache-2.0
