import { FIXTURES, type Fixture } from './fixtures.ts';
import hostile from './hostile.css?url&no-inline';
import { loadAll, play, show, type Shown } from './show.tsx';
import { showChoices, viewOf } from './view.ts';

const query = new URLSearchParams(location.search);
const view = viewOf(query);

/** The address of this page with some parameters changed; null takes one out. */
function addressWith(changes: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return `?${next.toString()}`;
}

function link(text: string, href: string, isHere: boolean): HTMLAnchorElement {
  const element = document.createElement('a');
  element.textContent = text;
  element.href = href;
  if (isHere) element.setAttribute('aria-current', 'page');
  return element;
}

function byScreen(fixtures: readonly Fixture[]): ReadonlyMap<string, readonly Fixture[]> {
  const screens = new Map<string, Fixture[]>();
  for (const fixture of fixtures) {
    const { name } = fixture.state.screen;
    screens.set(name, [...(screens.get(name) ?? []), fixture]);
  }
  return screens;
}

function showIndex(nav: HTMLElement, screens: ReadonlyMap<string, readonly Fixture[]>): void {
  const everywhere = { fixture: null, screen: null };
  const isAll = !query.has('screen') && !query.has('fixture');
  nav.append(link(`All ${FIXTURES.length}`, addressWith(everywhere), isAll));
  for (const [screen, { length }] of screens) {
    nav.append(link(`${screen} ${length}`, addressWith({ ...everywhere, screen }), query.get('screen') === screen));
  }
}

function showScreen(main: HTMLElement, name: string, fixtures: readonly Fixture[]): readonly Shown[] {
  const section = document.createElement('section');
  const heading = document.createElement('h2');
  heading.textContent = name;
  section.append(heading);
  main.append(section);
  return fixtures.map((fixture) => {
    const figure = document.createElement('figure');
    const caption = document.createElement('figcaption');
    caption.append(link(fixture.id, addressWith({ screen: null, fixture: fixture.id }), false));
    figure.append(caption);
    section.append(figure);
    return show(fixture, view, figure, query.has('shadow'));
  });
}

async function start(): Promise<void> {
  const [main, nav, form] = ['main', 'nav', 'form'].map((name) => document.querySelector<HTMLElement>(name));
  if (!main || !nav || !form) throw new Error('The gallery page lost its parts.');
  if (query.has('hostile')) {
    const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: hostile });
    document.head.append(sheet);
  }
  if (view.scheme !== '') document.documentElement.dataset['scheme'] = view.scheme;
  showChoices(form as HTMLFormElement, view, query);
  showIndex(nav, byScreen(FIXTURES));
  const shown = FIXTURES.filter(
    ({ id, state }) =>
      (query.get('fixture') ?? id).split(',').includes(id) &&
      (query.get('screen') ?? state.screen.name) === state.screen.name,
  );
  document.title = `${query.get('fixture') ?? query.get('screen') ?? 'Every screen in every state'} - Portico`;
  await loadAll(shown, view);
  await play([...byScreen(shown)].flatMap(([name, fixtures]) => showScreen(main, name, fixtures)));
  scrollTo(0, 0);
  document.documentElement.dataset['ready'] = '';
}

void start();
