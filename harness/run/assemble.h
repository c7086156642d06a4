/* Many texts on many engines, in parallel: the worker processes of copycheck assemble. */
#ifndef COPYCHECK_ASSEMBLE_H
#define COPYCHECK_ASSEMBLE_H

#include "harness/engines/engine.h"

struct ck_assemble {
    const char *const *files; /* "-" is standard input, read before the workers start */
    size_t file_count;
    struct ck_engine *engines; /* not open; each worker opens those that it needs */
    size_t engine_count;
    unsigned jobs;
    unsigned deadline_ms; /* of an engine that works inside its worker; others keep their own */
};

/* What came of one file on one engine. */
struct ck_assembled {
    bool bad; /* the file could not be read as PTX: the outcome's message says why */
    struct ck_outcome outcome;
};

/* Assembles all and calls `each` for every file, in the order of the files, with one result for each engine. Stops
 * early if `each` returns false. Returns false, with one line in `error`, if nothing can be started; an interruption
 * (SIGINT, SIGTERM) ends it early, with no process left, and *ended_by says which. */
bool ck_assemble_all(const struct ck_assemble *a,
                     bool (*each)(void *context, size_t file, const struct ck_assembled *results), void *context,
                     int *ended_by, char *error, size_t size);

#endif
