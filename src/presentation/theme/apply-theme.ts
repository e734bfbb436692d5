import { safeImageUrl } from '../../domain/safe-url.ts';
import { themeOf, type ResolveColor, type StyleConfig } from '../../domain/theme.ts';

const PREFIX = '--portico-';
const SCHEME = 'data-portico-scheme';

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

/** Resolves a colour at the element. A canvas is made for the first colour that is not hexadecimal. */
function resolver(element: HTMLElement): ResolveColor {
  let pen: CanvasRenderingContext2D | null | undefined;
  const resolve = (color: string): string | null => {
    if (/^#[\da-f]{6}$/iu.test(color)) return color;
    const [, name, fallback] = /^var\(\s*(--[\w-]+)\s*(?:,(.+))?\)$/su.exec(color) ?? [];
    if (name !== undefined) {
      const set = getComputedStyle(element).getPropertyValue(name).trim() || (fallback ?? '').trim();
      return set === '' ? null : resolve(set);
    }
    pen ??= element.ownerDocument.createElement('canvas').getContext?.('2d', { willReadFrequently: true });
    return pen ? resolveOn(pen, color) : color;
  };
  return resolve;
}

/** Applies a host's styles to the element that contains a widget, and removes those of an earlier call. */
export function applyTheme(
  element: HTMLElement,
  styles: StyleConfig | undefined,
  warn: (message: string) => void,
): void {
  const isLogo = (url: string): boolean => safeImageUrl(url, element.ownerDocument.baseURI) !== null;
  const { scheme, tokens } = themeOf(styles, warn, { resolve: resolver(element), isLogo });
  for (const name of Array.from(element.style)) {
    if (name.startsWith(PREFIX) && !tokens.has(name)) element.style.removeProperty(name);
  }
  for (const [name, value] of tokens) element.style.setProperty(name, value);
  if (scheme === null) element.removeAttribute(SCHEME);
  else element.setAttribute(SCHEME, scheme);
}
