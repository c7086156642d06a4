// The launch: what the page's JSON says, and what follows from it. docs/check.md has the words.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const kindOf = {};
data.kinds.forEach((name, number) => { kindOf[name] = number; });

// Where the numbers of an event begin: [kind, step, thread or -1, instruction or -1, numbers...].
const KIND = 0, STEP = 1, THREAD = 2, INSTRUCTION = 3, FIRST = 4;

// Variables by their names in CUDA: the last part of a mangled name, "10transposed" of _ZZ1kvE10transposed.
for (const variable of data.variables) {
    const mangled = variable[0].startsWith('_Z') ? variable[0] : '';
    for (let at = 2; at < mangled.length; at++) {
        const length = /^[0-9]+/.exec(mangled.slice(at));
        if (length && mangled.length === at + length[0].length + Number(length[0])) {
            variable[0] = mangled.slice(at + length[0].length);
            break;
        }
    }
}

const threadsOfCta = data.block[0] * data.block[1] * data.block[2];

// ---- threads, CTAs, clusters ----

const ctaOf = (thread) => Math.floor(thread / threadsOfCta);

function coordinates(number, extent) {
    return [number % extent[0], Math.floor(number / extent[0]) % extent[1], Math.floor(number / extent[0] / extent[1])];
}

const clusterGrid = data.grid.map((n, i) => n / data.cluster[i]);

function clusterOf(cta) {
    const at = coordinates(cta, data.grid).map((n, i) => Math.floor(n / data.cluster[i]));
    return at[0] + clusterGrid[0] * (at[1] + clusterGrid[1] * at[2]);
}

// The CTAs of a cluster, by rank.
function ctasOf(cluster) {
    const at = coordinates(cluster, clusterGrid), all = [];
    for (let rank = 0; rank < data.cluster[0] * data.cluster[1] * data.cluster[2]; rank++) {
        const c = coordinates(rank, data.cluster).map((n, i) => n + at[i] * data.cluster[i]);
        all.push(c[0] + data.grid[0] * (c[1] + data.grid[1] * c[2]));
    }
    return all;
}

// ---- copies ----

const copies = new Map(); // by number
// Copies of each thread that nobody has waited for.
const unwaited = new Map();

function newCopy(event, i) {
    const [number, kind, fromSpace, from, toSpace, to, bytes, span, multicast, group, groupNumber, barCta, bar, swizzle,
        tile] = event.slice(FIRST);
    const cta = ctaOf(event[THREAD]);
    const copy = { number, kind, fromSpace, from, toSpace, to, bytes, span, multicast, group, groupNumber, barCta, bar,
        swizzle, tile, thread: event[THREAD], instruction: event[INSTRUCTION], issue: i, read: -1, landed: -1, waited: -1,
        waiter: -1, waitedIn: new Map(), targets: [] };
    if (to >= 0 && toSpace >= 0)
        copy.targets = multicast ? ctasOf(clusterOf(cta)).filter((c, rank) => multicast >> rank & 1) : [toSpace];
    copies.set(number, copy);
    if (!unwaited.has(copy.thread))
        unwaited.set(copy.thread, []);
    unwaited.get(copy.thread).push(copy);
    return copy;
}

// A thread has waited for a copy: of a multicast for the part in one CTA.
function waitFor(copy, i, thread, cta) {
    const list = unwaited.get(copy.thread);
    if (cta >= 0 && copy.targets.length > 1) {
        if (!copy.waitedIn.has(cta))
            copy.waitedIn.set(cta, { event: i, thread });
        if (copy.waitedIn.size < copy.targets.length)
            return;
    }
    copy.waited = i;
    copy.waiter = thread;
    if (copy.kind === 4) // the arrival comes behind all cp.async that its thread had issued
        list.filter((c) => c.group === 1 && c.issue < copy.issue && c.waited < 0).forEach((c) => {
            c.waited = i;
            c.waiter = thread;
        });
    unwaited.set(copy.thread, list.filter((c) => c.waited < 0));
}

// Where the part of a copy in this CTA was first waited for: { event, thread }; event -1: nowhere.
function waitOf(copy, cta) {
    return copy.waitedIn.get(cta) || { event: copy.waited, thread: copy.waiter };
}

// ---- mbarriers ----

const mbarriers = new Map(); // by CTA and offset

function mbarrierAt(cta, offset) {
    const key = cta + ':' + offset;
    if (!mbarriers.has(key))
        mbarriers.set(key, { cta, offset, events: [], states: [], signalled: [] });
    return mbarriers.get(key);
}

function mbarrierStep(m, i, state) {
    const before = m.states.length ? m.states[m.states.length - 1] :
        { alive: true, phase: 0, pending: 0, tx: 0, need: 0 };
    const after = Object.assign({}, before, state);
    if (m.states.length && Object.keys(after).every((key) => after[key] === before[key]))
        return;
    m.events.push(i);
    m.states.push(after);
}

// The number of the last entry of a sorted list that is not above `most`; -1 where there is none.
function lastUpTo(list, most) {
    let low = 0, high = list.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (list[middle] <= most)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

// What an mbarrier is after event i; null before its first event.
function mbarrierState(m, i) {
    const k = lastUpTo(m.events, i);
    return k < 0 ? null : m.states[k];
}

function waited(m, e, i) {
    const [, , phase, done] = e.slice(FIRST);
    mbarrierStep(m, i, { phase });
    if (!done)
        return;
    m.signalled.filter((s) => s.phase < phase).forEach((s) => waitFor(s.copy, i, e[THREAD], m.cta));
    m.signalled = m.signalled.filter((s) => s.phase >= phase);
}

// ---- events in order ----

let signalling = null; // the copy whose delivery comes next
let lastGap = -1; // the last event that says that some are left out
const gaps = []; // all of them

const steps = {
    'issue': (e, i) => newCopy(e, i),
    'source-read': (e, i, n) => { if (copies.has(n[0])) copies.get(n[0]).read = i; },
    'landing': (e, i, n) => {
        const copy = copies.get(n[0]);
        if (copy) {
            copy.landed = i;
            copy.read = copy.read < 0 ? i : copy.read;
        }
    },
    'signal': (e, i, n) => { signalling = copies.get(n[0]) || null; },
    'gap': (e, i) => {
        lastGap = i;
        gaps.push(i);
    },
    'init': (e, i, n) => mbarrierStep(mbarrierAt(n[0], n[1]), i, { alive: true, phase: 0, pending: n[2], tx: 0, need: n[2] }),
    'inval': (e, i, n) => mbarrierStep(mbarrierAt(n[0], n[1]), i, { alive: false }),
    'arrival': (e, i, n) => counted(e, i, n, -n[3], 0),
    'expect': (e, i, n) => counted(e, i, n, 0, n[3]),
    'delivery': (e, i, n) => counted(e, i, n, 0, -n[3]),
    'phase': (e, i, n) => mbarrierStep(mbarrierAt(n[0], n[1]), i, { phase: n[2] + 1, pending: n[3], tx: 0, need: n[3] }),
    'wait': (e, i, n) => waited(mbarrierAt(n[0], n[1]), e, i),
    'group': (e, i, n) => {
        if (n[0] !== 1)
            return;
        (unwaited.get(e[THREAD]) || []).filter((c) => c.group === n[1] && c.groupNumber < n[3])
            .forEach((c) => waitFor(c, i, e[THREAD], -1));
    },
};

// Arrivals or bytes are counted. What the event says of the counts before it is needed only where events are left out:
// an arrival that also expects bytes is two events of one change.
function counted(e, i, n, pending, tx) {
    const m = mbarrierAt(n[0], n[1]), last = m.states[m.states.length - 1];
    const known = last && last.phase === n[2] && m.events[m.events.length - 1] > lastGap;
    mbarrierStep(m, i, { alive: true, phase: n[2], pending: (known ? last.pending : n[4]) + pending, tx: (known ? last.tx : n[5]) + tx });
    if (signalling && signalling.thread === e[THREAD]) {
        m.signalled.push({ copy: signalling, phase: n[2] });
    }
    signalling = null;
}

const clusterOfEvent = (e) => e[THREAD] >= 0 ? clusterOf(ctaOf(e[THREAD])) :
    e[KIND] === kindOf['cluster-end'] ? clusterOf(e[FIRST]) : -1;
const named = data.kinds.map((name) => steps[name]);
data.events.forEach((e, i) => { if (named[e[KIND]]) named[e[KIND]](e, i, e.slice(FIRST)); });

// Where events are left out it is not known what became of a copy that was in flight, or not waited for: `lost` is that
// event, -1 where there is none.
for (const copy of copies.values()) {
    const since = copy.landed < 0 ? copy.issue : copy.waited < 0 ? copy.landed : Infinity;
    const gap = gaps.find((i) => i > since);
    copy.lost = gap === undefined ? -1 : gap;
}

// What is known of a copy after event i: '' before its issue, 'pending', 'landed', 'waited', 'lost'. `cta`: of a multicast,
// the part in this CTA.
function stateOf(copy, i, cta) {
    const wait = waitOf(copy, cta).event;
    if (copy.issue > i)
        return '';
    if (copy.lost >= 0 && copy.lost <= i)
        return wait >= 0 && wait <= i ? 'waited' : 'lost';
    return copy.landed < 0 || copy.landed > i ? 'pending' : wait < 0 || wait > i ? 'landed' : 'waited';
}

// ---- lanes: threads of a warp that do the same ----

// What a thread does itself, and not what its copies do later.
const own = new Set(['access', 'issue', 'init', 'inval', 'arrival', 'expect', 'wait', 'group', 'fence', 'barrier', 'meet', 'fault']
    .map((name) => kindOf[name]));
const plain = new Set([kindOf.access, kindOf.meet]);
const atFault = new Set();
data.findings.forEach((f) => [f.here, f.there].forEach((p) => { if (p) atFault.add(p.thread); }));

function threadsOf(events) {
    const threads = new Map();
    for (const i of events) {
        const e = data.events[i];
        if (e[THREAD] < 0)
            continue;
        if (!threads.has(e[THREAD]))
            threads.set(e[THREAD], { hash: 0, count: 0, matters: atFault.has(e[THREAD]) });
        const t = threads.get(e[THREAD]);
        if (!own.has(e[KIND]) || (e[KIND] === kindOf.barrier && e[FIRST] === 1) ||
            (e[KIND] === kindOf.wait && !e[FIRST + 3]))
            continue;
        t.hash = (Math.imul(t.hash, 1000003) + e[KIND] * 131 + e[INSTRUCTION]) | 0;
        t.count++;
        t.matters = t.matters || !plain.has(e[KIND]);
    }
    return threads;
}

function lanesOf(events) {
    const threads = threadsOf(events), lanes = new Map(), laneOf = new Map();
    let folded = 0;
    for (const thread of [...threads.keys()].sort((a, b) => a - b)) {
        const t = threads.get(thread), warp = Math.floor(thread % threadsOfCta / 32);
        const key = [ctaOf(thread), warp, t.hash, t.count].join(':');
        if (!t.matters) {
            folded++;
            continue;
        }
        if (!lanes.has(key))
            lanes.set(key, { cta: ctaOf(thread), warp, threads: [] });
        lanes.get(key).threads.push(thread);
        laneOf.set(thread, lanes.get(key));
    }
    return { lanes: [...lanes.values()], laneOf, folded };
}

// ---- bars: the copies that a lane issues by one instruction at the same turn ----

// Ranges of events, those that meet made one.
function merged(ranges) {
    const out = [];
    for (const [from, to] of ranges.filter((r) => r[1] > r[0]).sort((a, b) => a[0] - b[0])) {
        const last = out[out.length - 1];
        if (last && from <= last[1])
            last[1] = Math.max(last[1], to);
        else
            out.push([from, to]);
    }
    return out;
}

function barsOf(view) {
    const bars = new Map(), turns = new Map();
    for (const copy of copies.values()) {
        const lane = view.laneOf.get(copy.thread);
        if (!lane)
            continue;
        const turnKey = copy.thread + ':' + copy.instruction, turn = turns.get(turnKey) || 0;
        turns.set(turnKey, turn + 1);
        const key = [lane.threads[0], copy.instruction, turn].join(':');
        if (!bars.has(key))
            bars.set(key, { lane, instruction: copy.instruction, copies: [] });
        bars.get(key).copies.push(copy);
    }
    const all = [...bars.values()], end = view.events.length;
    const at = (i, c) => i >= 0 ? view.at(i) : c.lost >= 0 ? view.at(c.lost) : end;
    for (const b of all) {
        b.first = view.at(b.copies[0].issue);
        b.pending = merged(b.copies.map((c) => [view.at(c.issue), at(c.landed, c)]));
        b.landed = merged(b.copies.filter((c) => c.landed >= 0).map((c) => [at(c.landed, c), at(c.kind === 4 && c.waited < 0 ? c.landed : c.waited, c)]));
        b.reads = b.copies.filter((c) => c.read >= 0 && c.read !== c.landed).map((c) => view.at(c.read));
        b.end = Math.max(...b.pending.concat(b.landed).map((range) => range[1]));
    }
    return all.sort((a, b) => a.first - b.first);
}

// Gives each bar of a CTA the first track that is free; `next` is where the track's next bar begins.
function pack(bars) {
    const lasts = [];
    for (const b of bars) {
        let track = lasts.findIndex((last) => last.end < b.first);
        if (track < 0)
            track = lasts.length;
        else
            lasts[track].next = b.first;
        lasts[track] = b;
        b.track = track;
        b.next = Infinity;
    }
    return lasts.length;
}

// ---- views: what is shown at a time, a cluster ----

const views = new Map();

function viewOf(cluster) {
    if (views.has(cluster))
        return views.get(cluster);
    const view = { cluster, ctas: ctasOf(cluster), events: [] };
    data.events.forEach((e, i) => {
        const c = clusterOfEvent(e);
        if (c === cluster || c < 0)
            view.events.push(i);
    });
    view.at = (i) => Math.max(0, lastUpTo(view.events, i));
    Object.assign(view, lanesOf(view.events));
    view.bars = barsOf(view);
    view.copies = [...copies.values()].filter((c) => clusterOf(ctaOf(c.thread)) === cluster);
    view.blocks = view.ctas.map((cta) => {
        const bars = view.bars.filter((b) => b.lane.cta === cta);
        return { cta, bars, tracks: pack(bars), lanes: view.lanes.filter((l) => l.cta === cta),
            mbarriers: [...mbarriers.values()].filter((m) => m.cta === cta).sort((a, b) => a.offset - b.offset) };
    });
    view.gaps = [];
    view.events.forEach((i, p) => { if (data.events[i][KIND] === kindOf.gap) view.gaps.push(p); });
    views.set(cluster, view);
    return view;
}

const clusters = [...new Set(data.events.map(clusterOfEvent))].filter((c) => c >= 0).sort((a, b) => a - b);
const leaders = data.findings.filter((f, k) => f.leader === k);
