/* What the cases of listings share: a page's kernel is launched with its plain parameters, and its tensor maps are
 * encoded from a line of words. */
#ifndef COPYCHECK_TESTS_PAGE_H
#define COPYCHECK_TESTS_PAGE_H

#include "harness/ck.h"

/* Launches blocks of threads. The members of the struct `args` are the kernel's parameters, one by one. */
#define PAGE_LAUNCH(t, name, blocks, threads, parameters)                                                              \
    ck_launch(t, &(struct ck_launch){ .kernel = (name),                                                                \
                                      .grid = { (uint32_t)(blocks) },                                                  \
                                      .block = { (uint32_t)(threads) },                                                \
                                      .args = &(parameters),                                                           \
                                      .size = sizeof(parameters),                                                      \
                                      .plain = true })

/* The map of a call, "type=s32 rank=2 dims=64x32 strides=256 box=32x8" over the buffer; other words: copycheck encode
 * --help. */
struct tensor_map page_call(struct ck *t, const char *words);
struct ck_tmap page_map(struct ck *t, const char *words, struct ck_buf buffer);

#endif
// SPDX-License-Identifier: Apache-2.0
