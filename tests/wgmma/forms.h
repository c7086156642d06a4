/* Texts of products for rows of an assembler, and vectors of registers for D: V1 has 4 of them, V32 128. */
#ifndef COPYCHECK_TESTS_WGMMA_FORMS_H
#define COPYCHECK_TESTS_WGMMA_FORMS_H

#define FOUR(k) "v" #k "_0, v" #k "_1, v" #k "_2, v" #k "_3"
#define V1      FOUR(1)
#define V2      V1 ", " FOUR(2)
#define V3      V2 ", " FOUR(3)
#define V4      V3 ", " FOUR(4)
#define V5      V4 ", " FOUR(5)
#define V6      V5 ", " FOUR(6)
#define V7      V6 ", " FOUR(7)
#define V8      V7 ", " FOUR(8)
#define V9      V8 ", " FOUR(9)
#define V10     V9 ", " FOUR(10)
#define V11     V10 ", " FOUR(11)
#define V12     V11 ", " FOUR(12)
#define V13     V12 ", " FOUR(13)
#define V14     V13 ", " FOUR(14)
#define V15     V14 ", " FOUR(15)
#define V16     V15 ", " FOUR(16)
#define V17     V16 ", " FOUR(17)
#define V18     V17 ", " FOUR(18)
#define V19     V18 ", " FOUR(19)
#define V20     V19 ", " FOUR(20)
#define V21     V20 ", " FOUR(21)
#define V22     V21 ", " FOUR(22)
#define V23     V22 ", " FOUR(23)
#define V24     V23 ", " FOUR(24)
#define V25     V24 ", " FOUR(25)
#define V26     V25 ", " FOUR(26)
#define V27     V26 ", " FOUR(27)
#define V28     V27 ", " FOUR(28)
#define V29     V28 ", " FOUR(29)
#define V30     V29 ", " FOUR(30)
#define V31     V30 ", " FOUR(31)
#define V32     V31 ", " FOUR(32)

#define VECTORS(type)                                                                                                  \
    ".reg ." type " "                                                                                                  \
    "v1_<4>, v2_<4>, v3_<4>, v4_<4>, v5_<4>, v6_<4>, v7_<4>, v8_<4>, "                                                 \
    "v9_<4>, v10_<4>, v11_<4>, v12_<4>, v13_<4>, v14_<4>, v15_<4>, v16_<4>, "                                          \
    "v17_<4>, v18_<4>, v19_<4>, v20_<4>, v21_<4>, v22_<4>, v23_<4>, v24_<4>, "                                         \
    "v25_<4>, v26_<4>, v27_<4>, v28_<4>, v29_<4>, v30_<4>, v31_<4>, v32_<4>; "

/* A product whose shape and D are what differs: N, and D's registers by four. */
#define ALL_FLOATS(x)                                                                                                                                                                                            \
    x(8, V1) "|" x(16, V2) "|" x(24, V3) "|" x(32, V4) "|" x(40, V5) "|" x(48, V6) "|" x(56, V7) "|" x(64, V8) "|" x(72, V9) "|" x(80, V10) "|" x(88, V11) "|" x(96, V12) "|" x(104, V13) "|" x(112, V14) "|" x( \
        120,                                                                                                                                                                                                     \
        V15) "|" x(128,                                                                                                                                                                                          \
                   V16) "|" x(136,                                                                                                                                                                               \
                              V17) "|" x(144,                                                                                                                                                                    \
                                         V18) "|" x(152,                                                                                                                                                         \
                                                    V19) "|" x(160,                                                                                                                                              \
                                                               V20) "|" x(168,                                                                                                                                   \
                                                                          V21) "|" x(176,                                                                                                                        \
                                                                                     V22) "|" x(184,                                                                                                             \
                                                                                                V23) "|" x(192,                                                                                                  \
                                                                                                           V24) "|" x(200,                                                                                       \
                                                                                                                      V25) "|" x(208,                                                                            \
                                                                                                                                 V26) "|" x(216,                                                                 \
                                                                                                                                            V27) "|" x(224,                                                      \
                                                                                                                                                       V28) "|" x(232,                                           \
                                                                                                                                                                  V29) "|" x(240,                                \
                                                                                                                                                                             V30) "|" x(248,                     \
                                                                                                                                                                                        V31) "|" x(256,          \
                                                                                                                                                                                                   V32)
#define ALL_INTS(x)                                                                                                     \
    x(8, V1) "|" x(16, V2) "|" x(24, V3) "|" x(32, V4) "|" x(48, V6) "|" x(64, V8) "|" x(80, V10) "|" x(96, V12) "|" x( \
        112, V14) "|" x(128,                                                                                            \
                        V16) "|" x(144,                                                                                 \
                                   V18) "|" x(160,                                                                      \
                                              V20) "|" x(176,                                                           \
                                                         V22) "|" x(192,                                                \
                                                                    V24) "|" x(208,                                     \
                                                                               V26) "|" x(224,                          \
                                                                                          V28) "|" x(240,               \
                                                                                                     V30) "|" x(256,    \
                                                                                                                V32)
#define NO_INTS(x)                                                                                                     \
    x(40, V5) "|" x(56, V7) "|" x(72, V9) "|" x(88, V11) "|" x(104, V13) "|" x(120, V15) "|" x(136, V17) "|" x(        \
        152, V19) "|" x(168, V21) "|" x(184, V23) "|" x(200, V25) "|" x(216, V27) "|" x(232, V29) "|" x(248, V31)

#define FLOATS VECTORS("f32")
#define INTS   VECTORS("s32")
#define HALVES VECTORS("b32")

#define MMA  "wgmma.mma_async.sync.aligned."
#define BOTH "d0, d1"
#define REGS "{r0, r1, r2, r3}, d1"
#define D4   "{" V1 "}"
#define D2   "{v1_0, v1_1}"

/* Products of the smallest shape: the types behind the shape, D, A and B, what is behind scale-d. */
#define F16  "m64n8k16.f32.f16.f16 " D4 ", " BOTH ", p, 1, 1, 0, 0"
#define BF16 "m64n8k16.f32.bf16.bf16 " D4 ", " BOTH ", p, 1, 1, 0, 0"
#define TF32 "m64n8k8.f32.tf32.tf32 " D4 ", " BOTH ", p, 1, 1"
#define FP8  "m64n8k32.f32.e4m3.e5m2 " D4 ", " BOTH ", p, 1, 1"
#define S8   "m64n8k32.s32.s8.s8 " D4 ", " BOTH ", p"
#define B1   "m64n8k256.s32.b1.b1.and.popc " D4 ", " BOTH ", p"

/* With another shape or other types. */
#define HALF_OF(words)  words " " D4 ", " BOTH ", p, 1, 1, 0, 0"
#define FLOAT_OF(words) words " " D4 ", " BOTH ", p, 1, 1"
#define INT_OF(words)   words " " D4 ", " BOTH ", p"

#endif
// SPDX-License-Identifier: Apache-2.0
