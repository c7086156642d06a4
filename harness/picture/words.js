// Events in words.

const copyKinds = ['copy', 'reduction', 'tensor load', 'tensor store', 'arrival behind cp.async', 'store from registers', 'wgmma'];
const groupKinds = ['', 'cp.async', 'bulk', 'wgmma'];

const triple = (numbers) => numbers.join(',');

function ctaName(cta) {
    return 'CTA ' + triple(coordinates(cta, data.grid));
}

function threadName(thread) {
    return 'thread ' + triple(coordinates(thread % threadsOfCta, data.block)) + ' of ' + ctaName(ctaOf(thread));
}

// "0-3, 8": the threads of a lane by their indices in the CTA.
function ranges(threads) {
    const out = [];
    for (const t of threads.map((thread) => thread % threadsOfCta)) {
        const last = out[out.length - 1];
        if (last && last[1] === t - 1)
            last[1] = t;
        else
            out.push([t, t]);
    }
    const words = out.slice(0, 4).map(([a, b]) => a === b ? String(a) : a + '–' + b);
    return words.join(', ') + (out.length > 4 ? ', …' : '');
}

// The variable of the kernel that holds a byte of shared memory.
function variableAt(offset) {
    const v = data.variables.find(([, at, size]) => offset >= at && offset < at + size);
    return v ? v[0] + (offset > v[1] ? ' + ' + (offset - v[1]) : '') : null;
}

function placeName(space, offset) {
    if (space < 0)
        return data.buffers[-1 - space] + ' at ' + offset;
    const variable = variableAt(offset);
    return 'shared memory of ' + ctaName(space) + ' at ' + offset + (variable ? ' (' + variable + ')' : '');
}

function mbarrierName(cta, offset) {
    const variable = variableAt(offset);
    return 'mbarrier ' + (variable ? variable + ' ' : '') + 'at ' + offset + ' of ' + ctaName(cta);
}

function copyWords(copy) {
    let words = copyKinds[copy.kind] + ' ' + copy.number;
    if (copy.kind !== 4 && copy.kind !== 6)
        words += ': ' + copy.bytes + ' bytes';
    if (copy.from >= 0)
        words += ' from ' + placeName(copy.fromSpace, copy.from);
    if (copy.to >= 0)
        words += ' to ' + placeName(copy.toSpace, copy.to);
    if (copy.tile)
        words += ', ' + copy.tile;
    if (copy.swizzle)
        words += ', swizzle ' + data.swizzles[copy.swizzle].name;
    if (copy.multicast)
        words += ', multicast to ' + copy.targets.length + ' CTAs';
    if (copy.group)
        words += ', ' + groupKinds[copy.group] + ' group ' + copy.groupNumber;
    if (copy.bar >= 0)
        words += ', signals the ' + mbarrierName(copy.barCta, copy.bar);
    return words;
}

const ofCopy = (number) => copies.has(number) ? copyWords(copies.get(number)) : 'copy ' + number + ', issued in a part left out';

const barrierName = (number) => number < 0 ? 'the barrier of the cluster' : 'barrier ' + number;

const told = {
    'access': (n) => ['reads', 'writes', 'changes by an atomic'][n[0]] + ' ' + n[3] + ' bytes: ' + placeName(n[1], n[2]),
    'issue': (n) => 'issues ' + ofCopy(n[0]),
    'map': (n) => 'the copy uses a tensor map: ' + ofCopy(n[0]),
    'source-read': (n) => 'the source has been read, and may change from here on: ' + ofCopy(n[0]),
    'landing': (n) => (copies.has(n[0]) && copies.get(n[0]).kind === 6 ? 'the result is in its registers: ' : 'the bytes are at their destination: ') + ofCopy(n[0]),
    'signal': (n) => 'signals the ' + mbarrierName(n[1], n[2]) + ': ' + ofCopy(n[0]),
    'init': (n) => 'makes the ' + mbarrierName(n[0], n[1]) + ', for ' + n[2] + ' arrivals in a phase',
    'inval': (n) => 'ends the ' + mbarrierName(n[0], n[1]),
    'arrival': (n) => 'arrives ' + n[3] + ' time' + (n[3] === 1 ? '' : 's') + ' at phase ' + n[2] + ' of the ' + mbarrierName(n[0], n[1]),
    'expect': (n) => 'expects ' + n[3] + ' bytes more in phase ' + n[2] + ' of the ' + mbarrierName(n[0], n[1]),
    'delivery': (n) => n[3] + ' bytes are delivered to phase ' + n[2] + ' of the ' + mbarrierName(n[0], n[1]),
    'phase': (n) => 'phase ' + n[2] + ' of the ' + mbarrierName(n[0], n[1]) + ' is complete',
    'wait': (n) => (n[3] ? 'has waited, and goes on' : 'waits, so far in vain') + ': ' + mbarrierName(n[0], n[1]) + ', phase ' + n[2] + ' is current',
    'group': (n) => (n[0] ? 'waits until ' + (n[0] === 2 ? 'the sources are read of ' : '') + 'all but ' + n[2] + ' ' : 'commits a group of ') + ['', 'cp.async', 'bulk copies', 'wgmma'][n[1]] + (n[0] ? ' groups are complete' : ''),
    'fence': (n) => ['memory fence', 'fence.mbarrier_init', 'proxy fence', 'wgmma.fence'][n[0]],
    'barrier': (n) => ['arrives at ', 'completes ', 'goes on behind '][n[0]] + barrierName(n[1]),
    'meet': (n) => 'meets ' + n[0] + ' threads of its warp (bar.warp.sync)',
    'fault': () => 'this instruction breaks a rule',
    'stuck': () => 'no thread can go on',
    'cluster-end': (n) => 'the cluster of ' + ctaName(n[0]) + ' has ended',
    'gap': (n) => n[0] + ' events are left out here',
    'end': () => 'the launch has ended',
};

// What event i is, in one sentence.
function describe(i) {
    const e = data.events[i], what = told[data.kinds[e[KIND]]](e.slice(FIRST));
    return (e[THREAD] >= 0 ? threadName(e[THREAD]) + ': ' : '') + what;
}

function stateWords(s) {
    if (!s)
        return 'not made yet';
    if (!s.alive)
        return 'ended';
    return 'phase ' + s.phase + ' (parity ' + s.phase % 2 + '), ' + s.pending + ' of ' + s.need + ' arrivals pending, ' +
        (s.tx < 0 ? -s.tx + ' bytes delivered beyond those expected' : s.tx + ' bytes expected');
}
