/* Messages to exec, and what kernels print. */
#include "harness/inside/device/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/base/clean.h"
#include "harness/inside/device/outside.h"

static struct {
    int fd; /* of the channel; -1: standard error */
    char missing[64][64];
    size_t missing_count;
    char *printed;                 /* what kernels have printed and is not written out yet */
    size_t printed_bytes, written; /* `written` of them are written out: a kernel prints on */
    FILE *print;
    struct channel_counts *counts;
} say = { .fd = -1 };

void say_through(int fd)
{
    say.fd = fd;
}

void say_counts_in(int fd)
{
    void *counts = mmap(NULL, sizeof *say.counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    say.counts = counts == MAP_FAILED ? NULL : counts;
    close(fd);
}

struct channel_counts *say_counts(void)
{
    return say.counts;
}

/* ---- messages -----------------------------------------------------------------------------------------------------
 */

void say_send(enum channel_kind kind, const char *text, size_t bytes)
{
    char message[CHANNEL_MOST + 1];

    if (bytes > CHANNEL_MOST)
        bytes = CHANNEL_MOST;
    message[0] = (char)kind;
    memcpy(message + 1, text, bytes);
    if (say.fd >= 0 && send(say.fd, message, bytes + 1, MSG_NOSIGNAL) >= 0)
        return;
    /* The program has closed the channel. */
    if (write(STDERR_FILENO, text, bytes) < 0 ||
        (bytes && text[bytes - 1] != '\n' && write(STDERR_FILENO, "\n", 1) < 0))
        say.fd = -1;
}

void say_format(enum channel_kind kind, const char *format, ...)
{
    char text[2000];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ck_clean(text, true);
    say_send(kind, text, strlen(text));
}

void say_line(const char *format, ...)
{
    char text[2000];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say_format(CHANNEL_LINE, "%s", text);
}

CUresult say_missing(const char *name)
{
    for (size_t i = 0; i < say.missing_count; i++)
        if (!strncmp(say.missing[i], name, sizeof say.missing[i] - 1))
            return CUDA_ERROR_NOT_SUPPORTED;
    if (say.missing_count < sizeof say.missing / sizeof *say.missing)
        snprintf(say.missing[say.missing_count++], sizeof *say.missing, "%s", name);
    say_format(CHANNEL_MISSING, "%s", name);
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* A finding of the host's side: its kind, then what happened, which holds neither quotes nor backslashes. */
static const char *host_format(bool remark)
{
    switch (device.options.format) {
    case CHECK_JSONL:
        return remark ? "{\"rule\":\"%s\",\"severity\":\"remark\",\"message\":\"%s\"}\n"
                      : "{\"rule\":\"%s\",\"severity\":\"error\",\"message\":\"%s\"}\n";
    case CHECK_GCC: return remark ? "<program>: note: [%s] %s\n" : "<program>: error: [%s] %s\n";
    case CHECK_GITHUB: return remark ? "::notice title=%s::%s\n" : "::error title=%s::%s\n";
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
    say_format(remark ? CHANNEL_REMARK : CHANNEL_FINDING, host_format(remark), kind, message);
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
    fwrite(say.printed + say.written, 1, say.printed_bytes - say.written, stdout);
    say.written = say.printed_bytes;
    if (outside_all_away())
        return;
    fclose(say.print);
    free(say.printed);
    say.print = NULL;
    say.printed = NULL;
    say.printed_bytes = say.written = 0;
}
// SPDX-License-Identifier: Apache-2.0
