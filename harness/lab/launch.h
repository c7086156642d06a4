/* A lab's launch from the inside: what its functions have said. launch.c fills it in; judge.c runs it. */
#ifndef COPYCHECK_LAB_LAUNCH_H
#define COPYCHECK_LAB_LAUNCH_H

#include "harness/check/check.h"
#include "harness/lab/lab.h"

enum { LAB_SIZES = 4, LAB_BUFFERS = 16, LAB_WISHES = 16, LAB_KEPT = 128, LAB_PARAMETER = 32, LAB_FAULTS = 8 };

/* What is asked of one of the means. */
struct lab_wish {
    enum { LAB_LEAST, LAB_MOST, LAB_REMARKED } kind;
    enum lab_means means;
    uint64_t bound;
    const char *say;
};

/* A buffer of the launch. */
struct lab_buffer {
    size_t arg;                    /* into args */
    bool in;                       /* it is one of lab_in */
    const unsigned char *expected; /* its bytes after the launch; NULL: any */
    size_t size;
    uint32_t columns; /* words in a row of a matrix; 0: it is none */
    float tolerance;  /* 0: byte for byte */
    char name[LAB_PARAMETER];
};

struct lab_launch {
    const struct lab *lab;
    unsigned size, step; /* which; size 0 is the public one */
    uint64_t random;     /* state of the numbers drawn */
    struct check_args args;
    struct lab_buffer buffers[LAB_BUFFERS];
    unsigned buffer_count;
    struct lab_wish wishes[LAB_WISHES];
    unsigned wish_count;
    bool ask_swizzle;
    const char *look;                       /* of lab_look, or NULL */
    char names[LAB_BUFFERS][LAB_PARAMETER]; /* of the kernel's parameters in the student's source; "" where not known */
    void *kept[LAB_KEPT];                   /* freed with the launch */
    unsigned kept_count;
    struct lab_launch *before;        /* the step before of this size, or NULL */
    unsigned char *left[LAB_BUFFERS]; /* what schedule 0 has left in each buffer, or NULL */
    struct lab_fault {                /* of lab_wrong */
        const char *rule;             /* or NULL */
        char text[300];
    } wrong[LAB_FAULTS];
    unsigned wrong_count;
    char failed[100]; /* the lab's own mistake: it asks for more than there is room for */
};

/* The launch of one step of one size, prepared; all that is drawn comes from `seed`. NULL where memory is short.
 * `before` is the step before, and must outlive it. */
struct lab_launch *lab_launch_new(const struct lab *lab, unsigned size, unsigned step, uint64_t seed,
                                  struct lab_launch *before);
void lab_launch_free(struct lab_launch *l);

/* The kernel of this name, with a body; NULL: the module has none. */
const struct ptx_function *lab_kernel(const struct ptx_module *m, const char *name);

/* Buffers and maps are called what the student's source calls the kernel's `count` parameters, where it can be told. */
void lab_launch_names(struct lab_launch *l, const char *source, uint32_t count);

/* Whether a buffer is as it should be after the launch. Otherwise the first wrong word is put into words, unless
 * `first` holds some already. */
bool lab_buffer_right(const struct lab_buffer *b, const unsigned char *got, char *first, size_t room);

/* "bulk-load-bytes": how a key names them. */
const char *lab_means_name(enum lab_means means);

#endif
// SPDX-License-Identifier: Apache-2.0
