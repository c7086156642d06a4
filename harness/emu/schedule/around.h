/* Threads that go round a loop without effect: they wait, although the program never says so. cluster.c asks. */
#ifndef COPYCHECK_EMU_SCHEDULE_AROUND_H
#define COPYCHECK_EMU_SCHEDULE_AROUND_H

#include "harness/emu/machine/thread.h"

/* Instructions that a thread may execute without an effect before anybody looks whether it goes round; those in which
 * it is watched again when it has just rested; and those of the first times that it is watched. */
enum { EMU_QUIET = 32, EMU_RESTED = 512, EMU_GLANCE = 32 };

/* Up to which of its steps the thread is watched, because it has had no effect for a while: when it has just rested,
 * and else for a small part of the time, so that a thread that just computes is hardly slower; or because it is
 * observed. Not beyond t->steps: it is not. The first asks that of when the thread will have executed so many. */
static inline uint64_t emu_around_until_at(const struct emu_thread *t, uint64_t steps)
{
    const uint64_t quiet = steps - t->quiet_since;
    uint64_t since;

    if (emu_run_of(t)->observed)
        return UINT64_MAX;
    if (t->around && t->around->rested && steps - t->around->rested < EMU_RESTED)
        return t->around->rested + EMU_RESTED;
    if (quiet < EMU_QUIET)
        return 0;
    since = 1ull << (63 - __builtin_clzll(quiet));
    return t->quiet_since + since + since / 64 + EMU_GLANCE;
}
static inline uint64_t emu_around_until(const struct emu_thread *t)
{
    return emu_around_until_at(t, t->steps);
}

/* From which of its steps on that may be so, of a thread that is not watched now. */
static inline uint64_t emu_around_from_at(const struct emu_thread *t, uint64_t steps)
{
    const uint64_t quiet = steps - t->quiet_since;

    return t->quiet_since + (quiet < EMU_QUIET ? EMU_QUIET : 2ull << (63 - __builtin_clzll(quiet)));
}
static inline uint64_t emu_around_from(const struct emu_thread *t)
{
    return emu_around_from_at(t, t->steps);
}

/* The thread has changed something that others can see: it does not go round. */
static inline void emu_around_acted(struct emu_thread *t)
{
    t->quiet_since = t->steps;
    t->ahead_acts = false;
    if (t->around) {
        t->around->at = NULL;
        t->around->rested = 0;
    }
}

/* Executes instructions of a thread that is watched, up to so many of its steps. Its clock stands meanwhile. Where it
 * jumps back to a place at which it had the same state before, and has had no effect since, it rests (t->polled) until
 * memory changes. False: memory is short, and it has executed none. */
bool emu_around_turn(struct emu_thread *t, uint64_t end);
/* Whether it can be watched: false where memory is short. */
bool emu_around_ready(struct emu_thread *t);
struct emu_keeping;
/* A thread that is watched has jumped back to t->pc, and has had no effect in its turn: it may rest now. What is kept
 * of it then is kept at emu_registers_kept. */
void emu_around_back(struct emu_thread *t, struct emu_keeping *later);
/* One of them, if it `runs`; t->pc and t->steps are past it. */
void emu_around_step(struct emu_thread *t, const struct emu_op *op, bool runs);

/* Frees what is kept of a CTA's threads. */
void emu_arounds_free(struct emu_cta *cta);

/* No thread of the cluster can go on. Notes the states of its threads, and sets run->repeat.found where they have come
 * to the same states before and nothing has changed since: they will do so for ever, or (by_time) as long as no time
 * passes that matters to them. */
void emu_around_compare(struct emu_cluster *c);

/* From now on it is noted what each thread looks at. Once it has gone round: what it waits for follows from that, of a
 * thread that goes round or sleeps. */
void emu_around_observe(struct emu_cluster *c);
void emu_around_observed(struct emu_cluster *c);
/* Which threads of an observed cluster go round, and where, in a few words: "thread 0,0,0 of CTA 0,0,0 and 3 more go
 * round at lines 20 to 25". */
void emu_around_words(const struct emu_cluster *c, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
