import { themeOf, type ResolveColor, type StyleConfig } from '../../domain/theme.ts';

const PREFIX = '--portico-';
const SCHEME = 'data-portico-scheme';

/** Asks the platform what a colour is: its own spelling of it, or null when it is none. */
function resolver(document: Document): ResolveColor {
  const pen = document.createElement('canvas').getContext?.('2d');
  if (!pen) return (color) => color;
  const paint = (before: string, color: string): string => {
    pen.fillStyle = before;
    pen.fillStyle = color;
    return pen.fillStyle;
  };
  return (color) => {
    const painted = paint('#000000', color);
    return painted === paint('#ffffff', color) ? painted : null;
  };
}

/** Puts a host's look on the element that holds a widget, and takes off what an earlier call put there. */
export function applyTheme(
  element: HTMLElement,
  styles: StyleConfig | undefined,
  warn: (message: string) => void,
): void {
  const { scheme, tokens } = themeOf(styles, warn, resolver(element.ownerDocument));
  for (const name of Array.from(element.style)) {
    if (name.startsWith(PREFIX) && !tokens.has(name)) element.style.removeProperty(name);
  }
  for (const [name, value] of tokens) element.style.setProperty(name, value);
  if (scheme === null) element.removeAttribute(SCHEME);
  else element.setAttribute(SCHEME, scheme);
}
