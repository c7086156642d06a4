// Drives a picture as a user with a keyboard would, and writes what came of it into the page. tests/unit/picture.sh
// puts it behind the page's own script; `expected` is what this page has to show.
const results = [];

function check(what, is, wanted) {
    results.push((is === wanted || wanted.test && wanted.test(is) ? 'ok ' : 'WRONG ') + what + ': ' + is);
}

function press(key, more) {
    document.dispatchEvent(new KeyboardEvent('keydown', Object.assign({ key, bubbles: true, cancelable: true }, more)));
}

const step = () => Number($('slider').value);
const shown = (id) => $(id).textContent;

function drive() {
    const steps = Number($('slider').max) + 1;
    check('opened', performance.now() < 2000 ? 'within 2 s' : 'after ' + performance.now() + ' ms', 'within 2 s');
    check('steps', steps, expected.steps);
    check('verdict', shown('verdict'), expected.verdict);
    check('left out', $('left-out').hidden, !expected.left_out);
    press('Home');
    check('Home', step(), 0);
    const first = shown('now');
    press('ArrowRight');
    check('right', step(), 1);
    check('the sentence changes', shown('now') !== first, true);
    press('ArrowLeft');
    check('left', shown('now'), first);
    press('ArrowLeft');
    check('no step before the first', step(), 0);
    press('ArrowRight', { shiftKey: true });
    check('ten steps', step(), Math.min(10, steps - 1));
    press('End');
    check('End', step(), steps - 1);
    check('the end', shown('now'), /the launch has ended/);
    check('drawn at the end', $('timeline').querySelectorAll('svg').length, 1);
    if (expected.rule) {
        press('n');
        check('the finding', shown('findings'), new RegExp('^' + expected.rule.replace(/\./g, '\\.')));
        check('its event', shown('now'), expected.event);
        check('its line', document.querySelector('#source .line.at').textContent, expected.line);
        check('the other line', document.querySelector('#source .line.other').textContent, expected.other);
        check('marked in the timeline', $('timeline').textContent.includes('! ' + expected.rule), true);
        check('marked in memory', $('map').textContent, /!/);
    }
    for (const key of ['+', '+', '+', '-', '-', '-', '-', '-', '-', 'PageDown', 'PageUp'])
        press(key);
    check('few elements', $('timeline').querySelectorAll('*').length < 12000, true);
    check('every step can be described', data.events.every((e, i) => describe(i).length > 0), true);
    check('said aloud', $('now').getAttribute('aria-live'), 'polite');
    check('errors', errors.join('; '), '');
    (expected.more || (() => { }))();
}

try {
    drive();
} catch (e) {
    results.push('WRONG ' + e.stack);
}
document.body.append(Object.assign(document.createElement('pre'), { id: 'results', textContent: results.join('\n') + '\nend of results' }));
// SPDX-License-Identifier: Apache-2.0
