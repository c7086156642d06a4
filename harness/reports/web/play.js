// The playground: a text of PTX, changed in the page and judged by the emulator, which emulator.js brings.
let machine = null; // the emulator, once a playground has been opened
const said = [];

function load() {
    machine ??= new Promise((done, fail) => {
        const script = document.createElement('script');

        script.src = '../emulator.js';
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

// With the lines of a launch, data-spec, the text is run and judged; without, it is assembled.
async function check(part) {
    const text = part.querySelector('textarea').value, answer = part.querySelector('.answer');

    try {
        const m = await load();
        let status;

        said.length = 0;
        if ('spec' in part.dataset)
            status = m.ccall('check_text', 'number', ['string', 'string', 'string'], [text, part.dataset.spec, 'text']);
        else
            status = m.ccall('assemble_text', 'number', ['string'], [text]);
        answer.textContent = said.join('\n');
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
    text.addEventListener('input', () => {
        clearTimeout(later);
        later = setTimeout(() => check(part), 250);
    });
    for (const button of part.querySelectorAll('button'))
        button.addEventListener('click', () => {
            text.value = part.querySelector('template.' + button.dataset.text).content.textContent;
            check(part);
        });
}
