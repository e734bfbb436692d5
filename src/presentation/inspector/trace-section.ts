import type { Trace, TraceEntry } from '#application/inspector/trace.ts';
import { button, el, group, setText } from './el.ts';
import { entryView } from './entry-view.ts';
import type { PanelModel, Section } from './model.ts';

const FILTERS: readonly (readonly [label: string, kinds: readonly TraceEntry['kind'][]])[] = [
  ['Everything', []],
  ['Steps', ['intent', 'outcome', 'widget']],
  ['Requests', ['request']],
  ['Events', ['event']],
  ['Session', ['session', 'refresh']],
];

/** More entries would make the page slow. An export contains all of them. */
const MOST_SHOWN = 1_000;
/** A larger file is not a trace. */
const MOST_BYTES = 20_000_000;

/** The timeline, newest first. A trace from a file is shown read-only. */
export function traceSection(model: PanelModel): Section {
  const list = el('ol', {
    class: 'timeline',
    set: { tabindex: '0', 'aria-label': 'Timeline, newest first', role: 'list' },
  });
  const empty = el('p', { class: 'dim' }, 'Nothing has happened yet.');
  const status = el('p', { class: 'status', set: { role: 'status' } });
  const filter = el(
    'select',
    { set: { 'aria-label': 'Entries' } },
    ...FILTERS.map(([label], at) => el('option', { set: { value: String(at) } }, label)),
  );
  const file = el('input', {
    hidden: true,
    set: { type: 'file', accept: 'application/json,.json', 'aria-label': 'Trace' },
  });
  let opened: Trace | null = null;
  let last = 0;

  const entriesNow = (): readonly TraceEntry[] => (opened ?? model.log.trace()).entries.slice(-MOST_SHOWN);
  const matches = ({ kind }: TraceEntry): boolean => {
    const kinds = FILTERS[Number(filter.value)]?.[1] ?? [];
    return kinds.length === 0 || kinds.includes(kind);
  };
  const rebuild = (): void => {
    list.replaceChildren();
    last = 0;
    show();
  };
  const showLive = (): void => {
    opened = null;
    live.hidden = true;
    setText(status, '');
    rebuild();
  };
  const live = button('Back to live', showLive);
  live.hidden = true;

  const open = async (traceFile: File): Promise<void> => {
    try {
      if (traceFile.size > MOST_BYTES) throw new Error('The file is too large for a trace.');
      opened = model.read(await traceFile.text());
      live.hidden = false;
      const { began_at, entries } = opened;
      const some = entries.length > MOST_SHOWN ? ` The newest ${MOST_SHOWN} are shown.` : '';
      setText(status, `Shows a trace of ${began_at}, with ${entries.length} entries.${some}`);
      rebuild();
    } catch (error) {
      setText(status, error instanceof Error ? error.message : 'The file cannot be read.');
    }
  };
  file.addEventListener('change', () => {
    const [traceFile] = file.files ?? [];
    file.value = '';
    if (traceFile) void open(traceFile);
  });
  filter.addEventListener('change', rebuild);

  const copy = (): void => {
    const copied = navigator.clipboard?.writeText(model.exported()) ?? Promise.reject(new Error());
    copied.then(
      () => setText(status, 'The trace is copied. It holds no secret.'),
      () => setText(status, 'The browser does not allow copying. Download the trace instead.'),
    );
  };
  const download = (): void => {
    const url = URL.createObjectURL(new Blob([model.exported()], { type: 'application/json' }));
    el('a', { set: { href: url, download: 'portico-trace.json' } }).click();
    URL.revokeObjectURL(url);
    setText(status, 'The trace is downloaded. It holds no secret.');
  };
  const clear = (): void => {
    model.log.clear();
    showLive();
  };

  const [element, title] = group('trace', 'Trace');
  element.append(
    el('div', { class: 'head' }, title, filter, live),
    el(
      'div',
      { class: 'row' },
      button('Copy', copy),
      button('Download', download),
      button('Open …', () => file.click()),
      button('Clear', clear),
      file,
    ),
    status,
    empty,
    list,
  );

  const show = (): void => {
    const entries = entriesNow();
    const oldest = entries[0]?.n ?? Infinity;
    const fresh = entries.filter((entry) => entry.n > last && matches(entry)).map(entryView);
    list.prepend(...fresh.reverse());
    last = entries.at(-1)?.n ?? last;
    // The entries that the log has dropped are at the end of the list.
    const visibleCount = entries.filter((entry) => entry.n >= oldest && matches(entry)).length;
    while (list.children.length > visibleCount) list.lastElementChild?.remove();
    empty.hidden = visibleCount > 0;
    list.hidden = visibleCount === 0;
  };
  return { element, show };
}
