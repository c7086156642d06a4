/* The emulator's side of an engine that encodes and launches. */
#ifndef COPYCHECK_EMU_LAUNCH_H
#define COPYCHECK_EMU_LAUNCH_H

#include "harness/engines/engine.h"

/* Of engines opened later: enum emu_delivery. */
void emu_engine_delivery(unsigned delivery, uint64_t seed);
bool emu_engine_open(struct ck_engine *e, struct ck_outcome *out);
void emu_engine_close(struct ck_engine *e);
uint64_t emu_engine_alloc(struct ck_engine *e, enum ck_memory kind, size_t bytes, struct ck_outcome *out);
bool emu_engine_write(struct ck_engine *e, uint64_t to, const void *from, size_t bytes, struct ck_outcome *out);
bool emu_engine_read(struct ck_engine *e, void *to, uint64_t from, size_t bytes, struct ck_outcome *out);
void emu_engine_encode(struct ck_engine *e, const struct tensor_map *map, void *object, unsigned null,
                       struct ck_outcome *out);
void emu_engine_launch(struct ck_engine *e, const struct ck_device_launch *launch, struct ck_outcome *out);
void emu_engine_reset(struct ck_engine *e);

#endif
