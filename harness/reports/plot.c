/* Measured times as SVG: a panel for each case, its longest axis along x, the other axes as series with marks of their
 * own. Nothing is told by colour, text stays text, and nothing is loaded. */
#include "harness/base/bad.h"
#include "harness/base/markup.h"
#include "harness/reports/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 400,  /* of a panel, pixels */
    HEIGHT = 340, /* of a panel */
    COLUMNS = 3,
    HEADER = 70, /* above the panels */
    LEFT = 52,
    RIGHT = 16,
    TOP = 46,
    BOTTOM = 112, /* of a panel, around the plot: below it, the axis and the series */
    POINTS = 256,
    VALUES = 40,
    SERIES = 16,
    TEXT_BYTES = 128,
};

struct value {
    char text[TEXT_BYTES];
};

struct panel {
    const struct ck_record *points[POINTS];
    size_t count;
    char axis[TEXT_BYTES]; /* along x */
    struct value x[VALUES], series[SERIES];
    size_t x_count, series_count;
    double low, high; /* of the y axis */
    bool logarithmic;
};

/* ---- what goes where ---- */

static size_t case_length(const char *point)
{
    return strcspn(point, ":");
}

/* The place of the text among the values; `count` where it is new and there is no room. */
static size_t place_of(struct value *values, size_t *count, size_t room, const char *text)
{
    size_t i = 0;

    while (i < *count && strcmp(values[i].text, text) != 0)
        i++;
    if (i == *count && *count < room)
        snprintf(values[(*count)++].text, TEXT_BYTES, "%s", text);
    return i;
}

static int by_number(const void *a, const void *b)
{
    const double x = strtod(((const struct value *)a)->text, NULL), y = strtod(((const struct value *)b)->text, NULL);

    return (x > y) - (x < y);
}

/* The axis with the most values goes along x; of two with as many, the first. */
static void choose_axis(struct panel *p, const char *first)
{
    char axis[TEXT_BYTES], value[TEXT_BYTES];
    size_t most = 0;

    p->axis[0] = 0;
    for (size_t n = 0; ck_point_axis_number(first, n, axis, value, sizeof axis); n++) {
        struct value values[VALUES];
        size_t count = 0;
        for (size_t i = 0; i < p->count; i++)
            if (ck_point_axis(p->points[i]->point, axis, value, sizeof value))
                place_of(values, &count, VALUES, value);
        if (count <= most)
            continue;
        most = count;
        snprintf(p->axis, sizeof p->axis, "%s", axis);
        memcpy(p->x, values, sizeof values);
        p->x_count = count;
    }
    if (!p->axis[0])
        place_of(p->x, &p->x_count, VALUES, "");
    qsort(p->x, p->x_count, sizeof *p->x, by_number);
}

/* The values of the other axes, "bytes=2048, work=4". */
static void series_of(const struct panel *p, const char *point, char text[TEXT_BYTES])
{
    char axis[TEXT_BYTES], value[TEXT_BYTES];
    size_t used = 0;

    text[0] = 0;
    for (size_t n = 0; ck_point_axis_number(point, n, axis, value, sizeof axis) && used < TEXT_BYTES; n++)
        if (strcmp(axis, p->axis) != 0)
            used += (size_t)snprintf(text + used, TEXT_BYTES - used, "%s%.40s=%.40s", used ? ", " : "", axis, value);
}

/* A range that holds all quartiles and 1; a wide one has a logarithmic axis. */
static void choose_range(struct panel *p)
{
    double low = 1, high = 1;

    for (size_t i = 0; i < p->count; i++) {
        low = fmin(low, p->points[i]->low > 0 ? p->points[i]->low : p->points[i]->ratio);
        high = fmax(high, p->points[i]->high);
    }
    p->logarithmic = high / low > 3;
    if (p->logarithmic) {
        p->low = exp2(floor(log2(low) - 0.05));
        p->high = exp2(ceil(log2(high) + 0.05));
    } else {
        p->low = floor(low * 10 - 0.5) / 10;
        p->high = ceil(high * 10 + 0.5) / 10;
    }
}

/* Gathers the points of the case that `from` is the first of. */
static void fill_panel(struct panel *p, const struct ck_entries *run, size_t from, const char *engine)
{
    const char *point = run->all[from].record->point;
    const size_t length = case_length(point);
    char text[TEXT_BYTES];

    *p = (struct panel){ 0 };
    for (size_t i = from; i < run->count && p->count < POINTS; i++) {
        const struct ck_record *r = run->all[i].record;
        if (r->ratio > 0 && !strcmp(r->engine, engine) && case_length(r->point) == length &&
            !strncmp(r->point, point, length))
            p->points[p->count++] = r;
    }
    choose_axis(p, point);
    choose_range(p);
    for (size_t i = 0; i < p->count; i++) {
        series_of(p, p->points[i]->point, text);
        place_of(p->series, &p->series_count, SERIES, text);
    }
}

/* The first point of its case that the engine measured. */
static bool begins_panel(const struct ck_entries *run, size_t index, const char *engine)
{
    const struct ck_record *r = run->all[index].record;
    const size_t length = case_length(r->point);

    if (r->ratio <= 0 || strcmp(r->engine, engine) != 0)
        return false;
    for (size_t i = 0; i < index; i++) {
        const struct ck_record *o = run->all[i].record;
        if (o->ratio > 0 && !strcmp(o->engine, engine) && case_length(o->point) == length &&
            !strncmp(o->point, r->point, length))
            return false;
    }
    return true;
}

/* ---- drawing ---- */

static double x_of(const struct panel *p, size_t place)
{
    return LEFT + ((double)place + 0.5) * (WIDTH - LEFT - RIGHT) / (double)p->x_count;
}

static double y_of(const struct panel *p, double ratio)
{
    const double part =
        p->logarithmic ? log(ratio / p->low) / log(p->high / p->low) : (ratio - p->low) / (p->high - p->low);

    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
}

static void text_at(FILE *to, double x, double y, const char *class, const char *text)
{
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    ck_markup_text(to, text, false);
    fputs("</text>\n", to);
}

/* Eight marks: four shapes, filled and open. */
static void draw_mark(FILE *to, double x, double y, size_t series)
{
    static const char *const shapes[] = { "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M-3.5 -3.5h7v7h-7z",
                                          "M0 -4.5l4.5 8h-9z", "M0 -5l5 5l-5 5l-5 -5z" };

    fprintf(to, "<path d=\"%s\" transform=\"translate(%.1f %.1f)\" class=\"%s\"/>\n", shapes[series % 4], x, y,
            series / 4 % 2 ? "open" : "mark");
}

static void draw_tick(FILE *to, const struct panel *p, double ratio)
{
    const double y = y_of(p, ratio);
    char text[32];

    fprintf(to, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", LEFT, WIDTH - RIGHT, y, y,
            fabs(ratio - 1) < 1e-9 ? "one" : "grid");
    snprintf(text, sizeof text, "%.4g", ratio);
    text_at(to, LEFT - 6, y + 4, "end", text);
}

/* Of how many labels along x one has room. */
static size_t label_step(const struct panel *p)
{
    const double room = (WIDTH - LEFT - RIGHT) / (double)p->x_count;
    size_t letters = 0;

    for (size_t i = 0; i < p->x_count; i++)
        if (strlen(p->x[i].text) > letters)
            letters = strlen(p->x[i].text);
    return 1 + (size_t)(7.0 * (double)letters / room);
}

static void draw_axes(FILE *to, const struct panel *p)
{
    const size_t every = label_step(p);
    const double last = p->high * 1.01;
    const double step = p->high - p->low > 1 ? 0.5 : p->high - p->low > 0.5 ? 0.2 : 0.1;

    if (p->logarithmic)
        for (int i = 0; ldexp(p->low, i) < last; i++)
            draw_tick(to, p, ldexp(p->low, i));
    for (int i = -40; !p->logarithmic && i <= 40; i++)
        if (1 + i * step > p->low - 1e-9 && 1 + i * step < p->high + 1e-9)
            draw_tick(to, p, 1 + i * step);
    for (size_t i = 0; i < p->x_count; i += every)
        text_at(to, x_of(p, i), HEIGHT - BOTTOM + 16, "middle", p->x[i].text);
    text_at(to, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - BOTTOM + 32, "middle", p->axis);
    fprintf(to, "<text transform=\"translate(12 %.1f) rotate(-90)\" class=\"middle\">ratio of times%s</text>\n",
            TOP + (HEIGHT - TOP - BOTTOM) / 2.0, p->logarithmic ? ", log scale" : "");
}

/* A series beside the others of its place, so that their quartiles stay apart. */
static double shifted(const struct panel *p, double x, size_t series)
{
    const double room = fmin((WIDTH - LEFT - RIGHT) / (double)p->x_count * 0.7, 12.0 * (double)p->series_count);

    return x + room * (((double)series + 0.5) / (double)p->series_count - 0.5);
}

static void draw_points(FILE *to, struct panel *p)
{
    char text[TEXT_BYTES], ratio[96];

    for (size_t i = 0; i < p->count; i++) {
        const struct ck_record *r = p->points[i];
        size_t series, place;
        double x;

        ck_point_axis(r->point, p->axis, text, sizeof text);
        place = place_of(p->x, &p->x_count, VALUES, text);
        series_of(p, r->point, text);
        series = place_of(p->series, &p->series_count, SERIES, text);
        if (place == p->x_count || series == p->series_count)
            continue;
        x = shifted(p, x_of(p, place), series);
        ck_record_ratio(r, ratio, sizeof ratio);
        fputs("<g><title>", to);
        ck_markup_text(to, r->point, false);
        fprintf(to, ": %s</title>\n", ratio);
        fprintf(to, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" class=\"spread\"/>\n", x, x,
                y_of(p, r->low > 0 ? r->low : r->ratio), y_of(p, r->high));
        draw_mark(to, x, y_of(p, r->ratio), series);
        fputs("</g>\n", to);
    }
    for (size_t s = 0; s < p->series_count && p->series_count > 1; s++) {
        const size_t row = s / 2;
        const double x = s % 2 ? WIDTH / 2.0 + 10 : LEFT - 20, y = HEIGHT - BOTTOM + 50 + 15 * (double)row;
        draw_mark(to, x, y - 4, s);
        text_at(to, x + 10, y, "start", p->series[s].text);
    }
}

static void draw_panel(FILE *to, struct panel *p, size_t number)
{
    char title[TEXT_BYTES];

    snprintf(title, sizeof title, "%.*s", (int)case_length(p->points[0]->point), p->points[0]->point);
    fprintf(to, "<g transform=\"translate(%zu %zu)\">\n", number % COLUMNS * WIDTH, HEADER + number / COLUMNS * HEIGHT);
    text_at(to, LEFT, 18, "title", title);
    text_at(to, LEFT, 34, "start", p->points[0]->seen ? p->points[0]->seen : "");
    draw_axes(to, p);
    draw_points(to, p);
    fputs("</g>\n", to);
}

static const char style[] =
    "text{font:11px sans-serif;fill:#111}.title{font-weight:bold;font-size:13px}.head{font-weight:bold;font-size:16px}"
    ".middle{text-anchor:middle}.end{text-anchor:end}.grid{stroke:#ddd}.one{stroke:#111;stroke-dasharray:5 3}"
    ".spread{stroke:#555;stroke-width:2}.mark{fill:#111;stroke:#111}.open{fill:#fff;stroke:#111;stroke-width:1.5}";

bool ck_plot(FILE *to, const struct ck_entries *run, const char *engine)
{
    struct panel *p = malloc(sizeof *p);
    const struct ck_run_head *head = &run->file->head;
    size_t panels = 0, drawn = 0, rows;
    char machine[160], line[256];

    if (!p)
        ck_no_memory();
    for (size_t i = 0; i < run->count; i++)
        panels += begins_panel(run, i, engine);
    rows = (panels + COLUMNS - 1) / COLUMNS;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" viewBox=\"0 0 %d %zu\">\n"
            "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH * COLUMNS, HEADER + rows * HEIGHT, WIDTH * COLUMNS, HEADER + rows * HEIGHT, style);
    ck_machine_name(head, machine, sizeof machine);
    snprintf(line, sizeof line, "The time of one way over the time of another: %s, engine %s", machine, engine);
    text_at(to, 20, 28, "head", line);
    text_at(
        to, 20, 48, "start",
        "Mark: median of the rounds. Line: from the first quartile to the third. Above 1, the way that is named first "
        "takes longer.");
    for (size_t i = 0; i < run->count; i++)
        if (begins_panel(run, i, engine)) {
            fill_panel(p, run, i, engine);
            draw_panel(to, p, drawn++);
        }
    fputs("</svg>\n", to);
    free(p);
    return !fflush(to) && !ferror(to);
}
// SPDX-License-Identifier: Apache-2.0
