/* What findings are about, by the ids of their rules. */
#ifndef COPYCHECK_CHECK_ABOUT_H
#define COPYCHECK_CHECK_ABOUT_H

#include <stdbool.h>

/* What a finding is about. Bytes that a copy brings, bytes that it takes, and the order of proxies are three things: a
 * fault in one explains none in another, though the lines may be the same. */
enum subject { OTHER, DESTINATION, SOURCE, PROXY };

/* Whether the id begins with one of these, each ended by a blank. */
bool about_begins(const char *id, const char *list);
enum subject about_subject(const char *id);
/* A thread or a copy ran ahead of what it should have waited for. */
bool about_ahead(const char *id);
/* What such a thread or copy upsets: counts, phases, a deadlock. */
bool about_upset(const char *id);
/* Of that, the counts and phases of mbarriers, and a deadlock: these are not said of two accesses. */
bool about_count(const char *id);

#endif
// SPDX-License-Identifier: Apache-2.0
