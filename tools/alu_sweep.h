/* The sweep of ordinary instructions: every form over inputs near its boundaries, on a GPU or on the emulator.
 *
 * A form is PTX that computes results from inputs, one thread an input tuple. docs/alu-sweep.md says how to use it.
 */
#ifndef COPYCHECK_ALU_SWEEP_H
#define COPYCHECK_ALU_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SWEEP_INPUTS = 3072, SWEEP_BLOCK = 256, SWEEP_MAX_IN = 20, SWEEP_MAX_OUT = 8, SWEEP_SCRATCH = 32 };

/* How inputs of a type are chosen. */
enum sweep_class {
    SWEEP_INTEGER,
    SWEEP_FLOAT,
    SWEEP_FRAGMENT, /* floats of a matrix: a range of exponents for each warp */
    SWEEP_PREDICATE,
    SWEEP_SMALL,    /* shift amounts, positions, lengths */
    SWEEP_METADATA, /* of a sparse matrix: which two of four */
    SWEEP_BITS,
};

struct sweep_type {
    const char *name;
    unsigned bytes; /* of its register; 0: a predicate */
    enum sweep_class class;
    unsigned lanes, bits;        /* of the values that it packs */
    unsigned exponent, fraction; /* of a float; `low` unused bits below */
    unsigned low;
};

struct sweep_form {
    char *text; /* PTX; inputs are named a, b, c, x, i4 ...; results d, e, o2 ... */
    /* "=": the same bits; "seen": recorded, and not compared, as the assembler goes its own way; else the documented
     * error of an approximation, see alu_sweep_record.c */
    char *contract;
    const struct sweep_type *in[SWEEP_MAX_IN], *out[SWEEP_MAX_OUT];
    unsigned ins, outs;
    char refused[200]; /* why an assembler refuses it; "" where it does not */
};

struct sweep {
    struct sweep_form *forms;
    size_t count, room;
    char facts[200]; /* where they ran: "NVIDIA H200, driver 580.159.04, ptxas 13.0.88"; "" for not said */
};

/* All forms of the table. False with one line where the table is wrong. */
bool sweep_forms(struct sweep *s, char *error, size_t size);
void sweep_free(struct sweep *s);
const struct sweep_type *sweep_type(const char *name, size_t length);

/* The inputs of a form: SWEEP_INPUTS tuples of form->ins values, tuple after tuple. The same for forms of the same
 * input types. */
void sweep_inputs(const struct sweep_form *f, uint64_t *values);

/* A module with the entries "f%zu" of forms [first, first + count) that no engine refused; lines[k] receives the line
 * where the k-th begins. Caller frees; NULL where memory is out. */
char *sweep_ptx(const struct sweep *s, size_t first, size_t count, int *lines);

/* What one form gave: SWEEP_INPUTS tuples of form->outs values. */
struct sweep_result {
    bool ran;
    char why[200]; /* where it did not */
    uint64_t *values;
};

/* Runs all forms; results[k] belongs to form k. `folder` keeps modules and cubins for the GPU, `jobs` how many
 * assemblers run at once. False with one line where nothing could run. */
bool sweep_run_emu(struct sweep *s, struct sweep_result *results, char *error, size_t size);
bool sweep_run_gpu(struct sweep *s, const char *folder, unsigned jobs, struct sweep_result *results, char *error,
                   size_t size);
/* Assembles all forms with ptxas; fills in form->refused. */
bool sweep_assemble(struct sweep *s, const char *folder, unsigned jobs, char *error, size_t size);

/* A line for each form, and all results in their bytes: see alu_sweep_record.c. */
bool sweep_write_record(const struct sweep *s, const struct sweep_result *results, FILE *f);
bool sweep_write_dump(const struct sweep *s, const struct sweep_result *results, FILE *f);
bool sweep_read_dump(const struct sweep *s, const char *path, struct sweep_result *results, char *error, size_t size);

struct sweep_tally {
    size_t exact, within, seen, refused; /* forms, by what they are compared with */
    size_t wrong;
};

/* Compares results with a record, and prints a line for each form that differs. `whole`: the record has no other forms.
 */
bool sweep_compare(const struct sweep *s, const struct sweep_result *results, const char *path, bool whole,
                   struct sweep_tally *tally, char *error, size_t size);
/* Compares them with all results of another engine; `show` tuples of each form that differs are printed. */
void sweep_compare_all(const struct sweep *s, const struct sweep_result *results, const struct sweep_result *others,
                       unsigned show, struct sweep_tally *tally);
/* Prints the i-th inputs and results. */
void sweep_print_tuple(const struct sweep_form *f, const uint64_t *values, const uint64_t *inputs, unsigned i);

#endif
// SPDX-License-Identifier: Apache-2.0
