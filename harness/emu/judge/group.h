/* The groups of a copy's thread, in words. */
#ifndef COPYCHECK_EMU_JUDGE_GROUP_H
#define COPYCHECK_EMU_JUDGE_GROUP_H

#include "harness/emu/judge/state.h"

void order_group_table(const struct order *o, const struct order_flight *f, char *out, size_t size);
bool order_group_left(const struct order *o, const struct order_flight *f);
void order_group_remedy(const struct order *o, const struct order_flight *f, char *out, size_t size);

#endif
