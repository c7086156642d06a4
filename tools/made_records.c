/* Record files of a fleet that nobody recorded, as runs would write them: for tests of copycheck merge, and its rate.
 *
 * usage: made_records FOLDER MACHINES POINTS [odd=N] [bad=N] [shards=N] [begin=N]
 *
 * Writes FOLDER/nNNNNN.jsonl for each machine, from number `begin` (0) on; with shards, nNNNNN-I.jsonl. Each machine's
 * points come in an order of its own. Machine number `odd` leaves other bytes at three points, `bad` fails at one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/random.h"
#include "harness/base/number.h"
#include "harness/base/version.h"
#include "harness/records/chain.h"
#include "harness/records/record.h"

struct made {
    const char *folder;
    uint64_t machines, points, odd, bad, shards, begin;
};

static const char *const families[] = { "cp-async", "mbarrier", "bulk", "tensor", "tensor-bounds", "swizzle", "wgmma" };
static const char *const engines[] = { "gpu", "jit", "emu" };

enum { FAMILIES = sizeof families / sizeof *families, ENGINES = sizeof engines / sizeof *engines };

/* The texts of a record live in the buffers. */
static struct ck_record record_of(const struct made *m, uint64_t machine, uint64_t number, char point[160],
                                  char rule[64])
{
    const uint64_t point_number = number / ENGINES;
    const char *family = families[point_number % FAMILIES], *engine = engines[number % ENGINES];
    const bool seen = point_number % 11 == 5, device = number % ENGINES != 2;
    struct ck_record r = { .point = point, .rule = rule, .family = family, .engine = engine, .phase = "launch" };

    snprintf(rule, 64, "%s.made.rule-%llu", family, (unsigned long long)(point_number / 50));
    snprintf(point, 160, "%s/made:rank=%llu,type=u%llu,side=low,size=%llu", rule,
             (unsigned long long)(point_number % 5 + 1), 8ull << point_number % 4, (unsigned long long)point_number);
    r.evidence = seen ? "observed" : "documented";
    r.expected = seen ? "seen" : "done";
    r.outcome = "done";
    r.verdict = seen ? CK_V_SEEN : CK_V_PASS;
    r.seen = seen ? "the bytes of the first copy" : NULL;
    r.at = "tests/made/points.c:41";
    r.digest = splitmix64(point_number);
    r.seed = 0x5EED;
    r.ms = (double)(splitmix64(machine << 32 ^ number) % 100000) / 1000;
    if (machine == m->odd && device && number % (m->points / 3 + 1) == 0)
        r.digest ^= 1;
    if (machine == m->bad && number == 0) {
        r.verdict = CK_V_FAIL;
        r.detail = "expected  00\ngot       a5";
        r.digest ^= 2;
    }
    return r;
}

static bool write_file(const struct made *m, uint64_t machine, uint64_t shard)
{
    const uint64_t turn = splitmix64(machine) % m->points;
    char path[4096], uuid[20], host[20], part[48] = "", point[160], rule[64];
    uint64_t chain = CK_CHAIN_BASIS, digest = 0;
    struct ck_run_head head = { .version = ck_version,
                                .schema = CK_SCHEMA,
                                .device = "NVIDIA H200",
                                .sm = 90,
                                .sms = 132,
                                .uuid = uuid,
                                .ecc = true,
                                .driver = "580.159.04",
                                .libcuda = "580.159.04",
                                .cuda = 1300,
                                .ptx = "9.0",
                                .toolkit = "13.0.88",
                                .host = host,
                                .engines = "gpu,jit,emu",
                                .seed = 0x5EED };
    FILE *to;

    snprintf(uuid, sizeof uuid, "%016llx", (unsigned long long)splitmix64(machine));
    snprintf(host, sizeof host, "%016llx", (unsigned long long)splitmix64(~(machine / 8)));
    snprintf(path, sizeof path, "%s/n%05llu.jsonl", m->folder, (unsigned long long)machine);
    if (m->shards > 1) {
        snprintf(part, sizeof part, "%llu/%llu", (unsigned long long)shard + 1, (unsigned long long)m->shards);
        snprintf(path, sizeof path, "%s/n%05llu-%llu.jsonl", m->folder, (unsigned long long)machine,
                 (unsigned long long)shard + 1);
        head.shard = part;
    }
    for (uint64_t i = shard; i < m->points; i += m->shards) {
        const struct ck_record r = record_of(m, machine, i, point, rule);
        head.planned++;
        head.plan += ck_record_hash(r.point, r.engine);
    }
    to = fopen(path, "w");
    if (!to || !ck_write_head(to, &head, &chain))
        return false;
    for (uint64_t i = 0; i < m->points; i++) {
        const uint64_t number = (i + turn) % m->points;
        if (number % m->shards != shard)
            continue;
        const struct ck_record r = record_of(m, machine, number, point, rule);
        digest += ck_record_digest(&r);
        if (!ck_write_record(to, &r, &chain))
            return false;
    }
    const bool good = ck_write_end(to, head.planned, digest, &chain);
    return fclose(to) == 0 && good;
}

static bool option(struct made *m, const char *word)
{
    const struct {
        const char *name;
        uint64_t *value;
    } options[] = { { "odd=", &m->odd }, { "bad=", &m->bad }, { "shards=", &m->shards }, { "begin=", &m->begin } };

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (!strncmp(word, options[i].name, strlen(options[i].name)))
            return ck_number(word + strlen(options[i].name), 0, UINT32_MAX, options[i].value);
    return false;
}

int main(int argc, char **argv)
{
    struct made m = { .odd = UINT64_MAX, .bad = UINT64_MAX, .shards = 1 };
    bool good = argc > 3 && ck_number(argv[2], 1, 1000000, &m.machines) && ck_number(argv[3], 1, 1000000, &m.points);

    for (int i = 4; i < argc && good; i++)
        good = option(&m, argv[i]) && m.shards;
    if (!good) {
        fputs("usage: made_records FOLDER MACHINES POINTS [odd=N] [bad=N] [shards=N] [begin=N]\n", stderr);
        return 2;
    }
    m.folder = argv[1];
    for (uint64_t i = m.begin; i < m.begin + m.machines; i++)
        for (uint64_t shard = 0; shard < m.shards; shard++)
            if (!write_file(&m, i, shard)) {
                perror(m.folder);
                return 1;
            }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
