/* SHA-256 (FIPS 180-4), for names that records keep as a hash only. */
#ifndef COPYCHECK_SHA256_H
#define COPYCHECK_SHA256_H

#include <stddef.h>

enum { CK_SHA256_BYTES = 32 };

void ck_sha256(const void *bytes, size_t count, unsigned char digest[CK_SHA256_BYTES]);

#endif
// SPDX-License-Identifier: Apache-2.0
