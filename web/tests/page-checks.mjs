// The page in headless Chromium: sound, bits, links, keyboard, names, faults, pictures.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DESKTOP, PHONE, drawn, fixRate, launch, listen, open, placeOnScreen, record, recorded, wake } from './browser.mjs';
import { difference, ensure, level, partials } from './check.mjs';
import { playedKey } from './module-checks.mjs';
import { RATE, renderModule, renderNative } from './native.mjs';
import { serve } from './server.mjs';

/** Presets whose samples in the browser are those in Node, bit for bit. */
const CALM = ['Rosewood Marimba', 'Glockenspiel Brass', 'Parish Bell', 'Timpano A2', 'Piano C4 Wire', 'Claves'];
const OFFLINE_SECONDS = 1;
/** Tolerances between the page and the native library: force and time of the contact, frequency [cent] and level [dB] of partials. */
const CONTACT_TOLERANCE = 1e-4;
const PARTIAL_TOLERANCE = { cent: 0.5, db: 0.1 };
/** Largest difference of the recorded samples [dB]. */
const LARGEST_DIFFERENCE = -80;
const CHORD = [48, 55, 64];

/** The sound of `recording` from its first sample that is not 0. */
function fromOnset(recording) {
  const onset = recording.findIndex((x) => x !== 0);
  ensure(onset >= 0, 'the recording is silent');
  return recording.subarray(onset);
}

/** Throws where frequencies or levels of partials differ; returns a line with the largest differences. */
function comparePartials(found, expected) {
  ensure(found.length === expected.length, `${found.length} partials instead of ${expected.length}`);
  const cents = found.map((each, i) => Math.abs(1200 * Math.log2(each.hertz / expected[i].hertz)));
  const decibels = found.map((each, i) => Math.abs(each.db - expected[i].db));
  const [cent, db] = [Math.max(...cents), Math.max(...decibels)];
  const list = found.map((each) => each.hertz.toFixed(1)).join(', ');
  ensure(cent <= PARTIAL_TOLERANCE.cent && db <= PARTIAL_TOLERANCE.db, `partials at ${list} Hz differ by ${cent.toFixed(2)} cent, ${db.toFixed(2)} dB`);
  return `partials at ${list} Hz within ${cent.toFixed(3)} cent and ${db.toFixed(4)} dB`;
}

/** A recording of the page at 48 kHz: opens `address`, starts the sound and records. */
async function openRecorded(browser, address) {
  const opened = await open(browser, address, { serviceWorkers: 'block', prepare: fixRate });
  await drawn(opened.page);
  await wake(opened.page);
  await record(opened.page);
  const rate = await opened.page.evaluate(() => window.urtoPage.sound.context.sampleRate);
  ensure(rate === RATE, `the context runs at ${rate} Hz`);
  return { ...opened, rate };
}

export async function pageChecks({ page: pageFolder, program, folder, check, figures }) {
  const recorder = fileURLToPath(new URL('./recorder.js', import.meta.url));
  const { address, close } = await serve(pageFolder, { '/recorder.js': recorder });
  const browser = await launch(folder);
  const setting = { browser, address, program, folder, check, figures };
  await offlineChecks(setting);
  await soundChecks(setting);
  await controlChecks(setting);
  await faultChecks(setting);
  await pictures(setting);
  await browser.close();
  close();
}

/** Bits of the worklet against those in Node. */
async function offlineChecks({ browser, address, check, figures }) {
  await check(`${CALM.length} calm presets have the same bits in the browser as in Node`, async () => {
    const { page, context } = await open(browser, address, { serviceWorkers: 'block' });
    await drawn(page);
    const found = [];
    for (const preset of CALM) {
      const { number } = figures.infos.get(preset);
      // at beginnings of blocks, since messages arrive between them
      const notes = [0, 94, 188].map((block, i) => ({ key: 60 + 4 * i, velocity: 0.75, start: (128 * block) / RATE }));
      const text = await page.evaluate(async ([preset, notes, seconds, rate]) => {
        const offline = new OfflineAudioContext(2, seconds * rate, rate);
        await offline.audioWorklet.addModule('js/worklet.js');
        const events = notes.map(({ key, velocity, start }) => ({ type: 'note', channel: 0, key, velocity, frame: Math.round(start * rate) }));
        const processorOptions = { module: window.urtoPage.sound.compiled, events, sound: { preset, settings: [], voices: 0, warmUpKey: 60, request: 1 } };
        const node = new AudioWorkletNode(offline, 'urto', { numberOfInputs: 0, outputChannelCount: [2], processorOptions });
        node.connect(offline.destination);
        const begin = performance.now();
        const buffer = await offline.startRendering();
        const spent = performance.now() - begin;
        const bytes = new Uint8Array(buffer.getChannelData(0).buffer);
        let binary = '';
        for (let at = 0; at < bytes.length; at += 32768) binary += String.fromCharCode(...bytes.subarray(at, at + 32768));
        return { text: btoa(binary), spent };
      }, [number, notes, OFFLINE_SECONDS, RATE]);
      const bytes = Buffer.from(text.text, 'base64');
      const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      const expected = renderModule(figures.urto, { preset, seconds: OFFLINE_SECONDS, notes }).left;
      const first = samples.findIndex((x, n) => x !== expected[n]);
      ensure(first < 0, `${preset} differs from frame ${first} on`);
      ensure(level(samples) > -60, `${preset} is silent`);
      found.push(text.spent);
    }
    await context.close();
    return `${OFFLINE_SECONDS} s of each in ${Math.min(...found).toFixed(0)} to ${Math.max(...found).toFixed(0)} ms`;
  });
}

/** A click on the body and a chord, recorded and compared with the native library. */
async function soundChecks({ browser, address, program, folder, check, figures }) {
  await check('a click on the body is heard, with contact and partials of the native library', async () => {
    const { page, context, errors, rate } = await openRecorded(browser, address);
    const [x, y] = await placeOnScreen(page, 0.3, 0.5, 10);
    await page.mouse.move(x, y);
    await recorded(page);
    await page.mouse.down();
    await listen(page, 1.5);
    const sound = await recorded(page);
    await page.mouse.up();
    const state = await page.evaluate(() => {
      const { stage, scope, struckKey } = window.urtoPage;
      return { place: stage.strikePlace, hit: { ...scope.hits.at(-1), points: scope.hits.at(-1).points.length / 4 }, key: struckKey, motion: stage.motion.deflection };
    });
    const velocity = await page.evaluate(([clientX, clientY]) => window.urtoPage.stage.placeUnder({ clientX, clientY }).velocity, [x, y]);
    const settings = [['position', state.place[0]], ['position_across', state.place[1]]];
    const native = renderNative(program, folder, { preset: 'Rosewood Marimba', seconds: 1.5, settings, notes: [{ key: state.key, velocity, start: 0 }] });
    for (const [name, own, expected] of [['peak force', state.hit.peakForce, native.hits[0].peak], ['contact time', state.hit.duration, native.hits[0].duration]]) {
      ensure(Math.abs(own / expected - 1) <= CONTACT_TOLERANCE, `the ${name} is ${own}, native ${expected}`);
    }
    ensure(state.hit.points > 20 && state.motion > 0, 'the page shows no pulse or no motion');
    const heard = fromOnset(sound);
    const reference = fromOnset(native.left);
    const error = difference(reference.subarray(0, 48000), heard);
    ensure(error <= LARGEST_DIFFERENCE, `the recorded samples differ by ${error.toFixed(0)} dB`);
    const line = comparePartials(partials(heard.subarray(4800, 4800 + 32768), rate, 3), partials(reference.subarray(4800, 4800 + 32768), rate, 3));
    ensure(errors.length === 0, errors.join('; '));
    await context.close();
    return `peak ${state.hit.peakForce.toFixed(2)} N, contact ${(1000 * state.hit.duration).toFixed(3)} ms, samples differ by ${error.toFixed(0)} dB, ${line}`;
  });
  await check('a chord of three keys sounds as the native library', async () => {
    const { page, context, errors, rate } = await openRecorded(browser, `${address}#preset=Vibraphone+Motor+Off`);
    await recorded(page);
    await page.evaluate((keys) => keys.forEach((key) => window.urtoPage.press(0, key, 0.6)), CHORD);
    await listen(page, 2);
    const heard = fromOnset(await recorded(page));
    const notes = CHORD.map((key) => ({ key, velocity: 0.6, start: 0 }));
    const reference = fromOnset(renderNative(program, folder, { preset: 'Vibraphone Motor Off', seconds: 2, notes }).left);
    const [own, expected] = [heard, reference].map((sound) => partials(sound.subarray(4800, 4800 + 65536), rate, 6));
    const line = comparePartials(own, expected);
    for (const key of CHORD) {
      const hertz = 440 * 2 ** ((key - 69) / 12);
      ensure(own.some((partial) => Math.abs(1200 * Math.log2(partial.hertz / hertz)) < 5), `key ${key} is missing at ${hertz.toFixed(1)} Hz`);
    }
    const voices = await page.locator('#voices').textContent();
    ensure(Number(voices) === CHORD.length, `${voices} voices are shown`);
    ensure(errors.length === 0, errors.join('; '));
    await context.close();
    return line;
  });
  await check('another preset fades in without a reload, and each family sounds', async () => {
    const { page, context, errors } = await openRecorded(browser, address);
    const quiet = [];
    const first = new Map();
    for (const info of figures.infos.values()) if (!first.has(info.family)) first.set(info.family, info);
    for (const info of first.values()) {
      await page.evaluate((number) => window.urtoPage.choose(number, []), info.number);
      await page.waitForFunction(() => window.urtoPage.sound.isReady);
      await recorded(page);
      await page.evaluate((key) => window.urtoPage.press(0, key, 0.8), playedKey(info));
      await listen(page, 0.4);
      const loudness = level(await recorded(page));
      if (!(loudness > -70)) quiet.push(`${info.name} ${loudness.toFixed(0)} dB`);
    }
    ensure(quiet.length === 0, quiet.join(', '));
    ensure(errors.length === 0, errors.join('; '));
    await context.close();
    return `${first.size} families`;
  });
}

/** The tree of accessible names, by the browser's own computation. */
async function accessibleNodes(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const controls = ['button', 'slider', 'combobox', 'searchbox', 'textbox', 'option', 'tab', 'link', 'dialog', 'image'];
  const used = nodes.filter((node) => !node.ignored && controls.includes(node.role?.value));
  return used.map((node) => ({ role: node.role.value, name: node.name?.value ?? '', node: node.nodeId }));
}

/** Links, keyboard, names, and playing without network. */
async function controlChecks({ browser, address, check, figures }) {
  await check('a link restores preset and settings', async () => {
    const { page, context, errors } = await open(browser, address, { serviceWorkers: 'block' });
    await drawn(page);
    const { number } = figures.infos.get('Handbell C5');
    await page.evaluate((preset) => window.urtoPage.choose(preset, []), number);
    const slider = page.getByRole('slider', { name: 'Hammer mass' });
    await slider.focus();
    for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowUp');
    await page.selectOption('#controls select', '2');
    await page.click('button[data-view="Macros"]');
    const macro = page.locator('[data-group="Macros"] [role="slider"]').first();
    await macro.focus();
    await page.keyboard.press('PageUp');
    await page.waitForTimeout(600);
    const link = page.url();
    const read = (other) => other.evaluate(() => ({ name: window.urtoPage.preset.name, mass: window.urtoPage.value('hammer_mass'), room: window.urtoPage.value('room_type'), macro: window.urtoPage.value('macro_1') }));
    const before = await read(page);
    ensure(link.includes('Handbell') && link.includes('hammer_mass') && link.includes('macro_1'), link);
    const second = await open(browser, link, { serviceWorkers: 'block' });
    await drawn(second.page);
    const after = await read(second.page);
    const same = (a, b) => Math.abs(a / b - 1) < 1e-5;
    ensure(after.name === before.name && same(after.mass, before.mass) && after.room === 2 && same(after.macro, before.macro), JSON.stringify([before, after]));
    ensure(before.macro > 0.55, `the macro is ${before.macro}`);
    // a second link without a reload
    await second.page.evaluate(() => { location.hash = '#preset=Claves&decay=0.3&no_such=1'; });
    await second.page.waitForFunction(() => window.urtoPage.preset.name === 'Claves' && window.urtoPage.value('decay') === 0.3);
    const hint = await second.page.locator('#hint').textContent();
    ensure(hint.includes('not known'), hint);
    ensure([...errors, ...second.errors].length === 0, [...errors, ...second.errors].join('; '));
    await context.close();
    await second.context.close();
    return decodeURIComponent(link.split('#')[1]);
  });
  await check('everything can be played and changed with the keyboard', async () => {
    const { page, context } = await open(browser, address, { serviceWorkers: 'block' });
    await drawn(page);
    const visited = [];
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      const found = await page.evaluate(() => {
        const focused = document.activeElement;
        const style = getComputedStyle(focused);
        if (focused === document.body) return null;
        return { name: focused.getAttribute('aria-label') ?? focused.textContent.trim(), ring: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0 };
      });
      if (!found || visited.some((other) => other.name === found.name)) break;
      visited.push(found);
    }
    const names = visited.map(({ name }) => name);
    for (const name of ['Body: strike', 'Contact hardness', 'Hammer mass', 'Strike position', 'Body decay time (T60)', 'Room type', 'Output level', 'Share', 'C3']) {
      ensure(names.some((other) => other.includes(name)), `Tab does not reach "${name}": ${names.join(', ')}`);
    }
    const bare = visited.filter(({ ring }) => !ring);
    ensure(bare.length === 0, `no ring around ${bare.map(({ name }) => name).join(', ')}`);
    const hits = () => page.evaluate(() => window.urtoPage.scope.hits.length);
    const playsBy = async (name, work) => {
      const before = await hits();
      await work();
      await page.waitForFunction((count) => window.urtoPage.scope.hits.length > count, before).catch(() => { throw new Error(`${name} strikes nothing`); });
    };
    await page.locator('#stage').focus();
    await playsBy('Enter on the body', () => page.keyboard.press('Enter'));
    await playsBy('the letter A', () => page.keyboard.press('a'));
    await page.locator('#keys [tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    await playsBy('Enter on a key', () => page.keyboard.press('Enter'));
    await page.locator('#preset').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('glass harm');
    const quiet = await hits();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.urtoPage.preset.name === 'Glass Harmonica');
    ensure((await hits()) <= quiet, 'typing in the search field plays notes');
    await context.close();
    return `${visited.length} places of the Tab key`;
  });
  await check('controls have names for screen readers', async () => {
    let count = 0;
    for (const viewport of [DESKTOP, PHONE]) {
      const { page, context } = await open(browser, address, { viewport, serviceWorkers: 'block' });
      await drawn(page);
      await page.click('#preset');
      const nodes = await accessibleNodes(page);
      await page.keyboard.press('Escape');
      nodes.push(...await accessibleNodes(page));
      const unnamed = nodes.filter(({ name }) => name.trim() === '');
      ensure(unnamed.length === 0, `${unnamed.length} without a name: ${unnamed.slice(0, 5).map(({ role }) => role).join(', ')}`);
      count += nodes.length;
      await context.close();
    }
    ensure(count > 200, `only ${count} controls`);
    return `${count} controls`;
  });
  await check('the page plays without network after the first visit', async () => {
    const { page, context, errors } = await open(browser, address);
    await drawn(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await context.setOffline(true);
    await page.reload();
    await drawn(page);
    await wake(page);
    await page.keyboard.press('a');
    await page.waitForFunction(() => window.urtoPage.scope.hits.length > 0);
    ensure(errors.length === 0, errors.join('; '));
    await context.close();
  });
}

/** What the page says where it cannot play. */
async function faultChecks({ browser, address, check }) {
  const sentence = async (options, pattern) => {
    const { page, context } = await open(browser, address, { serviceWorkers: 'block', ...options });
    await page.waitForFunction(() => document.querySelector('#failure').open);
    const text = await page.locator('#failure p').textContent();
    ensure(pattern.test(text), `it says: ${text}`);
    await context.close();
    return text;
  };
  await check('a browser without AudioWorklet gets a sentence', () => sentence({ prepare: () => { delete window.AudioWorkletNode; } }, /no AudioWorklet.*Use a current/));
  await check('a browser without WebAssembly gets a sentence', () => sentence({ prepare: () => { delete window.WebAssembly; } }, /no WebAssembly.*Use a current/));
  await check('a missing module gets a sentence', () => sentence({ prepare: () => { const own = window.fetch; window.fetch = (to, ...rest) => own(String(to).endsWith('.wasm') ? '/none' : to, ...rest); } }, /urto\.wasm is missing/));
  await check('a fault of the engine gets a sentence, and Restart plays on', async () => {
    const { page, context } = await open(browser, address, { serviceWorkers: 'block' });
    await drawn(page);
    await wake(page);
    await page.evaluate(() => window.urtoPage.sound.send({ type: 'break' }));
    await page.waitForFunction(() => document.querySelector('#failure').open);
    const text = await page.locator('#failure p').textContent();
    ensure(/has stopped because of a fault/.test(text), text);
    await page.click('#restart');
    await page.waitForFunction(() => window.urtoPage.sound.isReady);
    await page.keyboard.press('a');
    await page.waitForFunction(() => window.urtoPage.scope.hits.length > 0);
    await context.close();
  });
}

/** Pictures at both sizes and in both themes, with the motion of a strike. */
async function pictures({ browser, address, folder, check }) {
  await check('pictures of the page', async () => {
    for (const [size, viewport] of [['desktop', DESKTOP], ['phone', PHONE]]) {
      for (const theme of ['dark', 'light']) {
        const options = { viewport, theme, serviceWorkers: 'block', hasTouch: size === 'phone', isMobile: size === 'phone' };
        const { page, context, errors } = await open(browser, address, options);
        await drawn(page);
        await wake(page);
        const [x, y] = await placeOnScreen(page, 0.4, 0.5, 10);
        for (let strike = 1; strike <= 2; strike++) {
          await page.mouse.click(x, y + 4 * strike);
          await page.waitForFunction((count) => window.urtoPage.scope.hits.length >= count, strike);
        }
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth || document.documentElement.scrollHeight > window.innerHeight);
        ensure(!overflow, `the page is larger than the window of a ${size}`);
        await page.screenshot({ path: join(folder, `${size}-${theme}.png`) });
        ensure(errors.length === 0, errors.join('; '));
        await context.close();
      }
    }
    return `in ${folder.split('/').slice(-2).join('/')}`;
  });
}
