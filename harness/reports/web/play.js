// The playground: a text of PTX, changed in the page and judged by the emulator. emulator.js brings the emulator as the
// function emulator(), whose text runs in a worker: so the page goes on beside a kernel that does not end.
const up = document.currentScript.src.replace(/play\.js$/, ''); // the folder of the book
const rules = new Set(); // their ids, which index.js brings
let code = null; // the address of the worker's text, once a playground has been opened

{
    const script = document.createElement('script');

    script.src = up + 'index.js';
    script.onload = () => BOOK.forEach(r => rules.add(r[0]));
    document.head.append(script);
}

function load() {
    code ??= new Promise((done, fail) => {
        const script = document.createElement('script');

        script.src = up + 'emulator.js';
        script.onload = () => done(URL.createObjectURL(new Blob(['(' + emulator + ')()'], { type: 'text/javascript' })));
        script.onerror = () => fail(new Error('emulator.js is not there'));
        document.head.append(script);
    });
    return code;
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

// One playground: its worker judges one text at a time. A new text, a fold or "stop" ends a worker that is at work.
class Playground {
    constructor(part) {
        this.part = part;
        this.text = part.querySelector('textarea');
        this.spec = part.querySelector('input.spec'); // the lines of a launch, with ; between them
        this.answer = part.querySelector('.answer');
        this.running = part.querySelector('.running');
        this.picture = part.querySelector('.picture');
        this.page = null; // the picture of the launch, a page of its own
        this.worker = null;
        this.since = 0; // when the work began; 0 when there is none
        this.turn = 0;
    }

    // At the end of the work, and while it goes on: after half a second a line says so.
    tick() {
        const seconds = (performance.now() - this.since) / 1000;

        this.running.hidden = !this.since || seconds < 0.5;
        this.running.querySelector('span').textContent = 'running, ' + Math.floor(seconds) + ' s';
    }

    ended() {
        clearInterval(this.ticks);
        this.since = 0;
        this.tick();
    }

    say(text, status) {
        show(this.answer, text);
        this.answer.dataset.status = status;
    }

    stop() {
        if (!this.since)
            return;
        this.worker?.terminate();
        this.worker = null;
        this.ended();
    }

    draw() {
        if (!this.picture)
            return;
        this.picture.hidden = !this.page;
        if (this.page && this.picture.open)
            this.picture.querySelector('iframe').srcdoc = this.page;
    }

    fail(words) {
        this.worker?.terminate(); // it may be in any state
        this.worker = null;
        this.ended();
        this.say('the emulator stopped: ' + words, 2);
    }

    heard({ said, status, picture, failed }) {
        if (failed) {
            this.fail(failed);
            return;
        }
        this.ended();
        if (said.includes('(--max-instructions)'))
            said += '\nThis page gives a launch 20 million instructions; copycheck check gives it more.';
        this.say(said, status);
        this.page = picture;
        this.draw();
    }

    start(address) {
        const worker = new Worker(address);

        worker.onmessage = e => worker === this.worker && this.heard(e.data);
        worker.onerror = e => worker === this.worker && this.fail(e.message);
        return worker;
    }

    async check() {
        const turn = ++this.turn;

        this.stop();
        this.since = performance.now();
        this.ticks = setInterval(() => this.tick(), 250);
        try {
            const address = await load();

            if (turn !== this.turn || !this.since)
                return; // stopped, or another text came
            this.worker ??= this.start(address);
            this.worker.postMessage({
                text: this.text.value,
                spec: this.spec && this.spec.value.replaceAll(';', '\n') + '\n',
            });
        } catch (e) {
            this.fail(e.message);
        }
    }

    listen() {
        let later;

        this.part.addEventListener('toggle', () => this.part.open ? this.check() : this.stop());
        this.picture?.addEventListener('toggle', e => {
            e.stopPropagation();
            this.draw();
        });
        this.part.addEventListener('input', () => {
            clearTimeout(later);
            later = setTimeout(() => this.check(), 250);
        });
        for (const button of this.part.querySelectorAll('button[data-text]'))
            button.addEventListener('click', () => {
                this.text.value = this.part.querySelector('template.' + button.dataset.text).content.textContent;
                this.check();
            });
        this.running.querySelector('button').addEventListener('click', () => {
            this.stop();
            this.say('stopped: nothing is known of this text', 2);
            this.text.focus();
        });
    }
}

for (const part of document.querySelectorAll('details.play'))
    new Playground(part).listen();
