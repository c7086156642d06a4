/* What a GPU has shown, in words. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/text.h"
#include "harness/lab/gpu_said.h"

const char *lab_seen_word(enum lab_seen seen)
{
    static const char *const words[LAB_SEENS] = { "-",     "right", "luck",    "wrong",
                                                  "fault", "hang",  "refused", "not-launched" };

    return words[seen < LAB_SEENS ? seen : LAB_UNSEEN];
}

static bool is_fine(const struct lab_verdict *v)
{
    return v->outcome == LAB_PASS || v->outcome == LAB_REMARK;
}

void lab_gpu_words(const struct lab_verdict *v, char *out, size_t size)
{
    const struct lab_gpu *const g = &v->gpu;

    *out = 0;
    switch (g->seen) {
    case LAB_SEEN_RIGHT:
        if (v->parts[LAB_BYTES] == LAB_RIGHT && v->parts[LAB_RULES] == LAB_RIGHT)
            ck_append(out, size, "On the %s the bytes are right in all %u launches.", g->device, g->runs);
        else
            ck_append(out, size, "On the %s the bytes are right in all %u launches: it does not show the mistake.",
                      g->device, g->runs);
        break;
    case LAB_SEEN_LUCK:
    case LAB_SEEN_WRONG:
        ck_append(out, size, "On the %s the bytes are wrong in %u of %u launches.", g->device, g->runs - g->right,
                  g->runs);
        break;
    case LAB_SEEN_FAULT: ck_append(out, size, "On the %s a launch ends with an error: %s.", g->device, g->first); break;
    case LAB_SEEN_HANG:
        ck_append(out, size, "On the %s a launch has no end: it was stopped %s.", g->device, g->first);
        break;
    case LAB_SEEN_REFUSED: ck_append(out, size, "The driver of the %s refuses it: %s.", g->device, g->first); break;
    case LAB_NOT_LAUNCHED: ck_append(out, size, "Not launched on the %s: %s.", g->device, g->first); break;
    case LAB_UNSEEN:
    case LAB_SEENS: break;
    }
}

void lab_gpu_say(struct lab_verdict *v)
{
    struct lab_gpu *const g = &v->gpu;
    char words[600], *text = NULL;
    size_t size;
    FILE *to;

    if (g->seen == LAB_UNSEEN)
        return;
    if (g->seen != LAB_NOT_LAUNCHED)
        v->parts[LAB_ON_GPU] = g->seen == LAB_SEEN_RIGHT ? LAB_RIGHT : LAB_WRONG;
    if (!is_fine(v) || g->seen != LAB_SEEN_RIGHT) {
        to = open_memstream(&text, &size);
        if (!to)
            ck_no_memory();
        lab_gpu_words(v, words, sizeof words);
        lab_wrap(to, "", 0, words);
        if (g->seen == LAB_SEEN_LUCK || g->seen == LAB_SEEN_WRONG)
            lab_wrap(to, "  first     ", 12, g->first);
        if (is_fine(v) && v->parts[LAB_ON_GPU] == LAB_WRONG)
            lab_wrap(to, "  ", 2, "The emulator has found nothing wrong. The GPU has the last word.");
        putc('\n', to);
        if (!ck_text_close(to, &text))
            ck_no_memory();
        ck_append(v->text[LAB_ON_GPU], LAB_TEXT, "%s", text);
        free(text);
    }
    g->disagrees = is_fine(v) && v->parts[LAB_ON_GPU] == LAB_WRONG;
    if (g->disagrees) {
        *v->remarks = 0;
        v->named_count = 0;
        lab_name(v, "gpu:%s", g->seen == LAB_SEEN_LUCK || g->seen == LAB_SEEN_WRONG ? "bytes" : lab_seen_word(g->seen));
        lab_fail(v, LAB_ON_GPU);
    }
}
// SPDX-License-Identifier: Apache-2.0
