/* The ways to write an mbarrier operation that cases vary: its order, scope and address. */
#ifndef COPYCHECK_MBARRIER_FORM_H
#define COPYCHECK_MBARRIER_FORM_H

/* One bit each. Operations that lack a form take MB_PLAIN. */
enum mbarrier_form {
    MB_PLAIN = 1 << 0,           /* .shared, no order and scope */
    MB_CTA = 1 << 1,             /* .cta scope with release, acquire, or (for bytes) relaxed order */
    MB_CLUSTER = 1 << 2,         /* the same with .cluster scope */
    MB_RELAXED = 1 << 3,         /* .relaxed.cta */
    MB_RELAXED_CLUSTER = 1 << 4, /* .relaxed.cluster */
    MB_GENERIC = 1 << 5,         /* a generic address */
    MB_SINK = 1 << 6,            /* the state is dropped */
};

#endif
// SPDX-License-Identifier: Apache-2.0
