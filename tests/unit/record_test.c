/* Records: what is written is read again, bad lines are named, cut ones dropped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/json.h"
#include "harness/records/record.h"
#include "tests/unit/one_file.h"

#define HEAD     "{\"copycheck\":\"0.1\"}\n"
#define POINT(p) "{\"point\":\"" p "\",\"engine\":\"gpu\",\"verdict\":\"pass\",\"rule\":\"r\",\"family\":\"f\"}\n"

#define EDITED(p, verdict, expected, outcome)                                                                          \
    "{\"point\":\"" p "\",\"engine\":\"gpu\",\"verdict\":\"" verdict "\",\"rule\":\"r\",\"family\":\"f\","             \
    "\"expected\":\"" expected "\",\"outcome\":\"" outcome "\"}\n"

static char error[512];

/* Reads a file with this text; the error must end in `expected` (after the path), NULL: none. */
static struct ck_record_file reads(const char *text, const char *expected)
{
    struct ck_record_file file;

    put(text, strlen(text));
    if (!expected) {
        if (!ck_read_records(path, &file, error, sizeof error))
            fail_msg("%s", error);
        return file;
    }
    assert_false(ck_read_records(path, &file, error, sizeof error));
    assert_int_equal(strncmp(error, path, strlen(path)), 0);
    assert_string_equal(error + strlen(path), expected);
    assert_null(file.records);
    return file;
}

static const struct ck_run_head full_head = { .version = "0.1",
                                              .device = "NVIDIA H200",
                                              .sm = 90,
                                              .driver = "580.159.04",
                                              .toolkit = "13.0.88",
                                              .engines = "gpu,jit",
                                              .selection = "tensor.* rule:a.b",
                                              .seed = UINT64_MAX,
                                              .planned = 3,
                                              .mutants = true };
static const struct ck_record full_record = { .point = "a.b:t=f16",
                                              .rule = "a.b",
                                              .family = "a",
                                              .engine = "gpu",
                                              .phase = "launch",
                                              .evidence = "documented",
                                              .verdict = CK_V_FAIL,
                                              .expected = "done",
                                              .outcome = "fault",
                                              .code = -716,
                                              .seen = "a \"quoted\" back\\slash",
                                              .varies = true,
                                              .detail = "expected 1\ngot 2\t? \xC3\xA9 \xF0\x9F\x98\x80",
                                              .at = "tests/a/b.c:12",
                                              .digest = 0xFEDCBA9876543210u,
                                              .seed = 0x5EED,
                                              .runs = 4,
                                              .same = 2,
                                              .ratio = 1.5,
                                              .low = 1.25,
                                              .high = 2,
                                              .rounds = 40,
                                              .ms = 0.125 };

static void round_trip(void **state)
{
    const struct ck_record bare = {
        .point = "a.b", .rule = "a.b", .family = "a", .engine = "jit", .verdict = CK_V_PASS, .detail = ""
    };
    struct ck_record seeded = bare; /* as it is read: with the head's seed */
    struct ck_record_file file;
    FILE *to = fopen(path, "w");

    (void)state;
    seeded.seed = full_head.seed;
    assert_true(ck_write_head(to, &full_head, NULL));
    assert_true(ck_write_record(to, &full_record, NULL));
    assert_true(ck_write_record(to, &bare, NULL));
    assert_true(ck_write_end(to, 2, ck_record_digest(&full_record) + ck_record_digest(&seeded), NULL));
    fclose(to);
    assert_true(ck_read_records(path, &file, error, sizeof error));
    assert_string_equal(error, "");
    assert_string_equal(file.head.version, full_head.version);
    assert_string_equal(file.head.device, full_head.device);
    assert_int_equal(file.head.sm, 90);
    assert_string_equal(file.head.driver, full_head.driver);
    assert_string_equal(file.head.toolkit, full_head.toolkit);
    assert_string_equal(file.head.engines, full_head.engines);
    assert_string_equal(file.head.selection, full_head.selection);
    assert_true(file.head.seed == UINT64_MAX);
    assert_int_equal(file.head.planned, 3);
    assert_true(file.head.mutants);
    assert_true(file.head.complete);
    assert_int_equal(file.count, 2);
    assert_string_equal(file.records[0].point, full_record.point);
    assert_string_equal(file.records[0].rule, full_record.rule);
    assert_string_equal(file.records[0].family, full_record.family);
    assert_string_equal(file.records[0].engine, full_record.engine);
    assert_string_equal(file.records[0].phase, full_record.phase);
    assert_string_equal(file.records[0].evidence, full_record.evidence);
    assert_int_equal(file.records[0].verdict, CK_V_FAIL);
    assert_string_equal(file.records[0].expected, full_record.expected);
    assert_string_equal(file.records[0].outcome, full_record.outcome);
    assert_int_equal(file.records[0].code, -716);
    assert_string_equal(file.records[0].seen, full_record.seen);
    assert_true(file.records[0].varies);
    assert_string_equal(file.records[0].detail, full_record.detail);
    assert_string_equal(file.records[0].at, full_record.at);
    assert_true(file.records[0].digest == full_record.digest);
    assert_true(file.records[0].seed == full_record.seed);
    assert_int_equal(file.records[0].runs, 4);
    assert_int_equal(file.records[0].same, 2);
    assert_true(file.records[0].ms == full_record.ms);
    assert_true(file.records[0].ratio == 1.5 && file.records[0].low == 1.25 && file.records[0].high == 2);
    assert_int_equal(file.records[0].rounds, 40);
    assert_null(file.records[1].detail);
    assert_int_equal(file.records[1].digest, 0);
    assert_true(file.records[1].seed == UINT64_MAX); /* the head's */
    ck_free_records(&file);
    assert_null(file.records);
}

static void not_utf8_is_replaced(void **state)
{
    const struct ck_record r = { .point = "p",
                                 .rule = "r",
                                 .family = "f",
                                 .engine = "e",
                                 .verdict = CK_V_SEEN,
                                 .seen = "a\xFF\xC0\xAF\xED\xA0\x80z\xE2\x82" };
    struct ck_record_file file;
    FILE *to = fopen(path, "w");

    (void)state;
    ck_write_head(to, &(struct ck_run_head){ .version = "0.1" }, NULL);
    ck_write_record(to, &r, NULL);
    fclose(to);
    assert_true(ck_read_records(path, &file, error, sizeof error));
#define U "\xEF\xBF\xBD"
    assert_string_equal(file.records[0].seen, "a" U U U U U U "z" U U);
    ck_free_records(&file);
}

static void a_full_disk_is_reported(void **state)
{
    FILE *to = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(to);
    setvbuf(to, NULL, _IONBF, 0);
    assert_false(ck_write_head(to, &(struct ck_run_head){ .version = "0.1" }, NULL));
    assert_false(ck_write_record(to, &(struct ck_record){ .point = "p", .verdict = CK_V_PASS }, NULL));
    assert_false(ck_write_end(to, 0, 0, NULL));
    fclose(to);
}

static void any_json_is_taken(void **state)
{
    struct ck_record_file file = reads(
        " { \"copycheck\" : \"\\u0030.1\" , \"later\":{\"a\":[1,2.5e-3,-0,{\"b\":null}],\"c\":{}}, \"l\":[], \"planned\":1}\r\n"
        "{\"verdict\":\"pass\",\"x\":true,\"y\":false,\"rule\":\"r\",\"family\":\"f\",\"engine\":\"gpu\",\"digest\":\"0xff\","
        "\"seed\":18446744073709551615,\"seen\":null,\"detail\":\"\\u00e9\\ud83d\\ude00\\b\\f\\n\\r\\t\\/\\\\\\\"\","
        "\"ms\":1e-1,\"code\":-9223372036854775807,\"point\":\"p\\u002eq\"}\t\n"
        "{\"later\":\"version\"}\n{\"end\":1}",
        NULL);

    (void)state;
    assert_string_equal(file.head.version, "0.1");
    assert_true(file.head.complete);
    assert_int_equal(file.count, 1);
    assert_string_equal(file.records[0].point, "p.q");
    assert_true(file.records[0].digest == 0xFF);
    assert_true(file.records[0].seed == UINT64_MAX);
    assert_null(file.records[0].seen);
    assert_true(file.records[0].code == -INT64_MAX);
    assert_string_equal(file.records[0].detail, "\xC3\xA9\xF0\x9F\x98\x80??\n?\t/\\\"");
    ck_free_records(&file);
}

/* A JSON number with this many digits, of which some follow a point. */
static void make_number(char *out, unsigned digits, unsigned behind)
{
    static uint64_t random = 1;

    for (unsigned i = 0; i < digits + (behind > 0); i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        out[i] = (char)('0' + (random >> 40) % 10);
    }
    out[digits + (behind > 0)] = 0;
    if (behind)
        out[digits - behind] = '.';
    if (out[0] == '0' && out[1] != '.' && out[1])
        out[0] = '1';
}

/* Numbers are what strtod makes of them, whatever their length; digests of each length and case. */
static void numbers_are_exact(void **state)
{
    char text[1024], number[40], digest[20] = "FEDCBA9876543210";

    (void)state;
    for (unsigned digits = 1; digits <= 19; digits++)
        for (unsigned behind = 0; behind < digits; behind++)
            for (int round = 0; round < 4; round++) {
                make_number(number, digits, behind);
                snprintf(text, sizeof text,
                         HEAD "{\"point\":\"p\",\"engine\":\"gpu\",\"verdict\":\"pass\",\"rule\":\"r\","
                              "\"family\":\"f\",\"digest\":\"%s\",\"ms\":%s%s}\n",
                         digest + digits % 16, number, round == 3 ? "e-3" : "");
                struct ck_record_file file = reads(text, NULL);
                strcat(number, round == 3 ? "e-3" : "");
                assert_true(file.records[0].ms == strtod(number, NULL));
                assert_true(file.records[0].digest == strtoull(digest + digits % 16, NULL, 16));
                for (size_t i = 0; digest[i]; i++)
                    digest[i] = (char)(digest[i] ^ (digest[i] > '9' ? 0x20 : 0));
                ck_free_records(&file);
            }
}

/* Texts of each length, plain ones and ones with something else at each place. */
static void texts_of_each_length(void **state)
{
    static const struct {
        const char *written, *read;
    } odd[] = { { "x", "x" }, { "\\\"", "\"" }, { "\\n", "?" }, { "\xC3\xA9", "\xC3\xA9" }, { "\x7F", "?" } };
    char text[1024], expected[100];

    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (int before = 0; before < 36; before++)
            for (int behind = 0; behind < 36; behind += 5) {
                snprintf(text, sizeof text,
                         HEAD "{\"engine\":\"gpu\",\"verdict\":\"pass\",\"rule\":\"r\",\"family\":\"f\","
                              "\"point\":\"%.*s%s%.*s\"}\n",
                         before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJK", odd[i].written, behind,
                         "=,.:/~!0123456789abcdefghijklmnopqrstu");
                snprintf(expected, sizeof expected, "%.*s%s%.*s", before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJK",
                         odd[i].read, behind, "=,.:/~!0123456789abcdefghijklmnopqrstu");
                struct ck_record_file file = reads(text, NULL);
                assert_string_equal(file.records[0].point, expected);
                ck_free_records(&file);
            }
}

static void bad_lines_are_named(void **state)
{
    static const struct {
        const char *line, *error;
    } rows[] = {
        { "x\n", ":2: it is no JSON object" },
        { "\n", ":2: it is no JSON object" },
        { "[]\n", ":2: it is no JSON object" },
        { "{\"a\"}\n", ":2: ':' is missing after a member's name" },
        { "{a:1}\n", ":2: a member's name in quotes is missing" },
        { "{\"a\":}\n", ":2: a value is missing" },
        { "{\"a\":1 \"b\":2}\n", ":2: an object has no end" },
        { "{\"a\":1,}\n", ":2: a member's name in quotes is missing" },
        { "{\"a\":{\"b\":1 2}}\n", ":2: an object has no end" },
        { "{\"a\":[1 2]}\n", ":2: an array has no end" },
        { "{\"a\":1} x\n", ":2: something follows the object" },
        { "{\"a\":\"b}\n", ":2: a string has no end" },
        { "{\"a\":\"\\q\"}\n", ":2: unknown escape in a string" },
        { "{\"a\":\"\\u12g4\"}\n", ":2: \\u wants four hexadecimal digits" },
        { "{\"a\":\"\\ud800\"}\n", ":2: high surrogate without its low one" },
        { "{\"a\":\"\\ud800\\u0041\"}\n", ":2: high surrogate without its low one" },
        { "{\"a\":\"\\udc00\"}\n", ":2: low surrogate without its high one" },
        { "{\"a\":\"\t\"}\n", ":2: control character in a string" },
        { "{\"a\":\"\xC0\x80\"}\n", ":2: a string is not UTF-8" },
        { "{\"a\":-}\n", ":2: a number lacks a digit" },
        { "{\"a\":1.}\n", ":2: a number lacks a digit" },
        { "{\"a\":1e+}\n", ":2: a number lacks a digit" },
        { "{\"a\":01}\n", ":2: an object has no end" },
        { "{\"point\":\"p\"}\n", ":2: \"engine\" is missing" },
        { "{\"point\":\"p\",\"point\":\"q\"}\n", ":2: \"point\" is there twice" },
        { "{\"point\":1}\n", ":2: \"point\" is no string" },
        { "{\"point\":\"p\\u0000q\"}\n", ":2: \"point\" holds a NUL character" },
        { "{\"point\":\"p\",\"verdict\":\"good\"}\n", ":2: no verdict is called 'good'" },
        { "{\"point\":\"p\",\"verdict\":\"none\"}\n", ":2: no verdict is called 'none'" },
        { "{\"point\":\"p\",\"verdict\":3}\n", ":2: \"verdict\" is no string" },
        { "{\"point\":\"p\",\"varies\":1}\n", ":2: \"varies\" is neither true nor false" },
        { "{\"point\":\"p\",\"ms\":\"1\"}\n", ":2: \"ms\" is no number" },
        { "{\"point\":\"p\",\"digest\":\"0x\"}\n", ":2: \"digest\" is no string of 1 to 16 hexadecimal digits" },
        { "{\"point\":\"p\",\"digest\":\"12345678123456781\"}\n",
          ":2: \"digest\" is no string of 1 to 16 hexadecimal digits" },
        { "{\"point\":\"p\",\"digest\":true}\n", ":2: \"digest\" is no string of 1 to 16 hexadecimal digits" },
        { "{\"point\":\"p\",\"digest\":-1}\n", ":2: \"digest\" is no whole number from 0 to 18446744073709551615" },
        { "{\"point\":\"p\",\"runs\":1.5}\n", ":2: \"runs\" is no whole number from 0 to 4294967295" },
        { "{\"point\":\"p\",\"code\":9223372036854775808}\n",
          ":2: \"code\" is no whole number from -9223372036854775807 to 9223372036854775807" },
    };
    char text[1024], deep[400] = "{\"a\":";

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, HEAD "%s", rows[i].line);
        reads(text, rows[i].error);
    }
    memset(deep + 5, '[', 100);
    snprintf(text, sizeof text, HEAD "%s\n", deep);
    reads(text, ":2: values are nested too deeply");
    strcpy(text, HEAD "{\"a\":0");
    for (int i = 0; i < 70; i++)
        strcat(text, ",\"a\":0");
    strcat(text, "}\n");
    reads(text, ":2: more than 63 members");
}

/* Lines that are well formed, but belong to no run, or not to this one. */
static void mixed_and_edited_files_are_refused(void **state)
{
    static const struct {
        const char *line, *error;
    } rows[] = {
        { "{\"copycheck\":\"0.1\",\"sm\":\"90\"}\n", ":2: \"sm\" is no whole number from -2147483647 to 2147483647" },
        { "{\"copycheck\":\"0.1\",\"planned\":-1}\n",
          ":2: \"planned\" is no whole number from 0 to 18446744073709551615" },
        { "{\"copycheck\":\"0.1\",\"driver\":\"1\"}\n",
          ":2: two runs in one file: this head has another \"driver\" than the first" },
        { "{\"copycheck\":\"0.1\",\"engines\":\"emu\"}\n",
          ":2: two runs in one file: this head has another \"engines\" than the first" },
        { "{\"copycheck\":\"0.1\",\"selection\":\"family:bulk\"}\n",
          ":2: two runs in one file: this head has another \"selection\" than the first" },
        { "{\"copycheck\":\"0.1\",\"delivery\":\"eager\"}\n",
          ":2: two runs in one file: this head has another \"delivery\" than the first" },
        { "{\"copycheck\":\"0.1\",\"repeat\":2}\n",
          ":2: two runs in one file: this head has another \"repeat\" than the first" },
        { "{\"copycheck\":\"0.1\",\"mutants\":true}\n",
          ":2: two runs in one file: this head has another \"mutants\" than the first" },
        { "{\"copycheck\":\"0.1\",\"seed\":\"1\"}\n",
          ":2: two runs in one file: this head has another \"seed\" than the first" },
        { "{\"copycheck\":\"0.1\",\"sm\":90}\n",
          ":2: two runs in one file: this head has another \"sm\" than the first" },
        { "{\"copycheck\":\"9.9\"}\n", ":2: made by copycheck 9.9; this is 0.1" },
        { "{\"copycheck\":\"0.2\"}\n", ":2: made by copycheck 0.2; this is 0.1" },
        { "{\"copycheck\":\"new\"}\n", ":2: 'new' is no version of copycheck: MAJOR.MINOR" },
        { POINT("p") "{\"end\":2}\n", ":3: the end line counts 2 records, but there are 1: lines were lost or added" },
        { POINT("p") "{\"end\":1,\"digest\":\"1\"}\n",
          ":3: the records are not those that the run wrote (another digest): a line was edited" },
        { EDITED("p", "pass", "refuse", "accept"),
          ":2: verdict pass, but the outcome is not the expected one: the record was edited" },
        { EDITED("p", "pass", "accept", "refused"),
          ":2: verdict pass, but the outcome is not the expected one: the record was edited" },
        { EDITED("p", "pass", "done", "fault"),
          ":2: verdict pass, but the outcome is not the expected one: the record was edited" },
        { EDITED("p", "fail", "accept", "accept"),
          ":2: verdict fail, but the outcome is the expected one: the record was edited" },
        { EDITED("p", "fault", "done", "done"), ":2: verdict fault, but another outcome: the record was edited" },
        { EDITED("p", "seen", "seen", "done"), ":2: verdict seen, but nothing that was: the record was edited" },
        { EDITED("p", "killed", "done", "done"), ":2: verdict killed, but no mutant: the record was edited" },
        { EDITED("p!m", "killed", "accept", "accept"),
          ":2: verdict killed, but the outcome is the expected one: the record was edited" },
        { EDITED("p", "survived", "done", "done"), ":2: verdict of a mutant, but no mutant: the record was edited" },
        { EDITED("p!m", "excused", "done", "fault"),
          ":2: a mutant that survived, but the outcome is not the expected one: the record was edited" },
        { "{\"end\":0}\n{\"end\":0}\n", ":3: a second end line" },
        { "{\"end\":0}\n" POINT("p"), ":3: a record follows the end line" },
        { POINT("p") POINT("q") POINT("p"), ":4: p on gpu has a record in line 2 already" },
    };
    char text[1024];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, HEAD "%s", rows[i].line);
        reads(text, rows[i].error);
    }
}

/* A compiler is also asked for its message, or for what its object holds. */
static void a_compiler_may_accept_and_fail(void **state)
{
    static const char text[] =
        HEAD "{\"point\":\"p\",\"engine\":\"tile-13.5\",\"phase\":\"compile\",\"verdict\":\"fail\",\"rule\":\"r\","
             "\"family\":\"f\",\"expected\":\"accept\",\"outcome\":\"accept\"}\n"
             "{\"point\":\"p!m\",\"engine\":\"tile-13.5\",\"phase\":\"compile\",\"verdict\":\"killed\",\"rule\":\"r\","
             "\"family\":\"f\",\"expected\":\"refuse\",\"outcome\":\"refused\"}\n";
    struct ck_record_file file = reads(text, NULL);

    (void)state;
    assert_int_equal(file.count, 2);
    ck_free_records(&file);
}

static void other_files_are_refused(void **state)
{
    struct ck_record_file file;

    (void)state;
    reads("", ": empty");
    reads("{\"copych", ":1: a string has no end");
    reads("{\"end\":1}\n", ":1: no record file: its first line has no member \"copycheck\"");
    assert_false(ck_read_records("/nowhere/x", &file, error, sizeof error));
    assert_string_equal(error, "/nowhere/x: No such file or directory");
    assert_false(ck_read_records("/tmp", &file, error, sizeof error));
    assert_string_equal(error, "/tmp: Is a directory");
}

/* What a terminal would obey is not read; names of points are one line. */
static void texts_are_harmless(void **state)
{
    struct ck_record_file file =
        reads("{\"copycheck\":\"0.1\",\"device\":\"a\\u001b[2Kb\"}\n"
              "{\"point\":\"p\\nall pass\",\"engine\":\"gpu\",\"verdict\":\"pass\",\"rule\":\"r\","
              "\"family\":\"f\\u009b31m\",\"detail\":\"one\\n\\ttwo\\r\\u202ethree\\u007f\"}\n",
              NULL);

    (void)state;
    assert_string_equal(file.head.device, "a?[2Kb");
    assert_string_equal(file.records[0].point, "p?all pass");
    assert_string_equal(file.records[0].family, "f?31m");
    assert_string_equal(file.records[0].detail, "one\n\ttwo??three?");
    ck_free_records(&file);
}

/* A file cut at any byte behind its head reads as the records that were finished. */
static void a_cut_line_is_dropped(void **state)
{
    static const char text[] = HEAD POINT("a") POINT("b\xC3\xA9") "{\"end\":2}\n";
    struct ck_record_file file;

    (void)state;
    for (size_t cut = strlen(HEAD); cut <= strlen(text); cut++) {
        size_t whole = 0, good = 0;

        for (size_t i = 0; i < cut; i++) {
            /* An object is whole even before its newline. */
            if (text[i] == '}' && (i + 1 == cut || text[i + 1] == '\n')) {
                whole++;
                good = i + 1 < cut ? i + 2 : i + 1;
            }
        }
        put(text, cut);
        assert_true(ck_read_records(path, &file, error, sizeof error));
        assert_int_equal(file.count, whole > 2 ? 2 : whole - 1);
        assert_int_equal(file.head.complete, whole == 4);
        assert_int_equal(file.good_bytes, good);
        ck_free_records(&file);
    }
    put(HEAD POINT("a") "\0\0", strlen(HEAD POINT("a")) + 2);
    assert_true(ck_read_records(path, &file, error, sizeof error));
    assert_int_equal(file.count, 1);
    ck_free_records(&file);
}

static void a_resumed_run_overrides(void **state)
{
    struct ck_record_file file =
        reads(HEAD POINT("a") POINT("b") HEAD "{\"point\":\"a\",\"engine\":\"gpu\",\"verdict\":\"fail\",\"rule\":\"r\","
                                              "\"family\":\"f\"}\n" POINT("c") "{\"end\":3}\n",
              NULL);

    (void)state;
    assert_int_equal(file.count, 3);
    assert_true(file.head.complete);
    assert_string_equal(file.records[0].point, "b");
    assert_string_equal(file.records[1].point, "a");
    assert_int_equal(file.records[1].verdict, CK_V_FAIL);
    ck_free_records(&file);

    file = reads(HEAD POINT("a") "{\"end\":1}\n" HEAD POINT("b"), NULL);
    assert_int_equal(file.count, 2);
    assert_false(file.head.complete);
    ck_free_records(&file);

    reads(HEAD POINT("a") HEAD POINT("a") POINT("a"), ":5: a on gpu has a record in line 4 already");
}

static void a_large_file_is_fast(void **state)
{
    enum { N = 100000 };
    struct ck_record r = { .rule = "tensor.tile.oob.load-zero-fill",
                           .family = "tensor-bounds",
                           .engine = "gpu",
                           .phase = "launch",
                           .evidence = "documented",
                           .verdict = CK_V_PASS,
                           .expected = "done",
                           .outcome = "done",
                           .at = "tests/tensor/bounds.c:123",
                           .seed = 0x5EED,
                           .ms = 0.01234 };
    struct ck_record_file file;
    char point[80];
    uint64_t digest = 0;
    FILE *to = fopen(path, "w");
    clock_t start;
    double seconds;

    (void)state;
    ck_write_head(to, &(struct ck_run_head){ .version = "0.1", .planned = N }, NULL);
    for (int i = 0; i < N; i++) {
        snprintf(point, sizeof point, "tensor.tile.oob.load-zero-fill:rank=%d,type=f16,side=low", i);
        r.point = point;
        r.digest = (uint64_t)i * 0x9E3779B97F4A7C15u;
        ck_write_record(to, &r, NULL);
        digest += ck_record_digest(&r);
    }
    ck_write_end(to, N, digest, NULL);
    fclose(to);
    start = clock();
    assert_true(ck_read_records(path, &file, error, sizeof error));
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%d records read in %.3f s\n", N, seconds);
    assert_int_equal(file.count, N);
    assert_true(file.head.complete);
    assert_true(seconds < 5); /* under a sanitizer and a loaded machine; 0.2 s otherwise */
    ck_free_records(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(not_utf8_is_replaced),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(any_json_is_taken),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(texts_of_each_length),
        cmocka_unit_test(bad_lines_are_named),
        cmocka_unit_test(mixed_and_edited_files_are_refused),
        cmocka_unit_test(a_compiler_may_accept_and_fail),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(texts_are_harmless),
        cmocka_unit_test(a_cut_line_is_dropped),
        cmocka_unit_test(a_resumed_run_overrides),
        cmocka_unit_test(a_large_file_is_fast),
    };

    return cmocka_run_group_tests_name("record", tests, make_path, drop_path);
}
// SPDX-License-Identifier: Apache-2.0
