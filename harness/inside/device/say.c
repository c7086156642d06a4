/* What is said: each finding once, when a launch first shows it. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/base/clean.h"
#include "harness/check/fold.h"
#include "harness/check/gather.h"
#include "harness/check/said.h"
#include "harness/exec/channel.h"
#include "harness/inside/device/device.h"
#include "harness/inside/device/guard.h"
#include "harness/inside/device/settings.h"

/* What the launches of a kernel have found. */
struct seen {
    const struct ptx_module *module;
    const struct ptx_function *entry;
    struct check_result result; /* all of it, each once */
    struct seen *next;
};

static struct {
    int fd; /* of the channel; -1: standard error */
    enum check_format format;
    char name[200];
    uint64_t skip, most, asked, judged, instructions, again;
    struct seen *seen;
    char missing[64][64];
    size_t missing_count;
    char *printed; /* what kernels have printed and is not written out yet */
    size_t printed_bytes;
    FILE *print;
} say = { .fd = -1, .most = UINT64_MAX };

/* ---- messages -----------------------------------------------------------------------------------------------------
 */

static void send_text(enum channel_kind kind, const char *text, size_t bytes)
{
    char message[CHANNEL_MOST + 1];

    if (bytes > CHANNEL_MOST)
        bytes = CHANNEL_MOST;
    message[0] = (char)kind;
    memcpy(message + 1, text, bytes);
    if (say.fd >= 0 && send(say.fd, message, bytes + 1, MSG_NOSIGNAL) >= 0)
        return;
    if (kind == CHANNEL_COUNT)
        return;
    /* The program has closed the channel. */
    if (write(STDERR_FILENO, text, bytes) < 0 ||
        (bytes && text[bytes - 1] != '\n' && write(STDERR_FILENO, "\n", 1) < 0))
        say.fd = -1;
}

static void send_format(enum channel_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void send_format(enum channel_kind kind, const char *format, ...)
{
    char text[2000];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ck_clean(text, true);
    send_text(kind, text, strlen(text));
}

void say_line(const char *format, ...)
{
    char text[2000];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    send_format(CHANNEL_LINE, "%s", text);
}

CUresult say_missing(const char *name)
{
    for (size_t i = 0; i < say.missing_count; i++)
        if (!strncmp(say.missing[i], name, sizeof say.missing[i] - 1))
            return CUDA_ERROR_NOT_SUPPORTED;
    if (say.missing_count < sizeof say.missing / sizeof *say.missing)
        snprintf(say.missing[say.missing_count++], sizeof *say.missing, "%s", name);
    send_format(CHANNEL_MISSING, "%s", name);
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* A finding of the host's side: its kind, then what happened, which holds neither quotes nor backslashes. */
static const char *host_format(bool remark)
{
    switch (say.format) {
    case CHECK_JSONL:
        return remark ? "{\"rule\":\"%s\",\"severity\":\"remark\",\"message\":\"%s\"}\n"
                      : "{\"rule\":\"%s\",\"severity\":\"error\",\"message\":\"%s\"}\n";
    case CHECK_GCC: return remark ? "<program>: note: [%s] %s\n" : "<program>: error: [%s] %s\n";
    case CHECK_SARIF:
        return remark ? "{\"ruleId\":\"%s\",\"level\":\"note\",\"message\":{\"text\":\"%s\"}}"
                      : "{\"ruleId\":\"%s\",\"level\":\"error\",\"message\":{\"text\":\"%s\"}}";
    default: return remark ? "remark: %s  %s\n\n" : "%s  in the program's own code\n  %s\n\n";
    }
}

/* In a signal handler too: nothing is allocated. */
void say_host(const char *kind, bool remark, const char *format, ...)
{
    char message[500];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (char *p = message; *p; p++)
        *p = *p == '"' || *p == '\\' ? '\'' : *p;
    ck_clean(message, false);
    send_format(remark ? CHANNEL_REMARK : CHANNEL_FINDING, host_format(remark), kind, message);
}

void say_host_race(const struct memory *m, uint64_t at, bool writes, bool kernel_writes, const char *kernel)
{
    say_host("host.race", false,
             "the host %s byte %llu of allocation %llu (at 0x%llx), on a page that %s %s, and nothing has waited for "
             "the kernel since its launch",
             writes ? "writes" : "reads", (unsigned long long)(m ? at - m->at : 0),
             (unsigned long long)(m ? m->number : 0), (unsigned long long)at, kernel,
             kernel_writes ? "writes" : "reads");
}

/* ---- what kernels print -------------------------------------------------------------------------------------------
 */

FILE *say_print_to(void)
{
    if (!say.print)
        say.print = open_memstream(&say.printed, &say.printed_bytes);
    return say.print;
}

void say_printed(void)
{
    if (!say.print || fflush(say.print) || !say.printed_bytes)
        return;
    fwrite(say.printed, 1, say.printed_bytes, stdout);
    fclose(say.print);
    free(say.printed);
    say.print = NULL;
    say.printed = NULL;
    say.printed_bytes = 0;
}

/* ---- findings -----------------------------------------------------------------------------------------------------
 */

bool say_is_judged(const struct launch *l)
{
    if (*say.name && !strstr(function_entry(l->function)->name, say.name))
        return false;
    say.asked++;
    if (say.asked <= say.skip || say.asked - say.skip > say.most)
        return false;
    say.judged++;
    return true;
}

static struct seen *seen_of(const struct ptx_module *m, const struct ptx_function *entry)
{
    struct seen *s = say.seen;

    while (s && s->entry != entry)
        s = s->next;
    if (s || !(s = calloc(1, sizeof *s)))
        return s;
    *s = (struct seen){ .module = m, .entry = entry, .result = { .end = EMU_DONE }, .next = say.seen };
    say.seen = s;
    return s;
}

void say_forget(const struct ptx_module *m)
{
    for (struct seen **at = &say.seen; *at;) {
        struct seen *s = *at;
        if (s->module != m) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        check_result_free(&s->result);
        free(s);
    }
}

/* One finding that leads, with what is folded under it. */
static void send_finding(const struct check_said *to, struct check_said *out, const struct check_found *g)
{
    char *text = NULL;
    size_t bytes = 0;

    out->out = open_memstream(&text, &bytes);
    if (!out->out)
        return;
    if (say.format == CHECK_JSONL)
        check_write_finding(to, g);
    else if (say.format == CHECK_GCC)
        check_write_line(to, g);
    else if (say.format == CHECK_SARIF)
        check_write_sarif(to, g);
    else if (g->finding.remark)
        check_say_remark(to, g);
    else
        check_say_finding(to, g);
    if (!fclose(out->out))
        send_text(g->finding.remark ? CHANNEL_REMARK : CHANNEL_FINDING, text, bytes);
    free(text);
}

/* What this launch has found for the first time. */
static void say_new(const struct launch *l, struct check_result *fresh)
{
    static struct check_args args;
    struct check_said to = {
        .args = &args, .module = module_ptx(l->function->module), .entry = function_entry(l->function), .result = fresh
    };

    memcpy(args.grid, l->grid, sizeof args.grid);
    memcpy(args.block, l->block, sizeof args.block);
    args.options.seed = device.options.options.seed;
    ck_clean_copy(to.file, sizeof to.file, module_name(l->function->module));
    check_fold(fresh, to.module);
    for (size_t i = 0; i < fresh->count; i++)
        emu_name_layer(to.module, &fresh->found[i].finding);
    check_make_harmless(fresh);
    for (size_t i = 0; i < fresh->count; i++)
        if (say.format == CHECK_JSONL || fresh->found[i].role == CHECK_LEADS)
            send_finding(&to, &to, &fresh->found[i]);
}

/* Whether a launch before has shown it. */
static bool is_known(const struct check_result *r, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;

    for (size_t i = 0; i < r->count; i++) {
        const struct emu_finding *k = &r->found[i].finding;
        if (k->rule == f->rule && k->here.at == f->here.at && k->there.at == f->there.at &&
            (f->here.at || !strcmp(k->message, f->message)))
            return true;
    }
    return false;
}

void say_launch(const struct launch *l, const struct emu_report *report, unsigned schedule)
{
    struct seen *s = seen_of(module_ptx(l->function->module), function_entry(l->function));
    struct check_seen machine = { .machine = device.machine };
    struct check_result fresh = { .end = EMU_DONE };
    size_t kept = 0;

    say.instructions += report->instructions;
    if (s && (report->count + report->remarks || report->end != EMU_DONE) &&
        check_gather(&fresh, &machine, report, schedule)) {
        for (size_t i = 0; i < fresh.count; i++) {
            if (is_known(&s->result, &fresh.found[i])) {
                say.again++;
                continue;
            }
            fresh.found[kept++] = fresh.found[i];
        }
        fresh.count = kept;
        if (kept)
            check_gather(&s->result, &machine, report, schedule);
        if (kept)
            say_new(l, &fresh);
    }
    if (emu_stopped(report->end))
        send_format(CHANNEL_NOT_RUN, "%s: %s", function_entry(l->function)->name, report->message);
    check_result_free(&fresh);
    send_format(CHANNEL_COUNT, "%llu %llu %llu %llu", (unsigned long long)device.launches,
                (unsigned long long)say.judged, (unsigned long long)say.instructions, (unsigned long long)say.again);
}

/* ---- settings -----------------------------------------------------------------------------------------------------
 */

static void setting(const char *word, const char *value)
{
    struct emu_options *o = &device.options.options;
    const unsigned long long n = strtoull(value, NULL, 10);

    if (!strcmp(word, "fd"))
        say.fd = (int)n;
    else if (!strcmp(word, "format"))
        say.format = !strcmp(value, "jsonl")   ? CHECK_JSONL
                     : !strcmp(value, "gcc")   ? CHECK_GCC
                     : !strcmp(value, "sarif") ? CHECK_SARIF
                                               : CHECK_TEXT;
    else if (!strcmp(word, "schedules"))
        device.options.schedules = (unsigned)n;
    else if (!strcmp(word, "delivery")) {
        device.options.delivery_given = true;
        o->delivery = *value == 'e' ? EMU_EAGER : *value == 'r' ? EMU_RANDOM : EMU_LATE;
    } else if (!strcmp(word, "seed"))
        o->seed = n;
    else if (!strcmp(word, "jobs"))
        o->jobs = (unsigned)n;
    else if (!strcmp(word, "sms"))
        device.sms = (unsigned)n;
    else if (!strcmp(word, "memory"))
        o->max_memory = n;
    else if (!strcmp(word, "instructions"))
        o->max_instructions = n;
    else if (!strcmp(word, "leaks"))
        device.leak_check = n;
    else if (!strcmp(word, "guard"))
        guard_always(n);
    else if (!strcmp(word, "races"))
        guard_races(n);
    else if (!strcmp(word, "skip"))
        say.skip = n;
    else if (!strcmp(word, "count"))
        say.most = n;
}

void settings_read(void)
{
    enum { FEW = 4 };
    const char *from = getenv(CHANNEL_VARIABLE);
    char word[200];

    device.options =
        (struct check_args){ .schedules = 1,
                             .options = { .max_memory = 64ull << 30, .max_busy = 10000000000, .jobs = 1 } };
    device.options.options.check_order = device.options.options.check_init = true;
    device.sms = FEW;
    while (from && *from) {
        const size_t n = strcspn(from, " ");
        char *value;
        if (!strncmp(from, "name=", 5)) {
            snprintf(say.name, sizeof say.name, "%s", from + 5);
            break;
        }
        snprintf(word, sizeof word, "%.*s", (int)n, from);
        value = strchr(word, '=');
        if (value) {
            *value++ = 0;
            setting(word, value);
        }
        from += n + (from[n] != 0);
    }
}
