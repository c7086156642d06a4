// Rows and articles carry their words in data-*; a filter hides those that lack one.
const f = document.forms[0], all = [...document.querySelectorAll('[data-w]')];

function show() {
    const w = f.w.value.toLowerCase().split(/\s+/).filter(Boolean), open = document.getElementById('observed');
    let n = 0;

    for (const e of all) {
        const d = e.dataset;
        const other = name => f[name].value && d[name] && d[name] !== f[name].value;

        e.hidden = other('family') || other('engine') || other('verdict') || !w.every(x => d.w.includes(x));
        n += !e.hidden;
    }
    if (open)
        open.hidden = !f.observed.checked;
    if (w.length) // what is looked for may be a rule
        document.getElementById('rules').open = true;
    document.getElementById('n').textContent = n + ' of ' + all.length + ' shown';
}
f.addEventListener('input', show);
f.addEventListener('reset', () => setTimeout(show));
f.addEventListener('submit', e => e.preventDefault());
show();
