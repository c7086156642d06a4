/* cuda::barrier as a type: what its members are, and what does not compile. */
#include "harness/ck.h"

static const struct ck_case cases[] = {
    { CK_RULE(cxx_barrier_size),
      .cuda = "",
      .declare = "static_assert(sizeof(block_barrier) == $ && alignof(block_barrier) == $);",
      .accept = "8",
      .refuse = "16",
      .says = "static assertion failed" },
    { CK_RULE(cxx_barrier_max_block),
      .cuda = "",
      .declare = "static_assert(block_barrier::max() == $);",
      .accept = "(1 << 20) - 1",
      .refuse = "1 << 20",
      .says = "static assertion failed" },
    { CK_RULE(cxx_barrier_not_copyable),
      .cuda = "$;",
      .accept = "block_barrier &copy = bar",
      .refuse = "block_barrier copy(bar)|bar = *other" },
    { CK_RULE(cxx_barrier_token_move),
      .cuda = "auto token = bar.arrive(); bar.wait($);",
      .accept = "cuda::std::move(token)|bar.arrive()",
      .refuse = "token",
      .says = "rvalue reference" },
    { 0 },
};

const struct ck_suite cuda_barrier_type = { "cuda_barrier_type", cases };
