/* A host's calls on a device: streams, events, page-locked memory. */
#ifndef COPYCHECK_GPU_STREAMS_H
#define COPYCHECK_GPU_STREAMS_H

#include "harness/engines/driver.h"
#include "harness/engines/engine.h"

enum { GPU_PINNED = 8 };

/* Made when they are first asked for; all live as long as the context, and pinned memory until reset. */
struct gpu_streams {
    cu_stream streams[CK_STREAMS];
    cu_event events[CK_EVENTS];
    void *pinned[GPU_PINNED];
};

/* Puts a launch into a stream; false, with *out filled, where the driver refuses it. */
typedef bool gpu_launch_fn(void *gpu, const struct ck_device_launch *launch, cu_stream stream, struct ck_outcome *out);

/* Carries out the calls. Returns the result of the one that failed, whose name is in *call, or 0; where a launch
 * failed, *call is NULL and *out says why. */
cu_result gpu_streams_steps(struct gpu_streams *s, const struct cu_driver *d, struct ck_step *steps,
                            const struct ck_device_launch *launches, size_t count, gpu_launch_fn *launch, void *gpu,
                            const char **call, struct ck_outcome *out);

/* NULL where there is no room or the driver gives none. */
void *gpu_streams_pinned(struct gpu_streams *s, const struct cu_driver *d, size_t bytes);
void gpu_streams_unpin(struct gpu_streams *s, const struct cu_driver *d, const void *p);
void gpu_streams_reset(struct gpu_streams *s, const struct cu_driver *d);
bool gpu_streams_is_pinned(const struct cu_driver *d, const void *p);

#endif
// SPDX-License-Identifier: Apache-2.0
