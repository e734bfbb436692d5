import type { TraceEntry } from '#application/inspector/trace.ts';
import { el } from './el.ts';

/** `12.3 s`, or `2:05` after a minute. */
function since(at: number): string {
  if (at < 60_000) return `${(at / 1000).toFixed(1)} s`;
  return `${Math.floor(at / 60_000)}:${String(Math.floor(at / 1000) % 60).padStart(2, '0')}`;
}

/** The summary of an entry in one line, and whether it is a failure or had no effect. */
function summarize(entry: TraceEntry): readonly [text: string, more: string, look?: 'bad' | 'dim'] {
  switch (entry.kind) {
    case 'widget':
      return [`${entry.widget} ${entry.change}`, entry.screen];
    case 'intent':
    case 'outcome': {
      const isLost = entry.effect === 'ignored' || entry.effect === 'held back';
      const more = entry.effect === 'moved' ? `${entry.from} → ${entry.to}` : entry.effect;
      const { asked: intent } = entry.data;
      if (entry.type === 'failed') return [typeof intent === 'string' ? `failed: ${intent}` : 'failed', more, 'bad'];
      return [entry.type, more, isLost ? 'dim' : undefined];
    }
    case 'request': {
      const { method, path, status, error_type, ms } = entry;
      const answer = [status ?? 'no answer', ...(error_type === null ? [] : [error_type])].join(' ');
      return [`${method} ${path}`, `${answer}, ${ms}\u00a0ms`, error_type === null ? undefined : 'bad'];
    }
    case 'event':
      return [entry.type, 'told to the host', entry.type === 'onError' ? 'bad' : undefined];
    case 'session':
      return [`session ${entry.change}`, entry.factors.join(', ')];
    case 'refresh':
      return [`refresh by ${entry.by}`, ''];
    case 'control':
      return [entry.action, entry.outcome];
  }
}

/** One line of the timeline, which expands to the whole entry. */
export function entryView(entry: TraceEntry): HTMLLIElement {
  const [text, more, look] = summarize(entry);
  const { n: _, at, kind, ...rest } = entry;
  const details = el(
    'details',
    { class: look ?? '' },
    el(
      'summary',
      {},
      el('span', { class: 'at' }, since(at)),
      el('span', { class: 'kind', set: { 'data-kind': kind } }, kind),
      el('span', { class: 'what' }, el('code', {}, text), ' ', el('span', { class: 'dim' }, more)),
    ),
  );
  // Rendered on demand, because most entries are never opened.
  details.addEventListener('toggle', () => details.append(el('pre', {}, JSON.stringify(rest, null, 2))), {
    once: true,
  });
  return el('li', { set: { 'data-kind': kind } }, details);
}
