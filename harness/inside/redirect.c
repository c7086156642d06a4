/* Before a program starts: its own copy of the CUDA runtime, which nvcc links into it unless told otherwise, gives way
 * to the one of this library. So do the copies in libraries that the program opens later, as Python does.
 *
 * The runtime's functions are found by their names in the symbol tables of the program and of its libraries, and each
 * begins with a jump to ours from then on. A program whose symbols were stripped cannot be helped so: copycheck exec
 * asks it to be linked with -cudart shared. */
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
#include "harness/inside/jitlink.h"
#include "harness/inside/nvrtc.h"
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

/* What is to run in place of a function; NULL where that one stays. */
static const void *instead(const char *name, void *function, void *self)
{
    if (is_ours(name))
        return dlsym(self, name);
    if (!strncmp(name, "nvrtc", 5))
        return nvrtc_instead(name, function);
    return strstr(name, "nvJitLink") ? jitlink_instead(name, function) : NULL;
}

/* Redirects what a table of symbols has of the runtime. */
static void redirect_table(const struct object *o, const Elf64_Shdr *symbols, const Elf64_Shdr *names, void *self)
{
    const size_t n = symbols->sh_size / sizeof(Elf64_Sym);
    const char *const text = (const char *)o->file + names->sh_offset;

    for (size_t i = 0; i < n; i++) {
        Elf64_Sym s;
        memcpy(&s, o->file + symbols->sh_offset + i * sizeof s, sizeof s);
        if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || !s.st_shndx || s.st_name >= names->sh_size)
            continue;
        const void *to = instead(text + s.st_name, (void *)(o->base + s.st_value), self);
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
        if ((s->sh_type == SHT_SYMTAB || s->sh_type == SHT_DYNSYM) && s->sh_link < head->e_shnum &&
            is_within(o, s->sh_offset, s->sh_size) &&
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

/* Libraries of the system hold no runtime: they are not even opened. Those of the system's Python may. */
static bool is_of_system(const char *path)
{
    return (!strncmp(path, "/lib/", 5) || !strncmp(path, "/usr/lib/", 9) || !strncmp(path, "/lib64/", 7) ||
            !strncmp(path, "/usr/lib64/", 11)) &&
           !strstr(path, "-packages/");
}

/* Objects that were looked at, by their names and addresses: those that there are now, and those of the time before. */
struct seen {
    uintptr_t *base;
    size_t n, room;
};
static struct seen seen, before;

static bool was_seen(uintptr_t base)
{
    for (size_t i = 0; i < before.n; i++)
        if (before.base[i] == base)
            return true;
    return false;
}

static void note_seen(uintptr_t base)
{
    if (seen.n == seen.room) {
        const size_t room = seen.room ? 2 * seen.room : 64;
        uintptr_t *larger = realloc(seen.base, room * sizeof *larger);
        if (!larger)
            return; /* then it is looked at once more: the jumps are there, and stay */
        seen.base = larger;
        seen.room = room;
    }
    seen.base[seen.n++] = base;
}

static int redirect_object(struct dl_phdr_info *info, size_t size, void *self)
{
    struct object o = { .path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe", .base = info->dlpi_addr };
    Dl_info own;

    (void)size;
    note_seen(o.base);
    if (was_seen(o.base) || (dladdr((void *)(uintptr_t)redirect_object, &own) && own.dli_fbase == (void *)o.base))
        return 0;
    names_of_12 = names_of_12 || strstr(o.path, "libcudart.so.12");
    if (strchr(o.path, '/') && !is_of_system(o.path))
        redirect_file(&o, self);
    return 0;
}

static void *own_handle;

static void redirect_new(void)
{
    const struct seen old = before;

    before = seen;
    seen = (struct seen){ .base = old.base, .room = old.room };
    dl_iterate_phdr(redirect_object, own_handle);
}

/* ---- libraries that the program opens later -----------------------------------------------------------------------
 * The dynamic linker calls an empty function, r_brk of <link.h>, whenever it has mapped objects and before their
 * constructors run, so that debuggers can stop there. It begins with a jump to a function of ours. */

__attribute__((used, visibility("hidden"))) void redirect_changed(void);
void redirect_changed(void)
{
    if (_r_debug.r_state == RT_CONSISTENT)
        redirect_new();
}

/* Calls redirect_changed. The linker's compiler knows that the empty function changes no register, and may rely on it.
 */
__attribute__((visibility("hidden"))) void redirect_stop(void);

#if defined __x86_64__
__asm__(".text\n.globl redirect_stop\n.hidden redirect_stop\n.type redirect_stop, @function\nredirect_stop:\n"
        "push %rbp\n mov %rsp, %rbp\n push %rax\n push %rcx\n push %rdx\n push %rsi\n push %rdi\n"
        "push %r8\n push %r9\n push %r10\n push %r11\n sub $520, %rsp\n and $-16, %rsp\n fxsave64 (%rsp)\n"
        "call redirect_changed\n"
        "fxrstor64 (%rsp)\n lea -72(%rbp), %rsp\n pop %r11\n pop %r10\n pop %r9\n pop %r8\n"
        "pop %rdi\n pop %rsi\n pop %rdx\n pop %rcx\n pop %rax\n pop %rbp\n ret\n"
        ".size redirect_stop, . - redirect_stop\n");

/* Whether this is the empty function, with room for a jump: functions lie at multiples of 16 bytes. */
static bool is_empty(const unsigned char *code)
{
    static const unsigned char landing[] = { 0xf3, 0x0f, 0x1e, 0xfa }; /* endbr64 */

    return code[memcmp(code, landing, sizeof landing) ? 0 : sizeof landing] == 0xc3 && (uintptr_t)code % 16 == 0;
}
#else
__asm__(".text\n.globl redirect_stop\n.hidden redirect_stop\n.type redirect_stop, %function\nredirect_stop:\n"
        "stp x29, x30, [sp, #-176]!\n mov x29, sp\n stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n"
        "stp x4, x5, [sp, #48]\n stp x6, x7, [sp, #64]\n stp x8, x9, [sp, #80]\n stp x10, x11, [sp, #96]\n"
        "stp x12, x13, [sp, #112]\n stp x14, x15, [sp, #128]\n stp x16, x17, [sp, #144]\n str x18, [sp, #160]\n"
        "sub sp, sp, #384\n stp q0, q1, [sp]\n stp q2, q3, [sp, #32]\n stp q4, q5, [sp, #64]\n"
        "stp q6, q7, [sp, #96]\n stp q16, q17, [sp, #128]\n stp q18, q19, [sp, #160]\n"
        "stp q20, q21, [sp, #192]\n stp q22, q23, [sp, #224]\n stp q24, q25, [sp, #256]\n"
        "stp q26, q27, [sp, #288]\n stp q28, q29, [sp, #320]\n stp q30, q31, [sp, #352]\n"
        "bl redirect_changed\n"
        "ldp q0, q1, [sp]\n ldp q2, q3, [sp, #32]\n ldp q4, q5, [sp, #64]\n"
        "ldp q6, q7, [sp, #96]\n ldp q16, q17, [sp, #128]\n ldp q18, q19, [sp, #160]\n"
        "ldp q20, q21, [sp, #192]\n ldp q22, q23, [sp, #224]\n ldp q24, q25, [sp, #256]\n"
        "ldp q26, q27, [sp, #288]\n ldp q28, q29, [sp, #320]\n ldp q30, q31, [sp, #352]\n"
        "add sp, sp, #384\n ldp x0, x1, [sp, #16]\n ldp x2, x3, [sp, #32]\n ldp x4, x5, [sp, #48]\n"
        "ldp x6, x7, [sp, #64]\n ldp x8, x9, [sp, #80]\n ldp x10, x11, [sp, #96]\n ldp x12, x13, [sp, #112]\n"
        "ldp x14, x15, [sp, #128]\n ldp x16, x17, [sp, #144]\n ldr x18, [sp, #160]\n"
        "ldp x29, x30, [sp], #176\n ret\n.size redirect_stop, . - redirect_stop\n");

static bool is_empty(const unsigned char *code)
{
    static const unsigned char back[] = { 0xc0, 0x03, 0x5f, 0xd6 };    /* ret */
    static const unsigned char landing[] = { 0x5f, 0x24, 0x03, 0xd5 }; /* bti c */

    return !memcmp(code + (memcmp(code, landing, sizeof landing) ? 0 : sizeof landing), back, sizeof back) &&
           (uintptr_t)code % 16 == 0;
}
#endif

__attribute__((constructor)) static void redirect(void)
{
    Dl_info own;

    if (!dladdr((void *)(uintptr_t)redirect, &own) || !(own_handle = dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD)))
        return;
    dl_iterate_phdr(redirect_object, own_handle);
    if (is_empty((const unsigned char *)_r_debug.r_brk))
        jump(_r_debug.r_brk, (const void *)(uintptr_t)redirect_stop);
}
// SPDX-License-Identifier: Apache-2.0
