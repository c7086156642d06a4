// The page: which step is shown, and what follows when that changes.

const $ = (id) => document.getElementById(id);
const now = { view: null, at: 0, from: 0, zoom: 3, cta: -1, top: 0, finding: leaders[0] || null };

function make(name, words, properties) {
    const made = Object.assign(document.createElement(name), properties);
    if (words !== undefined && words !== null)
        made.textContent = words;
    return made;
}

function row(table, head, words) {
    const tr = make('tr');
    tr.append(make('th', head, { scope: 'row' }), make('td', words));
    table.append(tr);
}

// ---- source ----

// The lines around one, of the file of this number (0: the PTX); null where they are not in the page.
function linesAround(file, line, others, cause) {
    const lines = data.files[file].lines.filter(([n]) => Math.abs(n - line) <= 6);
    if (!lines.some(([n]) => n === line))
        return null;
    const pre = make('pre');
    for (const [n, words] of lines) {
        const [mark, name] = n === line ? ['▶', ' at'] : others.includes(n) ? ['○', ' other'] : n === cause ? ['!', ' cause'] : [' ', ''];
        pre.append(make('span', String(n).padStart(5) + ' ' + mark + ' ' + words, { className: 'line' + name }));
    }
    return pre;
}

function showSource(into, instruction) {
    into.replaceChildren();
    if (instruction < 0) {
        into.append(make('p', 'This event is not of an instruction.'));
        return;
    }
    const [ptxLine, ptx, file, line, inlined] = data.instructions[instruction];
    const others = [now.finding && now.finding.here, now.finding && now.finding.there]
        .filter((p) => p && p.instruction >= 0).map((p) => data.instructions[p.instruction]);
    const cause = now.finding && now.finding.cause >= 0 ? data.instructions[now.finding.cause] : [];
    const cuda = file ? linesAround(file, line, others.filter((o) => o[2] === file).map((o) => o[3]), cause[2] === file ? cause[3] : -1) : null;
    if (file)
        into.append(make('p', data.files[file].name + ':' + line + (inlined ? ' (' + inlined + ')' : '')));
    if (cuda)
        into.append(cuda);
    into.append(make('p', data.files[0].name + ':' + ptxLine));
    into.append((cuda ? null : linesAround(0, ptxLine, others.map((o) => o[0]), cause[0])) || make('pre', ptx));
    if (now.finding)
        into.append(make('p', '▶ this step   ○ an access of the finding' + (cause.length ? '   ! its cause' : ''), { className: 'signs' }));
}

// Where nobody can go on, what is shown is the finding's own line.
function instructionOfFinding(i) {
    const f = now.finding;
    return f && eventOfFinding(f) === i && f.here ? f.here.instruction : -1;
}

// ---- this step ----

function showStep(i) {
    const e = data.events[i], table = $('step');
    table.replaceChildren();
    row(table, 'event', data.kinds[e[KIND]]);
    if (e[THREAD] >= 0)
        row(table, 'thread', threadName(e[THREAD]) + ', warp ' + Math.floor(e[THREAD] % threadsOfCta / 32));
    if (e[INSTRUCTION] >= 0)
        row(table, 'instruction', data.instructions[e[INSTRUCTION]][1] + ' (PTX line ' + data.instructions[e[INSTRUCTION]][0] + ')');
    row(table, 'time', e[STEP] + ' instructions executed by all threads together');
    runsOf(e, now.cta, (offset, bytes) => {
        const first = Math.floor(offset / ROW), slot = slotsAt(now.view, now.cta, [first], now.at).get(Math.floor(offset / SLOT));
        row(table, 'shared memory at ' + offset, bytes + ' bytes; of the first 16, ' + slotWords(slot, Math.floor(offset / SLOT) * SLOT));
    });
    leaders.forEach((f) => {
        if (f.event === i)
            row(table, 'finding', (f.rule || '') + ': ' + f.message);
        else if (f.here && f.here.event === i)
            row(table, 'finding', 'the access at fault of ' + (f.rule || 'a finding'));
        if (f.there && f.there.event === i)
            row(table, 'finding', 'the other access of ' + (f.rule || 'a finding'));
    });
}

function showState(i) {
    const table = $('state'), MOST = 12;
    const flying = now.view.copies.filter((c) => stateOf(c, i, -1) === 'pending');
    const landed = now.view.copies.filter((c) => stateOf(c, i, -1) === 'landed' && c.kind !== 4);
    const some = (list) => list.slice(0, MOST).map((c) => '#' + c.number).join(' ') + (list.length > MOST ? ' …' : '');
    table.replaceChildren();
    row(table, 'copies in flight', flying.length ? flying.length + ': ' + some(flying) : 'none');
    row(table, 'landed, nobody has waited', landed.length ? landed.length + ': ' + some(landed) : 'none');
    now.view.blocks.forEach((b) => b.mbarriers.forEach((m) =>
        row(table, mbarrierName(m.cta, m.offset), stateWords(mbarrierState(m, i)))));
}

// ---- going on and back ----

function keepInView() {
    const count = columnsOf(widthOf($('timeline')), WIDTHS[now.zoom]);
    const margin = Math.min(8, Math.floor(count / 8)), most = Math.max(0, now.view.events.length - count);
    if (now.at < now.from + margin || now.at > now.from + count - 1 - margin)
        now.from = now.at - Math.floor(count / 2);
    now.from = Math.max(0, Math.min(most, now.from));
}

function showRows() {
    const all = rowsOf(now.view, now.cta);
    now.top = Math.max(0, Math.min(now.top, all.length - ROWS_SHOWN));
    $('rows').textContent = all.length > ROWS_SHOWN ? 'rows ' + (now.top + 1) + ' to ' + Math.min(all.length, now.top + ROWS_SHOWN) +
        ' of ' + all.length + ' that the launch touches' : '';
    drawMemory($('map'), now.view, now.cta, now.top, now.at, now.finding);
}

function show() {
    const i = now.view.events[now.at], e = data.events[i];
    keepInView();
    drawOverview($('overview'), now.view, now.from, WIDTHS[now.zoom], now.at, leaders);
    drawTimeline($('timeline'), now.view, now.from, WIDTHS[now.zoom], now.at, now.finding);
    const wanted = rowOfEvent(now.view, now.cta, i);
    if (wanted >= 0 && (wanted < now.top || wanted >= now.top + ROWS_SHOWN))
        now.top = wanted - 4;
    showRows();
    $('slider').max = now.view.events.length - 1;
    $('slider').value = now.at;
    $('slider').setAttribute('aria-valuetext', 'step ' + (now.at + 1) + ': ' + describe(i));
    $('count').textContent = 'step ' + (now.at + 1) + ' of ' + now.view.events.length;
    $('now').textContent = describe(i);
    showStep(i);
    showState(i);
    showSource($('source'), e[INSTRUCTION] >= 0 ? e[INSTRUCTION] : instructionOfFinding(i));
}

function chooseCta(cta) {
    now.cta = cta;
    now.top = 0;
    $('cta').value = cta;
}

function chooseCluster(cluster) {
    now.view = viewOf(cluster);
    $('cluster').value = cluster;
    $('cta').replaceChildren(...now.view.ctas.map((cta) => make('option', triple(coordinates(cta, data.grid)), { value: cta })));
    $('ctas').hidden = now.view.ctas.length === 1;
    chooseCta(now.view.ctas[0]);
    now.at = now.from = 0;
}

function goTo(at) {
    now.at = Math.max(0, Math.min(now.view.events.length - 1, at));
    show();
}

// Shows event i of the launch, in its own cluster.
function goToEvent(i) {
    const e = data.events[i], cluster = clusterOfEvent(e);
    if (cluster >= 0 && cluster !== now.view.cluster)
        chooseCluster(cluster);
    if (e[THREAD] >= 0 && ctaOf(e[THREAD]) !== now.cta)
        chooseCta(ctaOf(e[THREAD]));
    goTo(now.view.at(i));
}

// Where a finding is shown: where it was named, or its access, or nowhere.
function eventOfFinding(f) {
    const access = f.here && f.here.event >= 0 ? f.here.event : -1;
    return f.event >= 0 && !(access >= 0 && data.events[f.event][KIND] === kindOf['cluster-end']) ? f.event : access;
}

function goToFinding(f) {
    now.finding = f;
    if (eventOfFinding(f) >= 0)
        goToEvent(eventOfFinding(f));
    else
        show();
}

function nextFinding(direction) {
    if (leaders.length)
        goToFinding(leaders[(leaders.indexOf(now.finding) + direction + leaders.length) % leaders.length]);
}

// ---- what stands on the page from the beginning ----

// "pipe.cu:34, PTX line 112: ld.shared.u32 ...".
function lineName(instruction) {
    const [ptxLine, ptx, file, line] = data.instructions[instruction];
    return (file ? data.files[file].name.replace(/.*\//, '') + ':' + line + ', ' : '') + 'PTX line ' + ptxLine + ': ' + ptx;
}

function showFinding(f) {
    const box = make('details', null, { className: 'finding' + (f.remark ? ' remark' : ''), open: f === leaders[0] });
    const summary = make('summary'), list = make('dl');
    const entry = (head, words) => { if (words) list.append(make('dt', head), make('dd', words)); };
    const place = (p) => p && threadName(p.thread) + (p.bytes ? ': ' + p.bytes : '') +
        (p.instruction >= 0 ? ' — ' + lineName(p.instruction) : '');
    summary.append(make('span', (f.remark ? 'remark: ' : '') + (f.rule || 'finding'), { className: 'rule' }), ' ' + f.message);
    entry('rule', f.sentence);
    entry('source', f.document);
    entry('behind', f.behind);
    entry('also', f.also.join(', '));
    entry('here', place(f.here));
    entry('other', place(f.there));
    entry('cause', f.cause >= 0 ? lineName(f.cause) : '');
    entry('do', f.remedy);
    if (f.table) {
        const dd = make('dd');
        dd.append(make('pre', f.table));
        list.append(make('dt', 'table'), dd);
    }
    const folded = data.findings.filter((g) => g !== f && data.findings[g.leader] === f);
    const times = new Map();
    folded.map((g) => g.rule || g.message).forEach((name) => times.set(name, (times.get(name) || 0) + 1));
    entry('follows', [...times].map(([name, n]) => name + (n > 1 ? ' (' + n + ' times)' : '')).join(', '));
    const buttons = make('dd'), to = (words, i) => {
        if (i >= 0)
            buttons.append(make('button', words, { onclick: () => { now.finding = f; goToEvent(i); } }), ' ');
    };
    to('where it was found', eventOfFinding(f));
    to('this access', f.here ? f.here.event : -1);
    to('the other access', f.there ? f.there.event : -1);
    list.append(make('dt', 'show'), buttons);
    box.append(summary, list);
    $('findings').append(box);
}

function sample(draw, words) {
    const span = make('span'), svg = element('svg', { width: 26, height: 20 });
    svg.append(draw);
    span.append(svg, words);
    return span;
}

function showLegend() {
    const letter = { 'access': 'r, w, a: reads, writes, atomic', 'issue': 'issues a copy', 'init': 'i, x: mbarrier made, ended',
        'arrival': 'a: arrives', 'expect': 'e: expects bytes', 'wait': 'w: waits (filled: goes on)', 'group': 'c, g: commits, waits for groups',
        'fence': 'f: fence', 'barrier': 'b: barrier (filled: goes on)', 'meet': 'm: bar.warp.sync' };
    for (const name in letter)
        $('legend').append(sample(glyph(marks[name](name === 'group' ? [0] : name === 'access' ? [1] : [0, 0, 0, 1]), 12, 10, 16), letter[name]));
    const bar = (fill, words) => sample(element('rect', { x: 1, y: 3, width: 24, height: 13, fill: 'url(#' + fill + ')', stroke: '#16191d' }), words);
    $('legend').append(bar('pending', 'copy in flight (thick stroke: its source has been read)'), bar('landed', 'landed, nobody has waited yet'),
        bar('odd', 'mbarrier in a phase of parity 1; p2 3▲, 64 B: phase 2, 3 arrivals pending, 64 bytes to come'),
        make('span', 'Keys: ← → a step (with Shift ten), Home, End, n and p findings, + and − zoom, Page Up and Page Down rows of memory.'));
    $('map-legend').append(bar('pending', 'P: copy in flight'), bar('landed', 'L: landed, nobody has waited'), bar('waited', 'V: a thread has waited for it'),
        bar('stored', 'S: stored by a thread'), bar('mbarrier', 'M: mbarrier'), make('span', 'src: a copy has yet to read it'), ...(gaps.length ? [bar('lost', '?: not known, events are left out')] : []),
        make('span', 'dashed: this step; !: the finding; number: logical column of a swizzled chunk'));
}

const keys = {
    'ArrowRight': (e) => goTo(now.at + (e.shiftKey ? 10 : 1)),
    'ArrowLeft': (e) => goTo(now.at - (e.shiftKey ? 10 : 1)),
    'Home': () => goTo(0),
    'End': () => goTo(now.view.events.length - 1),
    'n': () => nextFinding(1),
    'p': () => nextFinding(-1),
    '+': () => zoom(1),
    '=': () => zoom(1),
    '-': () => zoom(-1),
    'PageUp': () => turn(-1),
    'PageDown': () => turn(1),
};

function zoom(by) {
    now.zoom = Math.max(0, Math.min(WIDTHS.length - 1, now.zoom + by));
    now.from = now.at - 10;
    show();
}

function turn(by) {
    now.top += by * (ROWS_SHOWN - 2);
    showRows();
}

function begin() {
    document.title = data.kernel + ': ' + data.verdict;
    $('title').textContent = data.kernel;
    $('launch').textContent = 'grid ' + triple(data.grid) + ', block ' + triple(data.block) +
        (Math.max(...data.cluster) > 1 ? ', cluster ' + triple(data.cluster) : '') + ', ' + data.run + ', from ' + data.files[0].name;
    $('verdict').textContent = data.verdict;
    $('left-out').hidden = !data.left_out;
    $('left-out').textContent = data.left_out + ' events are left out: the page has the first ones, and those around findings and the end. ' +
        'What was written or waited for in a part that is left out is not shown.';
    leaders.forEach(showFinding);
    showLegend();
    if (!data.events.length) {
        $('now').textContent = 'Nothing was launched.';
        return;
    }
    $('cluster').replaceChildren(...clusters.map((c) => make('option', ctasOf(c).map((cta) => triple(coordinates(cta, data.grid))).join(' '), { value: c })));
    $('clusters').hidden = clusters.length === 1;
    $('previous-finding').hidden = $('next-finding').hidden = !leaders.length;
    chooseCluster(clusters.length ? clusters[0] : 0);
    while (now.zoom < WIDTHS.length - 1 && now.view.events.length <= columnsOf(widthOf($('timeline')), WIDTHS[now.zoom + 1]))
        now.zoom++; // a short launch fills the page
    document.addEventListener('keydown', (e) => {
        if (e.ctrlKey || e.altKey || e.metaKey || !keys[e.key] || e.target.tagName === 'SELECT')
            return;
        e.preventDefault();
        keys[e.key](e);
    });
    const on = { 'first': () => goTo(0), 'back': () => goTo(now.at - 1), 'on': () => goTo(now.at + 1), 'last': keys.End,
        'previous-finding': keys.p, 'next-finding': keys.n, 'out': () => zoom(-1), 'in': () => zoom(1), 'up': () => turn(-1), 'down': () => turn(1) };
    for (const id in on)
        $(id).addEventListener('click', on[id]);
    $('slider').addEventListener('input', () => goTo(Number($('slider').value)));
    $('cluster').addEventListener('change', () => { chooseCluster(Number($('cluster').value)); show(); });
    $('cta').addEventListener('change', () => { chooseCta(Number($('cta').value)); show(); });
    $('timeline').addEventListener('click', (e) => {
        const column = Math.floor((e.clientX - $('timeline').getBoundingClientRect().left + $('timeline').scrollLeft - LABELS) / WIDTHS[now.zoom]);
        if (column >= 0)
            goTo(now.from + column);
    });
    $('overview').addEventListener('click', (e) => {
        const box = $('overview').getBoundingClientRect();
        goTo(Math.floor((e.clientX - box.left) / box.width * now.view.events.length));
    });
    window.addEventListener('resize', show);
    if (now.finding)
        goToFinding(now.finding);
    else
        show();
}

begin();
