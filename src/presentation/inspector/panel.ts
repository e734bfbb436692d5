import { onEscape } from '../hooks/escape.ts';
import { actionsSection } from './actions-section.ts';
import { button, el, setText } from './el.ts';
import css from './inspector.css?inline';
import type { PanelModel } from './model.ts';
import { screensSection } from './screens-section.ts';
import { sessionSection } from './session-section.ts';
import { traceSection } from './trace-section.ts';

export type Dock = 'right' | 'bottom';

/** The stored state of the panel: open or closed, and its side. */
interface PanelPosition {
  readonly isOpen: boolean;
  readonly dock: Dock;
}

export interface PanelOptions {
  /** The element that contains the panel. Without it, the panel floats over the page, closed at first. */
  readonly element: Element | null;
}

const KEY = 'portico-inspector';
const SECOND_MS = 1_000;

function keptPlace(): PanelPosition {
  try {
    const place = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<PanelPosition>;
    return { isOpen: place.isOpen === true, dock: place.dock === 'bottom' ? 'bottom' : 'right' };
  } catch {
    return { isOpen: false, dock: 'right' };
  }
}

function keepPlace(place: PanelPosition): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(place));
  } catch {
    // The next page starts with a default panel.
  }
}

/** Shows the inspector. Returns a function that removes it. */
export function showPanel(model: PanelModel, { element }: PanelOptions): () => void {
  const host = el('portico-inspector' as 'div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  const floats = element === null;
  let place: PanelPosition = floats ? keptPlace() : { isOpen: true, dock: 'right' };

  const sections = [screensSection(model), sessionSection(model), actionsSection(model), traceSection(model)];
  const body = el('div', { class: 'body' }, ...sections.map((section) => section.element));
  const dock = button('', () => change({ dock: place.dock === 'right' ? 'bottom' : 'right' }), 'quiet dock');
  const close = button('Close', () => change({ isOpen: false }), 'quiet');
  const title = el('p', { class: 'name' }, 'Portico inspector');
  const header = el('div', { class: 'bar' }, title, ...(floats ? [dock, close] : []));
  const panel = el('div', { class: 'panel', set: { role: 'region', 'aria-label': 'Portico inspector' } }, header, body);
  const open = button('', () => change({ isOpen: true }), 'open');
  open.setAttribute('aria-label', 'Open the Portico inspector');
  root.append(...(floats ? [open, panel] : [panel]));
  host.className = floats ? 'floats' : 'stands';
  host.setAttribute('dir', 'ltr');
  host.setAttribute('lang', 'en');

  const show = (): void => {
    const screen = model.widgets().at(-1)?.screen.name ?? 'no widget';
    setText(open, screen);
    if (place.isOpen) for (const section of sections) section.show();
  };
  const arrange = (): void => {
    panel.hidden = !place.isOpen;
    open.hidden = place.isOpen;
    panel.dataset['dock'] = place.dock;
    setText(dock, place.dock === 'right' ? 'Dock at the bottom' : 'Dock at the right');
    show();
  };
  const change = (changed: Partial<PanelPosition>): void => {
    place = { ...place, ...changed };
    if (floats) keepPlace(place);
    arrange();
    if (changed.isOpen === true) close.focus();
    if (changed.isOpen === false) open.focus();
  };
  panel.addEventListener('keydown', (event) => {
    if (floats) onEscape(event, () => change({ isOpen: false }));
  });

  let frame = 0;
  const soon = (): void => {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      show();
    });
  };
  const endEntries = model.log.onEntry(soon);
  const ticking = setInterval(soon, SECOND_MS);
  (element ?? document.body).append(host);
  arrange();
  return () => {
    endEntries();
    clearInterval(ticking);
    cancelAnimationFrame(frame);
    host.remove();
  };
}
