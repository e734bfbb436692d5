/**
 * How `dist/script/portico.js` loads the files next to it. The script-tag build puts this in front of the script. If a page, or an
 * optimizer of pages, inlines the script or moves it into another file, `data-portico-base` names the folder.
 */
const OPTION = 'data-portico-base';

const isScript = (element: Element | null): element is HTMLScriptElement => element?.localName === 'script';

/** A worker and a server have no document; the script gives them its global, too. */
const page = typeof document === 'undefined' ? null : document;
/** An image or a form with this name would replace the property. */
const current = page?.currentScript ?? null;
const script = isScript(current) ? current : null;
const warned = new Set<string>();
/** A page that is being left aborts its loads, and runs no timers afterwards. */
const LEAVING_MS = 1_000;

/**
 * The folder that the page names: on the script itself or, because an optimizer may drop the attributes of a script that it moves, on any
 * other script. Only a script can name it: sanitizers leave `data-` attributes on other elements of a stranger's HTML.
 */
function namedFolder(): string | null {
  const folder = script?.getAttribute(OPTION) ?? page?.querySelector(`script[${OPTION}]`)?.getAttribute(OPTION);
  return folder ? `${folder.replace(/\/$/u, '')}/` : null;
}

/** The URL of a file. If there is no base URL, the browser resolves the path relative to the script that contains this code. */
function addressOf(file: string): string {
  const folder = namedFolder();
  const path = `./${file}`;
  try {
    if (folder !== null) return new URL(file, new URL(folder, page?.baseURI)).href;
    return script?.src ? new URL(path, script.src).href : path;
  } catch {
    return path;
  }
}

/** Imports a file of the folder. If it does not load, an error in the console names it, and the option. */
// oxlint-disable-next-line import/no-default-export -- a classic script has it as one function
export default async function loadPart(file: string): Promise<unknown> {
  const address = addressOf(file);
  try {
    // oxlint-disable-next-line import/no-dynamic-require -- the page names the folder
    return await import(address);
  } catch (error) {
    if (!warned.has(address)) {
      warned.add(address);
      const sentence =
        `[Portico] A part did not load: ${address}. Serve portico.js and the files beside it in one folder. If portico.js was moved or ` +
        `inlined, set ${OPTION} of its script tag to the address of that folder.`;
      // oxlint-disable-next-line no-console -- no client, and so no log, is there yet
      setTimeout(() => console.error(sentence), LEAVING_MS);
    }
    // `codeLoad` reports each file only once.
    throw error instanceof Error ? Object.assign(error, { isTold: true }) : error;
  }
}
