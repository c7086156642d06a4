/* cuTensorMapEncodeTiled: the further limits of the packed 4-bit and 6-bit types. */
#include "harness/ck.h"

static const struct ck_case cases[] = {
    { CK_RULE(tmap_tiled_dtype_packed_arch), .encode = "type=$ rank=${rank}",
      .seen = "16u4-align8b|16u4-align16b|16u6-align16b", .axes = { { "rank", "1..5" } } },
    { 0 }
};

const struct ck_suite encode_packed = { "encode/packed", cases };
