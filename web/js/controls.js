// The controls of the sound: knobs in groups, the choice of the room, and the macros of the preset.

import { Knob } from './knob.js';

/** Groups of knobs: title, hue, and the parameters with their labels. */
const GROUPS = [
  { title: 'Hammer', hue: 'force', params: [['hardness', 'Hardness'], ['hammer_mass', 'Mass'], ['stiffness', 'Stiffness'], ['position', 'Position']] },
  { title: 'Body', hue: 'body', params: [['body_mass', 'Mass'], ['tune', 'Tune'], ['decay', 'Decay time'], ['loss', 'Loss factor']] },
  { title: 'Room', hue: 'plain', choice: ['room_type', 'Room'], params: [['room_level', 'Level'], ['room_decay', 'Decay']] },
  { title: 'Output', hue: 'plain', params: [['level', 'Level']] },
];
const MACROS = 8;

/** Ids of all parameters that have a control. */
export const CONTROLLED = [
  ...GROUPS.flatMap(({ choice, params }) => [...(choice ? [choice[0]] : []), ...params.map(([id]) => id)]),
  ...Array.from({ length: MACROS }, (_, i) => `macro_${i + 1}`),
];

export class Controls {
  /** `element` gets the groups; `params` finds a parameter by its id; `urto` converts values; `change(param, value)` is called for every change. */
  constructor(element, params, urto, change) {
    Object.assign(this, { element, params, urto, change, knobs: new Map(), choices: new Map() });
    this.macros = this.section('Macros', 'plain');
    const groups = GROUPS.map((group) => this.group(group));
    element.append(...groups, this.macros);
  }

  section(title, hue) {
    const section = document.createElement('section');
    section.className = `group ${hue}`;
    section.dataset.group = title;
    section.setAttribute('aria-label', title);
    section.append(Object.assign(document.createElement('h2'), { textContent: title }), Object.assign(document.createElement('div'), { className: 'knobs' }));
    return section;
  }

  group({ title, hue, choice, params }) {
    const section = this.section(title, hue);
    const knobs = section.querySelector('.knobs');
    if (choice) knobs.append(this.select(...choice));
    params.forEach(([id, label]) => knobs.append(this.knob(id, label, hue)));
    return section;
  }

  knob(id, label, hue, name) {
    const param = this.params.get(id);
    const { calls } = this.urto;
    const value = (normalized) => calls.urto_param_from_normalized(param.number, normalized);
    const knob = new Knob({
      label,
      name: name ?? param.name,
      hint: param.hint,
      hue,
      origin: param.min < 0 && param.max > 0 ? calls.urto_param_to_normalized(param.number, 0) : id.startsWith('macro_') ? 0.5 : 0,
      initial: calls.urto_param_to_normalized(param.number, param.initial),
      show: (normalized) => (id.startsWith('macro_') ? `${Math.round(100 * normalized)} %` : this.urto.text('urto_param_show', param.number, value(normalized))),
      change: (normalized) => this.change(param, value(normalized)),
    });
    this.knobs.set(id, knob);
    return knob.element;
  }

  select(id, label) {
    const param = this.params.get(id);
    const field = document.createElement('label');
    field.className = 'choice';
    const select = document.createElement('select');
    select.setAttribute('aria-label', param.name);
    select.title = param.hint;
    param.labels.forEach((text, value) => select.append(new Option(text, value)));
    select.addEventListener('change', () => this.change(param, Number(select.value)));
    field.append(Object.assign(document.createElement('span'), { className: 'label', textContent: label }), select);
    this.choices.set(id, select);
    return field;
  }

  /** Shows a preset: the names of its macros, and the values of a sound by number of the parameter; `initial` are those of the preset itself. */
  show(preset, values, initial) {
    const knobs = this.macros.querySelector('.knobs');
    knobs.replaceChildren(...preset.macros.map((name, i) => this.knob(`macro_${i + 1}`, name, 'plain', `Macro ${i + 1}: ${name}`)));
    this.macros.hidden = preset.macros.length === 0;
    const { calls } = this.urto;
    for (const [id, knob] of this.knobs) {
      const { number } = this.params.get(id);
      knob.options.initial = calls.urto_param_to_normalized(number, initial[number]);
      knob.show(calls.urto_param_to_normalized(number, values[number]));
    }
    for (const [id, select] of this.choices) select.value = String(values[this.params.get(id).number]);
  }
}
