import { createRoot } from 'react-dom/client';
import { applyTheme } from '../../src/presentation/theme/apply-theme.ts';
import { adoptStyles } from '../../src/presentation/theme/stylesheet.ts';
import { Widget } from '../../src/presentation/Widget.tsx';
import { FIXTURES, NOW, type Act, type Fixture } from './fixtures.ts';
import hostile from './hostile.css?url&no-inline';
import { stillModel } from './still-model.ts';

/** `?fixture=otp` shows one, `&shadow` in a shadow root, `&hostile` among a host's worst rules; without it, all. */
const query = new URLSearchParams(location.search);

const nextFrame = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 30));

async function play(root: HTMLElement | ShadowRoot, acts: readonly Act[]): Promise<void> {
  for (const { click, type, focus } of acts) {
    if (focus) root.querySelector<HTMLElement>(focus)?.focus();
    if (click) root.querySelector<HTMLElement>(click)?.click();
    if (type) {
      const field = root.querySelector<HTMLInputElement>(type[0]);
      if (field) Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, type[1]);
      field?.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    }
    await nextFrame();
  }
}

async function show(
  { id, state, config, styles, strings, dir, acts = [] }: Fixture,
  place: HTMLElement,
): Promise<void> {
  const host = document.createElement('div');
  host.id = `fixture-${id}`;
  if (dir) host.dir = dir;
  place.append(host);
  const root = query.has('shadow') ? host.attachShadow({ mode: 'open' }) : host;
  const container = document.createElement('div');
  root.append(container);
  adoptStyles(root instanceof ShadowRoot ? root : document);
  applyTheme(container, styles, (message) => console.warn(`${id}: ${message}`));
  createRoot(container).render(
    <Widget model={stillModel(state, NOW)} config={config} styles={styles} strings={strings} />,
  );
  await nextFrame();
  await play(root, acts);
}

if (query.has('hostile')) {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = hostile;
  document.head.append(link);
}

const main = document.querySelector('main');
const wanted = query.get('fixture');
for (const fixture of FIXTURES) {
  if (main === null || (wanted !== null && wanted !== fixture.id)) continue;
  if (wanted === null) {
    const name = document.createElement('h2');
    name.textContent = fixture.id;
    main.append(name);
  }
  await show(fixture, main);
}
document.documentElement.dataset['ready'] = '';
