import type { PorticoUIClient } from 'portico';
import { inspect } from 'portico/inspector';
import { el } from '../parts/dom.ts';

/** On a smaller page the dense table would stand between the form and the code, so that it is closed at first. */
const OPEN_FROM = '(min-width: 860px)';

/** The flow inspector in its place on the playground. It records from the page's start. */
export function showInspector(into: HTMLElement, client: PorticoUIClient): void {
  const element = el('div');
  const details = el('details', {}, el('summary', {}, 'Flow inspector'), element);
  details.open = matchMedia(OPEN_FROM).matches;
  into.replaceChildren(details);
  into.hidden = false;
  inspect(client, { element });
}
