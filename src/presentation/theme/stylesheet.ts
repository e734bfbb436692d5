import css from './portico.css?inline';

interface Adoption {
  readonly root: Document | ShadowRoot;
  sheets: CSSStyleSheet[];
  users: number;
  /** The elements of a server's markup whose sheet stands in for the first of the texts. */
  rendered: readonly Element[];
}

/** The adopted sheets in order: the widget's own, then those of later screens. */
const texts = [css];
/** The text of the widget's own sheet. */
export const firstSheet = (): string => texts[0] ?? '';
/** The roots that have adopted them. */
const adoptions = new Map<Document | ShadowRoot, Adoption>();

/** Registers `--p-rem` as a length, so that it is computed on the element that sets it; see scripts/vite/widget-rem.ts. */
function registerRem(view: typeof globalThis): void {
  try {
    view.CSS.registerProperty({ name: '--p-rem', syntax: '<length>', inherits: true, initialValue: '16px' });
  } catch {
    // The property is already registered.
  }
}

/** Adopts the texts in one assignment, because each assignment makes the browser match all rules again. */
function adopt({ root, sheets }: Adoption, added: readonly string[]): void {
  const view = (root.ownerDocument ?? root).defaultView;
  if (!view || added.length === 0) return;
  registerRem(view);
  const made = added.map((text) => {
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  sheets.push(...made);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...made];
}

/** Adds the sheet of screens that are loaded later, to all present and future widgets. */
export function addStyles(text: string): void {
  if (texts.includes(text)) return;
  texts.push(text);
  for (const adoption of adoptions.values()) adopt(adoption, [text]);
}

function drop({ root, sheets, rendered }: Adoption): void {
  for (const element of rendered) element.remove();
  root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
}

/**
 * Adopts the widget's stylesheets in a document or shadow root, once for any number of widgets. The returned function removes
 * them after the last widget, and may be called twice. Nothing is created before the first call. A browser without constructable
 * stylesheets shows the widget unstyled.
 *
 * @param rendered the elements of a server's markup that contain the first sheet already. While the widget is the only one, they stay
 *   in its place, because each change of the sheets makes the browser compute every style again. They are removed with it
 */
export function adoptStyles(root: Document | ShadowRoot, rendered: readonly Element[] = []): () => void {
  if (!('adoptedStyleSheets' in root)) return () => {};
  let adoption = adoptions.get(root);
  if (adoption === undefined) {
    adoption = { root, sheets: [], users: 0, rendered };
    adoptions.set(root, adoption);
    adopt(adoption, rendered.length > 0 ? texts.slice(1) : texts);
  } else {
    for (const element of rendered) element.remove();
    // The elements may leave the page with the widget that they came with.
    if (adoption.rendered.length > 0) {
      drop(adoption);
      Object.assign(adoption, { sheets: [], rendered: [] });
      adopt(adoption, texts);
    }
  }
  const mine = adoption;
  mine.users += 1;
  let released = false;
  return () => {
    if (released) return;
    released = true;
    mine.users -= 1;
    if (mine.users > 0) return;
    adoptions.delete(root);
    drop(mine);
  };
}
