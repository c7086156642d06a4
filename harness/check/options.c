/* copycheck check: options from the command line and from spec files. */
#include "harness/check/check.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/base/bad.h"
#include "harness/base/number.h"
#include "harness/base/processors.h"
#include "harness/check/argument.h"
#include "harness/check/texture.h"
#include "harness/check/value.h"
#include "harness/maps/maps.h"

enum { SCHEDULES_MAX = 1000000 };

/* Where the option that is being read comes from, for messages. */
struct place {
    const char *file; /* of a spec, or NULL */
    int line;
};

/* Maps are read when all arguments are known. */
struct pending {
    struct place at;
    const char *text;
};

struct reader {
    struct check_args *out;
    struct place at;
    struct pending maps[CHECK_MAPS], dumps[CHECK_ARGS];
    struct pending args[CHECK_ARGS]; /* the text is what map: and at: name, else NULL */
    size_t dump_count;
};

static bool bad(const struct place *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(const struct place *at, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (at->file)
        ck_bad("check: %.200s:%d: %s", at->file, at->line, text);
    else
        ck_bad("check: %s", text);
    return false;
}

/* X, X,Y or X,Y,Z. */
static bool read_extent(const struct reader *r, const char *option, const char *text, const uint32_t most[3],
                        uint32_t out[3])
{
    const char *p = text;

    out[0] = out[1] = out[2] = 1;
    for (int i = 0; i < 3; i++) {
        char *end = NULL;
        errno = 0;
        const unsigned long n = isdigit((unsigned char)*p) ? strtoul(p, &end, 0) : 0;
        if (!end || errno || (*end && *end != ','))
            break;
        if (!n || n > most[i])
            return bad(&r->at, "%s '%.100s': %c is from 1 to %u", option, text, 'x' + i, most[i]);
        out[i] = (uint32_t)n;
        if (!*end)
            return true;
        p = end + 1;
    }
    return bad(&r->at, "%s '%.100s': X, X,Y or X,Y,Z", option, text);
}

/* ---- --arg ----------------------------------------------------------------------------------------------------- */

/* `apart`: a --buffer or a --bind, which no parameter takes. */
static bool read_arg(struct reader *r, const char *spec, bool apart)
{
    struct check_args *out = r->out;
    struct check_arg *a = &out->args[out->arg_count];
    char error[256];

    if (out->arg_count == CHECK_ARGS)
        return bad(&r->at, "more than %d --arg", CHECK_ARGS);
    *a = (struct check_arg){ .spec = spec, .apart = apart };
    r->args[out->arg_count++] = (struct pending){ .at = r->at };
    if (!check_argument_read(a, &r->args[out->arg_count - 1].text, error, sizeof error))
        return bad(&r->at, "--arg '%.100s': %s", spec, error);
    if (a->joined && (apart || out->arg_count == 1 || a[-1].apart))
        return bad(&r->at, "--arg '%.100s': no --arg before it that it could be a part of", spec);
    return true;
}

/* A buffer that is no parameter. */
static bool read_apart(struct reader *r, const char *spec)
{
    if (strncmp(spec, "in:", 3) != 0 && strncmp(spec, "out:", 4) != 0)
        return bad(&r->at, "--buffer '%.100s': in:SIZE, in:SIZE@FILE or out:SIZE", spec);
    return read_arg(r, spec, true);
}

/* NAME=tex:...: an argument that is no parameter. */
static bool read_bind(struct reader *r, const char *text)
{
    char *equals = strchr(text, '='), *name = equals ? strndup(text, (size_t)(equals - text)) : NULL;
    struct check_arg *a = &r->out->args[r->out->arg_count];

    if (!name || !*name || (strncmp(equals, "=tex:", 5) != 0 && strncmp(equals, "=surf:", 6) != 0)) {
        free(name);
        return bad(&r->at, "--bind '%.100s': of the form NAME=tex:... or NAME=surf:...", text);
    }
    if (!read_arg(r, equals + 1, true)) {
        free(name);
        return false;
    }
    a->bind = name;
    return true;
}

/* ---- --map and --dump ------------------------------------------------------------------------------------------ */

/* The number of a --arg that is a buffer. */
static bool read_buffer_number(const struct reader *r, const struct place *at, const char *option, const char *text,
                               size_t length, size_t *out)
{
    char digits[16] = "";
    uint64_t k;

    if (length < sizeof digits)
        memcpy(digits, text, length);
    if (!ck_number(digits, 0, UINT32_MAX, &k))
        return bad(at, "%s: '%.*s' is no number of a --arg; they count from 0", option,
                   (int)(length > 40 ? 40 : length), text);
    if (k >= r->out->arg_count)
        return bad(at, "%s: no --arg %u; there are %zu, counted from 0", option, (unsigned)k, r->out->arg_count);
    if (!check_has_bytes(&r->out->args[k]))
        return bad(at, "%s: --arg %u '%.60s' is no buffer (in:, out:, tex: or surf:)", option, (unsigned)k,
                   r->out->args[k].spec);
    *out = (size_t)k;
    return true;
}

static bool read_map_word(struct reader *r, const struct place *at, struct check_map *m, struct map_args *words,
                          char *word, bool *buffer, uint64_t *offset)
{
    char option[96], error[256];
    char *argv[1] = { word };
    int i = 0;

    snprintf(option, sizeof option, "--map %s", m->name);
    if (!strncmp(word, "buffer=", 7)) {
        *buffer = true;
        return read_buffer_number(r, at, option, word + 7, strlen(word + 7), &m->buffer);
    }
    if (!strncmp(word, "offset=", 7))
        return check_size_read(word + 7, strlen(word + 7), offset) ||
               bad(at, "%s: '%.60s': no number of bytes", option, word);
    if (!strncmp(word, "address=", 8))
        return bad(at, "%s: the address of a tensor is given by buffer= and offset=", option);
    if (!strncmp(word, "--", 2) || !strchr(word, '='))
        return bad(at, "%s: '%.60s': of the form name=value", option, word);
    switch (map_args_take(words, 1, argv, &i)) {
    case MAP_ARGS_TAKEN: {
        struct tensor_map try;
        return map_args_read(words, &try, error, sizeof error) || bad(at, "%s: %s", option, error);
    }
    case MAP_ARGS_OTHER: return bad(at, "%s: '%.60s': no such word; copycheck check --help lists them", option, word);
    default: return false;
    }
}

static bool read_map(struct reader *r, const struct pending *p, struct check_map *m)
{
    const char *equals = strchr(p->text, '=');
    const size_t length = equals ? (size_t)(equals - p->text) : 0;
    struct map_args words = { 0 };
    struct tensor_map_fault fault;
    bool buffer = false, fine = true;
    uint64_t offset = 0;
    char error[256], *copy, *rest = NULL;

    if (!length || length >= sizeof m->name || memchr(p->text, ',', length))
        return bad(&p->at, "--map '%.100s': of the form NAME=buffer=K,dims=64x32,box=32x8", p->text);
    memcpy(m->name, p->text, length);
    for (size_t i = 0; i < r->out->map_count; i++)
        if (!strcmp(r->out->maps[i].name, m->name))
            return bad(&p->at, "--map %s is given twice", m->name);
    copy = strdup(equals + 1);
    if (!copy)
        return bad(&p->at, "no memory");
    for (char *word = strtok_r(copy, ",", &rest); word && fine; word = strtok_r(NULL, ",", &rest))
        fine = read_map_word(r, &p->at, m, &words, word, &buffer, &offset);
    free(copy);
    if (!fine)
        return false;
    if (!buffer)
        return bad(&p->at, "--map %s: no buffer=K", m->name);
    if (!map_args_read(&words, &m->map, error, sizeof error))
        return bad(&p->at, "--map %s: %s", m->name, error);
    m->map.address = offset;
    if (!tensor_map_accepted(&m->map) && tensor_map_check(&m->map, &fault, 1))
        return bad(&p->at, "--map %s: %s is %llu and must be %s (%s)", m->name, fault.argument,
                   (unsigned long long)fault.value, fault.limit, fault.rule->id);
    r->out->map_count++;
    return true;
}

static bool read_dump(struct reader *r, const struct pending *p)
{
    const char *equals = strchr(p->text, '=');
    size_t k = 0;

    if (!equals || equals == p->text || !equals[1])
        return bad(&p->at, "--dump '%.100s': of the form K=FILE", p->text);
    if (!read_buffer_number(r, &p->at, "--dump", p->text, (size_t)(equals - p->text), &k))
        return false;
    if (r->out->args[k].dump)
        return bad(&p->at, "--dump %zu is given twice", k);
    r->out->args[k].dump = equals + 1;
    return true;
}

/* Finds what map: and at: name. */
static bool settle_arg(struct reader *r, const struct pending *p, struct check_arg *a)
{
    const struct check_args *out = r->out;
    const char *plus;

    if (!p->text)
        return true;
    if (a->kind == CHECK_AT) {
        plus = strchr(p->text, '+');
        return read_buffer_number(r, &p->at, "--arg at", p->text, plus ? (size_t)(plus - p->text) : strlen(p->text),
                                  &a->buffer) &&
               (!plus || check_size_read(plus + 1, strlen(plus + 1), &a->offset) ||
                bad(&p->at, "--arg '%.100s': '%.60s': no number of bytes", a->spec, plus + 1));
    }
    if (a->kind != CHECK_MAP)
        return true;
    for (a->map = 0; a->map < out->map_count; a->map++)
        if (!strcmp(out->maps[a->map].name, p->text))
            return true;
    return bad(&p->at, "--arg '%.100s': no --map of this name", a->spec);
}

/* Settles options that name arguments and maps, now that all of these are known. */
static bool settle(struct reader *r, size_t maps)
{
    struct check_args *out = r->out;

    for (size_t i = 0; i < maps; i++)
        if (!read_map(r, &r->maps[i], &out->maps[i]))
            return false;
    for (size_t i = 0; i < out->arg_count; i++)
        if (!settle_arg(r, &r->args[i], &out->args[i]))
            return false;
    for (size_t i = 0; i < out->arg_count; i++)
        if (!check_texture_settle(out, i))
            return false;
    for (size_t i = 0; i < r->dump_count; i++)
        if (!read_dump(r, &r->dumps[i]))
            return false;
    return true;
}

/* ---- options --------------------------------------------------------------------------------------------------- */

enum option {
    ENTRY,
    GRID,
    BLOCK,
    CLUSTER,
    SMEM,
    ARG,
    BUFFER,
    BIND,
    MAP,
    DUMP,
    FORMAT,
    TRACE,
    HTML,
    DELIVERY,
    SEED,
    SCHEDULE,
    SCHEDULES,
    JOBS,
    ASK,
    MAX_INSTRUCTIONS,
    MAX_QUIET,
    MAX_IDLE,
    MAX_BUSY,
    MAX_MEMORY,
    RESIDENT,
    COOPERATIVE,
    SPEC,
    OPTIONS
};

static const char *const option_names[OPTIONS] = {
    [ENTRY] = "entry",
    [GRID] = "grid",
    [BLOCK] = "block",
    [CLUSTER] = "cluster",
    [SMEM] = "smem",
    [ARG] = "arg",
    [BUFFER] = "buffer",
    [BIND] = "bind",
    [MAP] = "map",
    [DUMP] = "dump",
    [FORMAT] = "format",
    [TRACE] = "trace",
    [HTML] = "html",
    [DELIVERY] = "delivery",
    [SEED] = "seed",
    [SCHEDULE] = "schedule",
    [SCHEDULES] = "schedules",
    [JOBS] = "jobs",
    [ASK] = "ask",
    [MAX_INSTRUCTIONS] = "max-instructions",
    [MAX_QUIET] = "max-quiet",
    [MAX_IDLE] = "max-idle",
    [MAX_BUSY] = "max-busy",
    [MAX_MEMORY] = "max-memory",
    [RESIDENT] = "resident",
    [COOPERATIVE] = "cooperative",
    [SPEC] = "spec",
};

static enum option find_option(const char *name, size_t length)
{
    enum option o;

    for (o = ENTRY; o < OPTIONS; o++)
        if (strlen(option_names[o]) == length && !strncmp(option_names[o], name, length))
            break;
    return o;
}

static bool read_spec(struct reader *r, const char *path, size_t *maps);

static bool read_counted(struct reader *r, enum option o, const char *value, uint64_t least, uint64_t most,
                         uint64_t *out)
{
    return ck_number(value, least, most, out) ||
           bad(&r->at, "--%s '%.60s': a number from %llu to %llu", option_names[o], value, (unsigned long long)least,
               (unsigned long long)most);
}

static bool read_word(struct reader *r, enum option o, const char *value, const char *const *words, unsigned count,
                      unsigned *out)
{
    for (*out = 0; *out < count; ++*out)
        if (!strcmp(words[*out], value))
            return true;
    return bad(&r->at, "--%s '%.60s': %s, %s%s%s", option_names[o], value, words[0], words[1], count > 2 ? " or " : "",
               count > 2 ? words[2] : "");
}

static bool read_limit(struct reader *r, enum option o, const char *value, uint64_t *out)
{
    return (check_size_read(value, strlen(value), out) && *out) ||
           bad(&r->at, "--%s '%.60s': a number, perhaps with K, M or G after it", option_names[o], value);
}

static bool read_cooperative(struct reader *r, enum option o, const char *value, enum emu_cooperative *out)
{
    static const char *const words[] = { "yes", "no" };
    unsigned word;

    if (!read_word(r, o, value, words, 2, &word))
        return false;
    *out = word ? EMU_COOPERATIVE_NO : EMU_COOPERATIVE_YES;
    return true;
}

static bool read_ask(struct reader *r, enum option o, const char *value, struct emu_options *out)
{
    static const char *const asked[] = { "reads", "swizzle", "same-value", "writers", "scopes" };
    bool *const wishes[] = { &out->check_reads, &out->check_swizzle, &out->check_same, &out->check_writers,
                             &out->check_scopes };
    unsigned word = 0;

    for (; word < sizeof asked / sizeof *asked; word++)
        if (!strcmp(asked[word], value)) {
            *wishes[word] = true;
            return true;
        }
    return bad(&r->at, "--%s '%.60s': reads, swizzle, same-value, writers or scopes", option_names[o], value);
}

static bool read_option(struct reader *r, enum option o, const char *value, size_t *maps)
{
    static const uint32_t grid[3] = { INT32_MAX, 65535, 65535 }, block[3] = { 1024, 1024, 64 },
                          cluster[3] = { 16, 16, 16 };
    static const char *const deliveries[] = { [EMU_LATE] = "late", [EMU_EAGER] = "eager", [EMU_RANDOM] = "random" };
    static const char *const formats[] = { "text", "jsonl", "gcc", "sarif", "github" };
    struct check_args *out = r->out;
    unsigned word;
    uint64_t n = 0;

    switch (o) {
    case ENTRY: out->entry = value; return true;
    case GRID: return read_extent(r, "--grid", value, grid, out->grid);
    case BLOCK: return read_extent(r, "--block", value, block, out->block);
    case CLUSTER: return read_extent(r, "--cluster", value, cluster, out->cluster);
    case SMEM:
        if (!check_size_read(value, strlen(value), &n) || n > 227 * 1024)
            return bad(&r->at, "--smem '%.60s': bytes, at most %d", value, 227 * 1024);
        out->smem = (uint32_t)n;
        return true;
    case ARG: return read_arg(r, value, false);
    case BUFFER: return read_apart(r, value);
    case BIND: return read_bind(r, value);
    case MAP:
        if (*maps == CHECK_MAPS)
            return bad(&r->at, "more than %d --map", CHECK_MAPS);
        r->maps[(*maps)++] = (struct pending){ .at = r->at, .text = value };
        return true;
    case DUMP:
        if (r->dump_count == CHECK_ARGS)
            return bad(&r->at, "more than %d --dump", CHECK_ARGS);
        r->dumps[r->dump_count++] = (struct pending){ .at = r->at, .text = value };
        return true;
    case FORMAT:
        if (!read_word(r, o, value, formats, 5, &word))
            return false;
        out->format = (enum check_format)word;
        return true;
    case TRACE: out->trace = value; return true;
    case HTML: out->html = value; return true;
    case DELIVERY:
        if (!read_word(r, o, value, deliveries, 3, &word))
            return false;
        out->options.delivery = (enum emu_delivery)word;
        out->delivery_given = true;
        return true;
    case SEED: return read_counted(r, o, value, 0, UINT64_MAX, &out->options.seed);
    case SCHEDULE:
        if (!read_counted(r, o, value, 0, SCHEDULES_MAX - 1, &n))
            return false;
        out->schedule_given = true;
        out->schedule = (unsigned)n;
        return true;
    case SCHEDULES:
        if (!read_counted(r, o, value, 1, SCHEDULES_MAX, &n))
            return false;
        out->schedules = (unsigned)n;
        return true;
    case JOBS:
        if (!read_counted(r, o, value, 1, 256, &n))
            return false;
        out->options.jobs = (unsigned)n;
        return true;
    case ASK: return read_ask(r, o, value, &out->options);
    case MAX_INSTRUCTIONS: return read_limit(r, o, value, &out->options.max_instructions);
    case MAX_QUIET: return read_limit(r, o, value, &out->options.max_quiet);
    case MAX_IDLE: return read_limit(r, o, value, &out->options.max_idle);
    case MAX_BUSY: return read_limit(r, o, value, &out->options.max_busy);
    case RESIDENT: return read_limit(r, o, value, &out->options.resident);
    case COOPERATIVE: return read_cooperative(r, o, value, &out->options.cooperative);
    case MAX_MEMORY: return read_limit(r, o, value, &out->options.max_memory);
    case SPEC: return read_spec(r, value, maps);
    case OPTIONS: break;
    }
    return false;
}

/* One line of a spec file: the option's name, a blank or '=', its value. */
static bool read_line(struct reader *r, char *line, size_t *maps)
{
    enum option o;
    size_t length;
    char *value;

    for (char *p = line; (p = strchr(p, '#')); p++)
        if (p == line || isspace((unsigned char)p[-1])) {
            *p = 0;
            break;
        }
    line += strspn(line, " \t\r");
    for (char *end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
        *--end = 0;
    if (!*line)
        return true;
    line += strncmp(line, "--", 2) ? 0 : 2;
    length = strcspn(line, " \t=");
    o = find_option(line, length);
    if (o == OPTIONS)
        return bad(&r->at, "no option '%.60s'; copycheck check --help lists them", line);
    if (o == SPEC)
        return bad(&r->at, "a spec file names no other");
    value = line + length;
    value += *value == '=' ? 1 : strspn(value, " \t");
    return *value ? read_option(r, o, value, maps) : bad(&r->at, "--%s needs a value", option_names[o]);
}

static bool read_spec(struct reader *r, const char *path, size_t *maps)
{
    struct check_args *out = r->out;
    struct ck_text *text = &out->specs[out->spec_count];
    char error[512], *line, *next;
    bool fine = true;

    if (out->spec_count == CHECK_SPECS)
        return bad(&r->at, "more than %d --spec", CHECK_SPECS);
    if (!ck_text_read(path, text, error, sizeof error))
        return bad(&r->at, "--spec: %.400s", error);
    out->spec_count++;
    r->at = (struct place){ .file = path };
    if (memchr(text->data, 0, text->size))
        fine = bad(&r->at, "a spec file is text, and this one holds a NUL");
    for (line = text->data; fine && line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        r->at.line++;
        fine = read_line(r, line, maps);
    }
    r->at = (struct place){ 0 };
    return fine;
}

bool check_args_read(int argc, char **argv, struct check_args *out)
{
    struct reader r = { .out = out };
    size_t maps = 0;
    bool options = true;

    *out = (struct check_args){ .options = {
                                    .seed = 1, .jobs = ck_processors(), .check_order = true, .check_init = true } };
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (!options || a[0] != '-' || !a[1]) {
            if (out->file)
                return bad(&r.at, "'%.100s': one PTX file is enough", a);
            out->file = a;
        } else if (!strcmp(a, "--")) {
            options = false;
        } else if (!strcmp(a, "--help")) {
            out->help = true;
            return true;
        } else {
            const size_t length = strcspn(a, "=");
            const enum option o = length > 2 && a[1] == '-' ? find_option(a + 2, length - 2) : OPTIONS;
            const char *value;
            if (o == OPTIONS)
                return bad(&r.at, "no option '%.100s'; copycheck check --help lists them", a);
            value = a + length + 1;
            if (!a[length]) { /* the value is the next argument */
                i++;
                if (i == argc)
                    return bad(&r.at, "--%s needs a value", option_names[o]);
                value = argv[i];
            }
            if (!read_option(&r, o, value, &maps))
                return false;
        }
    }
    if (!out->file)
        return bad(&r.at, "no PTX file given; copycheck check --help explains");
    if (out->schedules && out->schedule_given)
        return bad(&r.at, "--schedule is one schedule, --schedules how many; one of the two");
    return settle(&r, maps);
}

void check_args_free(struct check_args *args)
{
    for (size_t i = 0; i < args->arg_count; i++) {
        free(args->args[i].data);
        free(args->args[i].bind);
    }
    for (size_t i = 0; i < args->spec_count; i++)
        ck_text_free(&args->specs[i]);
    *args = (struct check_args){ 0 };
}
// SPDX-License-Identifier: Apache-2.0
