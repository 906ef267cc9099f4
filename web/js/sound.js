// The link to the audio thread: one audio context with one engine.

/** Sentences for what a browser may lack. */
export const SENTENCES = {
  noWorklet: 'This browser cannot play Urto: it has no AudioWorklet. Use a current Firefox, Chrome, Edge or Safari, and open the page over https or from localhost.',
  noWasm: 'This browser cannot play Urto: it has no WebAssembly with SIMD. Use a current Firefox, Chrome, Edge or Safari.',
  noModule: 'The sound engine could not be loaded: urto.wasm is missing or damaged. Reload the page; if that does not help, build the folder again.',
  broken: 'The sound engine has stopped because of a fault in it. Press Restart to play on.',
};

/** A module of ten instructions that needs SIMD. */
const SIMD_TEST = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** The sentence for a browser that cannot play, or null. */
export function missingPart() {
  if (typeof WebAssembly !== 'object' || !WebAssembly.validate(SIMD_TEST)) return SENTENCES.noWasm;
  if (typeof AudioWorkletNode !== 'function') return SENTENCES.noWorklet;
  return null;
}

/** Fetches and compiles the module. Throws with a sentence. */
export async function compile(address) {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(String(response.status));
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    throw new Error(SENTENCES.noModule, { cause: error });
  }
}

export class Sound {
  /** `receive(message)` gets the messages of the worklet. */
  constructor(compiled, receive) {
    Object.assign(this, { compiled, receive, context: null, node: null, request: 0, loaded: 0, sound: null });
  }

  /** Starts the context and the engine for `sound`: { preset, settings, voices, warmUpKey }. */
  async start(sound) {
    this.sound = sound;
    this.context = new AudioContext({ latencyHint: 'interactive' });
    await this.context.audioWorklet.addModule(new URL('./worklet.js', import.meta.url));
    this.build();
  }

  /** A node with an engine of its own; replaces the one before. */
  build() {
    this.node?.disconnect();
    this.request += 1;
    const processorOptions = { module: this.compiled, sound: { ...this.sound, request: this.request } };
    this.node = new AudioWorkletNode(this.context, 'urto', { numberOfInputs: 0, outputChannelCount: [2], processorOptions });
    this.node.port.onmessage = ({ data }) => this.take(data);
    this.node.onprocessorerror = () => this.receive({ type: 'broken', sentence: 'the audio thread has stopped' });
    this.node.connect(this.context.destination);
  }

  take(message) {
    if (message.type === 'loaded') this.loaded = message.request;
    this.receive(message);
  }

  /** Lets the context run; browsers allow it after a touch or a key. */
  resume() {
    if (this.context?.state !== 'running') this.context?.resume();
  }

  send(message) {
    this.node?.port.postMessage(message);
  }

  /** Plays another sound after a short fade. */
  load(sound) {
    this.sound = sound;
    this.request += 1;
    this.send({ type: 'load', sound: { ...sound, request: this.request } });
  }

  /** Whether the engine of the last sound plays. */
  get isReady() {
    return this.loaded === this.request && this.request > 0;
  }
}
