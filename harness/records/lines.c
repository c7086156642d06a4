/* The lines of a record file: their members. */
#include "harness/records/lines.h"

#define AT(type, field) offsetof(struct type, field)

static const struct member record_members[] = {
    { "point", TEXT, AT(ck_record, point), true },
    { "engine", TEXT, AT(ck_record, engine), true },
    { "verdict", VERDICT, AT(ck_record, verdict) },
    { "rule", TEXT, AT(ck_record, rule) },
    { "family", TEXT, AT(ck_record, family) },
    { "phase", TEXT, AT(ck_record, phase) },
    { "evidence", TEXT, AT(ck_record, evidence) },
    { "expected", TEXT, AT(ck_record, expected) },
    { "outcome", TEXT, AT(ck_record, outcome) },
    { "code", LONG, AT(ck_record, code) },
    { "seen", TEXT, AT(ck_record, seen) },
    { "varies", BOOL, AT(ck_record, varies) },
    { "detail", TEXT, AT(ck_record, detail) },
    { "at", TEXT, AT(ck_record, at) },
    { "digest", HEX64, AT(ck_record, digest) },
    { "machine", HEX64, AT(ck_record, machine) },
    { "seed", HEX64, AT(ck_record, seed) },
    { "gpu", INT, AT(ck_record, gpu) },
    { "runs", UINT, AT(ck_record, runs) },
    { "same", UINT, AT(ck_record, same) },
    { "ratio", REAL, AT(ck_record, ratio) },
    { "low", REAL, AT(ck_record, low) },
    { "high", REAL, AT(ck_record, high) },
    { "rounds", UINT, AT(ck_record, rounds) },
    { "ms", REAL, AT(ck_record, ms) },
};

static const struct member head_members[] = {
    { "copycheck", TEXT, AT(ck_run_head, version), true },
    { "schema", INT, AT(ck_run_head, schema) },
    { "device", TEXT, AT(ck_run_head, device) },
    { "sm", INT, AT(ck_run_head, sm) },
    { "sms", INT, AT(ck_run_head, sms) },
    { "uuid", TEXT, AT(ck_run_head, uuid) },
    { "ecc", BOOL, AT(ck_run_head, ecc) },
    { "mig", BOOL, AT(ck_run_head, mig) },
    { "driver", TEXT, AT(ck_run_head, driver) },
    { "libcuda", TEXT, AT(ck_run_head, libcuda) },
    { "cuda", INT, AT(ck_run_head, cuda) },
    { "ptx", TEXT, AT(ck_run_head, ptx) },
    { "toolkit", TEXT, AT(ck_run_head, toolkit) },
    { "ptxas", TEXT, AT(ck_run_head, ptxas) },
    { "host", TEXT, AT(ck_run_head, host) },
    { "engines", TEXT, AT(ck_run_head, engines) },
    { "selection", TEXT, AT(ck_run_head, selection) },
    { "delivery", TEXT, AT(ck_run_head, delivery) },
    { "shard", TEXT, AT(ck_run_head, shard) },
    { "schedules", BOOL, AT(ck_run_head, schedules) },
    { "repeat", UINT, AT(ck_run_head, repeat) },
    { "seed", HEX64, AT(ck_run_head, seed) },
    { "planned", ULONG, AT(ck_run_head, planned) },
    { "plan", HEX64, AT(ck_run_head, plan) },
    { "mutants", BOOL, AT(ck_run_head, mutants) },
    { "brief", BOOL, AT(ck_run_head, brief) },
    { "kinds", BOOL, AT(ck_run_head, kinds) },
    { "no_faults", BOOL, AT(ck_run_head, no_faults) },
    { "usual", BOOL, AT(ck_run_head, usual) },
};

static const struct member end_members[] = {
    { "end", ULONG, AT(record_end, records), true },
    { "digest", HEX64, AT(record_end, digest) },
};

const struct line_kind head_line = { head_members, sizeof head_members / sizeof *head_members },
                       record_line = { record_members, sizeof record_members / sizeof *record_members },
                       end_line = { end_members, sizeof end_members / sizeof *end_members };
// SPDX-License-Identifier: Apache-2.0
