/* Sums of products for any processor. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "harness/emu/product/sums.h"
#include "harness/emu/product/sums_loops.h"

const struct sums_loops sums_plain = { convert, ready, finish, turn, floats, integers };
