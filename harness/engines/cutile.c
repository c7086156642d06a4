/* cuTile Python as an engine. A row's source defines a kernel `k`; what its parameters are follows from their names. It
 * is exported as machine code for sm_90, as a program would be that is compiled ahead of time: that asks for no GPU, no
 * driver and no array library. */
#include "harness/engines/cutile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/child.h"
#include "harness/engines/tile.h"
#include "harness/engines/toolkit.h"

enum { OUTPUT = 65536, DEADLINE_MS = 60000 };

struct places {
    char packages[PATH_MAX], toolkit[PATH_MAX];
};

/* Arguments: the folder of the packages, that of the toolkit. The source is on standard input, and the compiler reads
 * it again through linecache. An exception that a program's author is meant to see is a refusal; any other is a failure
 * of the compiler. */
static const char script[] =
    "import sys, os, io, inspect, linecache\n"
    "sys.path.insert(0, sys.argv[1])\n"
    "os.environ['CUDA_HOME'] = sys.argv[2]\n"
    "os.environ['CUDA_TILE_CACHE_DIR'] = '0'\n"
    "if len(sys.argv) > 3:\n"
    "    import cuda.tile\n"
    "    print('cuTile', cuda.tile.__version__)\n"
    "    sys.exit()\n"
    "def say(kind, line, what):\n"
    "    print(f\"{kind}: {line}: {str(what).strip().splitlines()[0] if str(what).strip() else 'no message'}\")\n"
    "    sys.exit()\n"
    "text = sys.stdin.read()\n"
    "linecache.cache['row.py'] = (len(text), None, text.splitlines(True), 'row.py')\n"
    "import cuda.tile as ct\n"
    "from cuda.tile.compilation import *\n"
    "def array(rank, dtype):\n"
    "    return ArrayConstraint(dtype, rank, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),\n"
    "                           may_alias_internally=False)\n"
    "known = dict(a=array(1, ct.float32), b=array(2, ct.float32), c=array(3, ct.float32), d=array(4, ct.float32),\n"
    "             e=array(5, ct.float32), i=array(1, ct.int32), j=array(1, ct.int32), h=array(1, ct.float16),\n"
    "             u=array(1, ct.uint8), f=array(1, ct.float8_e4m3fn), o=array(1, ct.float32), p=array(2, ct.float32),\n"
    "             n=ScalarConstraint(ct.int32), m=ScalarConstraint(ct.int32), x=ScalarConstraint(ct.float32),\n"
    "             N=16, M=4)\n"
    "try:\n"
    "    row = {}\n"
    "    exec(compile(text, 'row.py', 'exec'), row)\n"
    "    parameters = inspect.signature(row['k']._annotated_function.pyfunc).parameters\n"
    "    kinds = [known[name] if name not in ('N', 'M') or 'Constant' in str(p.annotation) else known['n']\n"
    "             for name, p in parameters.items()]\n"
    "    signature = KernelSignature(kinds, CallingConvention.cutile_python_v1(), symbol='k')\n"
    "    export_kernel(row['k'], [signature], io.BytesIO(), gpu_code='sm_90', output_format='cubin')\n"
    "except ct.TileCompilerExecutionError as e:\n" /* "Return code 3", and then what tileiras printed */
    "    say('refused', 0, (str(e).strip().splitlines() + [''])[1])\n"
    "except ct.TileInternalError as e:\n"
    "    say('failed', 0, e)\n"
    "except (ct.TileError, TypeError, ValueError, NotImplementedError, SyntaxError) as e:\n"
    "    loc = getattr(e, 'loc', None)\n"
    "    say('refused', loc.line if loc else 0, getattr(e, 'message', None) or e)\n"
    "except BaseException as e:\n"
    "    say('failed', 0, f'{type(e).__name__}: {e}')\n"
    "say('done', 0, '')\n";

/* ---- what it prints --------------------------------------------------------------------------------------------- */

bool ck_cutile_answer(const char *output, struct ck_outcome *out)
{
    static const struct {
        const char *word;
        enum ck_outcome_kind kind;
    } kinds[] = { { "done: ", CK_O_DONE }, { "refused: ", CK_O_REFUSED }, { "failed: ", CK_O_CRASHED } };
    const char *last = output;

    for (const char *p = output; *p; p += strcspn(p, "\n"), p += *p == '\n')
        last = p;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t n = strlen(kinds[i].word);
        char *rest;

        if (strncmp(last, kinds[i].word, n) != 0)
            continue;
        *out = (struct ck_outcome){ .kind = kinds[i].kind, .line = (int)strtol(last + n, &rest, 10) };
        if (out->kind != CK_O_DONE && !strncmp(rest, ": ", 2))
            snprintf(out->message, sizeof out->message, "%.*s", (int)strcspn(rest + 2, "\n"), rest + 2);
        return true;
    }
    return false;
}

/* ---- the engine ------------------------------------------------------------------------------------------------- */

static struct ck_child_result run_script(const struct places *at, const char *further, const void *input, size_t size,
                                         char output[OUTPUT])
{
    const char *const argv[] = {
        "/usr/bin/env", "python3", "-B", "-c", script, at->packages, at->toolkit, further, NULL
    };
    const struct ck_child child = { argv, input, size, DEADLINE_MS, 0 };

    return ck_child_run(&child, output, OUTPUT);
}

static void cutile_compile(struct ck_engine *e, const struct ck_source *source, struct ck_outcome *out)
{
    char output[OUTPUT];
    const struct ck_child_result r = run_script((const void *)e->config, NULL, source->text, source->size, output);

    *out = (struct ck_outcome){ .kind = CK_O_CRASHED, .code = r.code };
    if (r.end == CK_CHILD_LATE) {
        out->kind = CK_O_TIMEOUT;
        snprintf(out->message, sizeof out->message, "did not end within %d ms", DEADLINE_MS);
    } else if (r.end == CK_CHILD_NOT_RUN) {
        out->kind = CK_O_UNSUPPORTED;
        snprintf(out->message, sizeof out->message, "python3 could not be run: %s", strerror(r.code));
    } else if (r.end == CK_CHILD_SIGNALED) {
        snprintf(out->message, sizeof out->message, "ended by signal %d (%s)", r.code, strsignal(r.code));
    } else if (!ck_cutile_answer(output, out)) {
        snprintf(out->message, sizeof out->message, "exit status %d without an answer", r.code);
    }
}

static bool cutile_open(struct ck_engine *e, struct ck_outcome *out)
{
    (void)e;
    *out = (struct ck_outcome){ .kind = CK_O_DONE };
    return true;
}

static void cutile_close(struct ck_engine *e)
{
    (void)e;
}

static bool cutile_speaks(const struct ck_engine *e, enum ck_language language)
{
    (void)e;
    return language == CK_TILE_PYTHON;
}

static const struct ck_engine_ops cutile_ops = {
    .open = cutile_open,
    .close = cutile_close,
    .speaks = cutile_speaks,
    .compile = cutile_compile,
};

/* ---- finding it ------------------------------------------------------------------------------------------------- */

/* The newest fetched toolkit with a tileiras that knows sm_90; 0 if there is none. */
static int assembler(char *folder, size_t size)
{
    glob_t found = { 0 };
    int toolkit = 0;

    for (size_t n = ck_toolkits_fetched(&found); n && !toolkit; n--) {
        struct ck_engine tile;
        char error[256];

        if (!ck_tile_engine(found.gl_pathv[n - 1], &tile, error, sizeof error))
            continue;
        toolkit = tile.toolkit;
        if (!realpath(found.gl_pathv[n - 1], folder))
            snprintf(folder, size, "%s", found.gl_pathv[n - 1]);
    }
    globfree(&found);
    return toolkit;
}

bool ck_cutile_engine(const char *name, struct ck_engine *out, char *error, size_t size)
{
    struct places *at = calloc(1, sizeof *at); /* kept for as long as the process lives */
    char output[OUTPUT] = "", version[32] = "";
    const struct ck_engine none = { 0 };

    *out = none;
    if (!at || !ck_toolkit_cutile(name[6] == '-' ? name + 7 : NULL, at->packages, sizeof at->packages)) {
        snprintf(error, size, "no %s on this machine: tools/toolkit %s fetches it", name,
                 name[6] ? name : "cutile-1.7");
        free(at);
        return false;
    }
    const struct ck_child_result r = run_script(at, "version", "", 0, output);
    if (r.end != CK_CHILD_EXITED || r.code || sscanf(output, "cuTile %31s", version) != 1) {
        snprintf(error, size, "the python3 of this machine cannot load cuda.tile from %s", at->packages);
        free(at);
        return false;
    }
    out->toolkit = assembler(at->toolkit, sizeof at->toolkit);
    if (!out->toolkit) {
        snprintf(error, size, "cuTile %s needs the tileiras of a toolkit from 13.3 on: tools/toolkit 13.5 fetches one",
                 version);
        free(at);
        return false;
    }
    snprintf(out->facts, sizeof out->facts, "cuTile %s with tileiras %d.%d", version, out->toolkit / 10,
             out->toolkit % 10);
    version[strcspn(version, ".") + 1 + strcspn(version + strcspn(version, ".") + 1, ".")] = 0; /* 1.7 of 1.7.0 */
    snprintf(out->name, sizeof out->name, "cutile-%s", version);
    out->config = (const char *)at;
    out->ops = &cutile_ops;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
