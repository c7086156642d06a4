// The end of emulator.js, beside the emulator in one function: the work of a Web Worker. A message is { text, spec }: with
// the lines of a launch the text is run and judged, without them it is assembled. The answer is { said, status, picture }:
// what was printed, the status of check, and the page with the picture of the launch, if there is one; or { failed }.
const said = [];
const emulator = Emulator({ print: x => said.push(x), printErr: x => said.push(x) });

const judge = (m, text, spec) => {
    said.length = 0;
    if (spec === null)
        return m.ccall('assemble_text', 'number', ['string'], [text]);
    return m.ccall('check_text', 'number', ['string', 'string', 'string'], [text, spec, 'text']);
};

onmessage = async ({ data: { text, spec } }) => {
    try {
        const m = await emulator;
        const status = judge(m, text, spec);
        const drawn = spec !== null && m.FS.analyzePath('picture.html').exists;

        postMessage({ said: said.join('\n'), status, picture: drawn ? m.FS.readFile('picture.html', { encoding: 'utf8' }) : null });
    } catch (e) {
        postMessage({ failed: String(e) });
    }
};
// SPDX-License-Identifier: Apache-2.0
