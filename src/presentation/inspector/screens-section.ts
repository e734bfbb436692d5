import { movesFrom } from '#application/inspector/moves.ts';
import type { ShownWidget } from '#application/inspector/recorder.ts';
import { screenNames } from '#domain/screens/transitions.ts';
import { el, group } from './el.ts';
import type { PanelModel, Section } from './model.ts';

const NONE = 'No widget is mounted.';

/** The screen of each widget, its possible events, and its place among all screens. */
export function screensSection(model: PanelModel): Section {
  const now = el('div', { class: 'now' });
  const moves = el('ul', { class: 'moves', set: { 'aria-label': 'What can follow' } });
  const chips = screenNames().map((name) => ({ name, chip: el('li', {}, name) }));
  const all = el(
    'details',
    { class: 'all' },
    el('summary', {}, 'All screens'),
    el('ul', { class: 'chips' }, ...chips.map(({ chip }) => chip)),
  );
  const [element, title] = group('screens', 'Screen');
  element.append(title, now, moves, all);

  let lastScreens: readonly ShownWidget['screen'][] | null = null;
  const show = (): void => {
    const widgets = model.widgets();
    const screens = widgets.map(({ screen }) => screen);
    if (lastScreens?.length === screens.length && screens.every((screen, at) => screen === lastScreens?.[at])) return;
    lastScreens = screens;
    const current = screens.at(-1) ?? null;
    now.replaceChildren(
      ...(widgets.length === 0 ? [el('p', { class: 'dim' }, NONE)] : []),
      ...widgets.map(({ widget, screen }) =>
        el('p', {}, el('strong', {}, screen.name), ' ', el('span', { class: 'dim' }, widget)),
      ),
    );
    const next = current === null ? [] : movesFrom(current);
    const rows = next.map(({ event, to }) => {
      const stays = to.length === 1 && to[0] === current?.name;
      const target = stays ? el('span', { class: 'dim' }, 'the same screen') : el('span', {}, `→ ${to.join(', ')}`);
      return el('li', {}, el('code', {}, event), target);
    });
    moves.replaceChildren(...rows);
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
