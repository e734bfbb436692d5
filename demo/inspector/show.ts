import type { PorticoUIClient } from 'portico';
import { inspect } from 'portico/inspector';

/** The flow inspector in its place on the playground. It records from the page's start. */
export function showInspector(into: HTMLElement, client: PorticoUIClient): void {
  into.hidden = false;
  inspect(client, { element: into });
}
