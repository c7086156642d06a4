/* The source around a compile or python row.
 *
 * As fragment.c does for PTX, it declares under short names what rows use, so that a row is a statement or two and its
 * sides differ in the one thing that the rule is about. A row with `head` brings its own first lines; one whose text is
 * about declarations only has them in `declare`, and an empty `compile`. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/plan/plan.h"

static const char tile_head[] = "#include <cuda_tile.h>\n"
                                "namespace ct = cuda::tiles;\n"
                                "using namespace ct::literals;\n"
                                "using i32x8 = ct::tile<int, ct::shape<8>>;\n"
                                "using u32x8 = ct::tile<unsigned, ct::shape<8>>;\n"
                                "using i8x8 = ct::tile<signed char, ct::shape<8>>;\n"
                                "using i64x8 = ct::tile<long long, ct::shape<8>>;\n"
                                "using f32x8 = ct::tile<float, ct::shape<8>>;\n"
                                "using f64x8 = ct::tile<double, ct::shape<8>>;\n"
                                "using b8 = ct::tile<bool, ct::shape<8>>;\n"
                                "using f32x4x8 = ct::tile<float, ct::shape<4, 8>>;\n";

static const char tile_entry[] =
    "extern \"C\" __tile_global__ void k(int *pi, unsigned *pu, float *pf, double *pd,\n"
    "                                   const int *ci, void *pv, int n, unsigned u, float x)\n";

static const char python_head[] = "import cuda.tile as ct\n"
                                  "ConstInt = ct.Constant[int]\n";

static char *tile_source(const char *head, const char *declare, const char *body)
{
    char *text = NULL;
    const int n = *body ? asprintf(&text, "%s\n%s\n%s{\n%s\n}\n", head, declare, tile_entry, body)
                        : asprintf(&text, "%s\n%s\n", head, declare);

    return n < 0 ? NULL : text;
}

static char *python_source(const char *head, const char *declare, const char *body)
{
    char *text = NULL;

    return asprintf(&text, "%s\n%s\n%s\n", head, declare, body) < 0 ? NULL : text;
}

char *ck_source_text(const struct ck_point *p)
{
    const struct ck_case *c = p->c;
    char *declare = ck_point_text(p, c->declare ? c->declare : "");
    char *head = ck_point_text(p, c->head ? c->head : c->compile ? tile_head : python_head);
    char *body = ck_point_text(p, ck_case_row(c)), *text = NULL;

    if (declare && head && body)
        text = c->compile ? tile_source(head, declare, body) : python_source(head, declare, body);
    free(declare);
    free(head);
    free(body);
    return text;
}

char *ck_source_options(const struct ck_point *p)
{
    static const char usual[] = "--enable-tile -tile-only -std=c++20 -arch=sm_90 -cubin";

    return ck_point_text(p, p->c->options ? p->c->options : usual);
}
