// The playground: a text of PTX, changed in the page and judged by the emulator, which emulator.js brings.
const up = document.currentScript.src.replace(/play\.js$/, ''); // the folder of the book
let machine = null; // the emulator, once a playground has been opened
const said = [];
const rules = new Set(); // their ids, which index.js brings

{
    const script = document.createElement('script');

    script.src = up + 'index.js';
    script.onload = () => BOOK.forEach(r => rules.add(r[0]));
    document.head.append(script);
}

// What was said, with the names of rules as links to their pages.
function show(answer, text) {
    answer.replaceChildren(...text.split(/([a-z0-9_]+(?:[.-][a-z0-9_-]+)+)/).map(word => {
        if (!rules.has(word))
            return word;
        const link = document.createElement('a');

        link.href = up + 'rules/' + word + '.html';
        link.textContent = word;
        return link;
    }));
}

function load() {
    machine ??= new Promise((done, fail) => {
        const script = document.createElement('script');

        script.src = up + 'emulator.js';
        script.onload = () => Emulator({ print: x => said.push(x), printErr: x => said.push(x) }).then(done, fail);
        script.onerror = () => fail(new Error('emulator.js is not there'));
        document.head.append(script);
    });
    return machine;
}

// The picture of the launch, if it is unfolded: a page of its own.
function draw(part, m) {
    const picture = part.querySelector('.picture');

    if (!picture)
        return;
    picture.hidden = !m.FS.analyzePath('picture.html').exists;
    if (!picture.hidden && picture.open)
        picture.querySelector('iframe').srcdoc = m.FS.readFile('picture.html', { encoding: 'utf8' });
}

// With the lines of a launch the text is run and judged; without them it is assembled.
async function check(part) {
    const text = part.querySelector('textarea').value, answer = part.querySelector('.answer');
    const spec = part.querySelector('input.spec'); // the lines of a launch, with ; between them

    try {
        const m = await load();
        let status;

        said.length = 0;
        if (spec)
            status = m.ccall('check_text', 'number', ['string', 'string', 'string'],
                [text, spec.value.replaceAll(';', '\n') + '\n', 'text']);
        else
            status = m.ccall('assemble_text', 'number', ['string'], [text]);
        show(answer, said.join('\n'));
        answer.dataset.status = status;
        draw(part, m);
    } catch (e) {
        machine = null; // it may be in any state: the next text gets a new one
        answer.textContent = 'the emulator stopped: ' + e;
        answer.dataset.status = 2;
    }
}

for (const part of document.querySelectorAll('details.play')) {
    const text = part.querySelector('textarea');
    let later;

    part.addEventListener('toggle', () => part.open && check(part));
    part.querySelector('.picture')?.addEventListener('toggle', e => {
        e.stopPropagation();
        load().then(m => draw(part, m));
    });
    part.addEventListener('input', () => {
        clearTimeout(later);
        later = setTimeout(() => check(part), 250);
    });
    for (const button of part.querySelectorAll('button'))
        button.addEventListener('click', () => {
            text.value = part.querySelector('template.' + button.dataset.text).content.textContent;
            check(part);
        });
}
