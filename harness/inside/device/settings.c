/* What exec has chosen: the words of CHANNEL_VARIABLE. */
#include "harness/inside/device/settings.h"

#include <stdlib.h>
#include <string.h>

#include "harness/inside/device/guard.h"
#include "harness/inside/device/say.h"

static void setting(const char *word, const char *value)
{
    struct emu_options *o = &device.options.options;
    const unsigned long long n = strtoull(value, NULL, 10);

    if (!strcmp(word, "fd"))
        say_through((int)n);
    else if (!strcmp(word, "counts"))
        say_counts_in((int)n);
    else if (!strcmp(word, "format"))
        device.options.format = !strcmp(value, "jsonl")    ? CHECK_JSONL
                                : !strcmp(value, "gcc")    ? CHECK_GCC
                                : !strcmp(value, "github") ? CHECK_GITHUB
                                : !strcmp(value, "sarif")  ? CHECK_SARIF
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
        device.judged.skip = n;
    else if (!strcmp(word, "count"))
        device.judged.most = n;
}

void settings_read(void)
{
    enum { FEW = 8 }; /* as many as a cluster has CTAs, where it is portable */
    const char *from = getenv(CHANNEL_VARIABLE);
    char word[200];

    device.options = (struct check_args){
        .schedules = 1, .at_once = true, .options = { .max_memory = 64ull << 30, .max_busy = 100000000000, .jobs = 1 }
    };
    device.options.options.check_order = device.options.options.check_init = true;
    device.options.options.light = device.options.options.in_step = device.options.options.evenly = true;
    device.judged.most = UINT64_MAX;
    device.sms = FEW;
    while (from && *from) {
        const size_t n = strcspn(from, " ");
        char *value;
        if (!strncmp(from, "name=", 5)) {
            snprintf(device.judged.name, sizeof device.judged.name, "%s", from + 5);
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
// SPDX-License-Identifier: Apache-2.0
