/* One point on one engine: runs it and judges what came. */
#ifndef COPYCHECK_POINT_H
#define COPYCHECK_POINT_H

#include "harness/engines/engine.h"
#include "harness/plan/plan.h"
#include "harness/records/record.h"
#include "harness/run/slot.h"

/* Runs a point on an engine that is open. */
void ck_point_run(const struct ck_point *point, struct ck_engine *engine, uint64_t seed, struct ck_slot *result);

/* What kind of thing the point asks of an engine; whether the engine can do such a thing at all. */
const char *ck_point_phase(const struct ck_point *point);
bool ck_engine_can(const struct ck_engine *engine, const struct ck_point *point);

/* "accept", "refuse", "done", or "seen" where nothing is demanded. */
const char *ck_point_expected(const struct ck_point *point);

#endif
