/* The same as machine.h. */
#ifndef COPYCHECK_EMU_INSIDE_H
#define COPYCHECK_EMU_INSIDE_H

#include "harness/emu/machine/machine.h"

#endif
