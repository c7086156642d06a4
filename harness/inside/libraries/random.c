/* cuRAND's generators for the device have machine code alone. Its generators for the host give the same numbers, as its
 * documents say, and need no device: one of these takes the place of each, and what it makes is copied to the device.
 */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* curandStatus_t, whose header not every toolkit has. */
enum { FINE = 0, ALLOCATION_FAILED = 102, LAUNCH_FAILURE = 201, INTERNAL_ERROR = 999 };

/* Those that stand for one of the device. */
struct stand_in {
    struct stand_in *next;
    void *generator;
    cudaStream_t stream;
};

static struct stand_in *stand_ins;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Copies, since another thread may end it: false where it is none. */
static bool find(const void *generator, cudaStream_t *stream)
{
    const struct stand_in *s;

    pthread_mutex_lock(&lock);
    for (s = stand_ins; s && s->generator != generator; s = s->next)
        ;
    *stream = s ? s->stream : NULL;
    pthread_mutex_unlock(&lock);
    return s != NULL;
}

/* cuRAND's own function of this name; NULL without one. Python's modules load the library for themselves alone. */
static void *own(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name),
         *library = function ? NULL : dlopen("libcurand.so.10", RTLD_LAZY | RTLD_NOLOAD);

    return library ? dlsym(library, name) : function;
}

#define PUBLIC           __attribute__((visibility("default")))
#define FIND(call, name) (*(void **)&(call) = own(name)) /* `call` is a variable of its type */

PUBLIC int curandCreateGenerator(void **generator, int type);
PUBLIC int curandDestroyGenerator(void *generator);
PUBLIC int curandSetStream(void *generator, cudaStream_t stream);

int curandCreateGenerator(void **generator, int type)
{
    struct stand_in *s = calloc(1, sizeof *s);
    int (*create)(void **, int), status;

    status = !s                                          ? ALLOCATION_FAILED
             : FIND(create, "curandCreateGeneratorHost") ? create(generator, type)
                                                         : INTERNAL_ERROR;
    if (status) {
        free(s);
        return status;
    }
    s->generator = *generator;
    pthread_mutex_lock(&lock);
    s->next = stand_ins;
    stand_ins = s;
    pthread_mutex_unlock(&lock);
    return FINE;
}

int curandDestroyGenerator(void *generator)
{
    struct stand_in **at, *gone;
    int (*destroy)(void *);

    pthread_mutex_lock(&lock);
    for (at = &stand_ins; *at && (*at)->generator != generator; at = &(*at)->next)
        ;
    gone = *at;
    if (gone)
        *at = gone->next;
    pthread_mutex_unlock(&lock);
    free(gone);
    return FIND(destroy, "curandDestroyGenerator") ? destroy(generator) : INTERNAL_ERROR;
}

int curandSetStream(void *generator, cudaStream_t stream)
{
    int (*set)(void *, cudaStream_t);
    struct stand_in *s;

    pthread_mutex_lock(&lock);
    for (s = stand_ins; s && s->generator != generator; s = s->next)
        ;
    if (s)
        s->stream = stream;
    pthread_mutex_unlock(&lock);
    if (s)
        return FINE;
    return FIND(set, "curandSetStream") ? set(generator, stream) : INTERNAL_ERROR;
}

/* What has been made goes to the device. */
static int hand_over(void *to, void *made, size_t bytes, cudaStream_t stream)
{
    const cudaError_t error = cudaMemcpyAsync(to, made, bytes, cudaMemcpyDefault, stream);

    free(made);
    return error ? LAUNCH_FAILURE : FINE;
}

/* A function that makes `count` numbers of a type, with parameters of the distribution behind their count. */
#define GENERATE(name, type, parameters, arguments)                                                                    \
    PUBLIC int name parameters;                                                                                        \
    int name parameters                                                                                                \
    {                                                                                                                  \
        type *const to = out, *made;                                                                                   \
        int(*make) parameters, status;                                                                                 \
        cudaStream_t stream;                                                                                           \
        if (!FIND(make, #name))                                                                                        \
            return INTERNAL_ERROR;                                                                                     \
        if (!find(generator, &stream))                                                                                 \
            return make arguments;                                                                                     \
        made = malloc(count * sizeof *made + 1);                                                                       \
        if (!made)                                                                                                     \
            return ALLOCATION_FAILED;                                                                                  \
        out = made;                                                                                                    \
        status = make arguments;                                                                                       \
        if (!status)                                                                                                   \
            return hand_over(to, made, count * sizeof *made, stream);                                                  \
        free(made);                                                                                                    \
        return status;                                                                                                 \
    }

GENERATE(curandGenerate, unsigned, (void *generator, unsigned *out, size_t count), (generator, out, count))
GENERATE(curandGenerateLongLong, unsigned long long, (void *generator, unsigned long long *out, size_t count),
         (generator, out, count))
GENERATE(curandGenerateUniform, float, (void *generator, float *out, size_t count), (generator, out, count))
GENERATE(curandGenerateUniformDouble, double, (void *generator, double *out, size_t count), (generator, out, count))
GENERATE(curandGenerateNormal, float, (void *generator, float *out, size_t count, float mean, float deviation),
         (generator, out, count, mean, deviation))
GENERATE(curandGenerateNormalDouble, double,
         (void *generator, double *out, size_t count, double mean, double deviation),
         (generator, out, count, mean, deviation))
GENERATE(curandGenerateLogNormal, float, (void *generator, float *out, size_t count, float mean, float deviation),
         (generator, out, count, mean, deviation))
GENERATE(curandGenerateLogNormalDouble, double,
         (void *generator, double *out, size_t count, double mean, double deviation),
         (generator, out, count, mean, deviation))
GENERATE(curandGeneratePoisson, unsigned, (void *generator, unsigned *out, size_t count, double lambda),
         (generator, out, count, lambda))
GENERATE(curandGenerateBinomial, unsigned, (void *generator, unsigned *out, size_t count, unsigned n, double p),
         (generator, out, count, n, p))
// SPDX-License-Identifier: Apache-2.0
