import { el, timeOf } from './dom.ts';

const KEPT = 50;
/** The displayed part of an event's data. It never contains tokens. */
const TOLD = ['email', 'method_id', 'user_id'];

export interface EventLog {
  event(type: string, data: unknown): void;
  error(error: unknown): void;
}

/** Lists the widget's reports through `onEvent` and `onError`. */
export function showEvents(into: HTMLElement): EventLog {
  const list = el('ol', { class: 'log', hidden: true });
  const count = el('span', { class: 'count' }, '0');
  const empty = el(
    'p',
    { class: 'empty' },
    'What the widget tells the page, through onEvent and onError, is listed here.',
  );
  into.replaceChildren(el('details', {}, el('summary', {}, 'Events ', count), empty, list));
  let seen = 0;
  const add = (kind: string, what: string, more: string) => {
    const at = timeOf(new Date().toISOString(), 'clock');
    list.prepend(el('li', { class: kind }, at, ' ', el('strong', {}, what), ' ', more));
    while (list.children.length > KEPT) list.lastElementChild?.remove();
    empty.hidden = true;
    list.hidden = false;
    seen += 1;
    count.textContent = String(seen);
  };
  return {
    event: (type, data) => add('event', type, tell(data)),
    error: (error) => add('error', error instanceof Error ? error.name : 'Error', textOf(error)),
  };
}

function tell(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  const fields = data as Readonly<Record<string, unknown>>;
  const told = TOLD.filter((name) => typeof fields[name] === 'string');
  return told.map((name) => `${name}: ${String(fields[name])}`).join(' · ');
}

/** The error's message, without the documentation's URL and the request id at its end. */
const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n').slice(0, 2).join(' ');
