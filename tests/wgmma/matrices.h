/* Matrices of small integers in the types of wgmma, placed in an image of shared memory or in registers, and their
 * product. Every sum is exact, so that D is the same in whatever order it is made. */
#ifndef COPYCHECK_TESTS_WGMMA_MATRICES_H
#define COPYCHECK_TESTS_WGMMA_MATRICES_H

#include "expected/wgmma.h"
#include "harness/ck.h"
#include "kernels/wgmma.h"

enum { WGMMA_M = 64, WGMMA_N = 8, WGMMA_K = 32 };

struct product_type {
    const char *name;
    uint32_t bytes; /* of an element of A or B; bits are taken 32 at a time */
    uint32_t k;     /* elements of a row of A */
    enum product_code { CODE_F16, CODE_BF16, CODE_TF32, CODE_E4M3, CODE_E5M2, CODE_S8, CODE_U8, CODE_B1 } a, b;
    bool integer; /* D is s32, not f32 */
};

/* The type of this name; NULL: none. */
const struct product_type *product_type(const char *name);

struct product {
    const struct product_type *type;
    struct wgmma_layout a, b;
    int32_t of_a[WGMMA_M][WGMMA_K], of_b[WGMMA_N][WGMMA_K], d[WGMMA_M][WGMMA_N];
    uint32_t low; /* bits that a tf32 element has besides, which do not count */
};

/* Fills the three matrices with numbers from -4 to 4 (0 to 4 where a type has no sign; bits: any). */
struct product *product_new(struct ck *t, const struct product_type *type);
/* The image of shared memory with both matrices, among other bytes; the registers of A; those of a D. */
struct ck_buf product_image(struct ck *t, const struct product *p);
struct ck_buf product_registers(struct ck *t, const struct product *p);
struct ck_buf product_addend(struct ck *t, const struct product *p);
/* D += A * B, with A and B times these signs. */
void product_add(struct product *p, int sign_a, int sign_b);
/* The registers of D: WGMMA_D of each thread. */
uint32_t *product_result(struct ck *t, const struct product *p);

/* Launches the kernel with one warpgroup, and says how that ended. */
enum ck_end product_launch(struct ck *t, const char *kernel, struct wgmma_args *a);

#endif
// SPDX-License-Identifier: Apache-2.0
