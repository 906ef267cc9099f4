// The colours of the theme for drawing on canvases; tokens.css, which the build writes from the theme of the editor, contains them.

const NAMES = ['bg', 'panel', 'raised', 'hover', 'hair', 'grid', 'line', 'track', 'text', 'text2', 'text3', 'force', 'force-ink', 'body',
  'body-ink', 'warn', 'solid-dark', 'solid-light', 'side', 'shadow'];

/** Components 0 to 255 of `#rrggbb`. */
export const components = (color) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Linear interpolation of two lists of components; `t` is clamped to 0 to 1. */
export const mix = (a, b, t) => {
  const part = Math.min(1, Math.max(0, t));
  return [0, 1, 2].map((i) => a[i] + part * (b[i] - a[i]));
};

/** A CSS colour of components, with an opacity. */
export const css = ([r, g, b], opacity = 1) => `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)} / ${opacity})`;

/** The colours of the theme that is shown: by name, as components. */
export function readInk() {
  const style = getComputedStyle(document.documentElement);
  const ink = { isDark: style.getPropertyValue('--is-dark').trim() === '1' };
  for (const name of NAMES) {
    ink[name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())] = components(style.getPropertyValue(`--${name}`).trim());
  }
  return ink;
}

/** A font of the page: weight 400, 500 or 600, size in pixels. */
export const font = (weight, size) => `${weight} ${size}px "IBM Plex Sans", system-ui, sans-serif`;

/** Draws text; `side` is where it is anchored: left, right or center. */
export function label(context, text, x, y, { side = 'left', weight = 400, size = 12.5, color }) {
  context.font = font(weight, size);
  context.textAlign = side;
  context.textBaseline = 'middle';
  context.fillStyle = color;
  context.fillText(text, x, y);
  return context.measureText(text).width;
}
