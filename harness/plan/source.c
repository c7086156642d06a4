/* The source around a compile, cuda or python row.
 *
 * As fragment.c does for PTX, it declares under short names what rows use, so that a row is a statement or two and its
 * sides differ in the one thing that the rule is about. A row with `head` brings its own first lines; one whose text is
 * about declarations only has them in `declare`, and an empty `compile` or
 * `cuda`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
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
    "                                   const int *ci, void *pv, int n, unsigned u, float x)\n"
    "{\n";

static const char cuda_head[] = "#include <cuda/barrier>\n"
                                "using block_barrier = cuda::barrier<cuda::thread_scope_block>;\n"
                                "using device_barrier = cuda::barrier<cuda::thread_scope_device>;\n"
                                "#pragma nv_diag_suppress static_var_with_dynamic_init\n";

/* `bar` is a barrier in shared memory, `other` one that is not; `shared` is aligned to 128. */
static const char cuda_entry[] = "extern \"C\" __global__ void k(char *in, char *out, int *pi, block_barrier *other,\n"
                                 "                             device_barrier *wide, unsigned n)\n"
                                 "{\n"
                                 "__shared__ block_barrier bar;\n"
                                 "__shared__ alignas(128) char shared[1024];\n";

/* Of a row with a head of its own. */
static const char plain_entry[] = "extern \"C\" __global__ void k(char *in, char *out, int *pi, unsigned n)\n"
                                  "{\n";

static const char python_head[] = "import cuda.tile as ct\n"
                                  "ConstInt = ct.Constant[int]\n";

/* The driver of harness/engines/cutile.c knows what parameters of these names are: arrays a to e of rank 1 to 5, o and
 * p of rank 1 and 2, of float32; i and j of int32, h of float16, u of uint8, f of float8, all of rank 1; scalars n and
 * m of int32, x of float32; and constants. */
static const char python_entry[] = "@ct.kernel\n"
                                   "def k(a, b, c, d, e, o, p, i, j, h, u, f, n, m, x, N: ConstInt, M: ConstInt):\n";

static char *kernel_source(const char *head, const char *declare, const char *entry, const char *body)
{
    char *text = NULL;
    const int n = *body ? asprintf(&text, "%s\n%s\n%s%s\n}\n", head, declare, entry, body)
                        : asprintf(&text, "%s\n%s\n", head, declare);

    return n < 0 ? NULL : text;
}

/* A kernel's lines are indented as its body. An empty body means that what is declared has the kernel, `k`. */
static char *python_source(const char *head, const char *declare, const char *body)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return NULL;
    fprintf(f, "%s\n%s\n%s", head, declare, *body ? python_entry : "");
    for (const char *line = body; *line; line += strcspn(line, "\n"), line += *line == '\n')
        fprintf(f, "    %.*s\n", (int)strcspn(line, "\n"), line);
    ck_text_close(f, &text);
    return text;
}

char *ck_source_text(const struct ck_point *p)
{
    const struct ck_case *c = p->c;
    char *declare = ck_point_text(p, c->declare ? c->declare : "");
    char *head = ck_point_text(p, c->head ? c->head : c->compile ? tile_head : c->cuda ? cuda_head : python_head);
    char *body = ck_point_text(p, ck_case_row(c)), *text = NULL;

    if (declare && head && body)
        text = c->python ? python_source(head, declare, body)
                         : kernel_source(head, declare,
                                         c->compile ? tile_entry
                                         : c->head  ? plain_entry
                                                    : cuda_entry,
                                         body);
    free(declare);
    free(head);
    free(body);
    return text;
}

char *ck_source_options(const struct ck_point *p)
{
    static const char tile[] = "--enable-tile -tile-only -std=c++20 -arch=sm_90 -cubin",
                      cuda[] = "-std=c++17 -arch=sm_90a -ptx";

    return ck_point_text(p, p->c->options ? p->c->options : p->c->cuda ? cuda : tile);
}
// SPDX-License-Identifier: Apache-2.0
