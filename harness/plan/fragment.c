/* The module around an assemble row's statements.
 *
 * It declares, under short names, one of everything that the instructions of the families take, so that a row is a
 * single statement and its two sides differ in the one thing that the rule is about. Registers hold nothing: such a
 * module is assembled, never run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plan/plan.h"

static const char module_head[] = ".version %d.%d\n"
                                  ".target %s\n"
                                  ".address_size 64\n"
                                  ".global .align 128 .b8 gbuf[1024];\n"
                                  ".const .align 128 .b8 cbuf[1024];\n"
                                  ".global .align 64 .b8 gmap[128];\n"
                                  ".const .align 64 .b8 cmap[128];\n"
                                  ".shared .align 64 .b8 smap[128];\n"
                                  ".shared .align 128 .b8 sbuf[1024];\n"
                                  ".shared .align 8 .b64 mb;\n"
                                  "%s\n"
                                  ".visible .entry k(.param .align 64 .b8 pmap[128])\n"
                                  "{\n"
                                  ".reg .pred p, q;\n"
                                  ".reg .b16 h;\n"
                                  ".reg .b32 sa, ma, ra, n, m, r<8>;\n"
                                  ".reg .b64 g, pol, st, d<4>, gm;\n"
                                  ".reg .f32 f0, f1;\n"
                                  ".reg .f64 fd0;\n"
                                  "%s\n"
                                  "ret;\n"
                                  "}\n";

char *ck_fragment(const struct ck_point *p, char target[16], int *version)
{
    struct ck_needs needs;
    char *text = NULL, *body, *declare, *word;
    char arch[2] = "";
    int major = 0, minor = 0;

    ck_needs_parse(p->c->rule->needs, &needs);
    arch[0] = needs.arch;
    if (p->c->target) {
        word = ck_point_text(p, p->c->target);
        if (!word)
            return NULL;
        snprintf(target, 16, "%s", word);
        free(word);
    } else {
        snprintf(target, 16, "sm_%d%s", needs.sm ? needs.sm : 90, arch);
    }
    if (p->c->version) {
        word = ck_point_text(p, p->c->version);
        if (!word || sscanf(word, "%d.%d", &major, &minor) != 2) {
            free(word);
            return NULL;
        }
        *version = major * 10 + minor;
        free(word);
    } else {
        *version = needs.ptx ? needs.ptx : 80;
    }
    body = ck_point_text(p, p->c->assemble);
    declare = ck_point_text(p, p->c->declare ? p->c->declare : "");
    if (!body || !declare || asprintf(&text, module_head, *version / 10, *version % 10, target, declare, body) < 0)
        text = NULL;
    free(body);
    free(declare);
    return text;
}
