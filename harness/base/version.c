/* The version: the Makefile hands on what the file VERSION says. */
#include "harness/base/version.h"

#define TEXT(word)    TEXT_OF(word)
#define TEXT_OF(word) #word

const char ck_version[] = TEXT(CK_VERSION);
// SPDX-License-Identifier: Apache-2.0
