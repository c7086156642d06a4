/* Where a run's records come from. Names of hosts and devices are hashed: logs travel. */
#include "harness/engines/origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "harness/base/append.h"
#include "harness/base/sha256.h"
#include "harness/base/text.h"
#include "harness/engines/ptxas.h"

void ck_origin_hash(const char *kind, const void *bytes, size_t size, char out[17])
{
    const char *salt = getenv("COPYCHECK_SALT");
    unsigned char digest[CK_SHA256_BYTES];
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    out[0] = 0;
    if (!to)
        return;
    fprintf(to, "copycheck %s\n%s\n", kind, salt ? salt : "");
    fwrite(bytes, 1, size, to);
    if (ck_text_close(to, &text)) {
        ck_sha256(text, length, digest);
        for (size_t i = 0; i < 8; i++)
            snprintf(out + 2 * i, 3, "%02x", digest[i]);
    }
    free(text);
}

void ck_origin(const struct ck_engine *engines, size_t count, const struct ck_gpu_facts *gpu, unsigned devices,
               struct ck_origin *out)
{
    struct utsname name;
    char uuid[17];

    *out = (struct ck_origin){ 0 };
    if (!uname(&name))
        ck_origin_hash("host", name.nodename, strlen(name.nodename), out->host);
    if (gpu && gpu->cuda) {
        const int ptx = ck_gpu_newest_ptx(gpu->cuda);
        snprintf(out->ptx, sizeof out->ptx, "%d.%d", ptx / 10, ptx % 10);
        for (unsigned i = 0; gpu->has_uuid && i < devices; i++) {
            ck_origin_hash("uuid", gpu->uuid[i], sizeof gpu->uuid[i], uuid);
            ck_append(out->uuid, sizeof out->uuid, "%s%s", i ? "," : "", uuid);
        }
    }
    for (size_t i = 0; i < count; i++)
        if (!strncmp(engines[i].name, "ptxas", 5))
            ck_append(out->ptxas, sizeof out->ptxas, "%s%s%s%s", out->ptxas[0] ? "," : "",
                      ck_ptxas_version(&engines[i]), engines[i].build[0] ? " " : "", engines[i].build);
}
// SPDX-License-Identifier: Apache-2.0
