/* The catalogue's commands, on the catalogue and cases as they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "expected/notes.h"
#include "expected/oracle.h"
#include "harness/plan/plan.h"
#include "harness/commands/cmd.h"
#include "harness/maps/maps.h"
#include "harness/records/record.h"
#include "tests/unit/capture.h"

static int free_capture(void **state)
{
    (void)state;
    capture_free();
    return 0;
}

static size_t lines_of(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void rules_are_listed(void **state)
{
    size_t all = 0, bulk = 0, observed = 0;
    const struct ck_rule *first_bulk = NULL;

    (void)state;
    for (const struct ck_rule *const *r = ck_rules; *r; r++) {
        all++;
        observed += (*r)->evidence == CK_OBSERVED;
        if (!strcmp((*r)->family, "bulk") && !bulk++)
            first_bulk = *r;
    }
    assert_non_null(first_bulk);
    assert_int_equal(capture(cmd_rules, "rules --format tsv"), 0);
    assert_int_equal(lines_of(captured_out), all + 1);
    assert_int_equal(capture(cmd_rules, "rules --family bulk --format tsv"), 0);
    assert_int_equal(lines_of(captured_out), bulk + 1);
    assert_has(captured_out, first_bulk->sentence);
    assert_int_equal(capture(cmd_rules, "rules --evidence observed --format tsv"), 0);
    assert_int_equal(lines_of(captured_out), observed + 1);
    assert_int_equal(capture(cmd_rules, "rules --format human swz.* cpasync.size.set"), 0);
    assert_has(captured_out, "cp-async\n  cpasync.size.set");
    assert_has(captured_out, "\nswizzle\n  swz.none.identity");
    assert_has(captured_out, " promises, ");
    assert_int_equal(capture(cmd_rules, "rules --kind obligation --no-case"), 0);
    assert_has(captured_out, " rules: 0 promises, ");
    assert_has(captured_out, "\n0 have cases (0), ");
}

/* A rule's line in its .def file is hit as often as records prove it. */
static void rules_as_an_lcov_trace(void **state)
{
    static const struct {
        const char *point;
        enum ck_verdict verdict;
    } rows[] = {
        { "cpasync.size.set:accept=4", CK_V_PASS },     { "cpasync.size.set:accept=8", CK_V_PASS },
        { "cpasync.size.set:accept=16", CK_V_FAIL },    { "cpasync.size.set:seen=3", CK_V_SEEN },
        { "cpasync.size.set:accept=4!m", CK_V_KILLED }, { "mbarrier.init.fresh-parity-one", CK_V_SEEN },
    };
    char path[] = "/tmp/copycheck_rules_XXXXXX", line[256];
    FILE *to = fdopen(mkstemp(path), "w");
    size_t all = 0;

    (void)state;
    for (const struct ck_rule *const *r = ck_rules; *r; r++)
        all++;
    ck_write_head(to, &(struct ck_run_head){ .version = "0.1" }, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char rule[64];
        snprintf(rule, sizeof rule, "%.*s", (int)strcspn(rows[i].point, ":"), rows[i].point);
        ck_write_record(to,
                        &(struct ck_record){ .point = rows[i].point,
                                             .rule = rule,
                                             .family = "x",
                                             .engine = "gpu",
                                             .verdict = rows[i].verdict,
                                             .seen = rows[i].verdict == CK_V_SEEN ? "something" : NULL },
                        NULL);
    }
    fclose(to);
    snprintf(line, sizeof line, "rules --lcov %s", path);
    assert_int_equal(capture(cmd_rules, line), 0);
    assert_has(captured_out, "TN:rules\nSF:/");
    assert_has(captured_out, "/expected/rules/cp_async.def\n");
    assert_has(captured_out, "FNDA:2,cpasync.size.set\n");
    assert_has(captured_out, "FNDA:1,mbarrier.init.fresh-parity-one\n");
    size_t functions = 0;
    for (const char *p = captured_out; (p = strstr(p, "\nFN:")) != NULL; p++)
        functions++;
    assert_int_equal(functions, all);
    snprintf(line, sizeof line, "rules --lcov %s swz.*", path);
    assert_int_equal(capture(cmd_rules, line), 2);
    assert_int_equal(capture(cmd_rules, "rules --lcov /nowhere"), 2);
    assert_int_equal(unlink(path), 0);
}

static void bad_selections_of_rules(void **state)
{
    static const struct {
        const char *line, *error;
    } rows[] = {
        { "rules nothing.*", "no rule is selected" },
        { "rules --family bulky", "no family is called 'bulky'" },
        { "rules --evidence proved", "no evidence is called 'proved'" },
        { "rules --kind advice", "no kind is called 'advice'" },
        { "rules --format xml", "no format is called 'xml': take human, tsv or markdown" },
        { "rules --colour", "rules: bad option '--colour'" },
        { "show", "show: which rule?" },
        { "show --colour", "show: bad option '--colour'" },
        { "show cpasync.size.sett", "no rule or listing has the id 'cpasync.size.sett'; near are: cpasync.size.set" },
        { "show listing.000.tranpose", "near are: listing.000.transpose-swizzle" },
        { "show swz", "no rule or listing has the id 'swz'; near are: swz." },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(capture(rows[i].line[0] == 'r' ? cmd_rules : cmd_show, rows[i].line), 2);
        assert_has(captured_err, rows[i].error);
        assert_string_equal(captured_out, "");
    }
    assert_int_equal(capture(cmd_rules, "rules --help"), 0);
    assert_int_equal(capture(cmd_show, "show --help"), 0);
    assert_has(captured_out, "usage: copycheck show");
}

/* Every rule can be shown, and says what its row says. */
static void every_rule_is_shown(void **state)
{
    char line[256];

    (void)state;
    for (const struct ck_rule *const *r = ck_rules; *r; r++) {
        const struct ck_case *c = ck_case_of(ck_suites, *r, NULL);

        snprintf(line, sizeof line, "show %s --recorded /nowhere", (*r)->id);
        assert_int_equal(capture(cmd_show, line), 0);
        assert_int_equal(strncmp(captured_out, (*r)->id, strlen((*r)->id)), 0);
        assert_has(captured_out, (*r)->needs);
        if (*r == &rule_cxx_barrier_init_range)
            assert_has(captured_out, "\n  behind    mbarrier.init.count-zero mbarrier.init.count-over");
        assert_has(captured_out, "  recorded  nothing yet\n");
        if (c)
            assert_has(captured_out, c->at);
        else
            assert_has(captured_out, (*r)->no_case ? "  cases     " : "  cases     none yet\n");
    }
}

static void what_was_recorded_is_summed(void **state)
{
    char folder[] = "/tmp/copycheck_show_XXXXXX", path[128], line[256];
    struct ck_record r = { .rule = "swz.128b.formula", .family = "swizzle", .verdict = CK_V_PASS };
    uint64_t digest = 0;
    FILE *to;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/h200.jsonl", folder);
    to = fopen(path, "w");
    ck_write_head(
        to, &(struct ck_run_head){ .version = "0.1", .device = "NVIDIA H200", .driver = "580.1", .toolkit = "13.0" },
        NULL);
    for (int i = 0; i < 5; i++) {
        char point[64];
        snprintf(point, sizeof point, "swz.128b.formula:n=%d", i);
        r.point = point;
        r.engine = i < 4 ? "gpu" : "jit";
        r.verdict = i == 3 ? CK_V_FAIL : CK_V_PASS;
        ck_write_record(to, &r, NULL);
        digest += ck_record_digest(&r);
    }
    ck_write_end(to, 5, digest, NULL);
    fclose(to);
    snprintf(path, sizeof path, "%s/broken.jsonl", folder);
    to = fopen(path, "w");
    fclose(to);
    snprintf(line, sizeof line, "show swz.128b.formula swz.32b.formula --recorded %s", folder);
    assert_int_equal(capture(cmd_show, line), 0);
    assert_has(captured_out, "  recorded  NVIDIA H200, driver 580.1, toolkit 13.0\n"
                             "              gpu           3 pass  1 fail\n"
                             "              jit           1 pass\n");
    assert_has(captured_out, "\nswz.32b.formula  (swizzle)\n");
    assert_has(captured_err, "broken.jsonl: empty (skipped)");
    snprintf(line, sizeof line, "rm -r %s", folder);
    assert_int_equal(system(line), 0);
}

static char *picture(const char *rule)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    ck_picture(to, rule);
    fclose(to);
    return text;
}

/* Pictures say what the oracle computes. */
static void pictures_are_right(void **state)
{
    static const struct {
        const char *rule, *part;
    } tries[] = {
        { "swz.128b.formula", "  @0380  |   7    6    5    4    3    2    1    0 \n" },
        { "swz.128b.formula", "repeats every 1024 bytes" },
        { "swz.atom32flip.formula", "  @0080  |   2'   3'   0'   1'   6'   7'   4'   5'\n" },
        { "swz.base-offset.128", "  base @0180  |  3  2  1  0  7  6  5  4\n" },
        { "tensor.tile.oob.corner", "   35  36  37  38   0   0   0   0\n" },
        { "tensor.tile.oob.corner", "[ 35][ 36][ 37][ 38][  .]" },
        { "tensor.tile.oob.nan-fill", "  35  36  37  38 NaN NaN NaN NaN\n" },
        { "tensor.tile.oob.load-negative", "   0   0   0   0  21  22  23  24\n" },
        { "tensor.tile.oob.strided", "  31  32  33  34  35  36  37  38\n" },
        { "tensor.tile.oob.store-dropped", "  41  42  43  44 109 110 111 112\n" },
        { "tile.oob.masked-zero", " 50  51 [52][53][54]\n" },
        { "tile.oob.masked-zero", "  20  21       63  64  65   0\n" },
        { "tile.oob.padding-nan", "  20  21       63  64  65 NaN\n" },
        { "tile.strided.start", " [28][29][30][31] 32       39  40  41  42\n" },
        { "mbarrier.arrive_drop.anything",
          "   the phase completes\n  arrive                        1              1         0\n" },
        { "bulk.tx.sum", "  complete_tx 64 (copy)         1              2         0   the phase completes\n" },
        { "group.wait.n", "  1  |  complete  complete  complete  may run \n" },
    };
    char *text;

    (void)state;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        text = picture(tries[i].rule);
        assert_has(text, tries[i].part);
        free(text);
    }
    text = picture("no.such.rule");
    assert_string_equal(text, "");
    free(text);
}

/* Code from the program itself, picture, rules, and what its mistakes break. */
static void a_listing_is_shown(void **state)
{
    static const char *const parts[] = {
        "listing.000.transpose-swizzle  (notes 000, 4.11.2.2.5",
        "\nkernels/listings/000_tensors.cu, line ",
        "    #include <cuda/ptx>\n",
        "    /* listing.000.transpose-swizzle: ",
        "\n    extern \"C\" __global__ void transpose_swizzle(",
        "swizzle 128B: which 16-byte chunk",
        "  rules     swz.128b.formula: Swizzle 128B: ",
        "  checked   The 64 pieces",
        "  mistakes  no-fence breaks tensor.store.fence: After generic writes",
        "breach no-fence: ",
    };

    (void)state;
    assert_int_equal(capture(cmd_show, "show listing.000.transpose-swizzle"), 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_has(captured_out, parts[i]);
    assert_lacks(captured_out, "listing.000.tile-2d"); /* another page of the file */
    assert_int_equal(capture(cmd_show, "show listing.000.encode-2d"), 0);
    assert_has(captured_out, "    static void encode_2d(struct ck *t)\n    {\n");
    assert_lacks(captured_out, "static void tile_2d");
    assert_int_equal(capture(cmd_show, "show listing.002.ptx-forms"), 0);
    assert_has(captured_out, "    cp.async.bulk.tensor.2d.shared::cluster.global$;\n");
    for (const struct ck_listing *const *l = ck_listings; *l; l++)
        assert_ptr_equal(ck_cited_find((*l)->rule.id), &(*l)->rule);
}

/* The statements have the numbers 1 to 694, their sections name every listing, and the page has them all. */
static void the_notes_are_printed(void **state)
{
    int last = 0;
    size_t named = 0, listings = 0;

    (void)state;
    for (const struct ck_note *n = ck_notes; n->notes || n->number; n++) {
        const char *words = n->listings ? n->listings : "";
        char word[256], id[300];

        if (n->number)
            assert_int_equal(n->number, ++last);
        for (; ck_listing_word(&words, word, sizeof word); named++) {
            snprintf(id, sizeof id, "listing.%s", word);
            assert_non_null(ck_listing_find(id));
        }
    }
    for (const struct ck_listing *const *l = ck_listings; *l; l++)
        listings++;
    assert_int_equal(last, 694);
    assert_true(named >= listings);
    assert_int_equal(capture(cmd_notes, "notes --recorded /nowhere"), 0);
    assert_has(captured_out, "- 694 statements; 67 of them are doubtful");
    assert_has(captured_out, "\n| 17 | N-D alignment: shared 1024 bytes with 128B swizzle **Doubtful:** 128 suffices");
    assert_has(captured_out, " | `swz.align.128-suffices`: not recorded<br>`swz.base-offset.128`: not recorded |\n");
    assert_has(captured_out, "- `listing.000.transpose-swizzle`: ");
    assert_int_equal(capture(cmd_notes, "notes --recorded expected/recorded"), 0);
    assert_has(captured_out, "`swz.align.128-suffices` holds (gpu, emu)<br>");
    assert_int_equal(capture(cmd_notes, "notes --colour"), 2);
    assert_int_equal(capture(cmd_notes, "notes more"), 2);
}

static void long_lines_are_broken(void **state)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    (void)state;
    ck_print_wrapped(to, "label", 10,
                     "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
                     "seventeen eighteen nineteen twenty");
    ck_print_wrapped(to, "a longer label", 10, "short");
    ck_print_wrapped(to, "x", 4, "");
    fclose(to);
    assert_string_equal(text, "label     one two three four five six seven eight nine ten eleven twelve thirteen "
                              "fourteen fifteen sixteen\n          seventeen eighteen nineteen twenty\n"
                              "a longer labelshort\nx   \n");
    free(text);
}

static void near_ids_are_found(void **state)
{
    const struct ck_rule *near[40];

    (void)state;
    assert_int_equal(ck_rules_near("cpasync.siez.set", near, 1), 1);
    assert_string_equal(near[0]->id, "cpasync.size.set");
    assert_int_equal(ck_rules_near("x", near, 0), 0);
    assert_int_equal(ck_rules_near("x", near, 40), 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_listed),
        cmocka_unit_test(rules_as_an_lcov_trace),
        cmocka_unit_test(bad_selections_of_rules),
        cmocka_unit_test(every_rule_is_shown),
        cmocka_unit_test(what_was_recorded_is_summed),
        cmocka_unit_test(pictures_are_right),
        cmocka_unit_test(a_listing_is_shown),
        cmocka_unit_test(the_notes_are_printed),
        cmocka_unit_test(long_lines_are_broken),
        cmocka_unit_test(near_ids_are_found),
    };

    return cmocka_run_group_tests_name("catalogue", tests, NULL, free_capture);
}
// SPDX-License-Identifier: Apache-2.0
