/* What capture does with graphs, where all goes well and where a call fails: before a driver of this test's own.
 * Whatever fails, the program's graph runs once, each node in its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/text.h"
#include "harness/inject/inject.h"
#include "tests/unit/inject_graph.h"

/* ---- launches of a graph, each in a process of its own -------------------------------------------------------------
 */

enum change { AS_IT_IS, OFF, ON_AGAIN, OTHER_PARAMS, OTHER_CHILD, UPDATED, UPDATED_AND_CHANGED, DESTROYED, OF_LIBRARY };

struct scenario {
    const char *about, *graph; /* a letter in capitals: a graph of one node, with this letter */
    const char *takes;         /* the kernel that is captured: its letter. NULL: none is */
    const char *ran;           /* NULL: as the graph says */
    const char *settings, *says;
    enum change change;
    const char *fails, *absent;
    unsigned behind;
    CUresult result;
};

#define NOT       "could not be captured"
#define NOT_APART "could not be captured: its graph cannot be taken apart"

static const struct scenario scenarios[] = {
    { "the first kernel", "abc", "a" },
    { "the second one", "abc", "b", .settings = "skip=1\n" },
    { "the last one", "abc", "c", .settings = "skip=2\n" },
    { "none of them", "abc", NULL, .settings = "skip=3\n" },
    { "the only one", "a", "a" },
    { "no kernel", "mm", NULL },
    { "no node", "", NULL },
    { "a kernel between sets", "mam", "a" },
    { "a function that nobody took", "xa", "a" },
    { "another name", "abc", NULL, .settings = "name=other\n" },
    { "nothing is wanted any more", "abc", NULL, .settings = "out=\n" },
    { "a kernel of a library", "abc", "b", .settings = "skip=1\n", .change = OF_LIBRARY },
    { "in a graph that is a node", "aBc", "b", .settings = "skip=1\n", .ran = "abc" },
    { "behind a graph that is a node", "aBc", "c", .settings = "skip=2\n", .ran = "abc" },
    { "a kernel that is off", "abc", "b", .change = OFF, .ran = "bc" },
    { "a kernel that is off, before the one", "abc", "c", .settings = "skip=1\n", .change = OFF, .ran = "bc" },
    { "a kernel that is on again", "abc", "a", .change = ON_AGAIN },
    { "a kernel of other parameters", "abc", "q", .change = OTHER_PARAMS, .ran = "qbc" },
    { "another graph in it", "aBc", NULL, .change = OTHER_CHILD, .says = NOT ": cuGraphExecChildGraph", .ran = "abc" },
    { "an updated graph", "abc", "d", .change = UPDATED, .ran = "def" },
    { "a node of the graph from before it was updated", "abc", NULL, .change = UPDATED_AND_CHANGED, .ran = "def",
      .says = NOT ": a node was changed of the graph that" },
    { "another graph with an old handle", "abc", "a", .change = DESTROYED },
    { "no data of edges", "abc", "b", .settings = "skip=1\n", .absent = "cuGraphGetEdges_v2" },
    /* calls that fail */
    { "no copies", "abc", NULL, .fails = "cuGraphClone", .says = "copies no graph with nodes of memory" },
    { "no further copies", "abc", NULL, .fails = "cuGraphClone", .behind = 1, .says = NOT_APART },
    { "no copy of the rest", "abc", NULL, .fails = "cuGraphClone", .behind = 2, .says = NOT_APART },
    { "nodes are not told", "abc", NULL, .fails = "cuGraphGetNodes" },
    { "nodes are not told again", "abc", NULL, .fails = "cuGraphGetNodes", .behind = 1 },
    { "nodes are told for a while", "abc", NULL, .fails = "cuGraphGetNodes", .behind = 2, .says = NOT_APART },
    { "edges are not told", "abc", NULL, .fails = "cuGraphGetEdges_v2" },
    { "edges are not told again", "abc", NULL, .fails = "cuGraphGetEdges_v2", .behind = 1 },
    { "edges are told for a while", "abc", NULL, .fails = "cuGraphGetEdges_v2", .behind = 2, .says = NOT_APART },
    { "a kind is not told", "abc", "b", .fails = "cuGraphNodeGetType" },
    { "parameters are not told", "abc", "b", .fails = "cuGraphKernelNodeGetParams_v2" },
    { "parameters are not told again", "abc", NULL, .fails = "cuGraphKernelNodeGetParams_v2", .behind = 1,
      .says = NOT ": its parameters cannot be read" },
    { "attributes are not told", "abc", "a", .fails = "cuGraphKernelNodeGetAttribute" },
    { "a child is not told", "aBc", "c", .settings = "skip=1\n", .fails = "cuGraphChildGraphNodeGetGraph",
      .ran = "abc" },
    { "a child is not told again", "Abc", NULL, .fails = "cuGraphChildGraphNodeGetGraph", .behind = 1, .ran = "abc",
      .says = NOT_APART },
    { "nodes are not found", "abc", NULL, .fails = "cuGraphNodeFindInClone", .says = NOT_APART },
    { "a node that is off is not found", "abc", NULL, .settings = "skip=1\n", .change = OFF, .ran = "bc",
      .fails = "cuGraphNodeFindInClone", .behind = 4, .says = NOT_APART },
    { "a node cannot be off", "abc", NULL, .settings = "skip=1\n", .change = OFF, .ran = "bc",
      .fails = "cuGraphNodeSetEnabled", .behind = 1, .says = NOT_APART },
    { "nodes cannot be taken out", "abc", NULL, .fails = "cuGraphDestroyNode", .says = NOT_APART },
    { "parts cannot be made", "abc", NULL, .fails = "cuGraphInstantiateWithFlags", .behind = 1, .says = NOT_APART },
    { "a copy cannot be changed", "abc", NULL, .change = OTHER_PARAMS, .ran = "qbc",
      .fails = "cuGraphKernelNodeSetParams_v2", .says = NOT ": cuGraphExecKernelNodeSetParams_v2 was called" },
    { "what comes before cannot be launched", "abc", NULL, .settings = "skip=1\n", .ran = "", .fails = "cuGraphLaunch",
      .says = NOT ": what comes before it in its graph could not be launched", .result = CUDA_ERROR_UNKNOWN },
    { "the kernel cannot be launched", "abc", "b", .settings = "skip=1\n", .ran = "a", .fails = "cuGraphLaunch",
      .behind = 1, .result = CUDA_ERROR_UNKNOWN },
    { "what comes behind cannot be launched", "abc", "b", .settings = "skip=1\n", .ran = "ab", .fails = "cuGraphLaunch",
      .behind = 2, .result = CUDA_ERROR_UNKNOWN },
    { "an error from before", "abc", NULL, .fails = "cuCtxSynchronize", .says = NOT },
    { "an error behind it", "abc", "a", .fails = "cuCtxSynchronize", .behind = 1, .says = "ended with error 999" },
    { "it is not made", "abc", NULL, .fails = "cuGraphInstantiateWithFlags", .ran = "", .result = CUDA_ERROR_UNKNOWN },
};

#define KERNEL ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n"

static void change(const struct scenario *s, struct graph *g, CUgraphExec exec)
{
    const CUDA_KERNEL_NODE_PARAMS p = { .gridDimX = 'q' };
    const CUgraphNode first = (CUgraphNode)g->nodes[0];

    if (s->change == OFF || s->change == ON_AGAIN)
        cuGraphNodeSetEnabled(exec, first, 0);
    if (s->change == ON_AGAIN)
        cuGraphNodeSetEnabled(exec, first, 1);
    if (s->change == OTHER_PARAMS)
        cuGraphExecKernelNodeSetParams_v2(exec, first, &p);
    if (s->change == OTHER_CHILD)
        cuGraphExecChildGraphNodeSetParams(exec, (CUgraphNode)g->nodes[1], NULL);
    if (s->change == UPDATED)
        cuGraphExecUpdate(exec, (CUgraph)graph_of("def"), NULL, NULL);
    if (s->change == UPDATED_AND_CHANGED) {
        cuGraphExecUpdate_v2(exec, (CUgraph)graph_of("def"), NULL);
        cuGraphExecUpdate_v2(exec, (CUgraph)graph_of("def"), NULL);
        cuGraphNodeSetEnabled(exec, (CUgraphNode)((struct graph *)exec)->nodes[0], 1);
        cuGraphExecChildGraphNodeSetParams(exec, first, NULL);
    }
}

/* In a process of its own: prints what ran, and ends with 0 if the driver's answers are the program's. */
static bool program(const struct scenario *s, char *ran)
{
    struct graph *g = graph_of(s->graph);
    CUgraphExec exec = NULL;
    CUmodule m;
    CUfunction f;
    CUlibrary l;
    CUkernel k;
    CUresult result;

    driver = (struct driver){ .absent = s->absent, .fails = s->fails, .behind = s->behind };
    for (size_t i = 0; i < g->count; i++)
        if (g->nodes[i]->letter < 'a')
            g->nodes[i]->child = graph_of((char[]){ (char)(g->nodes[i]->letter + 'a' - 'A'), 0 });
    if (s->change == OF_LIBRARY) {
        if (cuLibraryLoadData(&l, KERNEL, NULL, NULL, 0, NULL, NULL, 0) || cuLibraryGetKernel(&k, l, "k"))
            return false;
    } else if (cuModuleLoadData(&m, KERNEL) || cuModuleGetFunction(&f, m, "k")) {
        return false;
    }
    result = cuGraphInstantiateWithFlags(&exec, (CUgraph)g, 0);
    if (s->change == DESTROYED) {
        result = cuGraphExecDestroy(exec);
        result = cuGraphInstantiateWithFlags(&exec, (CUgraph)g, 0);
    }
    if (result == CUDA_SUCCESS) {
        change(s, g, exec);
        result = cuGraphLaunch(exec, (CUstream)&stream_is);
    }
    snprintf(ran, 40, "%s", driver.ran);
    return result == s->result;
}

static void is_captured(const struct scenario *s, const char *path)
{
    struct capture c = { 0 };
    char error[200] = "";
    size_t size;
    char *bytes = ck_text_load(path, &size);

    if (!s->takes != !bytes)
        fail_msg("%s: a capture is %s", s->about, bytes ? "written" : "not written");
    if (!bytes)
        return;
    if (!capture_read(bytes, size, &c, error, sizeof error))
        fail_msg("%s: %s", s->about, error);
    if (c.grid[0] != (unsigned)*s->takes)
        fail_msg("%s: captured %c", s->about, (int)c.grid[0]);
    if (!s->fails) {
        assert_int_equal(c.cooperative, 1);
        assert_int_equal(c.cluster[0], 1);
    }
    capture_free(&c);
    free(bytes);
}

static void each_graph(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        const struct scenario *s = &scenarios[i];
        char folder[] = "/tmp/inject-graph-XXXXXX", out[100], said[100], settings[400], ran[40] = "";
        size_t size = 0;
        char *text;
        int status = 0, ends[2];
        pid_t child;

        assert_non_null(mkdtemp(folder));
        assert_int_equal(pipe(ends), 0);
        snprintf(out, sizeof out, "%s/capture", folder);
        snprintf(said, sizeof said, "%s/said", folder);
        snprintf(settings, sizeof settings, "out=%s\n%s", out, s->settings ? s->settings : "");
        setenv(INJECT_VARIABLE, settings, 1);
        child = fork();
        assert_true(child >= 0);
        if (!child)
            _exit(!freopen(said, "w", stderr) || !program(s, ran) || write(ends[1], ran, sizeof ran) < 1 ||
                  fflush(stderr));
        close(ends[1]);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status || read(ends[0], ran, sizeof ran) < 1)
            fail_msg("%s: status %d", s->about, status);
        close(ends[0]);
        if (strcmp(ran, s->ran ? s->ran : s->graph) != 0)
            fail_msg("%s: it ran '%s'", s->about, ran);
        text = ck_text_load(said, &size);
        if (!text || (s->says ? !strstr(text, s->says) : *text))
            fail_msg("%s: it says '%s'", s->about, text ? text : "");
        free(text);
        is_captured(s, out);
        unlink(out);
        unlink(said);
        rmdir(folder);
    }
    unsetenv(INJECT_VARIABLE);
}

/* ---- streams that are captured -------------------------------------------------------------------------------------
 */

/* While a stream is captured, nothing may wait for the device, and launches may be nodes. */
static void streams_that_are_captured(void **state)
{
    const CUstream s = (CUstream)&stream_is;
    CUgraph g;

    (void)state;
    driver = (struct driver){ 0 };
#define CAPTURES(begin, end, ...)                                                                                      \
    do {                                                                                                               \
        assert_int_equal(begin(__VA_ARGS__), CUDA_SUCCESS);                                                            \
        assert_true(inject_capturing());                                                                               \
        assert_int_equal(end(s, &g), CUDA_SUCCESS);                                                                    \
        assert_false(inject_capturing());                                                                              \
        driver.fails = #begin;                                                                                         \
        driver.behind = 0;                                                                                             \
        assert_int_equal(begin(__VA_ARGS__), CUDA_ERROR_UNKNOWN);                                                      \
        assert_false(inject_capturing());                                                                              \
        driver.fails = NULL;                                                                                           \
    } while (0)
    CAPTURES(cuStreamBeginCapture, cuStreamEndCapture, s);
    CAPTURES(cuStreamBeginCapture_ptsz, cuStreamEndCapture_ptsz, s);
    CAPTURES(cuStreamBeginCapture_v2, cuStreamEndCapture, s, CU_STREAM_CAPTURE_MODE_GLOBAL);
    CAPTURES(cuStreamBeginCapture_v2_ptsz, cuStreamEndCapture_ptsz, s, CU_STREAM_CAPTURE_MODE_GLOBAL);
    CAPTURES(cuStreamBeginCaptureToGraph, cuStreamEndCapture, s, NULL, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL);
    CAPTURES(cuStreamBeginCaptureToGraph_ptsz, cuStreamEndCapture, s, NULL, NULL, NULL, 0,
             CU_STREAM_CAPTURE_MODE_GLOBAL);

    /* An end that is none, and one that fails with the capture. */
    assert_int_equal(cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
    driver.fails = "cuStreamEndCapture";
    driver.behind = 0;
    assert_int_equal(cuStreamEndCapture(s, &g), CUDA_ERROR_UNKNOWN);
    assert_true(inject_capturing());
    driver.behind = 0;
    driver.capturing = false;
    assert_int_equal(cuStreamEndCapture(s, &g), CUDA_ERROR_UNKNOWN);
    assert_false(inject_capturing());
    driver.fails = NULL;
}

static void launches_while_a_stream_is_captured(void **state)
{
    const CUstream s = (CUstream)&stream_is;
    char out[] = "/tmp/inject-graph-XXXXXX", settings[100];
    const int file = mkstemp(out);
    struct graph *g = graph_of("a");
    CUmodule m;
    CUfunction f;
    CUgraph made;
    CUgraphExec exec;

    (void)state;
    assert_true(file >= 0);
    unlink(out);
    snprintf(settings, sizeof settings, "out=%s\n", out);
    setenv(INJECT_VARIABLE, settings, 1);
    driver = (struct driver){ 0 };
    assert_int_equal(cuModuleLoadData(&m, KERNEL), CUDA_SUCCESS);
    assert_int_equal(cuModuleGetFunction(&f, m, "k"), CUDA_SUCCESS);
    assert_int_equal(cuGraphInstantiate(&exec, (CUgraph)g, NULL, NULL, 0), CUDA_SUCCESS);
    assert_int_equal(cuGraphInstantiate_v2(&exec, (CUgraph)g, NULL, NULL, 0), CUDA_SUCCESS);
    assert_int_equal(cuGraphInstantiateWithParams(&exec, (CUgraph)g, NULL), CUDA_SUCCESS);
    assert_int_equal(cuGraphInstantiateWithParams_ptsz(&exec, (CUgraph)g, NULL), CUDA_SUCCESS);
    assert_int_equal(cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
    assert_int_equal(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL), CUDA_SUCCESS);
    assert_int_equal(cuGraphLaunch(exec, s), CUDA_SUCCESS);
    assert_int_equal(cuStreamEndCapture(s, &made), CUDA_SUCCESS);
    assert_string_equal(driver.ran, "!a");
    assert_int_not_equal(access(out, R_OK), 0);
    assert_int_equal(cuGraphLaunch_ptsz(exec, s), CUDA_SUCCESS);
    assert_string_equal(driver.ran, "!aa");
    assert_int_equal(access(out, R_OK), 0);
    assert_int_equal(cuGraphExecDestroy(exec), CUDA_SUCCESS);
    assert_int_equal(cuGraphExecDestroy(exec), CUDA_SUCCESS);
    close(file);
    unlink(out);
    unsetenv(INJECT_VARIABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_graph), cmocka_unit_test(streams_that_are_captured),
                                        cmocka_unit_test(launches_while_a_stream_is_captured) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
