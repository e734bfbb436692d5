import css from './portico.css?inline';

export interface Adoption {
  readonly root: Document | ShadowRoot;
  readonly sheets: CSSStyleSheet[];
  users: number;
  /** If a server's markup contains the first sheet, replaces it with ours. */
  replace?: (() => void) | undefined;
}

/** The adopted sheets in order: the widget's own, then those of later screens. */
export const texts = [css];
/** The roots that have adopted them. */
export const adoptions = new Map<Document | ShadowRoot, Adoption>();

/** Registers `--p-rem` as a length, so that it is computed on the element that sets it; see scripts/vite/widget-rem.ts. */
function registerRem(view: typeof globalThis): void {
  try {
    view.CSS.registerProperty({ name: '--p-rem', syntax: '<length>', inherits: true, initialValue: '16px' });
  } catch {
    // The property is already registered.
  }
}

/** Adopts the texts in one assignment, because each assignment makes the browser match all rules again. */
export function adopt({ root, sheets }: Adoption, added: readonly string[]): void {
  const view = (root.ownerDocument ?? root).defaultView;
  if (!view) return;
  registerRem(view);
  const newSheets = added.map((text) => {
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  sheets.push(...newSheets);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...newSheets];
}

/** Adds the sheet of screens that are loaded later, to all present and future widgets. */
export function addStyles(text: string): void {
  if (texts.includes(text)) return;
  texts.push(text);
  for (const adoption of adoptions.values()) adopt(adoption, [text]);
}

/** False if the browser removed sheets: from a shadow root that moved to another document. */
const isIntact = ({ root, sheets }: Adoption): boolean =>
  sheets.every((sheet) => root.adoptedStyleSheets.includes(sheet));

const canAdopt = (root: Node): root is Adoption['root'] => 'adoptedStyleSheets' in root;

/**
 * Adopts the widget's stylesheets in a document or shadow root, once for any number of widgets. The returned function removes
 * them after the last widget, and may be called twice. Nothing is created before the first call. Another root has no stylesheets:
 * that of an element outside a document, and any in a browser without constructable stylesheets.
 */
export function adoptStyles(root: Node): () => void {
  if (!canAdopt(root)) return () => {};
  const adoption: Adoption = adoptions.get(root) ?? { root, sheets: [], users: 0 };
  if (adoption.users > 0) adoption.replace?.();
  if (!adoptions.has(root) || !isIntact(adoption)) {
    adoption.sheets.length = 0;
    adopt(adoption, texts);
  }
  adoptions.set(root, adoption);
  adoption.users += 1;
  let released = false;
  return () => {
    if (released) return;
    released = true;
    adoption.users -= 1;
    if (adoption.users > 0) return;
    adoption.replace?.();
    adoptions.delete(root);
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => !adoption.sheets.includes(sheet));
  };
}

/** The name of the custom element, shared by all copies of the package. */
const PLACE = 'portico-place';

interface Place extends HTMLElement {
  moved?: () => void;
}

/**
 * Adopts the widget's stylesheets in the root of an element, and in each root that the element moves to later. A custom element without
 * content is placed next to it, because only a custom element is notified immediately when it comes into a document.
 *
 * @param parent gets the custom element
 * @param moved called when the root has changed
 * @returns a function that removes the stylesheets and the custom element
 */
export function followRoot(parent: ParentNode, element: Node, moved: () => void): () => void {
  // An extension's content script has no registry.
  const { customElements: registry } = globalThis as Partial<typeof globalThis>;
  if (registry && !registry.get(PLACE)) {
    registry.define(
      PLACE,
      class extends HTMLElement {
        connectedCallback(this: Place): void {
          this.moved?.();
        }
      },
    );
  }
  const place: Place = document.createElement(PLACE);
  place.hidden = true;
  let root = element.getRootNode();
  let drop = adoptStyles(root);
  parent.append(place);
  place.moved = () => {
    const last = root;
    root = element.getRootNode();
    const adoption = adoptions.get(root as Adoption['root']);
    if (root === last && (!adoption || isIntact(adoption))) return;
    const dropLast = drop;
    drop = adoptStyles(root);
    dropLast();
    moved();
  };
  return () => {
    place.remove();
    drop();
  };
}
