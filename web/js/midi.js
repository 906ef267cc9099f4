// Web MIDI: all inputs of the computer play the sound.

const STATUS = { noteOff: 0x80, noteOn: 0x90, polyPressure: 0xa0, controller: 0xb0, pressure: 0xd0, bend: 0xe0 };

/** Sends the events of all inputs to `player`: press(channel, key, velocity), lift, controller, pressure, bend. */
export class Midi {
  constructor(player) {
    Object.assign(this, { player, access: null });
  }

  static get isSupported() {
    return typeof navigator.requestMIDIAccess === 'function';
  }

  /** Asks for the inputs; returns their names. Throws with a sentence if the browser refuses. */
  async connect(changed) {
    try {
      this.access = await navigator.requestMIDIAccess();
    } catch {
      throw new Error('The browser refused access to MIDI: allow it in the settings of this site.');
    }
    const listen = () => {
      for (const input of this.access.inputs.values()) input.onmidimessage = ({ data }) => this.receive(data);
      changed(this.names);
    };
    this.access.onstatechange = listen;
    listen();
  }

  get names() {
    return [...(this.access?.inputs.values() ?? [])].filter((input) => input.state === 'connected').map((input) => input.name);
  }

  receive([status, first, second = 0]) {
    const channel = status & 0x0f;
    const { player } = this;
    switch (status & 0xf0) {
      case STATUS.noteOn:
        if (second > 0) player.press(channel, first, Math.fround(second / 127));
        else player.lift(channel, first);
        break;
      case STATUS.noteOff:
        player.lift(channel, first);
        break;
      case STATUS.controller:
        player.controller(channel, first, Math.fround(second / 127));
        break;
      case STATUS.pressure:
        player.pressure(channel, Math.fround(first / 127));
        break;
      case STATUS.bend: {
        const steps = first + 128 * second - 8192;
        player.bend(channel, steps / (steps < 0 ? 8192 : 8191));
        break;
      }
      default:
    }
  }
}
