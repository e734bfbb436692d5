import { movesFrom } from '../../application/inspector/moves.ts';
import type { ShownWidget } from '../../application/inspector/recorder.ts';
import { screenNames } from '../../domain/screens/transitions.ts';
import { el } from './el.ts';
import type { PanelModel, Section } from './model.ts';

const NONE = 'No widget is mounted.';

/** The screen of each widget, the events that lead on from it, and its place among all screens. */
export function screensSection(model: PanelModel): Section {
  const now = el('div', { class: 'now' });
  const moves = el('table', { class: 'moves' });
  const chips = screenNames().map((name) => ({ name, chip: el('li', {}, name) }));
  const all = el(
    'details',
    { class: 'all' },
    el('summary', {}, 'All screens'),
    el('ul', { class: 'chips' }, ...chips.map(({ chip }) => chip)),
  );
  const element = el('section', { class: 'screens' }, el('h2', {}, 'Screen'), now, moves, all);

  let shown: ShownWidget['screen'] | null | undefined;
  const show = (): void => {
    const widgets = model.widgets();
    const current = widgets.at(-1)?.screen ?? null;
    if (current === shown) return;
    shown = current;
    now.replaceChildren(
      ...(widgets.length === 0 ? [el('p', { class: 'dim' }, NONE)] : []),
      ...widgets.map(({ widget, screen }) =>
        el('p', {}, el('strong', {}, screen.name), ' ', el('span', { class: 'dim' }, widget)),
      ),
    );
    const next = current === null ? [] : movesFrom(current);
    const head = el(
      'tr',
      {},
      el('th', { set: { scope: 'col' } }, 'Event'),
      el('th', { set: { scope: 'col' } }, 'Leads to'),
    );
    const rows = next.map(({ event, to }) => {
      const stays = to.length === 1 && to[0] === current?.name;
      const target = stays ? el('td', { class: 'dim' }, 'the same screen') : el('td', {}, to.join(', '));
      return el('tr', {}, el('td', {}, el('code', {}, event)), target);
    });
    moves.replaceChildren(el('thead', {}, head), el('tbody', {}, ...rows));
    moves.hidden = rows.length === 0;
    const reachable = new Set(next.flatMap(({ to }) => to));
    for (const { name, chip } of chips) {
      const isCurrent = name === current?.name;
      const isNext = !isCurrent && reachable.has(name);
      chip.className = isCurrent ? 'current' : isNext ? 'next' : '';
      if (isCurrent) chip.setAttribute('aria-current', 'true');
      else chip.removeAttribute('aria-current');
      chip.replaceChildren(name, ...(isNext ? [el('span', { class: 'unseen' }, ' (can follow)')] : []));
    }
  };
  return { element, show };
}
