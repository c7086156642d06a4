/* Rules of libraries above rules of PTX, and the names of functions by which an instruction finds them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "expected/layer.h"
#include "harness/emu/ptx/ptx.h"

/* Each row is of a family of a library, names functions, and each of its ids is that of a rule of PTX. */
static void rows_name_rules(void **state)
{
    static const char *const families[] = { "cuda-barrier", "memcpy-async", "cuda-pipeline", "cooperative-groups",
                                            "pipeline-primitives" };

    (void)state;
    for (const struct ck_layer *l = ck_layers; l->rule; l++) {
        bool library = false;
        for (size_t f = 0; f < sizeof families / sizeof *families; f++)
            library |= !strcmp(l->rule->family, families[f]);
        assert_true(library);
        assert_true(*l->functions && *l->below);
        for (const char *p = l->below; *p;) {
            char glob[80];
            bool any;
            snprintf(glob, sizeof glob, "%.*s", (int)strcspn(p, " "), p);
            any = !strcmp(glob, "trap");
            for (const struct ck_rule *const *r = ck_rules; *r; r++)
                any |= !fnmatch(glob, (*r)->id, 0);
            if (!any)
                print_error("%s: no rule %s\n", l->rule->id, glob);
            assert_true(any);
            p += strlen(glob);
            p += *p == ' ';
        }
    }
}

static void names_are_plain(void **state)
{
    static const char *const names[][2] = {
        { "_ZN4cuda3__44initEPNS0_7barrierILNS_3std3__412thread_scopeE2ENS3_18__empty_completionEEElS5_",
          "cuda::init" },
        { "_ZN4cuda3__47barrierILNS_3std3__412thread_scopeE2ENS3_18__empty_completionEE6arriveEl",
          "cuda::barrier::arrive" },
        { "_ZN4cuda3__47barrierILNS_3std3__412thread_scopeE2ENS3_18__empty_completionEED1Ev",
          "cuda::barrier::~barrier" },
        { "_ZNK4cuda3__47barrierILNS_3std3__412thread_scopeE2ENS3_18__empty_completionEE4waitEOm",
          "cuda::barrier::wait" },
        { "_ZN4cuda3std3__414__barrier_baseINS1_18__empty_completionELNS1_12thread_scopeE2EEC1ElS3_",
          "cuda::std::__barrier_base::__barrier_base" },
        { "_ZN4cuda6device3__417barrier_expect_txERNS_3__47barrierILNS_3std3__412thread_scopeE2ENS5_18__empty_"
          "completionEEEl",
          "cuda::device::barrier_expect_tx" },
        { "_ZN47_INTERNAL_bf0c83fa_16_libcu_barrier_cu_81c22c124cuda3ptx3__415mbarrier_arriveIvEEmPmRKj",
          "cuda::ptx::mbarrier_arrive" },
        { "_ZN4cuda3__434__cp_async_shared_global_mechanismILm32E4partEEvT0_PcPKcm",
          "cuda::__cp_async_shared_global_mechanism" },
        { "_ZN4cuda3std3__46chronodvIxNS1_5ratioILl1ELl1000000000EEEiEENS1_9enable_ifIXaantsr4cuda3std3__46chrono13__is_"
          "durationIT1_EE5value",
          "cuda::std::chrono" },
        { "_ZN18cooperative_groups4__v112memcpy_asyncINS0_12thread_blockEjEEvRKT_PT0_PKS5_m",
          "cooperative_groups::memcpy_async" },
        { "_Z23__pipeline_memcpy_asyncPvPKvmm", "__pipeline_memcpy_async" },
        { "_ZL7two_maxPc", "two_max" },
        { "plain", "plain" },
        { "_Z", "" },
        { "_ZN", "" },
        { "_ZN999999999999a", "a" },
        { "_ZN1aILNS", "a" },
        { "_ZN1aIXLDtSE", "a" },
        { "_ZNSt6vectorIiE4pushEv", "std::vector::push" },
    };
    char plain[100];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ptx_plain_name(names[i][0], plain, sizeof plain);
        assert_string_equal(plain, names[i][1]);
    }
    ptx_plain_name("_ZN4cuda3__47barrier", plain, 6);
    assert_string_equal(plain, "cuda:");
}

static void rows_ask_for_parameters(void **state)
{
    const struct ck_layer l = { &rule_cxx_memcpy_bytes, CK_LAYER_ONE, "a::b(int2) c::*", "bulk.size.mult16-reg" };

    (void)state;
    assert_true(ck_layer_is_above(&l, &rule_bulk_size_mult16_reg));
    assert_false(ck_layer_is_above(&l, &rule_bulk_range_src));
    assert_true(ck_layer_has(&l, "a::b", "_ZN1a1bE4int2"));
    assert_false(ck_layer_has(&l, "a::b", "_ZN1a1bEi"));
    assert_true(ck_layer_has(&l, "c::d", "_ZN1c1dEi"));
    assert_false(ck_layer_has(&l, "d", "_Z1di"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_name_rules),
        cmocka_unit_test(names_are_plain),
        cmocka_unit_test(rows_ask_for_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
