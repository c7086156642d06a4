/* An access of shared or global memory: judged and kept. */
#ifndef COPYCHECK_EMU_JUDGE_TOUCH_H
#define COPYCHECK_EMU_JUDGE_TOUCH_H

#include "harness/emu/judge/state.h"

/* n bytes from a key on, by a thread (flight PTX_NO) or by its copy of this number; kind: RECORD_WRITE ... */
void order_touch(struct order *o, struct emu_thread *t, uint32_t flight, uint64_t key, uint64_t n, uint8_t kind);
/* The same, of an access whose record is known. */
void order_touch_as(struct order *o, struct emu_thread *t, uint32_t flight, const struct order_record *now,
                    uint64_t key, uint64_t n);

/* Nobody has written any of these bytes of shared memory; false if that is not asked. */
bool order_has_nothing(struct order *o, uint64_t key, uint64_t n);

/* These bytes, of whole lines that an access has opened, have no value any more. */
void order_forget_values(struct order *o, uint64_t key, uint64_t n);

#endif
// SPDX-License-Identifier: Apache-2.0
