/* mbarrier objects: what the emulator knows of each beside the eight bytes in shared memory. */
#ifndef COPYCHECK_EMU_COPIES_MBARRIER_OBJECTS_H
#define COPYCHECK_EMU_COPIES_MBARRIER_OBJECTS_H

#include "harness/emu/machine/state.h"
#include "harness/emu/machine/watch.h"

enum { EMU_MBARRIER_BYTES = 8 };

/* LOST: a watcher has found a fault that leaves open what the object is. It no longer counts, but a wait on it goes on
 * when a phase of it would have been over. */
enum emu_mbarrier_state { EMU_MBARRIER_NONE, EMU_MBARRIER_ALIVE, EMU_MBARRIER_ENDED, EMU_MBARRIER_LOST };

struct emu_mbarrier {
    struct emu_cta *cta; /* in whose shared memory it lies, and at which offset */
    uint64_t offset;
    uint32_t number; /* of the CTA's objects, in the order in which they were first named */
    enum emu_mbarrier_state state;
    uint16_t serial;              /* number of its init among those of the CTA: its states carry it */
    uint64_t phase;               /* number of the current phase, from 0 */
    uint16_t serial_before;       /* of the object that was here when this one was made; 0: none was */
    uint64_t phase_before;        /* and its phase then */
    uint64_t bits;                /* its eight bytes, as the last operation left them */
    uint64_t expected, delivered; /* bytes, in the current phase */
    void *judged;                 /* the judge's own */
};

/* From its bytes, as the last operation left them: how many arrivals a phase needs, how many of them are pending, and
 * how many bytes are expected and not delivered (the layout is in mbarrier.c). */
static inline uint64_t emu_mbarrier_arrivals(const struct emu_mbarrier *m)
{
    return m->bits & 0xfffff;
}
static inline uint64_t emu_mbarrier_pending(const struct emu_mbarrier *m)
{
    return m->bits >> 20 & 0xfffff;
}
static inline int64_t emu_mbarrier_tx(const struct emu_mbarrier *m)
{
    return (int64_t)(m->bits >> 41 & 0x1fffff) - (1 << 20);
}

/* The objects of a CTA: cta->mbarriers. */
struct emu_mbarriers {
    uint32_t count, room, inits;
    struct emu_mbarrier **all;
    uint64_t first, last; /* the lowest and the highest of their offsets */
    uint32_t *slot;       /* of each eight bytes of shared memory: an index in `all` plus 1, or 0 */
};

/* The object at a place of shared memory, made if it is not there (in state NONE). NULL where memory runs out. */
struct emu_mbarrier *emu_mbarrier_at(struct emu_cta *cta, uint64_t offset);
/* The same; NULL where no operation has named one there. */
struct emu_mbarrier *emu_mbarrier_find(const struct emu_cta *cta, uint64_t offset);
void emu_mbarriers_free(struct emu_cta *cta);

/* An object's counts in words. */
void emu_mbarrier_counts(const struct emu_mbarrier *m, char *out, size_t size);
/* Files a finding about an object: here, and there (NULL: one place only), with the object's counts before `what`. */
void emu_mbarrier_report(struct emu_grid *g, const struct ck_rule *rule, const struct emu_mbarrier *m,
                         const struct emu_place *here, const struct emu_place *there, const char *remedy,
                         const char *what);
/* The same; it explains what is said of the object's counts and of their copies, also what is said before. */
void emu_mbarrier_report_cause(struct emu_grid *g, const struct ck_rule *rule, const struct emu_mbarrier *m,
                               const struct emu_place *here, const struct emu_place *there, const char *remedy,
                               const char *what);
/* The same as the first, about the thread's current instruction; what happened is a printf. */
void emu_mbarrier_complain(struct emu_thread *t, const struct ck_rule *rule, const struct emu_mbarrier *m,
                           const struct emu_place *there, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

#endif
// SPDX-License-Identifier: Apache-2.0
