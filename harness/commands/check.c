/* copycheck check: judges anyone's kernel on the emulator. */
#include "harness/commands/cmd.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/annotation.h"
#include "harness/base/clean.h"
#include "harness/base/json.h"
#include "harness/check/captured.h"
#include "harness/check/check.h"
#include "harness/check/said.h"
#include "harness/emu/forms/form.h"

static void write_sarif(const struct check_said *to)
{
    enum { RULES = 200 };
    const struct check_result *r = to->result;
    const struct ck_rule *rules[RULES];
    size_t count = 0;
    bool any = false;

    check_sarif_begin(to->out);
    for (size_t i = 0; i < r->count; i++) {
        const struct ck_rule *rule = r->found[i].finding.rule;
        size_t k = 0;
        if (r->found[i].role != CHECK_LEADS)
            continue;
        while (k < count && rules[k] != rule)
            k++;
        if (rule && k == count && count < RULES)
            rules[count++] = rule;
        fputs(any ? ",\n" : "", to->out);
        check_write_sarif(to, &r->found[i]);
        any = true;
    }
    check_sarif_end(to->out, rules, count, !emu_stopped(r->end));
}

static void write_findings(const struct check_said *to)
{
    const struct check_result *r = to->result;

    for (size_t i = 0; i < r->count; i++) {
        const struct check_found *g = &r->found[i];
        if (to->args->format == CHECK_JSONL)
            check_write_finding(to, g);
        else if (g->role != CHECK_LEADS)
            continue;
        else if (to->args->format == CHECK_GCC)
            check_write_line(to, g);
        else if (to->args->format == CHECK_GITHUB)
            check_write_annotation(to, g);
        else if (g->finding.remark)
            check_say_remark(to, g);
        else
            check_say_finding(to, g);
    }
}

static int tell(const struct check_said *to)
{
    const struct check_result *r = to->result;
    const size_t findings = r->count - r->remarks;
    const bool stopped = emu_stopped(r->end);

    if (to->args->format == CHECK_SARIF)
        write_sarif(to);
    else
        write_findings(to);
    if (to->args->format == CHECK_JSONL)
        check_write_end(to);
    else if (to->args->format == CHECK_TEXT && (!stopped || findings))
        check_say_end(to, findings ? "diagnosed" : "clean");
    if (!stopped || cmd_end(0) != 0)
        return cmd_end(findings ? 1 : r->bytes_differ ? 3 : 0);
    /* What was found holds, however the run ended. */
    ck_bad("check: %s: %s%s", to->args->file, findings ? "not judged to its end: " : "",
           *r->message ? r->message : check_end_name(r->end));
    return findings ? 1 : 2;
}

/* Text that is no PTX, or breaks a rule of its form. */
static int refuse(const struct ptx_error *error, const struct check_args *args, const char *file)
{
    char text[1024];

    ptx_error_print(error, file, text, sizeof text);
    ck_clean(text, true);
    fputs(text, stderr);
    if (args->format == CHECK_JSONL) {
        fputs("{\"end\":\"refused\"", stdout);
        json_write_member(stdout, "message", error->message);
        json_write_member(stdout, "rule", error->rule ? error->rule->id : NULL);
        printf(",\"ptx_line\":%d,\"column\":%d}\n", error->line, error->column);
    }
    if (args->format == CHECK_GITHUB)
        ck_annotation_write(stdout, &(struct ck_annotation){ .kind = "error",
                                                             .file = file,
                                                             .line = error->line > 0 ? (unsigned)error->line : 0,
                                                             .column = error->column > 0 ? (unsigned)error->column : 0,
                                                             .title = error->rule ? error->rule->id : NULL,
                                                             .message = error->message });
    return 2;
}

static int check(struct check_args *args, const struct ck_text *text)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_read(text->data, text->size, NULL, &error);
    struct check_result result = { 0 };
    struct check_said to = { .out = stdout, .args = args, .module = m, .result = &result };
    int status = 2;

    args->text = text;
    ck_clean_copy(to.file, sizeof to.file, args->file);
    if (!m) {
        ptx_free(m);
        return refuse(&error, args, to.file);
    }
    to.entry = check_entry(args, m);
    if (to.entry && check_run(args, m, to.entry, &result)) {
        if (args->format != CHECK_JSONL && args->format != CHECK_SARIF)
            check_make_harmless(&result);
        status = tell(&to);
    }
    check_result_free(&result);
    ptx_free(m);
    return status;
}

int cmd_check(int argc, char **argv)
{
    struct check_args args;
    struct ck_text text = { 0 };
    char error[512];
    int status = 2;

    if (!check_args_read(argc, argv, &args))
        status = 2;
    else if (args.help)
        status = cmd_help(check_help);
    else if (!ck_text_read(args.file, &text, error, sizeof error))
        status = ck_bad("check: %s", error);
    else if (check_captured_take(&args, &text))
        status = check(&args, &text);
    ck_text_free(&text);
    check_captured_end(&args);
    check_args_free(&args);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
