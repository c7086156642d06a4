/* Lanes that converge without an order of their memory. */
#include "harness/emu/judge/order.h"

/* match.sync orders no memory, but who acts for the lanes that it found comes after they were there: that is how
 * libcu++ elects the thread that ends a pipeline's mbarriers for all of its warp. */
void order_converge(struct emu_thread *const *threads, uint32_t count)
{
    struct order *o = count ? order_of(threads[0]) : NULL;
    struct order_sync s = { 0 };

    if (!o)
        return;
    for (uint32_t i = 0; i < count; i++)
        order_release_loose(o, &s, order_number(o, threads[i]), NULL);
    for (uint32_t i = 0; i < count; i++)
        order_acquire_from(o, &s, order_number(o, threads[i]), true, false, NULL);
    order_sync_free(&s);
}
