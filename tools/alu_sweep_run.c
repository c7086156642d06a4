/* Runs the sweep's forms: on the emulator in this process, on a GPU through cubins that ptxas makes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/driver.h"
#include "harness/emu/machine.h"
#include "harness/gpu.h"
#include "harness/ptxas.h"
#include "tools/alu_sweep.h"

enum { PART = 64 }; /* forms of a module */

static const size_t input_room = (size_t)SWEEP_INPUTS * SWEEP_MAX_IN * 8,
                    output_room = (size_t)SWEEP_INPUTS * SWEEP_MAX_OUT * 8,
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
    uint64_t *inputs;
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
    sweep_inputs(f, e->inputs);
    snprintf(entry, sizeof entry, "f%zu", number);
    emu_write(e->machine, e->in, e->inputs, (size_t)SWEEP_INPUTS * f->ins * 8);
    emu_write(e->machine, e->out, r->values, bytes);
    emu_launch(e->machine, entry, grid, block, cluster, 0, args, sizeof args, &report);
    r->ran = report.end == EMU_DONE;
    snprintf(r->why, sizeof r->why, "%.199s", report.message);
    emu_read(e->machine, r->values, e->out, bytes);
}

/* One module: forms that the checker refuses are taken out until it takes the rest. */
static void run_part(struct sweep *s, size_t first, size_t count, struct emu_side *e, struct sweep_result *results)
{
    struct ptx_module *m = NULL;
    struct ptx_error error;
    int lines[PART];
    char *text = NULL, why[200];

    for (;;) {
        size_t bad;
        text = sweep_ptx(s, first, count, lines);
        m = ptx_parse(text, strlen(text), NULL, &error);
        if (m && ptx_check(m, text, strlen(text), &error))
            break;
        ptx_free(m);
        free(text);
        bad = form_at(lines, count, error.line);
        if (bad == count || s->forms[first + bad].refused[0])
            return;
        snprintf(s->forms[first + bad].refused, sizeof s->forms->refused, "%.199s", error.message);
        snprintf(results[first + bad].why, sizeof results->why, "refused: %.180s", error.message);
    }
    if (emu_load(e->machine, m, why, sizeof why))
        for (size_t k = first; k < first + count; k++)
            if (!s->forms[k].refused[0])
                run_form(e, &s->forms[k], k, &results[k]);
    /* The module stays loaded for as long as the machine. */
    free(text);
}

bool sweep_run_emu(struct sweep *s, struct sweep_result *results, char *error, size_t size)
{
    const struct emu_options options = { .jobs = 1 };
    struct emu_side e = { .machine = emu_new(&options), .inputs = malloc(input_room) };

    if (!e.machine || !e.inputs)
        return fail(error, size, "out of memory", "");
    e.in = emu_alloc(e.machine, input_room, 256, true, "inputs");
    e.out = emu_alloc(e.machine, output_room, 256, true, "results");
    e.place = emu_alloc(e.machine, scratch_room, 256, true, "places");
    for (size_t k = 0; k < s->count; k += PART)
        run_part(s, k, s->count - k < PART ? s->count - k : PART, &e, results);
    emu_free(e.machine);
    free(e.inputs);
    return true;
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

bool sweep_run_gpu(struct sweep *s, const char *folder, unsigned jobs, struct sweep_result *results, char *error,
                   size_t size)
{
    struct cu_driver d;
    cu_context context;
    cu_device device;
    cu_deviceptr in, out, place;
    uint64_t *inputs = malloc(input_room);
    cu_module module = NULL;
    cu_result r;

    if (!sweep_assemble(s, folder, jobs, error, size) || !cu_open(&d, error, size))
        return false;
    say_where(s);
    if (!inputs)
        return fail(error, size, "out of memory", "");
    if ((r = d.cuInit(0)) || (r = d.cuDeviceGet(&device, 0)) || (r = d.cuCtxCreate_v2(&context, 0, device)) ||
        (r = d.cuMemAlloc_v2(&in, input_room)) || (r = d.cuMemAlloc_v2(&out, output_room)) ||
        (r = d.cuMemAlloc_v2(&place, scratch_room)))
        return fail(error, size, "the GPU cannot be used", cu_name(&d, r));
    for (size_t k = 0; k < s->count; k++) {
        const struct sweep_form *f = &s->forms[k];
        struct cu_launch_config config = { .grid = { SWEEP_INPUTS / SWEEP_BLOCK, 1, 1 },
                                           .block = { SWEEP_BLOCK, 1, 1 } };
        void *parameters[] = { &in, &out, &place };
        const size_t bytes = (size_t)SWEEP_INPUTS * f->outs * 8;
        cu_function function;
        char name[500];

        if (k % PART == 0) {
            snprintf(name, sizeof name, "%s/part%zu.cubin", folder, k / PART);
            char *image = read_file(name);
            if (!image)
                return fail(error, size, "cannot read", name);
            r = d.cuModuleLoadData(&module, image);
            free(image);
            if (r)
                return fail(error, size, name, cu_name(&d, r));
        }
        if (f->refused[0])
            continue;
        results[k].values = calloc(1, bytes);
        sweep_inputs(f, inputs);
        snprintf(name, sizeof name, "f%zu", k);
        if ((r = d.cuModuleGetFunction(&function, module, name)) ||
            (r = d.cuMemcpyHtoD_v2(in, inputs, (size_t)SWEEP_INPUTS * f->ins * 8)) ||
            (r = d.cuMemcpyHtoD_v2(out, results[k].values, bytes)) ||
            (r = d.cuLaunchKernelEx(&config, function, parameters, NULL)) || (r = d.cuCtxSynchronize()) ||
            (r = d.cuMemcpyDtoH_v2(results[k].values, out, bytes))) {
            snprintf(error, size, "%.150s: %s", f->text, cu_name(&d, r));
            return false;
        }
        results[k].ran = true;
    }
    free(inputs);
    return true;
}
