/* Happens-before judgement: first the interface, so that the machine links; the clocks follow. */
#include "harness/emu/inside.h"

void emu_order_begin(struct emu_cluster *c)
{
    c->order = NULL;
}

void emu_order_end(struct emu_cluster *c)
{
    c->order = NULL;
}

void emu_order_access(const struct emu_actor *who, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                      enum emu_access access)
{
    (void)who;
    (void)space;
    (void)cta;
    (void)address;
    (void)n;
    (void)access;
}

void emu_order_meet(struct emu_thread *const *threads, uint32_t count)
{
    (void)threads;
    (void)count;
}

void emu_order_release(const struct emu_actor *who, uint64_t key, uint16_t scope)
{
    (void)who;
    (void)key;
    (void)scope;
}

void emu_order_acquire(struct emu_thread *t, uint64_t key, uint16_t scope)
{
    (void)t;
    (void)key;
    (void)scope;
}

void emu_order_proxy_fence(struct emu_thread *t, uint16_t space)
{
    (void)t;
    (void)space;
}
