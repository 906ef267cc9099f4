// Keeps everything that flows through, for the tests.

class Recorder extends AudioWorkletProcessor {
  constructor() {
    super();
    this.blocks = [];
    this.port.onmessage = () => this.port.postMessage(this.blocks.splice(0));
  }

  process([input], [output]) {
    const block = new Float32Array(128);
    if (input[0]) block.set(input[0]);
    this.blocks.push(block);
    input.forEach((channel, i) => output[i]?.set(channel));
    return true;
  }
}

registerProcessor('recorder', Recorder);
