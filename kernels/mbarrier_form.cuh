/* Arrivals and waits in the forms that cases vary (enum mbarrier_form). `bar` is the mbarrier's shared address. */
#ifndef COPYCHECK_MBARRIER_FORM_CUH
#define COPYCHECK_MBARRIER_FORM_CUH

#include "kernels/ck.cuh"
#include "kernels/mbarrier_form.h"

/* The mbarrier operation `op`, which returns a state that nobody needs. */
#define MB_SIGNAL(op, bar) asm volatile("{ .reg .b64 state; mbarrier." op ".b64 state, [%0]; }" ::"r"(bar) : "memory")

__device__ static inline void arrive_as(uint32_t form, uint32_t bar)
{
    if (form & MB_CTA)
        MB_SIGNAL("arrive.release.cta.shared::cta", bar);
    else if (form & MB_CLUSTER)
        MB_SIGNAL("arrive.release.cluster.shared::cta", bar);
    else if (form & MB_RELAXED)
        MB_SIGNAL("arrive.relaxed.cta.shared::cta", bar);
    else if (form & MB_RELAXED_CLUSTER)
        MB_SIGNAL("arrive.relaxed.cluster.shared::cta", bar);
    else
        MB_SIGNAL("arrive.shared", bar);
}

__device__ static inline void drop_as(uint32_t form, uint32_t bar)
{
    if (form & MB_CTA)
        MB_SIGNAL("arrive_drop.release.cta.shared::cta", bar);
    else if (form & MB_CLUSTER)
        MB_SIGNAL("arrive_drop.release.cluster.shared::cta", bar);
    else if (form & MB_RELAXED)
        MB_SIGNAL("arrive_drop.relaxed.cta.shared::cta", bar);
    else if (form & MB_RELAXED_CLUSTER)
        MB_SIGNAL("arrive_drop.relaxed.cluster.shared::cta", bar);
    else
        MB_SIGNAL("arrive_drop.shared", bar);
}

/* On an mbarrier of the cluster, `bar` its shared::cluster address: these forms return no state. */
#define MB_REMOTE_SIGNAL(op, bar) asm volatile("mbarrier." op ".shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory")

__device__ static inline void arrive_remote_as(uint32_t form, uint32_t bar)
{
    if (form & MB_CTA)
        MB_REMOTE_SIGNAL("arrive.release.cta", bar);
    else if (form & MB_CLUSTER)
        MB_REMOTE_SIGNAL("arrive.release.cluster", bar);
    else if (form & MB_RELAXED_CLUSTER)
        MB_REMOTE_SIGNAL("arrive.relaxed.cluster", bar);
    else
        MB_REMOTE_SIGNAL("arrive", bar);
}

/* The mbarrier wait `op` for the phase of this parity; `done` receives 1 or 0. */
#define MB_ASK(op, done, bar, parity)                                                                                  \
    asm volatile("{ .reg .pred p; mbarrier." op ".b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"                            \
                 : "=r"(done)                                                                                          \
                 : "r"(bar), "r"(parity)                                                                               \
                 : "memory")

__device__ static inline bool test_wait_as(uint32_t form, uint32_t bar, uint32_t parity)
{
    uint32_t done;

    if (form & MB_CTA)
        MB_ASK("test_wait.parity.acquire.cta.shared::cta", done, bar, parity);
    else if (form & MB_CLUSTER)
        MB_ASK("test_wait.parity.acquire.cluster.shared::cta", done, bar, parity);
    else if (form & MB_RELAXED)
        MB_ASK("test_wait.parity.relaxed.cta.shared::cta", done, bar, parity);
    else if (form & MB_RELAXED_CLUSTER)
        MB_ASK("test_wait.parity.relaxed.cluster.shared::cta", done, bar, parity);
    else
        MB_ASK("test_wait.parity.shared", done, bar, parity);
    return done;
}

__device__ static inline bool try_wait_as(uint32_t form, uint32_t bar, uint32_t parity)
{
    uint32_t done;

    if (form & MB_CTA)
        MB_ASK("try_wait.parity.acquire.cta.shared::cta", done, bar, parity);
    else if (form & MB_CLUSTER)
        MB_ASK("try_wait.parity.acquire.cluster.shared::cta", done, bar, parity);
    else if (form & MB_RELAXED)
        MB_ASK("try_wait.parity.relaxed.cta.shared::cta", done, bar, parity);
    else if (form & MB_RELAXED_CLUSTER)
        MB_ASK("try_wait.parity.relaxed.cluster.shared::cta", done, bar, parity);
    else
        MB_ASK("try_wait.parity.shared", done, bar, parity);
    return done;
}

/* Waits for the phase of this parity, with try_wait or with test_wait; false, with bit 0 of the timeouts set, if it
 * does not complete in time. */
__device__ static inline bool wait_as(const ck_head &h, uint32_t form, bool with_try_wait, uint32_t bar,
                                      uint32_t parity)
{
    const uint64_t start = ck_now();

    while (with_try_wait ? !try_wait_as(form, bar, parity) : !test_wait_as(form, bar, parity))
        if (h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, 0);
            return false;
        }
    return true;
}

#endif
// SPDX-License-Identifier: Apache-2.0
