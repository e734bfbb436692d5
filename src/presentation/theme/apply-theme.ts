import { safeImageUrl } from '#domain/safe-url.ts';
import { codeLoad } from '#domain/code-loads.ts';
import {
  PRESET_NAMES,
  themeOf,
  VARIABLE,
  type Preset,
  type PresetName,
  type ResolveColor,
  type StyleConfig,
} from '#domain/widget/theme.ts';
import type * as Presets from './presets/presets.ts';
import { addStyles } from './stylesheet.ts';

const PREFIX = '--portico-';
const SCHEME = 'data-portico-scheme';
/** The name of the preset; empty while its file loads. */
const PRESET = 'data-portico-preset';

/** Resolves a colour with a canvas: `#rrggbb` or `rgb()`, or null when the platform does not accept it. */
function resolveOn(pen: CanvasRenderingContext2D, color: string): string | null {
  const paint = (before: string): string => {
    pen.fillStyle = before;
    pen.fillStyle = color;
    return pen.fillStyle;
  };
  const painted = paint('#000000');
  if (painted !== paint('#ffffff')) return null;
  if (/^(?:#|rgb)/u.test(painted)) return painted;
  // A canvas keeps `oklch()` and similar colours as text, so their channels are read from a painted pixel.
  pen.clearRect(0, 0, 1, 1);
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
  return a === 255 ? `rgb(${r}, ${g}, ${b})` : 'transparent';
}

/** Resolves a colour at the element. A canvas is created for the first colour that is not hexadecimal. */
function resolver(element: HTMLElement): ResolveColor {
  let pen: CanvasRenderingContext2D | null | undefined;
  const resolve = (color: string): string | null => {
    if (/^#[\da-f]{6}$/iu.test(color)) return color;
    const [, name, fallback] = VARIABLE.exec(color) ?? [];
    if (name !== undefined) {
      const set = getComputedStyle(element).getPropertyValue(name).trim() || (fallback ?? '').trim();
      return set === '' ? null : resolve(set);
    }
    pen ??= element.ownerDocument.createElement('canvas').getContext?.('2d', { willReadFrequently: true });
    return pen ? resolveOn(pen, color) : color;
  };
  return resolve;
}

/** The time limit for the file of a preset. After it the widget is shown with the default look. */
const PRESET_MS = 3_000;

/** The presets' file: undefined until a preset is first requested by its name, null when it could not be loaded in time. */
let presets: typeof Presets | null | undefined;

/** Loads the presets' file. Calls back when it is loaded, and earlier if it is not loaded in time. */
export function loadPresets(done: () => void): void {
  const settle = (file: typeof presets = null): void => {
    presets ??= file;
    done();
  };
  setTimeout(settle, PRESET_MS);
  codeLoad(import('./presets/presets.ts')).then(settle, () => settle());
}

/**
 * Applies a host's styles to the element that contains a widget, and removes those of an earlier call. A preset that is given by its name
 * needs its file: until it is loaded, neutral bars replace the widget. An unknown preset name does not delay the widget.
 *
 * @param again applies the latest styles; called when the file is loaded or the wait is over
 */
export function applyTheme(
  element: HTMLElement,
  styles: StyleConfig | undefined,
  warn: (message: string) => void,
  again: () => void,
): void {
  const option = styles?.preset;
  const waits = presets === undefined && PRESET_NAMES.includes(option as PresetName);
  // JSON cannot contain the function.
  const preset =
    typeof (option as Preset)?.sheets === 'function' ? (option as Preset) : presets?.presetFor(option, element);
  if (waits) loadPresets(again);
  preset?.sheets().forEach(addStyles);
  const isLogo = (url: string): boolean => safeImageUrl(url, element.ownerDocument.baseURI) !== null;
  const { scheme, tokens } = themeOf(styles, warn, { resolve: resolver(element), isLogo, preset });
  for (const name of Array.from(element.style)) {
    if (name.startsWith(PREFIX) && !tokens.has(name)) element.style.removeProperty(name);
  }
  for (const [name, value] of tokens) element.style.setProperty(name, value);
  set(element, SCHEME, scheme);
  set(element, PRESET, waits ? '' : (preset?.name ?? null));
}

/** Sets an attribute, or removes it when there is no value. */
function set(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
