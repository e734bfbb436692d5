import css from './portico.css?inline';

interface Adoption {
  readonly sheet: CSSStyleSheet;
  users: number;
}

const adoptions = new WeakMap<Document | ShadowRoot, Adoption>();

/**
 * Gives a document or a shadow root the widget's stylesheet, once however many widgets ask; the returned function gives
 * it back, and may be called twice. Nothing is made before the first call. A browser without constructable stylesheets
 * shows the widget unstyled.
 */
export function adoptStyles(root: Document | ShadowRoot): () => void {
  const document = root.nodeType === 9 ? (root as Document) : root.ownerDocument;
  const Sheet = document?.defaultView?.CSSStyleSheet;
  if (!Sheet || !('adoptedStyleSheets' in root)) return () => {};
  let adoption = adoptions.get(root);
  if (adoption === undefined) {
    const sheet = new Sheet();
    sheet.replaceSync(css);
    adoption = { sheet, users: 0 };
    adoptions.set(root, adoption);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
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
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== mine.sheet);
  };
}
