import { byScreen, FIXTURES, type Fixture } from './fixtures.ts';
import { addressWith, INDEX, link, query } from './address.ts';
import hostile from './hostile.css?url&no-inline';
import { loadAll } from './load-all.ts';
import { play, show, type ShownFixture } from './show.tsx';
import { showChoices, viewOf } from './view.ts';

const view = viewOf(query);
const inShadow = query.has('shadow');

/** The way back: to the index, and from a fixture to its screen. */
function showTrail(trail: HTMLElement, steps: readonly (readonly [text: string, href: string | null])[]): void {
  const made = steps.map(([text, href]) => {
    const here = document.createElement('span');
    here.append(href === null ? text : link(text, href));
    if (href === null) here.setAttribute('aria-current', 'page');
    return here;
  });
  trail.replaceChildren(...made);
}

/** One of a screen's fixtures as a small picture of it, which leads to all of them. */
function tileOf(name: string, fixtures: readonly Fixture[]): HTMLElement {
  const tile = document.createElement('li');
  tile.className = 'tile';
  const picture = document.createElement('div');
  picture.className = 'tile-view';
  picture.inert = true;
  picture.setAttribute('aria-hidden', 'true');
  // What a screen shows before it knows anything says little of it.
  const first = fixtures.find(({ id }) => !id.endsWith('-loading')) ?? fixtures[0];
  if (first) show(first, { ...view, width: '' }, picture, false);
  const way = link(name, addressWith({ screen: name }));
  const count = document.createElement('span');
  count.textContent = fixtures.length === 1 ? '1 state' : `${fixtures.length} states`;
  way.append(' ', count);
  tile.append(picture, way);
  return tile;
}

function showIndex(place: HTMLElement): void {
  const tiles = document.createElement('ul');
  tiles.className = 'tiles';
  tiles.append(...[...byScreen(FIXTURES)].map(([name, fixtures]) => tileOf(name, fixtures)));
  const all = document.createElement('p');
  all.append(link(`All ${FIXTURES.length} on one page`, addressWith({ screen: 'all' })));
  place.append(tiles, all);
}

function showScreen(place: HTMLElement, name: string, fixtures: readonly Fixture[]): readonly ShownFixture[] {
  const section = document.createElement('section');
  section.className = 'screen';
  const heading = document.createElement('h2');
  heading.textContent = name;
  section.append(heading);
  place.append(section);
  return fixtures.map((fixture) => {
    const figure = document.createElement('figure');
    const caption = document.createElement('figcaption');
    caption.append(link(fixture.id, addressWith({ screen: null, fixture: fixture.id })));
    figure.append(caption);
    section.append(figure);
    return show(fixture, view, figure, inShadow);
  });
}

/** Those that the address names; none is the index. `every` leaves out those between, and `from` the first. */
function asked(): readonly Fixture[] {
  const screen = query.get('screen');
  const id = query.get('fixture');
  if (id !== null) return FIXTURES.filter((one) => id.split(',').includes(one.id));
  const every = Number(query.get('every') ?? 1);
  const from = Number(query.get('from') ?? 0);
  return FIXTURES.filter(({ state }) => screen === 'all' || state.screen.name === screen).filter(
    (_, at) => at % every === from,
  );
}

async function start(): Promise<void> {
  const [place, trail, title, form] = ['#shown', '#trail', '#title', '#view'].map((at) =>
    document.querySelector<HTMLElement>(at),
  );
  if (!place || !trail || !title || !form) throw new Error('The gallery page lost its parts.');
  if (query.has('hostile')) {
    const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: hostile });
    document.head.append(sheet);
  }
  showChoices(form as HTMLFormElement, view, query);
  const fixtures = asked();
  const isIndex = fixtures.length === 0;
  await loadAll(isIndex ? FIXTURES : fixtures, view.language);
  place.replaceChildren();
  if (isIndex) {
    showTrail(trail, [['Gallery', null]]);
    showIndex(place);
  } else {
    const id = query.get('fixture');
    const screen = id === null ? query.get('screen') : fixtures[0]?.state.screen.name;
    const name = screen === 'all' ? 'Everything' : (screen ?? '');
    const index = ['Gallery', addressWith(INDEX)] as const;
    const above =
      id === null || byScreen(fixtures).size > 1 ? [] : [[name, addressWith({ fixture: null, screen: name })] as const];
    const one = id?.includes(',') ? `${fixtures.length} states` : (id ?? name);
    showTrail(trail, [index, ...above, [one, null]]);
    title.textContent = one;
    document.title = `${one} · Gallery · Portico`;
    await play([...byScreen(fixtures)].flatMap(([screenName, its]) => showScreen(place, screenName, its)));
  }
  scrollTo(0, 0);
  document.documentElement.dataset['ready'] = '';
}

void start();
