// The sound in the address: #preset=Rosewood+Marimba&hardness=0.3. Values are in the units of the parameters, as in preset files.

/** The fragment of a preset's name and settings, pairs of a parameter's id and a value. */
export function write(preset, settings) {
  const query = new URLSearchParams({ preset });
  for (const [id, value] of settings) query.set(id, String(Number(value.toPrecision(6))));
  return `#${query}`;
}

/** The name and settings of a fragment; values that are no numbers are left out. The name is null without one. */
export function read(fragment) {
  const query = new URLSearchParams(fragment.replace(/^#/, ''));
  const preset = query.get('preset');
  query.delete('preset');
  const settings = [...query].map(([id, value]) => [id, Number(value)]).filter(([, value]) => Number.isFinite(value));
  return { preset, settings };
}
