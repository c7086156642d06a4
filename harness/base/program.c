/* Where this program is. */
#include "harness/base/program.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

const char *ck_program_folder(void)
{
    static char folder[PATH_MAX];
    ssize_t n;
    char *slash;

    if (folder[0])
        return folder;
    n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[n > 0 ? n : 0] = 0;
    slash = strrchr(folder, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        slash[slash == folder] = 0; /* of "/copycheck" the slash stays */
    return folder;
}
