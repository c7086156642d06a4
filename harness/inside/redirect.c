/* Before a program starts: its own copy of the CUDA runtime, which nvcc links into it unless told otherwise, gives way
 * to the one of this library.
 *
 * The runtime's functions are found by their names in the symbol tables of the program and of the libraries that it was
 * linked with, and each begins with a jump to ours from then on. A program whose symbols were stripped cannot be helped
 * so: copycheck exec asks it to be linked with -cudart shared. */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/inside/device/device.h"
#include "harness/inside/names.h"

bool names_of_12;

/* What the runtime of toolkit 12 has, and that of toolkit 13 calls otherwise. */
#define ONLY_IN_12 "cudaGetDeviceProperties_v2"

/* An object of the process: the program, or a library. */
struct object {
    const char *path;
    uintptr_t base; /* what is added to the addresses in its file */
    unsigned char *file;
    size_t bytes;
};

static bool is_ours(const char *name)
{
    size_t low = 0, high = names_count;

    if (strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6))
        return false;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const int order = strcmp(name, names_of_runtime[middle]);
        if (!order)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

/* Lets the function at `from` begin with a jump to `to`. Functions of the runtime begin at multiples of 16 bytes, so
 * that there is room for it. */
static bool jump(uintptr_t from, const void *to)
{
#if defined __x86_64__
    unsigned char code[14] = { 0xff, 0x25, 0, 0, 0, 0 }; /* jmp *0(%rip) */
    enum { TARGET = 6 };
#elif defined __aarch64__
    unsigned char code[16] = { 0x50, 0, 0, 0x58, 0, 2, 0x1f, 0xd6 }; /* ldr x16, 8; br x16 */
    enum { TARGET = 8 };
#else
/* cppcheck-suppress preprocessorErrorDirective */
#error "which jump does this processor have?"
#endif
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = from / page * page;
    const size_t bytes = (from + sizeof code + page - 1) / page * page - first;

    memcpy(code + TARGET, &to, sizeof to);
    if (mprotect((void *)first, bytes, PROT_READ | PROT_WRITE | PROT_EXEC))
        return false;
    memcpy((void *)from, code, sizeof code);
    __builtin___clear_cache((char *)from, (char *)from + sizeof code);
    return !mprotect((void *)first, bytes, PROT_READ | PROT_EXEC);
}

static bool is_within(const struct object *o, uint64_t offset, uint64_t bytes)
{
    return offset <= o->bytes && bytes <= o->bytes - offset;
}

/* Redirects what a table of symbols has of the runtime. */
static void redirect_table(const struct object *o, const Elf64_Shdr *symbols, const Elf64_Shdr *names, void *self)
{
    const size_t n = symbols->sh_size / sizeof(Elf64_Sym);
    const char *const text = (const char *)o->file + names->sh_offset;

    for (size_t i = 0; i < n; i++) {
        Elf64_Sym s;
        memcpy(&s, o->file + symbols->sh_offset + i * sizeof s, sizeof s);
        if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || !s.st_shndx || s.st_name >= names->sh_size ||
            !is_ours(text + s.st_name))
            continue;
        const void *to = dlsym(self, text + s.st_name);
        names_of_12 = names_of_12 || !strcmp(text + s.st_name, ONLY_IN_12);
        if (to && !jump(o->base + s.st_value, to))
            say_line("%s: its code cannot be changed, so its own CUDA runtime runs", o->path);
    }
}

static void redirect_symbols(const struct object *o, void *self)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)o->file;

    if (o->bytes < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        !is_within(o, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)) || head->e_shoff % 8)
        return;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(o->file + head->e_shoff);
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *s = &sections[i];
        if (s->sh_type == SHT_SYMTAB && s->sh_link < head->e_shnum && is_within(o, s->sh_offset, s->sh_size) &&
            is_within(o, sections[s->sh_link].sh_offset, sections[s->sh_link].sh_size) &&
            sections[s->sh_link].sh_size && !o->file[sections[s->sh_link].sh_offset + sections[s->sh_link].sh_size - 1])
            redirect_table(o, s, &sections[s->sh_link], self);
    }
}

static void redirect_file(struct object *o, void *self)
{
    const int fd = open(o->path, O_RDONLY | O_CLOEXEC);
    struct stat about;

    if (fd < 0)
        return;
    if (!fstat(fd, &about) && about.st_size > 0) {
        o->bytes = (size_t)about.st_size;
        o->file = mmap(NULL, o->bytes, PROT_READ, MAP_PRIVATE, fd, 0);
        if (o->file != MAP_FAILED) {
            redirect_symbols(o, self);
            munmap(o->file, o->bytes);
        }
    }
    close(fd);
}

/* Libraries of the system hold no runtime: they are not even opened. */
static bool is_of_system(const char *path)
{
    return !strncmp(path, "/lib/", 5) || !strncmp(path, "/usr/lib/", 9) || !strncmp(path, "/lib64/", 7) ||
           !strncmp(path, "/usr/lib64/", 11);
}

static int redirect_object(struct dl_phdr_info *info, size_t size, void *self)
{
    struct object o = { .path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe", .base = info->dlpi_addr };
    Dl_info own;

    (void)size;
    if (dladdr((void *)(uintptr_t)redirect_object, &own) && own.dli_fbase == (void *)o.base)
        return 0;
    names_of_12 = names_of_12 || strstr(o.path, "libcudart.so.12");
    if (strchr(o.path, '/') && !is_of_system(o.path) && !strstr(o.path, "libcudart"))
        redirect_file(&o, self);
    return 0;
}

__attribute__((constructor)) static void redirect(void)
{
    Dl_info own;
    void *self;

    if (!dladdr((void *)(uintptr_t)redirect, &own) || !(self = dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD)))
        return;
    dl_iterate_phdr(redirect_object, self);
}
// SPDX-License-Identifier: Apache-2.0
