// The search of the first page. index.js has BOOK: [id, sentence, can it be relied on] for each rule.
const box = document.getElementById('w'), list = document.getElementById('found'), count = document.getElementById('n');
const words = BOOK.map(r => (r[0] + ' ' + r[1]).toLowerCase());
const MOST = 60;

function find() {
    const w = box.value.toLowerCase().split(/\s+/).filter(Boolean), hits = [];

    for (let i = 0; w.length && i < BOOK.length; i++)
        if (w.every(x => words[i].includes(x)))
            hits.push(BOOK[i]);
    list.replaceChildren(...hits.slice(0, MOST).map(r => {
        const item = document.createElement('li'), link = document.createElement('a');
        const code = document.createElement('code');

        code.textContent = r[0];
        link.href = 'rules/' + r[0] + '.html';
        link.append(code);
        item.append(link, r[1]);
        return item;
    }));
    count.textContent = !w.length ? '' : hits.length + (hits.length === 1 ? ' rule' : ' rules') +
        (hits.length > MOST ? ', the first ' + MOST + ' shown' : '');
}
box.addEventListener('input', find);
box.form.addEventListener('submit', e => {
    const first = list.querySelector('a');

    e.preventDefault();
    if (first)
        location = first.href;
});
box.form.hidden = false;
find();
