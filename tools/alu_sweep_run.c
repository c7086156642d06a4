/* Runs the sweep's forms: on the emulator in this process, on a GPU through cubins that ptxas makes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"
#include "harness/engines/driver.h"
#include "harness/engines/gpu.h"
#include "harness/engines/ptxas.h"
#include "tools/alu_sweep.h"

enum { PART = 64 }; /* forms of a module */

static uint64_t inputs[SWEEP_INPUTS * SWEEP_MAX_IN]; /* of the form that runs */
static const size_t input_room = sizeof inputs, output_room = (size_t)SWEEP_INPUTS * SWEEP_MAX_OUT * 8,
                    scratch_room = (size_t)SWEEP_INPUTS * SWEEP_SCRATCH;

static bool fail(char *error, size_t size, const char *what, const char *why)
{
    snprintf(error, size, "%s%s%s", what, why[0] ? ": " : "", why);
    return false;
}

/* The form of a module's line; count where there is none. */
static size_t form_at(const int *lines, size_t count, int line)
{
    size_t k = count;

    while (k && lines[k - 1] > line)
        k--;
    return k ? k - 1 : count;
}

/* ---- the emulator ------------------------------------------------------------------------------------------------ */

struct emu_side {
    struct emu *machine;
    uint64_t in, out, place;
};

static void run_form(struct emu_side *e, const struct sweep_form *f, size_t number, struct sweep_result *r)
{
    const uint32_t grid[3] = { SWEEP_INPUTS / SWEEP_BLOCK, 1, 1 }, block[3] = { SWEEP_BLOCK, 1, 1 },
                   cluster[3] = { 1, 1, 1 };
    const uint64_t args[3] = { e->in, e->out, e->place };
    const size_t bytes = (size_t)SWEEP_INPUTS * f->outs * 8;
    struct emu_report report;
    char entry[32];

    r->values = calloc(1, bytes);
    if (!r->values)
        return;
    sweep_inputs(f, inputs);
    snprintf(entry, sizeof entry, "f%zu", number);
    emu_write(e->machine, e->in, inputs, (size_t)SWEEP_INPUTS * f->ins * 8);
    emu_write(e->machine, e->out, r->values, bytes);
    emu_launch(e->machine, entry, grid, block, cluster, 0, args, sizeof args, &report);
    r->ran = report.end == EMU_DONE;
    snprintf(r->why, sizeof r->why, "%.199s", report.message);
    emu_read(e->machine, r->values, e->out, bytes);
}

/* A module of forms; those that the checker refuses are taken out until it takes the rest. NULL where that fails. */
static struct ptx_module *checked_part(struct sweep *s, size_t first, size_t count, struct sweep_result *results)
{
    for (;;) {
        int lines[PART];
        char *text = sweep_ptx(s, first, count, lines);
        struct ptx_error error;
        struct ptx_module *m = ptx_read(text, strlen(text), NULL, &error);
        const bool ok = m != NULL;
        size_t bad;

        free(text);
        if (ok)
            return m;
        ptx_free(m);
        bad = form_at(lines, count, error.line);
        if (bad == count || s->forms[first + bad].refused[0])
            return NULL;
        snprintf(s->forms[first + bad].refused, sizeof s->forms->refused, "%.199s", error.message);
        snprintf(results[first + bad].why, sizeof results->why, "refused: %.180s", error.message);
    }
}

static bool run_part(struct sweep *s, size_t first, size_t count, struct sweep_result *results, char *error,
                     size_t size)
{
    const struct emu_options options = { .jobs = 1 };
    struct ptx_module *m = checked_part(s, first, count, results);
    struct emu_side e = { .machine = emu_new(&options) };
    bool ok = m && e.machine;

    if (!ok)
        fail(error, size, "a module of forms cannot be run", m ? "out of memory" : "it is refused as a whole");
    ok = ok && emu_load(e.machine, m, error, size);
    if (ok) {
        e.in = emu_alloc(e.machine, input_room, 256, true, "inputs");
        e.out = emu_alloc(e.machine, output_room, 256, true, "results");
        e.place = emu_alloc(e.machine, scratch_room, 256, true, "places");
    }
    for (size_t k = first; ok && k < first + count; k++)
        if (!s->forms[k].refused[0])
            run_form(&e, &s->forms[k], k, &results[k]);
    if (e.machine)
        emu_free(e.machine);
    ptx_free(m);
    return ok;
}

bool sweep_run_emu(struct sweep *s, struct sweep_result *results, char *error, size_t size)
{
    bool ok = true;

    for (size_t k = 0; ok && k < s->count; k += PART)
        ok = run_part(s, k, s->count - k < PART ? s->count - k : PART, results, error, size);
    return ok;
}

/* ---- ptxas ------------------------------------------------------------------------------------------------------- */

static bool write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    const bool ok = f && fputs(text, f) >= 0;

    return f && fclose(f) == 0 && ok;
}

static int take_errors(struct sweep *s, size_t first, size_t count, const int *lines, const char *log)
{
    char line[1024];
    FILE *f = fopen(log, "r");
    int taken = 0;

    while (f && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, "line "), *what = strstr(line, "error");
        const size_t bad = at ? form_at(lines, count, atoi(at + 5)) : count;
        if (!at || !what || bad == count || s->forms[first + bad].refused[0])
            continue;
        what = strchr(what, ':') ? strchr(what, ':') + 2 : what;
        snprintf(s->forms[first + bad].refused, sizeof s->forms->refused, "%.*s", (int)strcspn(what, "\n") % 190, what);
        taken++;
    }
    if (f)
        fclose(f);
    return taken;
}

/* One module, in a process of its own: writes FOLDER/partN.ptx, .cubin and, a line each, .refused: form, message. */
static int assemble_part(struct sweep *s, size_t first, size_t count, const char *folder, const char *ptxas)
{
    char base[400], command[1400], path[500];
    int lines[PART];
    FILE *f;

    snprintf(base, sizeof base, "%s/part%zu", folder, first / PART);
    for (;;) {
        char *text = sweep_ptx(s, first, count, lines);
        snprintf(path, sizeof path, "%s.ptx", base);
        if (!write_text(path, text))
            return 2;
        free(text);
        snprintf(command, sizeof command, "%s -arch=sm_90a %s.ptx -o %s.cubin > %s.log 2>&1", ptxas, base, base, base);
        if (system(command) == 0)
            break;
        snprintf(path, sizeof path, "%s.log", base);
        if (!take_errors(s, first, count, lines, path))
            return 2;
    }
    snprintf(path, sizeof path, "%s.refused", base);
    f = fopen(path, "w");
    for (size_t k = first; f && k < first + count; k++)
        if (s->forms[k].refused[0])
            fprintf(f, "%zu %s\n", k, s->forms[k].refused);
    return f && fclose(f) == 0 ? 0 : 2;
}

static void read_refused(struct sweep *s, size_t part, const char *folder)
{
    char path[500], line[400];
    FILE *f;

    snprintf(path, sizeof path, "%s/part%zu.refused", folder, part);
    f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        char *end;
        const size_t k = strtoul(line, &end, 10);
        end[strcspn(end, "\n")] = 0;
        if (k < s->count && *end)
            snprintf(s->forms[k].refused, sizeof s->forms->refused, "%.199s", end + 1);
    }
    if (f)
        fclose(f);
}

bool sweep_assemble(struct sweep *s, const char *folder, unsigned jobs, char *error, size_t size)
{
    const size_t parts = (s->count + PART - 1) / PART;
    const char *ptxas = getenv("PTXAS") ? getenv("PTXAS") : "ptxas";
    unsigned running = 0;
    bool ok = true;
    int status;

    mkdir(folder, 0777);
    fflush(NULL);
    for (size_t part = 0; part < parts; part++) {
        const size_t first = part * PART;
        const pid_t child = running < jobs ? 0 : wait(&status);
        if (child > 0) {
            running--;
            ok &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
        }
        const pid_t made = fork();
        if (made == 0)
            _exit(assemble_part(s, first, s->count - first < PART ? s->count - first : PART, folder, ptxas));
        running += made > 0;
    }
    while (running && wait(&status) > 0) {
        running--;
        ok &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    for (size_t part = 0; part < parts; part++)
        read_refused(s, part, folder);
    return ok || fail(error, size, "ptxas does not assemble the forms, and names no line; see the logs in", folder);
}

/* ---- the GPU ----------------------------------------------------------------------------------------------------- */

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    char *bytes = NULL;

    if (f && fstat(fileno(f), &st) == 0 && (bytes = malloc((size_t)st.st_size + 1)) &&
        fread(bytes, 1, (size_t)st.st_size, f) != (size_t)st.st_size) {
        free(bytes);
        bytes = NULL;
    }
    if (f)
        fclose(f);
    return bytes;
}

static void say_where(struct sweep *s)
{
    struct ck_gpu_facts gpu;
    struct ck_engine ptxas;
    char error[300];

    ck_gpu_probe(&gpu);
    snprintf(s->facts, sizeof s->facts, "%.90s, driver %.30s, %.40s", gpu.device, gpu.driver,
             ck_ptxas_engine(NULL, &ptxas, error, sizeof error) ? ptxas.facts : "ptxas");
}

struct gpu_side {
    struct cu_driver d;
    cu_deviceptr in, out, place;
    cu_module module;
};

static bool open_gpu(struct gpu_side *g, char *error, size_t size)
{
    cu_context context;
    cu_device device;
    cu_result r;

    if (!cu_open(&g->d, error, size))
        return false;
    if ((r = g->d.cuInit(0)) || (r = g->d.cuDeviceGet(&device, 0)) || (r = g->d.cuCtxCreate_v2(&context, 0, device)) ||
        (r = g->d.cuMemAlloc_v2(&g->in, input_room)) || (r = g->d.cuMemAlloc_v2(&g->out, output_room)) ||
        (r = g->d.cuMemAlloc_v2(&g->place, scratch_room)))
        return fail(error, size, "the GPU cannot be used", cu_name(&g->d, r));
    return true;
}

static bool load_part(struct gpu_side *g, const char *folder, size_t part, char *error, size_t size)
{
    char name[500];
    char *image;
    cu_result r;

    snprintf(name, sizeof name, "%s/part%zu.cubin", folder, part);
    image = read_file(name);
    if (!image)
        return fail(error, size, "cannot read", name);
    r = g->d.cuModuleLoadData(&g->module, image);
    free(image);
    return !r || fail(error, size, name, cu_name(&g->d, r));
}

static bool launch_form(struct gpu_side *g, const struct sweep_form *f, size_t number, struct sweep_result *out,
                        char *error, size_t size)
{
    const struct cu_launch_config config = { .grid = { SWEEP_INPUTS / SWEEP_BLOCK, 1, 1 },
                                             .block = { SWEEP_BLOCK, 1, 1 } };
    void *parameters[] = { &g->in, &g->out, &g->place };
    const size_t bytes = (size_t)SWEEP_INPUTS * f->outs * 8;
    cu_function function;
    char name[32];
    cu_result r;

    out->values = calloc(1, bytes);
    if (!out->values)
        return fail(error, size, "out of memory", "");
    sweep_inputs(f, inputs);
    snprintf(name, sizeof name, "f%zu", number);
    if ((r = g->d.cuModuleGetFunction(&function, g->module, name)) ||
        (r = g->d.cuMemcpyHtoD_v2(g->in, inputs, (size_t)SWEEP_INPUTS * f->ins * 8)) ||
        (r = g->d.cuMemcpyHtoD_v2(g->out, out->values, bytes)) ||
        (r = g->d.cuLaunchKernelEx(&config, function, parameters, NULL)) || (r = g->d.cuCtxSynchronize()) ||
        (r = g->d.cuMemcpyDtoH_v2(out->values, g->out, bytes)))
        return fail(error, size, f->text, cu_name(&g->d, r));
    out->ran = true;
    return true;
}

bool sweep_run_gpu(struct sweep *s, const char *folder, unsigned jobs, struct sweep_result *results, char *error,
                   size_t size)
{
    struct gpu_side g = { 0 };
    bool ok;

    if (!sweep_assemble(s, folder, jobs, error, size))
        return false;
    say_where(s);
    ok = open_gpu(&g, error, size);
    for (size_t k = 0; ok && k < s->count; k++)
        ok = (k % PART != 0 || load_part(&g, folder, k / PART, error, size)) &&
             (s->forms[k].refused[0] || launch_form(&g, &s->forms[k], k, &results[k], error, size));
    return ok;
}
// SPDX-License-Identifier: Apache-2.0
