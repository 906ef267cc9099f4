// The page: connects presets, controls, stage, scope and keys with the audio thread.

import { BodyRequests } from './body-requests.js';
import { Controls, CONTROLLED } from './controls.js';
import { noteOn, voicesOf } from './heavy.js';
import { readInk } from './ink.js';
import { Keyboard } from './keyboard.js';
import { Midi } from './midi.js';
import { PresetBrowser, familyName } from './preset-browser.js';
import { Scope } from './scope.js';
import * as shareLink from './share-link.js';
import { SENTENCES, Sound, compile, missingPart } from './sound.js';
import { Stage } from './stage.js';
import { UrtoModule } from './urto-module.js';

const FIRST_PRESET = 'Rosewood Marimba';
/** Parameters that the picture of the hammer needs. */
const DRAWN = ['position_across', 'home_key', 'body'];
/** Load above which the sound breaks off, as a part of the time there is. */
const OVERLOAD = 0.95;
const LINK_DELAY = 400;

const find = (selector) => document.querySelector(selector);

class App {
  async start() {
    this.applyTheme();
    const missing = missingPart();
    if (missing) throw new Error(missing);
    const compiled = await compile(new URL('../urto.wasm', import.meta.url));
    this.urto = new UrtoModule(compiled);
    this.params = new Map([...CONTROLLED, ...DRAWN].map((id) => [id, this.urto.paramInfo(this.urto.param(id))]));
    this.worker = new BodyRequests();
    this.sound = new Sound(compiled, (message) => this.receive(message));
    const presets = await this.worker.ask('start', { compiled });
    this.presets = new Map(presets.map((preset) => [preset.number, preset]));
    this.build(presets);
    await this.followLink();
    window.addEventListener('hashchange', () => { if (location.hash !== this.link) this.followLink(); });
    document.body.classList.add('ready');
    this.animate();
  }

  build(presets) {
    const values = (id) => this.value(id);
    values.normalized = (id) => this.urto.calls.urto_param_to_normalized(this.params.get(id).number, this.value(id));
    const struck = { strike: (velocity, along, across) => this.strike(velocity, along, across), release: () => this.lift(this.struckKey) };
    this.stage = new Stage(find('#stage'), struck, values);
    const names = ['pulse', 'loop', 'energy', 'title', 'values', 'legend', 'hits'];
    this.scope = new Scope(Object.fromEntries(names.map((name) => [name, find(`#scope-${name}`)])));
    this.controls = new Controls(find('#controls'), this.params, this.urto, (param, value) => this.set(param, value));
    this.keyboard = new Keyboard(find('#keys'), { press: (key, velocity) => this.press(0, key, velocity), lift: (key) => this.lift(key), hint: (text) => this.hint(text) });
    this.browser = new PresetBrowser(find('#browser'), presets, (number) => this.choose(number, []));
    this.listen();
    this.applyTheme();
  }

  listen() {
    const click = (selector, work) => find(selector).addEventListener('click', work);
    click('#preset', () => this.browser.open());
    click('#previous', () => this.choose(this.browser.neighbour(-1).number, []));
    click('#next', () => this.choose(this.browser.neighbour(1).number, []));
    click('#share', () => this.share());
    click('#midi', () => this.connectMidi());
    click('#theme', () => this.switchTheme());
    click('#stop', () => this.sound.send({ type: 'choke' }));
    click('#octave-down', () => this.keyboard.shift(-1));
    click('#octave-up', () => this.keyboard.shift(1));
    document.querySelectorAll('button[data-tab]').forEach((tab) => tab.addEventListener('click', () => this.openTab(tab.dataset.tab)));
    document.querySelectorAll('button[data-view]').forEach((view) => view.addEventListener('click', () => this.openView(view.dataset.view)));
    // a browser lets the sound start after a touch or a key
    for (const name of ['pointerdown', 'keydown']) window.addEventListener(name, () => this.wake(), { capture: true });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.applyTheme());
    const still = matchMedia('(prefers-reduced-motion: reduce)');
    const followMotion = () => { this.stage.isStill = still.matches; };
    still.addEventListener('change', followMotion);
    followMotion();
    if (!Midi.isSupported) find('#midi').hidden = true;
    if (matchMedia('(pointer: coarse)').matches) this.hint('Tap the body or the keys: lower is harder.');
  }

  // ---- sound

  /** The value of a parameter of the present sound. */
  value(id) {
    return this.values?.[this.params.get(id).number] ?? 0;
  }

  /** The sound for the audio thread. */
  description() {
    const { number, name } = this.preset;
    return { preset: number, settings: [...this.settings], voices: voicesOf(name), warmUpKey: this.homeKey };
  }

  get homeKey() {
    return this.preset.zones[0]?.low ?? this.value('home_key');
  }

  /** Chooses preset `number` with settings, pairs of a parameter's number and a value. */
  async choose(number, settings) {
    this.preset = this.presets.get(number);
    this.settings = new Map(settings);
    const choice = (this.choice = (this.choice ?? 0) + 1);
    const initial = await this.worker.ask('values', { preset: number, settings: [] });
    const values = settings.length > 0 ? await this.worker.ask('values', { preset: number, settings }) : [...initial];
    if (choice !== this.choice) return;
    [this.initial, this.values, this.struckKey] = [initial, values, null];
    this.showPreset();
    this.stage.reset();
    this.scope.reset();
    if (this.sound.node) this.sound.load(this.description());
    this.writeLink();
    await this.showBody(this.playedKey);
  }

  showPreset() {
    const { name, family, description, zones } = this.preset;
    this.browser.current = this.preset.number;
    find('#preset-name').textContent = name;
    find('#preset').setAttribute('aria-label', `Preset: ${name}. Choose another`);
    document.title = `${name} · Urto`;
    const note = noteOn(name);
    find('#about').textContent = `${familyName(family)}. ${description}${note}`;
    find('#about').classList.toggle('heavy', note !== '');
    this.controls.show(this.preset, this.values, this.initial);
    this.keyboard.setSound(zones, 48 <= this.homeKey && this.homeKey < 84 ? this.homeKey : 60);
    this.updateTabs();
  }

  /** The key that a click on the body plays. */
  get playedKey() {
    return this.struckKey ?? this.lastKey(this.homeKey);
  }

  lastKey(home) {
    if (this.preset.zones.length > 0) return this.preset.zones.find((zone) => /snare|tom/i.test(zone.name))?.low ?? home;
    return home;
  }

  /** Prepares the picture of the body of `key`. */
  async showBody(key) {
    const choice = this.choice;
    const bodyRequest = (this.bodyRequest = (this.bodyRequest ?? 0) + 1);
    const body = await this.worker.ask('body', { preset: this.preset.number, settings: [...this.settings], key });
    if (choice !== this.choice || bodyRequest !== this.bodyRequest) return;
    const zone = this.preset.zones.find(({ low, high }) => key >= low && key <= high);
    this.shownZone = zone?.name;
    this.stage.setBody(body, zone ? zone.name : this.params.get('body').labels[this.value('body')]);
  }

  /** Starts the audio context at the first touch or key. */
  async wake() {
    if (!this.preset || this.isBroken) return;
    if (!this.waking) {
      this.waking = this.sound.start(this.description()).catch(() => this.fail(SENTENCES.noWorklet));
      await this.waking;
      this.queue?.splice(0).forEach((message) => this.sound.send(message));
    }
    this.sound.resume();
  }

  /** Sends an event, or keeps it until the audio thread has started. */
  play(message) {
    if (this.sound.node) this.sound.send(message);
    else (this.queue ??= []).push(message);
  }

  press(channel, key, velocity) {
    this.struckKey = key;
    this.play({ type: 'note', channel, key, velocity });
    this.followKey(key);
    this.stage.strikePlace = null;
  }

  lift(key) {
    if (key !== null && key !== undefined) this.play({ type: 'release', channel: 0, key });
  }

  strike(velocity, along, across) {
    this.struckKey = this.playedKey;
    this.play({ type: 'strike', key: this.struckKey, velocity, along, across });
  }

  /** Kits show the body of the zone that was struck. */
  followKey(key) {
    const zone = this.preset.zones.find(({ low, high }) => key >= low && key <= high);
    if (zone && zone.name !== this.shownZone) {
      this.shownZone = zone.name;
      this.stage.reset();
      this.showBody(key);
    }
  }

  set(param, value) {
    this.settings.set(param.number, value);
    this.values[param.number] = value;
    if (param.id === 'position') this.stage.strikePlace = null;
    this.stage.isDirty = true;
    this.play({ type: 'set', param: param.number, value });
    clearTimeout(this.linkTimer);
    this.linkTimer = setTimeout(() => this.writeLink(), LINK_DELAY);
  }

  receive(message) {
    switch (message.type) {
      case 'hit':
        this.scope.push(message.hit);
        this.stage.receiveHit(message.hit);
        break;
      case 'motion':
        this.stage.receiveMotion(message.motion);
        break;
      case 'meters':
        this.showMeters(message.meters);
        break;
      case 'load':
        this.showLoad(message.load);
        break;
      case 'broken':
        this.isBroken = true;
        this.fail(SENTENCES.broken, message.sentence);
        break;
      default:
    }
  }

  // ---- link

  async followLink() {
    const { preset, settings } = shareLink.read(location.hash);
    const presets = [...this.presets.values()];
    const found = presets.find(({ name }) => name === (preset ?? FIRST_PRESET));
    const known = settings.flatMap(([id, value]) => {
      const number = this.urto.withText('urto_param_find', id);
      return number < 0 ? [] : [[number, value]];
    });
    if (preset && !found) this.hint(`There is no preset "${preset}" in this version; ${FIRST_PRESET} is shown.`);
    else if (known.length < settings.length) this.hint('Some settings of the link are not known to this version.');
    await this.choose((found ?? presets.find(({ name }) => name === FIRST_PRESET)).number, found ? known : []);
  }

  writeLink() {
    const ids = [...this.settings].filter(([number, value]) => value !== this.initial[number]);
    this.link = shareLink.write(this.preset.name, ids.map(([number, value]) => [this.urto.text('urto_param_text', number, 0), value]));
    history.replaceState(null, '', this.link);
    find('#link').value = location.href;
  }

  async share() {
    clearTimeout(this.linkTimer);
    this.writeLink();
    try {
      await navigator.clipboard.writeText(location.href);
      this.hint('The link to this sound is in the clipboard.');
    } catch {
      find('#link-field').hidden = false;
      find('#link').select();
      this.hint('Copy the link from the field.');
    }
  }

  async connectMidi() {
    const player = {
      press: (channel, key, velocity) => {
        this.keyboard.light(key, 1);
        this.press(channel, key, velocity);
      },
      lift: (channel, key) => {
        this.keyboard.light(key, -1);
        this.play({ type: 'release', channel, key });
      },
      controller: (channel, number, value) => this.play({ type: 'controller', channel, number, value }),
      pressure: (channel, value) => this.play({ type: 'pressure', channel, value }),
      bend: (channel, value) => this.play({ type: 'bend', channel, value }),
    };
    this.midi ??= new Midi(player);
    try {
      await this.midi.connect((names) => this.hint(names.length > 0 ? `MIDI: ${names.join(', ')}` : 'MIDI is on; connect a keyboard to this computer.'));
      find('#midi').setAttribute('aria-pressed', 'true');
    } catch (error) {
      this.hint(error.message);
    }
  }

  // ---- what is shown

  hint(text) {
    find('#hint').textContent = text;
  }

  /** Shows a sentence over the page; `detail` for a report. */
  fail(sentence, detail) {
    find('#failure p').textContent = sentence;
    find('#failure small').textContent = detail ? `Reason: ${detail}.` : '';
    find('#restart').hidden = sentence !== SENTENCES.broken;
    find('#restart').onclick = () => this.restart();
    document.body.classList.add('ready');
    if (!find('#failure').open) find('#failure').showModal();
  }

  restart() {
    this.isBroken = false;
    find('#failure').close();
    this.sound.sound = this.description();
    this.sound.build();
    this.sound.resume();
  }

  showMeters({ left, right, voices }) {
    const part = (peak) => Math.min(1, Math.max(0, (20 * Math.log10(Math.max(1e-6, peak)) + 60) / 66));
    const show = (selector, peak) => {
      const bar = find(selector);
      const shown = Math.max(part(peak), Number(bar.dataset.part ?? 0) - 0.03);
      bar.dataset.part = shown;
      bar.style.setProperty('--part', shown.toFixed(3));
    };
    show('#meter-left', left);
    show('#meter-right', right);
    find('#voices').textContent = voices;
  }

  showLoad(load) {
    find('#load').textContent = `${Math.round(100 * load)} %`;
    if (load > OVERLOAD) this.hint('The sound breaks off: this preset needs more than this device can compute. Play fewer notes at once, or choose another preset.');
  }

  openTab(name) {
    document.body.dataset.tab = name;
    this.updateTabs();
    this.scope.isDirty = true;
  }

  updateTabs() {
    const shown = document.body.dataset.tab;
    document.querySelectorAll('button[data-tab]').forEach((tab) => {
      tab.setAttribute('aria-selected', tab.dataset.tab === shown);
      if (tab.dataset.tab === 'Macros') tab.hidden = this.preset?.macros.length === 0;
    });
    find('.views').hidden = this.preset?.macros.length === 0;
    if (this.preset?.macros.length === 0) this.openView('Sound');
  }

  /** In wide windows the macros take the place of the other controls. */
  openView(name) {
    document.body.dataset.view = name;
    document.querySelectorAll('button[data-view]').forEach((view) => view.setAttribute('aria-pressed', view.dataset.view === name));
  }

  applyTheme() {
    const chosen = localStorage.getItem('theme');
    const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    find('#theme').setAttribute('aria-label', isDark ? 'Light theme' : 'Dark theme');
    const ink = readInk();
    for (const part of [this.stage, this.scope].filter(Boolean)) Object.assign(part, { ink, isDirty: true });
  }

  switchTheme() {
    localStorage.setItem('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    this.applyTheme();
  }

  animate() {
    let last = performance.now();
    const frame = (now) => {
      const elapsed = Math.min(0.1, (now - last) / 1000);
      last = now;
      this.stage.frame(elapsed);
      this.scope.frame();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    document.fonts?.ready.then(() => { this.stage.isDirty = true; this.scope.isDirty = true; });
  }
}

const app = new App();
window.urtoPage = app;
app.start().catch((error) => app.fail(error.message, error.cause?.message));
if ('serviceWorker' in navigator && location.protocol !== 'file:') navigator.serviceWorker.register('service-worker.js').catch(() => {});
