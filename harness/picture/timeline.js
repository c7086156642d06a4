// The timeline: lanes, copies and mbarriers over the events that are in view. Only these are drawn.

const SVG = 'http://www.w3.org/2000/svg';

function element(name, attributes, ...children) {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes)
        made.setAttribute(key, attributes[key]);
    for (const child of children)
        made.append(child);
    return made;
}

const text = (x, y, words, more) => element('text', Object.assign({ x, y }, more), words);
const title = (words) => element('title', {}, words);

// Hatches, so that nothing hangs on colour alone.
function patterns() {
    const hatch = (id, paper, ink, path) => element('pattern', { id, width: 8, height: 8, patternUnits: 'userSpaceOnUse' },
        element('rect', { width: 8, height: 8, fill: paper }), element('path', { d: path, stroke: ink, 'stroke-width': 1.4, fill: 'none' }));
    return element('defs', {},
        hatch('pending', '#fff1cc', '#7a5200', 'M-2,2 l4,-4 M0,8 l8,-8 M6,10 l4,-4'),
        hatch('landed', '#d3e5f7', '#1c5a94', 'M2,2 h1 M6,6 h1 M6,2 h1 M2,6 h1'),
        hatch('waited', '#d5efdb', '#d5efdb', 'M0,0'),
        hatch('lost', '#ffffff', '#767c85', 'M0,0 l8,8 M0,8 l8,-8'),
        hatch('stored', '#e9e9ec', '#e9e9ec', 'M0,0'),
        hatch('mbarrier', '#f3def0', '#7b2c70', 'M0,4 h8'),
        hatch('odd', '#e4e8ee', '#aab3bf', 'M0,8 l8,-8'));
}

// What is drawn for an event on its thread's lane: a shape, a letter, filled or not.
const marks = {
    'access': (n) => ['none', 'rwa'[n[0]], false],
    'issue': () => ['triangle', '', true],
    'init': () => ['diamond', 'i', false],
    'inval': () => ['diamond', 'x', false],
    'arrival': () => ['diamond', 'a', false],
    'expect': () => ['diamond', 'e', false],
    'wait': (n) => ['circle', 'w', n[3] === 1],
    'group': (n) => ['square', n[0] ? 'g' : 'c', n[0] > 0],
    'fence': () => ['bar', 'f', true],
    'barrier': (n) => n[0] === 1 ? null : ['hexagon', 'b', n[0] === 2],
    'meet': () => ['none', 'm', false],
    'fault': () => ['none', '!', false],
};

function shape(name, x, y, r, filled) {
    const paint = { fill: filled ? '#16191d' : '#ffffff', stroke: '#16191d', 'stroke-width': 1.2 };
    const points = {
        'triangle': [[-r, -r], [r, 0], [-r, r]],
        'diamond': [[0, -r - 1], [r + 1, 0], [0, r + 1], [-r - 1, 0]],
        'square': [[-r, -r], [r, -r], [r, r], [-r, r]],
        'bar': [[-r * 0.6, -8], [r * 0.6, -8], [r * 0.6, 8], [-r * 0.6, 8]],
        'hexagon': [[-r, 0], [-r / 2, -r - 1], [r / 2, -r - 1], [r, 0], [r / 2, r + 1], [-r / 2, r + 1]],
    }[name];
    if (name === 'circle')
        return element('circle', Object.assign({ cx: x, cy: y, r }, paint));
    return element('polygon', Object.assign({ points: points.map(([a, b]) => (x + a) + ',' + (y + b)).join(' ') }, paint));
}

function glyph(mark, x, y, width) {
    const [name, letter, filled] = mark, r = Math.min(6, width / 2 - 0.5), g = element('g', {});
    if (name !== 'none' && r > 1)
        g.append(shape(name, x, y, r, filled));
    else if (r <= 1)
        g.append(element('path', { d: 'M' + x + ',' + (y - 5) + 'v10', stroke: '#16191d' }));
    if (letter && width >= 11)
        g.append(text(x, y + 3.5, letter, { 'text-anchor': 'middle', class: filled ? 'light' : '' }));
    return g;
}

// Pixels: the names at the left, a lane, a track of copies, an mbarrier's two lines, the row of findings.
const LABELS = 230, LANE = 18, TRACK = 14, STRIP = 30, RULER = 24, LANES_MOST = 160, TRACKS_MOST = 60;
const WIDTHS = [3, 6, 12, 16, 24, 40, 64];

// Pixels: of a narrow page more than it has, and the timeline scrolls.
const widthOf = (timeline) => Math.max(480, timeline.clientWidth - 2);

// How many events are in view.
function columnsOf(width, column) {
    return Math.max(8, Math.floor((width - LABELS - 12) / column));
}

function laneName(lane) {
    const all = Math.min(32, threadsOfCta - lane.warp * 32);
    return 'warp ' + lane.warp + (lane.threads.length === all && all > 1 ? ', all ' + all + ' threads' :
        ', thread' + (lane.threads.length > 1 ? 's ' : ' ') + ranges(lane.threads));
}

// The number and the bytes of a bar's first copy: inside its first part in view where that is long enough, else behind.
function drawBarName(g, b, x, y, box) {
    const words = (b.copies.length > 1 ? b.copies.length + '× ' : '') + '#' + b.copies[0].number + (b.copies[0].kind === 4 ? ' arrive' : b.copies[0].kind === 6 ? ' ' + b.copies[0].tile : ' ' + b.copies[0].bytes + ' B');
    const part = b.pending.find((range) => range[1] > box.from && range[0] <= box.to), wide = 6.9 * words.length + 2;
    if (!part)
        return;
    if (x(part[1]) - x(part[0]) > wide + 24) {
        g.append(element('rect', { x: x(part[0]) + 2, y: y + 2, width: wide, height: TRACK - 5, fill: '#ffffff' }));
        g.append(text(x(part[0]) + 4, y + 10.5, words));
        return;
    }
    const end = b.landed.filter((range) => range[0] <= part[1]).reduce((most, range) => Math.max(most, range[1]), part[1]);
    const free = Math.min(b.next, ...b.pending.map((range) => range[0] > end ? range[0] : Infinity));
    if (end < box.to && (free > box.to || x(free) - x(end) > wide + 6)) {
        g.append(element('rect', { x: x(end) + 3, y: y + 2, width: wide, height: TRACK - 5, fill: '#ffffff' }));
        g.append(text(x(end) + 4, y + 10.5, words));
    }
}

function drawBar(box, b, y) {
    const from = Math.max(b.first, box.from), to = Math.min(b.end, box.to);
    const g = element('g', {}), x = (p) => box.x(Math.min(Math.max(p, box.from), box.to));
    const part = ([a, z], fill, height, dy) => {
        if (a <= box.to && z > box.from)
            g.append(element('rect', { x: x(a), y: y + dy, width: Math.max(1, x(z) - x(a)), height, fill: 'url(#' + fill + ')', stroke: '#16191d', 'stroke-width': 0.8 }));
    };
    if (to < from)
        return;
    if (b.copies.length > 1) // of several threads: from the first to the last
        g.append(element('path', { d: 'M' + x(from) + ',' + (y + TRACK / 2) + 'H' + x(to), stroke: '#767c85' }));
    b.landed.forEach((range) => part(range, 'landed', TRACK - 8, 4));
    b.pending.forEach((range) => part(range, 'pending', TRACK - 3, 1));
    b.reads.filter((p) => p >= box.from && p <= box.to).forEach((p) =>
        g.append(element('path', { d: 'M' + x(p) + ',' + y + 'v' + TRACK, stroke: '#16191d', 'stroke-width': 2 })));
    drawBarName(g, b, x, y, box);
    g.append(title(copyWords(b.copies[0]) + (b.copies.length > 1 ? ', and ' + (b.copies.length - 1) + ' more by other threads of the lane' : '')));
    box.svg.append(g);
}

function drawMbarrier(box, m, y) {
    const at = m.events.map((i) => box.view.at(i));
    box.svg.append(text(4, y + 18, 'mbarrier ' + (variableAt(m.offset) || m.offset)));
    for (let k = Math.max(0, lastUpTo(at, box.from)); k < at.length && at[k] <= box.to; k++) {
        const s = m.states[k], from = box.x(Math.max(at[k], box.from)), to = box.x(Math.min(k + 1 < at.length ? at[k + 1] : box.to, box.to));
        if (!s.alive)
            continue;
        const fill = s.phase % 2 ? 'url(#odd)' : '#ffffff', width = Math.max(to - from, 0.5);
        const g = element('g', {}, element('rect', { x: from, y: y + 2, width, height: STRIP - 5, fill }));
        g.append(element('path', { d: 'M' + from + ',' + (y + 2) + 'h' + width + 'm0,' + (STRIP - 5) + 'h' + -width, stroke: '#16191d', fill: 'none' }));
        if (!k || m.states[k - 1].phase !== s.phase)
            g.append(element('path', { d: 'M' + from + ',' + (y + 2) + 'v' + (STRIP - 5), stroke: '#16191d', 'stroke-width': 2 }));
        const lines = ['phase ' + s.phase + ': ' + s.pending + ' pending', s.tx + ' B to come'];
        const short = ['p' + s.phase + ' ' + s.pending + '▲', s.tx + ' B'];
        const shown = [lines, short].find((l) => width > 6.8 * Math.max(l[0].length, l[1].length) + 2);
        if (shown)
            shown.forEach((line, n) => g.append(text(from + 3, y + 13 + 11 * n, line)));
        g.append(title(stateWords(s)));
        box.svg.append(g);
    }
}

function drawLanes(box, block, y) {
    const rows = new Map(), shown = block.lanes.slice(0, LANES_MOST);
    shown.forEach((lane, k) => {
        rows.set(lane, y + k * LANE + LANE / 2);
        box.svg.append(element('path', { d: 'M' + LABELS + ',' + (y + k * LANE + LANE / 2) + 'H' + box.width, stroke: '#c9cdd3' }));
        box.svg.append(text(4, y + k * LANE + 13, laneName(lane)));
    });
    for (let p = box.from; p <= box.to; p++) {
        const e = data.events[box.view.events[p]], mark = e[THREAD] >= 0 && ctaOf(e[THREAD]) === block.cta ? marks[data.kinds[e[KIND]]] : null;
        const row = mark && own.has(e[KIND]) ? rows.get(box.view.laneOf.get(e[THREAD])) : undefined;
        const drawn = row === undefined ? null : mark(e.slice(FIRST));
        if (drawn)
            box.svg.append(glyph(drawn, box.x(p) + box.column / 2, row, box.column));
        else if (e[KIND] === kindOf.barrier && e[FIRST] === 1 && e[THREAD] >= 0 && ctaOf(e[THREAD]) === block.cta)
            box.svg.append(element('path', { d: 'M' + (box.x(p) + box.column / 2) + ',' + y + 'v' + shown.length * LANE, stroke: '#16191d', 'stroke-width': 2, 'stroke-dasharray': '6 2' }));
    }
    return { rows, height: shown.length * LANE };
}

// An access of the finding that lies before what is in view: at the left end of its lane.
function drawBefore(box, rows, e) {
    const row = rows.get(box.view.laneOf.get(e[THREAD])), mark = marks[data.kinds[e[KIND]]], x = LABELS - 12;
    if (row === undefined || !mark)
        return;
    box.svg.append(element('rect', { x: x - 10, y: row - LANE / 2, width: 22, height: LANE, fill: '#ffffff' }),
        element('path', { d: 'M' + x + ',' + (RULER - 8) + 'V' + (row - 9), stroke: '#9c0006', 'stroke-width': 2, 'stroke-dasharray': '3 3' }),
        glyph(mark(e.slice(FIRST)) || ['none', '', false], x, row, 16),
        element('circle', { cx: x, cy: row, r: 9, fill: 'none', stroke: '#9c0006', 'stroke-width': 2.5 }));
}

// The events of findings: where one was named, and its two accesses.
function drawFindings(box, rows) {
    const point = (i, label, strong) => {
        const p = box.view.at(i);
        if (i < 0 || box.view.events[p] !== i || p < box.from || p > box.to)
            return;
        const x = box.x(p) + box.column / 2;
        const row = rows.get(box.view.laneOf.get(data.events[i][THREAD]));
        box.svg.append(element('path', { d: 'M' + x + ',' + (RULER - 4) + 'V' + (row === undefined ? box.height : row - 9), stroke: '#9c0006', 'stroke-width': 2, 'stroke-dasharray': strong ? '' : '3 3' }));
        if (row !== undefined)
            box.svg.append(element('circle', { cx: x, cy: row, r: 9, fill: 'none', stroke: '#9c0006', 'stroke-width': 2.5 }));
        const wide = 7 * label.length + 6, left = label[0] === '!' ? Math.min(x - 3, box.width - wide - 2) : x - 7 * label.length; // the accesses come before
        box.svg.append(element('rect', { x: left, y: 1, width: wide, height: 14, fill: '#9c0006' }));
        box.svg.append(text(left + 3, 12, label, { class: 'light strong' }));
    };
    const f = box.finding;
    if (!f)
        return;
    const before = [['other', f.there], ['here', f.here]].filter(([, access]) => {
        const p = access && access.event >= 0 ? box.view.at(access.event) : -1;
        return p >= 0 && p < box.from && box.view.events[p] === access.event;
    });
    before.forEach(([, access]) => drawBefore(box, rows, data.events[access.event]));
    if (before.length)
        box.svg.append(text(LABELS, 12, '◀ ' + before.map(([label, access]) => label + ' at step ' + (box.view.at(access.event) + 1)).join(', '), { class: 'strong' }));
    if (f.there)
        point(f.there.event, 'other', false);
    if (f.here && f.here.event !== eventOfFinding(f))
        point(f.here.event, 'here', true);
    point(eventOfFinding(f), '! ' + (f.rule || 'finding'), true);
}

// Draws the events from..to of a view with the cursor at `cursor`; `finding` is marked.
function drawTimeline(into, view, from, column, cursor, finding) {
    const width = widthOf(into), count = columnsOf(width, column);
    const box = { view, from, to: Math.min(view.events.length - 1, from + count - 1), column, width, finding,
        x: (p) => LABELS + (p - from) * column, svg: element('svg', { width, role: 'img', 'aria-label': 'Threads, copies and mbarriers around this step; the tables below say the same in words' }, patterns()) };
    let y = RULER;
    const rows = new Map();
    box.svg.append(text(4, 14, 'steps ' + (from + 1) + ' to ' + (box.to + 1) + ' of ' + view.events.length));
    box.svg.append(element('rect', { x: box.x(cursor), y: 16, width: column, height: '100%', fill: '#ffe9a8' }));
    for (const block of view.blocks) {
        if (view.blocks.length > 1) {
            box.svg.append(text(4, y + 13, ctaName(block.cta), { class: 'strong' }));
            y += LANE;
        }
        const lanes = drawLanes(box, block, y);
        lanes.rows.forEach((row, lane) => rows.set(lane, row));
        y += lanes.height + 4;
        const tracks = Math.min(block.tracks, TRACKS_MOST);
        if (tracks)
            box.svg.append(text(4, y + 11, 'copies' + (block.tracks > tracks ? ' (' + (block.tracks - tracks) + ' tracks not drawn)' : '')));
        for (const b of block.bars)
            if (b.track < tracks && b.first <= box.to && b.end >= box.from)
                drawBar(box, b, y + b.track * TRACK);
        y += tracks * TRACK + 4;
        for (const m of block.mbarriers) {
            drawMbarrier(box, m, y);
            y += STRIP;
        }
    }
    if (view.folded)
        box.svg.append(text(4, y + 13, view.folded + ' threads that only read and write are not drawn'));
    box.height = y + 20;
    drawFindings(box, rows);
    box.svg.append(element('rect', { x: box.x(cursor), y: 16, width: column, height: box.height - 16, fill: 'none', stroke: '#003a70', 'stroke-width': 2 }));
    box.svg.setAttribute('height', box.height);
    into.replaceChildren(box.svg);
}

// The whole launch in one line: the part in view, the cursor, findings ('!'), and where events are left out.
function drawOverview(into, view, from, column, cursor, findings) {
    const width = into.clientWidth, height = 20, all = view.events.length;
    const x = (p) => p / all * width;
    const svg = element('svg', { width, height, role: 'img', 'aria-label': 'The whole launch' }, title('the whole launch: click to go there'));
    svg.append(element('rect', { x: x(from), y: 2, width: Math.max(3, x(Math.min(all, columnsOf(widthOf($('timeline')), column)))), height: height - 4, fill: '#d3e5f7', stroke: '#003a70' }));
    view.gaps.forEach((p) => svg.append(element('path', { d: 'M' + x(p) + ',0v' + height, stroke: '#16191d', 'stroke-width': 2, 'stroke-dasharray': '2 2' }),
        text(x(p) + 3, 14, '…', { class: 'strong' })));
    svg.append(element('path', { d: 'M' + x(cursor + 0.5) + ',0v' + height, stroke: '#003a70', 'stroke-width': 6 }));
    for (const i of findings.map(eventOfFinding))
        if (i >= 0 && view.events[view.at(i)] === i)
            svg.append(element('path', { d: 'M' + x(view.at(i) + 0.5) + ',0v' + height, stroke: '#9c0006', 'stroke-width': 2 }),
                text(x(view.at(i) + 0.5) + 4, 14, '!', { class: 'strong' }));
    into.replaceChildren(svg);
}
