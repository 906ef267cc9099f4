// The list of presets: grouped by family, searched by all words. A dialog.

/** Families in the order of the editor, with their names. */
const FAMILIES = ['bars', 'bells', 'skins', 'plates and gongs', 'strings', 'glass and stone', 'wood and small percussion', 'impossible',
  'lasting contact', 'nonlinear bodies', 'connected bodies', ''];
const NAMES = { skins: 'Drums', 'lasting contact': 'Sustained excitation', '': 'Kits' };

/** Displayed name of a family. */
export const familyName = (family) => NAMES[family] ?? family.charAt(0).toUpperCase() + family.slice(1);

export class PresetBrowser {
  /** `dialog`: with a search field and a list; `choose(preset)` is called with the number of a preset. */
  constructor(dialog, presets, choose) {
    Object.assign(this, { dialog, choose, current: -1 });
    this.search = dialog.querySelector('input');
    this.list = dialog.querySelector('.list');
    this.count = dialog.querySelector('.count');
    this.ordered = FAMILIES.flatMap((family) => presets.filter((preset) => preset.family === family));
    // families of later versions
    this.ordered.push(...presets.filter((preset) => !FAMILIES.includes(preset.family)));
    this.search.addEventListener('input', () => this.show());
    this.search.addEventListener('keydown', (event) => this.searchKey(event));
    this.list.addEventListener('keydown', (event) => this.listKey(event));
    this.list.addEventListener('click', (event) => this.pick(event.target.closest('[data-preset]')));
    dialog.querySelector('.close').addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
    this.show();
  }

  open() {
    this.search.value = '';
    this.show();
    this.dialog.showModal();
    this.search.focus();
    this.list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'center' });
  }

  /** The preset `steps` places after the current one. */
  neighbour(steps) {
    const at = this.ordered.findIndex((preset) => preset.number === this.current);
    return this.ordered[(at + steps + this.ordered.length) % this.ordered.length];
  }

  show() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (preset) => `${preset.name} ${familyName(preset.family)} ${preset.tags} ${preset.description}`.toLowerCase();
    const found = this.ordered.filter((preset) => words.every((word) => text(preset).includes(word)));
    const parts = [];
    let family = null;
    for (const preset of found) {
      if (preset.family !== family) {
        family = preset.family;
        parts.push(Object.assign(document.createElement('h3'), { textContent: familyName(family) }));
      }
      parts.push(this.entry(preset));
    }
    this.count.textContent = found.length === 0 ? 'No preset has all these words.' : `${found.length} of ${this.ordered.length} presets`;
    this.list.replaceChildren(...parts);
    const entry = this.list.querySelector('[aria-selected="true"]') ?? this.list.querySelector('[data-preset]');
    if (entry) entry.tabIndex = 0;
  }

  entry(preset) {
    const entry = document.createElement('button');
    entry.type = 'button';
    entry.setAttribute('role', 'option');
    entry.setAttribute('aria-selected', preset.number === this.current);
    entry.dataset.preset = preset.number;
    entry.tabIndex = -1;
    entry.append(Object.assign(document.createElement('b'), { textContent: preset.name }), Object.assign(document.createElement('span'), { textContent: preset.description }));
    return entry;
  }

  searchKey(event) {
    const first = this.list.querySelector('[data-preset]');
    if (event.key === 'ArrowDown' && first) {
      event.preventDefault();
      first.focus();
    } else if (event.key === 'Enter' && first) {
      event.preventDefault();
      this.pick(first);
    }
  }

  listKey(event) {
    const entries = [...this.list.querySelectorAll('[data-preset]')];
    const at = entries.indexOf(document.activeElement);
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: entries.length - 1 };
    if (at < 0 || !(event.key in moves)) return;
    event.preventDefault();
    if (event.key === 'ArrowUp' && at === 0) this.search.focus();
    else entries[Math.min(entries.length - 1, Math.max(0, moves[event.key]))].focus();
  }

  pick(entry) {
    if (!entry) return;
    this.dialog.close();
    this.choose(Number(entry.dataset.preset));
  }
}
