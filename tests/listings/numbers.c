/* Pages whose kernels take numbers and give out numbers. */
#include "tests/listings/numbers.h"

#include <string.h>

#include "tests/listings/page.h"

/* Launches a kernel whose parameters are (const int *in, int *out). */
void page_numbers(struct ck *t, const char *kernel, int64_t blocks, int64_t threads, struct ck_buf in,
                  struct ck_buf out)
{
    struct {
        uint64_t in, out;
    } a = { in.device, out.device };

    PAGE_LAUNCH(t, kernel, blocks, threads, a);
}

/* Launches a kernel whose parameters are (const int *in, int *out, int n). */
void page_numbers_n(struct ck *t, const char *kernel, int64_t blocks, int64_t threads, struct ck_buf in,
                    struct ck_buf out, int64_t n)
{
    struct {
        uint64_t in, out;
        int32_t n;
    } a = { in.device, out.device, (int32_t)n };

    PAGE_LAUNCH(t, kernel, blocks, threads, a);
}

uint32_t number_at(struct ck_buf b, size_t i)
{
    uint32_t number;

    memcpy(&number, b.host + 4 * i, 4);
    return number;
}

void set_number(unsigned char *image, size_t i, uint32_t number)
{
    memcpy(image + 4 * i, &number, 4);
}

unsigned char *numbers_turned(struct ck *t, struct ck_buf in, size_t length)
{
    unsigned char *const want = ck_alloc(t, in.size);

    for (size_t i = 0; i < in.size / 4; i++)
        set_number(want, i, number_at(in, i / length * length + length - 1 - i % length));
    return want;
}
// SPDX-License-Identifier: Apache-2.0
