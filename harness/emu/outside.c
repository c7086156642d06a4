/* What a machine keeps of a launch is put aside while the launch waits. */
#include "harness/emu/outside.h"

#include "harness/emu/judge/judge.h"
#include "harness/emu/machine/children.h"
#include "harness/emu/machine/findings.h"

/* What is the launch's of `e` goes to `own`, and a machine without a launch remains. */
static void put_aside(struct emu *e, struct emu *own)
{
    own->options = e->options;
    own->findings = e->findings;
    own->children = e->children;
    own->before = e->before;
    own->last = e->last;
    own->prior = e->prior;
    own->kept = e->kept;
    own->lost = e->lost;
    e->findings = (struct emu_findings){ 0 };
    e->children = NULL;
    e->before = e->last = NULL;
    e->prior = NULL;
    e->kept = NULL;
    e->lost = false;
}

/* No launch is on the machine: those that ran have ended, or are put aside themselves. */
static void take_back(struct emu *e, const struct emu *own)
{
    judge_forget(e);
    emu_children_free(e);
    emu_findings_free(&e->findings);
    e->options = own->options;
    e->findings = own->findings;
    e->children = own->children;
    e->before = own->before;
    e->last = own->last;
    e->prior = own->prior;
    e->kept = own->kept;
    e->lost = own->lost;
}

static bool wait_outside(bool got_on, void *state)
{
    const struct emu_outside *o = state;
    struct emu own;
    bool more;

    put_aside(o->machine, &own);
    more = o->call(got_on, o->state);
    take_back(o->machine, &own);
    return more;
}

void emu_outside_begin(struct emu_outside *o, struct emu *e)
{
    *o = (struct emu_outside){ e, e->options.outside, e->options.outside_state };
    if (!o->call)
        return;
    e->options.outside = wait_outside;
    e->options.outside_state = o;
}
// SPDX-License-Identifier: Apache-2.0
