/* What is common to all engines. */
#include "harness/engines/engine.h"

_Thread_local struct ck_engine_cost ck_engine_cost;

const char *const ck_outcome_names[CK_O_COUNT] = {
    [CK_O_DONE] = "done",     [CK_O_REFUSED] = "refused",     [CK_O_FAULT] = "fault",
    [CK_O_HANG] = "hang",     [CK_O_CRASHED] = "crashed",     [CK_O_TIMEOUT] = "timeout",
    [CK_O_MEMORY] = "memory", [CK_O_DIAGNOSED] = "diagnosed", [CK_O_UNSUPPORTED] = "unsupported",
};
// SPDX-License-Identifier: Apache-2.0
