/* nvJitLink's functions that this library replaces. */
#ifndef COPYCHECK_INSIDE_JITLINK_H
#define COPYCHECK_INSIDE_JITLINK_H

/* The function that is to run in place of one of an nvJitLink that the program has opened; NULL where that one stays.
 */
const void *jitlink_instead(const char *name, const unsigned char *function);

#endif
// SPDX-License-Identifier: Apache-2.0
