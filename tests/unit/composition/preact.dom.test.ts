import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createElement as h,
  createRoot,
  hydrateRoot,
  memo,
  useId,
  useState,
  useSyncExternalStore,
} from '#composition/preact.ts';

let place: HTMLElement;
let root: ReturnType<typeof createRoot> | undefined;

beforeEach(() => {
  place = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  root?.unmount();
  place.remove();
});

function show(node: Parameters<ReturnType<typeof createRoot>['render']>[0]): void {
  root = createRoot(place);
  root.render(node);
}

it('a text field reports each letter, a choice its change', () => {
  const heard: string[] = [];
  const onChange = ({ type }: Event): void => void heard.push(type);
  show(h('form', null, h('input', { onChange }), h('input', { type: 'checkbox', onChange })));
  for (const field of place.querySelectorAll('input'))
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type));
  expect(heard).toEqual(['input', 'change']);
});

it('a field hears the end of a composition', () => {
  const heard: string[] = [];
  show(h('input', { onCompositionEnd: ({ type }: Event): void => void heard.push(type) }));
  place.querySelector('input')?.dispatchEvent(new CompositionEvent('compositionend'));
  expect(heard).toEqual(['compositionend']);
});

it.each([
  ['a', 'a'],
  ['', ''],
  // React shows the first option, too.
  ['gone', ''],
])('a list with the default value %j begins with %j, and keeps the choice of the person', (defaultValue, shown) => {
  const options = ['a', 'b'].map((value) => h('option', { key: value, value }, value));
  const list = (name: string) => h('select', { name, defaultValue }, h('option', { value: '' }, 'none'), options);
  show(list('one'));
  const select = place.querySelector('select');
  expect([select?.value, select?.getAttributeNames()]).toEqual([shown, ['name']]);
  if (select) select.value = 'b';
  root?.render(list('two'));
  expect([select?.name, select?.value]).toEqual(['two', 'b']);
});

it('the events of the focus reach the elements around the field, with the event of the browser', () => {
  const heard: unknown[] = [];
  const note = (event: Event): void => void heard.push([event.type, Reflect.get(event, 'nativeEvent') === event]);
  show(h('form', { onFocus: note, onBlur: note }, h('input', null)));
  for (const type of ['focusin', 'focusout'])
    place.querySelector('input')?.dispatchEvent(new Event(type, { bubbles: true }));
  expect(heard).toEqual([
    ['focusin', true],
    ['focusout', true],
  ]);
});

it('attributes have the names of the document', () => {
  show(h('svg', { strokeWidth: 3, viewBox: '0 0 1 1' }, h('g', { fillRule: 'evenodd' })));
  expect(place.innerHTML).toContain('stroke-width="3"');
  expect(place.innerHTML).toContain('viewBox="0 0 1 1"');
  expect(place.innerHTML).toContain('fill-rule="evenodd"');
});

it('a root replaces what its element contained', () => {
  place.innerHTML = '<p>before</p>';
  show(h('b', null, 'after'));
  expect(place.innerHTML).toBe('<b>after</b>');
});

it('a root of the elements of a server keeps them', () => {
  place.innerHTML = '<p>before</p>';
  const before = place.firstChild;
  root = hydrateRoot(place, h('p', null, 'before'));
  expect(place.firstChild).toBe(before);
});

it('a component with memory is rendered again only with other properties', async () => {
  const render = vi.fn(({ name }: { readonly name: string }) => h('i', null, name));
  const Inner = memo(render);
  const changes: ((name: string) => void)[] = [];
  function Outer() {
    const [[name], set] = useState(['one']);
    changes.push((next) => set([next]));
    return h(Inner, { name: name ?? '' });
  }
  show(h(Outer, null));
  changes[0]?.('one');
  changes[0]?.('two');
  await vi.waitFor(() => expect(place.textContent).toBe('two'));
  changes[0]?.('two');
  await Promise.resolve();
  expect(render.mock.calls.map(([{ name }]) => name)).toEqual(['one', 'two']);
});

it('a child that renders on its own has the newest state of the store, also before the first effects', async () => {
  let state = 'old';
  const listeners = new Set<() => void>();
  const subscribe = (notify: () => void) => {
    listeners.add(notify);
    return () => void listeners.delete(notify);
  };
  const pairs: string[] = [];
  const presses: (() => void)[] = [];
  function Child({ shown }: { readonly shown: string }) {
    const [own, set] = useState('before');
    presses.push(() => set('after'));
    pairs.push(`${shown} ${own}`);
    return null;
  }
  const Parent = () => h(Child, { shown: useSyncExternalStore(subscribe, () => state) });
  show(h(Parent, null));
  state = 'new';
  for (const notify of listeners) notify();
  presses[0]?.();
  await vi.waitFor(() => expect(pairs.at(-1)).toContain('after'));
  expect(pairs).not.toContain('old after');
});

it('the state of a store is shown when it changes, and its listener leaves with the component', async () => {
  let state = 'old';
  const listeners = new Set<() => void>();
  const subscribe = (notify: () => void) => {
    listeners.add(notify);
    return () => void listeners.delete(notify);
  };
  const Shown = () =>
    h(
      'p',
      null,
      useSyncExternalStore(subscribe, () => state),
    );
  show(h(Shown, null));
  expect(listeners.size).toBe(1);
  state = 'new';
  for (const notify of listeners) notify();
  await vi.waitFor(() => expect(place.textContent).toBe('new'));
  state = 'newer';
  for (const notify of listeners) notify();
  await vi.waitFor(() => expect(place.textContent).toBe('newer'));
  root?.unmount();
  expect(listeners.size).toBe(0);
});

it('an id stays when its component is rendered again, and no other component has it, also in another root', () => {
  const ids: string[] = [];
  const Named = (): null => {
    ids.push(useId());
    return null;
  };
  const other = document.body.appendChild(document.createElement('div'));
  const second = createRoot(other);
  show(h('p', null, h(Named, null), h(Named, null)));
  second.render(h(Named, null));
  root?.render(h('p', null, h(Named, null), h(Named, null)));
  expect(ids.slice(3)).toEqual(ids.slice(0, 2));
  expect(new Set(ids).size).toBe(3);
  second.unmount();
  other.remove();
});
