// A headless Chromium with the page, and what the checks do with it.

import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Options of the browser: no graphics card, no network besides the page, sound without a gesture where a check needs it. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'];
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
/** Longest wait for the page on a busy computer [ms]. */
export const PATIENCE = 120_000;

/** Starts the browser whose driver is in `folder`. */
export async function launch(folder) {
  const { chromium } = createRequire(join(folder, 'package.json'))('playwright-core');
  const executablePath = process.env.URTO_CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

/** Opens the page at `address`; returns it with the list of all errors on its console. */
export async function open(browser, address, { viewport = DESKTOP, theme = 'dark', prepare, ...options } = {}) {
  const context = await browser.newContext({ viewport, colorScheme: theme, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const errors = [];
  page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
  page.on('pageerror', (error) => errors.push(error.message));
  if (prepare) await page.addInitScript(prepare);
  await page.goto(address);
  return { page, context, errors };
}

/** For `prepare`: the sound runs at 48 kHz, whatever the rate of the sound card. */
export function fixRate() {
  const Own = window.AudioContext;
  window.AudioContext = class extends Own {
    constructor(options) {
      super({ ...options, sampleRate: 48000 });
    }
  };
}

/** Waits until the body is drawn. */
export const drawn = (page) => page.waitForFunction(() => window.urtoPage?.stage?.painter && document.body.classList.contains('ready'));

/** Where the body is on the screen at a place on it, a few pixels lower. */
export async function placeOnScreen(page, along, across, lower = 6) {
  const box = await page.locator('#stage').boundingBox();
  const [x, y] = await page.evaluate(([u, v]) => {
    const { stage } = window.urtoPage;
    const point = stage.painter.nearestPoint(u, v);
    return stage.camera.project(...[0, 1, 2].map((k) => stage.painter.at(point, k)));
  }, [along, across]);
  return [box.x + x, box.y + y + lower];
}

/** Starts the sound by a touch beside the body, and waits for the engine. */
export async function wake(page) {
  await page.mouse.click(4, 40);
  await page.waitForFunction(() => window.urtoPage.sound.isReady && window.urtoPage.sound.context.state === 'running');
}

/** Puts a recorder between the engine and the output; the server has it at /recorder.js. */
export async function record(page) {
  await page.evaluate(async () => {
    const { sound } = window.urtoPage;
    await sound.context.audioWorklet.addModule('recorder.js');
    window.recorder = new AudioWorkletNode(sound.context, 'recorder', { outputChannelCount: [2] });
    sound.node.disconnect();
    sound.node.connect(window.recorder).connect(sound.context.destination);
  });
}

/** The left channel since the last call. */
export async function recorded(page) {
  const text = await page.evaluate(() => new Promise((resolve) => {
    window.recorder.port.onmessage = ({ data }) => {
      const bytes = new Uint8Array(data.length * 512);
      data.forEach((block, i) => bytes.set(new Uint8Array(block.buffer), 512 * i));
      let binary = '';
      for (let at = 0; at < bytes.length; at += 32768) binary += String.fromCharCode(...bytes.subarray(at, at + 32768));
      resolve(btoa(binary));
    };
    window.recorder.port.postMessage(null);
  }));
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** Waits until `seconds` of sound have passed in the audio context, which may be slower than the clock. */
export async function listen(page, seconds) {
  const end = (await page.evaluate(() => window.urtoPage.sound.context.currentTime)) + seconds;
  await page.waitForFunction((time) => window.urtoPage.sound.context.currentTime >= time, end);
}
