// Shared memory: 16-byte slots, 128 bytes a row, so that a column of slots is four banks.

const SLOT = 16, ROW = 128, ROWS_SHOWN = 28, SLOT_WIDTH = 64, SLOT_HEIGHT = 20, ROW_LABELS = 130;
// Light tints of colours that differ for colour-blind eyes too; the column's number is written beside.
const TINTS = ['#f5c26b', '#a9d5f5', '#7fd6b5', '#f7ef8a', '#8fb9e3', '#f0a97a', '#e3b5d2', '#d0d0d0'];

const touched = new Map(); // of each CTA, the rows that anything touches

// Calls `take` with the runs of shared memory of a CTA that an event is about: offset, bytes.
function runsOf(e, cta, take) {
    const n = e.slice(FIRST), kind = data.kinds[e[KIND]];
    if (kind === 'access' && n[1] === cta)
        take(n[2], n[3]);
    else if (kind === 'issue' || kind === 'source-read' || kind === 'landing') {
        const copy = copies.get(n[0]);
        if (copy && copy.targets.includes(cta) && kind !== 'source-read')
            take(copy.to, copy.span);
        if (copy && copy.from >= 0 && copy.fromSpace === cta && kind !== 'landing')
            take(copy.from, copy.span);
    } else if (['init', 'inval', 'arrival', 'expect', 'delivery', 'phase', 'wait'].includes(kind) && n[0] === cta)
        take(n[1], 8);
}

function rowsOf(view, cta) {
    if (!touched.has(cta)) {
        const rows = new Set();
        for (const i of view.events)
            runsOf(data.events[i], cta, (offset, bytes) => {
                for (let row = Math.floor(offset / ROW); row * ROW < offset + bytes; row++)
                    rows.add(row);
            });
        touched.set(cta, [...rows].sort((a, b) => a - b));
    }
    return touched.get(cta);
}

// What the slots of these rows hold after event p of the view, by going back from there: { kind, event, copy }.
function slotsAt(view, cta, rows, p) {
    const slots = new Map();
    rows.forEach((row) => { for (let k = 0; k < ROW / SLOT; k++) slots.set(row * 8 + k, null); });
    let left = slots.size;
    const fill = (offset, bytes, what) => {
        const first = Math.max(Math.floor(offset / SLOT), rows[0] * 8), end = Math.min(offset + bytes, (rows[rows.length - 1] + 1) * ROW);
        for (let s = first; s * SLOT < end; s++)
            if (slots.get(s) === null) {
                slots.set(s, what);
                left--;
            }
    };
    for (let q = p; q >= 0 && left; q--) {
        const i = view.events[q], e = data.events[i], kind = data.kinds[e[KIND]], n = e.slice(FIRST);
        if (kind === 'access' && n[0] && n[1] === cta)
            fill(n[2], n[3], { kind: 'stored', event: i });
        else if (kind === 'init' && n[0] === cta)
            fill(n[1], 8, { kind: 'mbarrier', event: i });
        else if (kind === 'issue' || kind === 'landing') {
            const copy = copies.get(n[0]);
            if (copy && copy.targets.includes(cta))
                fill(copy.to, copy.span, { kind: stateOf(copy, view.events[p], cta), event: i, copy, waiter: waitOf(copy, cta).thread });
        }
    }
    return slots;
}

// Copies that have yet to read their source: nobody may write there.
function sourcesAt(view, cta, i) {
    return view.copies.filter((c) => c.from >= 0 && c.fromSpace === cta && stateOf(c, i, cta) === 'pending' && (c.read < 0 || c.read > i));
}

const slotLetters = { lost: '?', pending: 'P', landed: 'L', waited: 'V', stored: 'S', mbarrier: 'M' };

function slotWords(slot, offset) {
    const where = 'bytes ' + offset + ' to ' + (offset + SLOT - 1) + ': ';
    if (!slot)
        return where + 'nobody has written here';
    const by = describe(slot.event);
    return where + { lost: 'events are left out, and it is not known what became of this copy: ',
        pending: 'a copy is in flight, nobody may read or write here: ',
        landed: 'a copy has landed, and nobody has waited for it: ',
        waited: 'a copy has landed, and ' + (slot.copy && slot.waiter >= 0 ? threadName(slot.waiter) : 'a thread') + ' has waited for it; other threads may need a barrier behind that: ',
        stored: 'written, last by ', mbarrier: 'an mbarrier: ' }[slot.kind] + by;
}

function drawSlot(svg, x, y, slot, offset, marks) {
    const g = element('g', {}, title(slotWords(slot, offset)));
    g.append(element('rect', { x, y, width: SLOT_WIDTH, height: SLOT_HEIGHT, fill: slot ? 'url(#' + slot.kind + ')' : '#ffffff', stroke: '#767c85', 'stroke-width': 0.7 }));
    if (slot) {
        g.append(element('rect', { x: x + 1.5, y: y + 4, width: 10, height: 13, fill: '#ffffff' }));
        g.append(text(x + 3, y + 14.5, slotLetters[slot.kind], { class: 'strong' }));
    }
    const swizzle = slot && slot.copy && slot.copy.swizzle ? data.swizzles[slot.copy.swizzle].columns : [];
    if (swizzle.length) {
        const column = swizzle[offset / SLOT % swizzle.length];
        g.append(element('rect', { x: x + SLOT_WIDTH - 19, y: y + 3, width: 17, height: SLOT_HEIGHT - 6, fill: TINTS[column], stroke: '#16191d', 'stroke-width': 0.7 }));
        g.append(text(x + SLOT_WIDTH - 14, y + 14, String(column)));
    }
    if (marks.source)
        g.append(element('rect', { x: x + 14, y: y + 4, width: 23, height: 13, fill: '#ffffff' }), text(x + 16, y + 14.5, 'src', { class: 'strong' }));
    if (marks.wrong)
        g.append(element('rect', { x: x + 2, y: y + 2, width: SLOT_WIDTH - 4, height: SLOT_HEIGHT - 4, fill: 'none', stroke: '#9c0006', 'stroke-width': 3 }),
            element('rect', { x: x + 38, y: y + 4, width: 8, height: 12, fill: '#ffffff' }), text(x + 39, y + 14.5, '!', { class: 'strong' }));
    if (marks.now)
        g.append(element('rect', { x: x + 1, y: y + 1, width: SLOT_WIDTH - 2, height: SLOT_HEIGHT - 2, fill: 'none', stroke: '#003a70', 'stroke-width': 2, 'stroke-dasharray': '4 2' }));
    svg.append(g);
}

const overlaps = (offset, at, size) => size > 0 && at < offset + SLOT && offset < at + size;

// Whether the bytes at stake in a finding lie in this slot.
function isWrong(finding, cta, offset) {
    return finding && [finding.here, finding.there].some((p) => p && p.bytes && p.bytes.includes('shared') &&
        ctaOf(p.thread) === cta && overlaps(offset, p.offset, p.size));
}

// Draws rows `top` and on of a CTA's touched rows after event p of the view.
function drawMemory(into, view, cta, top, p, finding) {
    const all = rowsOf(view, cta), rows = all.slice(top, top + ROWS_SHOWN), i = view.events[p];
    const width = ROW_LABELS + 8 * SLOT_WIDTH + 2, height = 20 + (rows.length || 1) * SLOT_HEIGHT;
    const svg = element('svg', { width, height, viewBox: '0 0 ' + width + ' ' + height, role: 'img', 'aria-label': 'Shared memory after this step; the tables say in words what the step touches' }, patterns());
    if (!rows.length) {
        into.replaceChildren(document.createTextNode('Nothing touches the shared memory of this CTA.'));
        return;
    }
    for (let k = 0; k < 8; k++)
        svg.append(text(ROW_LABELS + k * SLOT_WIDTH + 3, 13, k * 4 + '–' + (k * 4 + 3)));
    svg.append(text(2, 13, 'offset      banks'));
    const slots = slotsAt(view, cta, rows, p), sources = sourcesAt(view, cta, i), now = [];
    runsOf(data.events[i], cta, (offset, bytes) => now.push([offset, bytes]));
    rows.forEach((row, k) => {
        const y = 18 + k * SLOT_HEIGHT, variable = data.variables.find(([, at, size]) => at < (row + 1) * ROW && row * ROW < at + size);
        svg.append(text(2, y + 14, row * ROW + (variable ? ' ' + variable[0].slice(-12) : '')));
        if (k && rows[k - 1] !== row - 1)
            svg.append(element('path', { d: 'M0,' + y + 'h' + (ROW_LABELS + 8 * SLOT_WIDTH), stroke: '#16191d', 'stroke-width': 3, 'stroke-dasharray': '2 3' }));
        for (let s = 0; s < 8; s++) {
            const offset = row * ROW + s * SLOT;
            drawSlot(svg, ROW_LABELS + s * SLOT_WIDTH, y, slots.get(row * 8 + s), offset, {
                source: sources.some((c) => overlaps(offset, c.from, c.span)),
                wrong: isWrong(finding, cta, offset),
                now: now.some(([at, size]) => overlaps(offset, at, size)),
            });
        }
    });
    into.replaceChildren(svg);
}

// The number of the first row that the event touches; -1 where it touches none.
function rowOfEvent(view, cta, i) {
    let row = -1;
    runsOf(data.events[i], cta, (offset) => { row = row < 0 ? rowsOf(view, cta).indexOf(Math.floor(offset / ROW)) : row; });
    return row;
}
