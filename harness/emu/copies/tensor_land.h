/* What a tensor copy does to memory. */
#ifndef COPYCHECK_EMU_COPIES_TENSOR_LAND_H
#define COPYCHECK_EMU_COPIES_TENSOR_LAND_H

#include "harness/emu/copies/flight.h"

void emu_tensor_read(struct emu_flight *f);
void emu_tensor_land(struct emu_flight *f);
/* A load is issued: finds fault if it reads what the grid before wrote, and griddepcontrol.wait is yet to come. */
void emu_tensor_prior(struct emu_flight *f);

#endif
// SPDX-License-Identifier: Apache-2.0
