/* When copies read their sources and when they land. The scheduler includes it, and instructions that wait for copies.
 */
#ifndef COPYCHECK_EMU_COPIES_DELIVER_H
#define COPYCHECK_EMU_COPIES_DELIVER_H

#include "harness/emu/copies/flight.h"

/* Delivers what is in flight and may be delivered, as options.delivery says: after a round of turns, unless delivery is
 * late, and when no thread of the cluster can go on (must). True if something was delivered. */
bool emu_async_deliver(struct emu_cluster *c, bool must);
void emu_async_end(struct emu_cluster *c); /* the threads have exited: lands what nobody waited for */

/* The instruction that issues a copy ends. Where delivery is eager the copy lands now, and is freed. */
void emu_flight_off(struct emu_flight *f);

/* Reads the source of a copy, if that has not been done. */
void emu_flight_read(struct emu_flight *f);
/* Reads, writes the destination, signals, and frees the copy. */
void emu_flight_land(struct emu_flight *f);

#endif
// SPDX-License-Identifier: Apache-2.0
