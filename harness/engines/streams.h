/* A model of streams for an engine that does at once what it is asked to do. */
#ifndef COPYCHECK_STREAMS_H
#define COPYCHECK_STREAMS_H

#include "harness/engines/engine.h"

/* Carries out a host's calls as late as they may be: what is in a stream is done when somebody waits for it, in the
 * order in which it was put there. A host that reads or writes memory which a copy on its way still uses is diagnosed:
 * host.memcpy.async-needs-sync. Fits the engine's `steps`; the engine has write, read and launch. */
void ck_streams_steps(struct ck_engine *e, struct ck_step *steps, const struct ck_device_launch *launches, size_t count,
                      struct ck_outcome *out);

#endif
// SPDX-License-Identifier: Apache-2.0
