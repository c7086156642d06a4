/* An engine without a device: its kernels are named after what they do wrong. It takes the place of all engines. */
#include "tests/selftest/fake.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/engines/engines.h"
#include "harness/lint/host.h"

static atomic_bool poisoned; /* a kernel has left this process in a state that another dies of */
static unsigned runs;        /* of the kernel that is right every other time */

static void copy(const struct fake_args *a)
{
    memcpy((void *)(uintptr_t)a->to, (const void *)(uintptr_t)a->from, a->bytes);
}

static void copy_wrong(const struct fake_args *a)
{
    copy(a);
    ((unsigned char *)(uintptr_t)a->to)[a->bytes / 2] ^= 1;
}

static void copy_too_much(const struct fake_args *a)
{
    copy(a);
    memset((unsigned char *)(uintptr_t)a->to + a->bytes, 0x77, 3);
}

static void copy_before(const struct fake_args *a)
{
    copy(a);
    ((unsigned char *)(uintptr_t)a->to)[-2] = 0x77;
}

static void copy_nothing(const struct fake_args *a)
{
    (void)a;
}

static void copy_slowly(const struct fake_args *a)
{
    usleep(4000);
    copy(a);
}

static void copy_sometimes(const struct fake_args *a)
{
    if (runs++ % 2 == 0)
        copy(a);
}

/* What it does hangs on the input, and so on the seed. */
static void copy_even(const struct fake_args *a)
{
    copy(a);
    *(unsigned char *)(uintptr_t)a->to ^= *(const unsigned char *)(uintptr_t)a->from & 1;
}

static void wait_in_vain(const struct fake_args *a)
{
    *(uint32_t *)(uintptr_t)a->head.timeouts = 5;
}

static void sleep_forever(const struct fake_args *a)
{
    (void)a;
    for (;;)
        pause();
}

static void leave(const struct fake_args *a)
{
    (void)a;
    _exit(7);
}

static void die(const struct fake_args *a)
{
    (void)a;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

static void copy_and_poison(const struct fake_args *a)
{
    copy(a);
    poisoned = true;
}

static const struct {
    const char *name;
    void (*run)(const struct fake_args *a);
    enum ck_outcome_kind kind;
    long code;
    const char *message;
} kernels[] = {
    { .name = "copy", .run = copy },
    { .name = "copy__nothing", .run = copy_nothing },
    { .name = "copy__again", .run = copy },
    { .name = "copy__fault", .kind = CK_O_FAULT, .code = 716, .message = "misaligned address" },
    { .name = "wrong", .run = copy_wrong },
    { .name = "too_much", .run = copy_too_much },
    { .name = "before", .run = copy_before },
    { .name = "slow", .run = copy_slowly },
    { .name = "sometimes", .run = copy_sometimes },
    { .name = "even", .run = copy_even },
    { .name = "wait", .run = wait_in_vain },
    { .name = "sleep", .run = sleep_forever },
    { .name = "leave", .run = leave },
    { .name = "die", .run = die },
    { .name = "poison", .run = copy_and_poison },
    { .name = "victim", .run = copy },
    { .name = "fault", .kind = CK_O_FAULT, .code = 700, .message = "illegal address" },
    { .name = "refused", .kind = CK_O_REFUSED, .code = 1, .message = "invalid value" },
    { .name = "unsupported", .kind = CK_O_UNSUPPORTED, .message = "needs a thing, found none" },
};

/* Launches run several at a time: one that the culprit has begun before may still be at work. By the clock, as naps
 * take longer where processors are busy, and the point has a deadline. */
static void await_poison(void)
{
    enum { MOST_NS = 100000000 };
    struct timespec from, now;

    clock_gettime(CLOCK_MONOTONIC, &from);
    do {
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (!poisoned && (now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec - from.tv_nsec < MOST_NS);
}

static void launch_fake(struct ck_engine *e, const struct ck_device_launch *l, struct ck_outcome *out)
{
    (void)e;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (strcmp(kernels[i].name, l->kernel) != 0)
            continue;
        if (!strcmp(l->kernel, "victim"))
            await_poison();
        if (poisoned && !strcmp(l->kernel, "victim")) {
            *out = (struct ck_outcome){ .kind = CK_O_FAULT, .code = 999, .message = "the device is in a bad state" };
            return;
        }
        *out = (struct ck_outcome){ .kind = kernels[i].kind, .code = kernels[i].code };
        if (kernels[i].message)
            snprintf(out->message, sizeof out->message, "%s", kernels[i].message);
        if (kernels[i].run)
            kernels[i].run(l->args);
        return;
    }
    *out = (struct ck_outcome){ .kind = CK_O_REFUSED, .code = 500, .message = "no such kernel" };
}

/* Answers by the first of these words that the text has; text with none of them is refused. */
static void assemble_fake(struct ck_engine *e, const struct ck_ptx *ptx, struct ck_outcome *out)
{
    static const struct {
        const char *word;
        struct ck_outcome outcome;
    } answers[] = {
        { "good", { .kind = CK_O_DONE } },
        { "crash", { .kind = CK_O_CRASHED, .code = 11, .message = "died of signal 11" } },
        { "endless", { .kind = CK_O_TIMEOUT, .message = "no end within its deadline" } },
        { "hungry", { .kind = CK_O_MEMORY, .message = "wanted more than its limit" } },
        { "unknown", { .kind = CK_O_UNSUPPORTED, .message = "needs PTX 9.9, takes 9.0" } },
    };

    (void)e;
    *out = (struct ck_outcome){ .kind = CK_O_REFUSED, .code = 255, .message = "syntax error" };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (memmem(ptx->text, ptx->size, answers[i].word, strlen(answers[i].word))) {
            *out = answers[i].outcome;
            return;
        }
}

static bool speaks_fake(const struct ck_engine *e, enum ck_language language)
{
    (void)e;
    return language != CK_TILE_PYTHON;
}

/* Answers by the first of these words that the source has; what is accepted holds those of the words that are looked
 * for which the source has too, and a tile kernel an image. */
static void compile_fake(struct ck_engine *e, const struct ck_source *source, struct ck_outcome *out)
{
    char words[256], *rest = words;

    (void)e;
    *out = (struct ck_outcome){ .kind = CK_O_REFUSED, .code = 1 };
    if (strstr(source->text, "endless"))
        out->kind = CK_O_TIMEOUT;
    else if (strstr(source->text, "unknown"))
        *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED, .message = "needs another release" };
    else if (strstr(source->text, "good"))
        *out = (struct ck_outcome){ .kind = CK_O_DONE };
    else
        snprintf(out->message, sizeof out->message, "error: %s",
                 strstr(source->text, "because") ? "it is so because" : "no");
    if (out->kind != CK_O_DONE)
        return;
    if (source->language == CK_TILE_CPP)
        snprintf(out->message, sizeof out->message, "tile");
    snprintf(words, sizeof words, "%s", source->look_for);
    for (char *word; (word = strsep(&rest, " "));)
        if (*word && strstr(source->text, word))
            ck_append(out->message, sizeof out->message, "%s%s", out->message[0] ? " " : "", word);
}

/* Takes every map of rank 1 to 5. */
static void encode_fake(struct ck_engine *e, const struct tensor_map *map, void *object, unsigned null,
                        struct ck_outcome *out)
{
    const bool legal = map->rank >= 1 && map->rank <= 5 && !null;

    (void)e;
    memset(object, 0, TENSOR_MAP_BYTES);
    *out = (struct ck_outcome){ .kind = legal ? CK_O_DONE : CK_O_REFUSED, .code = legal ? 0 : 1 };
    snprintf(out->message, sizeof out->message, "%s", legal ? "" : "CUDA_ERROR_INVALID_VALUE");
}

static bool never_opens(struct ck_engine *e, struct ck_outcome *out)
{
    (void)e;
    *out = (struct ck_outcome){ .kind = CK_O_UNSUPPORTED, .message = "needs a device, found none" };
    return false;
}

static const struct ck_engine_ops fake = {
    .one = true,
    .open = ck_host_open,
    .assemble = assemble_fake,
    .encode = encode_fake,
    .alloc = ck_host_alloc,
    .write = ck_host_write,
    .read = ck_host_read,
    .launch = launch_fake,
    .reset = ck_host_reset,
};

static const struct ck_engine_ops closed = { .open = never_opens, .launch = launch_fake };
static const struct ck_engine_ops assembler = { .open = ck_host_open, .assemble = assemble_fake };
static const struct ck_engine_ops compiler = { .open = ck_host_open, .speaks = speaks_fake, .compile = compile_fake };

/* ---- in the place of harness/engines/engines.c ---- */

static const struct {
    const char *name;
    const struct ck_engine_ops *ops;
} engines[] = { { "fake", &fake }, { "closed", &closed }, { "assembler", &assembler }, { "compiler", &compiler } };

void ck_engines_places(const struct ck_places *given)
{
    (void)given;
}

const struct ck_gpu_facts *ck_engines_gpu(void)
{
    static const struct ck_gpu_facts none = { .present = false };

    return &none;
}

bool ck_engine_find(const char *name, struct ck_engine *out, char *error, size_t size)
{
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        if (strcmp(engines[i].name, name) != 0)
            continue;
        *out = (struct ck_engine){ .ops = engines[i].ops,
                                   .sm = engines[i].ops->launch ? 90 : 0,
                                   .keeps_time = engines[i].ops == &fake };
        snprintf(out->name, sizeof out->name, "%s", name);
        return true;
    }
    snprintf(error, size, "no engine '%s'", name);
    return false;
}

int ck_engines_default(struct ck_engine *out, size_t max, char *error, size_t size)
{
    return max && ck_engine_find("fake", out, error, size) ? 1 : -1;
}

const char *ck_kernels_folder(void)
{
    return "/nonexistent";
}

void ck_kernels_toolkit(char *out, size_t size)
{
    snprintf(out, size, "%s", "");
}

void ck_engines_done(void) {}
// SPDX-License-Identifier: Apache-2.0
