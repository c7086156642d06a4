/* The version of copycheck, MAJOR.MINOR: it goes into each record file, and a newer record file is refused. */
#ifndef COPYCHECK_VERSION_H
#define COPYCHECK_VERSION_H

extern const char ck_version[]; /* what the file VERSION says */

#endif
// SPDX-License-Identifier: Apache-2.0
