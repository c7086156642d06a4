/* The rounding mode of the host: towards zero for a while. */
#ifndef COPYCHECK_EMU_PRODUCT_ROUNDING_H
#define COPYCHECK_EMU_PRODUCT_ROUNDING_H

#ifdef __SSE2__
#include <xmmintrin.h>
#else
#include <fenv.h>
#endif

/* What it was, for rounding_back. Sums between the two are made by functions that are called: a compiler may move
 * others. */
static inline unsigned rounding_cuts(void)
{
#ifdef __SSE2__
    const unsigned was = _mm_getcsr();

    _mm_setcsr(was | _MM_ROUND_TOWARD_ZERO);
    return was;
#else
    const int was = fegetround();

    fesetround(FE_TOWARDZERO);
    return (unsigned)was;
#endif
}

static inline void rounding_back(unsigned was)
{
#ifdef __SSE2__
    _mm_setcsr(was);
#else
    fesetround((int)was);
#endif
}

#endif
// SPDX-License-Identifier: Apache-2.0
