/* What reports and commands see of the room: records and their files, counts, comparisons. A run that writes records
 * needs record.h alone. */
#ifndef COPYCHECK_RECORDS_H
#define COPYCHECK_RECORDS_H

#include "harness/records/agree.h"
#include "harness/records/breaches.h"
#include "harness/records/compare.h"
#include "harness/records/record.h"
#include "harness/records/rule_lines.h"
#include "harness/records/tally.h"

#endif
// SPDX-License-Identifier: Apache-2.0
