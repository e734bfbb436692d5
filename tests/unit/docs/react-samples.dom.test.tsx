import { act, cleanup, waitFor } from '@testing-library/react';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComponentType, ReactNode } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { PorticoProvider, type InitialState } from '#composition/react.tsx';
import { PorticoUIClient } from '#composition/ui-client.ts';
import type { Session } from '#domain/sessions/session.ts';
import '#presentation/parts/user-button/UserButton.tsx';
import type { FakeTab } from '#kit/fake-world.ts';
import { TestWorld } from '../application/world.ts';
import { allExamples, DOCUMENTED_PROVIDER, type Example } from './examples.ts';

/** The token of the pages' clients. */
const TOKEN = 'public-token-test-d1e70000-0000-4000-8000-000000000000';

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-react-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The samples that export components, and import nothing that a page writes itself. */
const samples = allExamples().filter(
  ({ from, language, source }) =>
    from === null &&
    language === 'tsx' &&
    source.includes("'portico/react'") &&
    /^export function [A-Z]/mu.test(source) &&
    [...source.matchAll(/ from '([^']+)'/gu)].every(([, name = '']) => /^(?:portico|react)(?:\/|$)/u.test(name)),
);

/** The package as the samples get it: their clients are tabs of the test's browser. */
writeFileSync(
  join(dir, 'portico.ts'),
  `import { PorticoUIClient as Client } from 'portico';
   export * from 'portico';
   export const opened = [];
   let makeAdapters;
   export const openTabsBy = (make) => void (makeAdapters = make);
   export class PorticoUIClient extends Client {
     constructor(token, options) {
       super(token, { ...options, adapters: makeAdapters(), telemetry: false });
       opened.push(this);
     }
   }`,
);
const own = (await import(/* @vite-ignore */ join(dir, 'portico.ts'))) as {
  readonly opened: PorticoUIClient[];
  readonly openTabsBy: (make: () => FakeTab) => void;
};

let world: TestWorld;
let client: PorticoUIClient;
let root: Root | undefined;
let complaints: unknown[];

beforeEach(() => {
  world = new TestWorld();
  own.openTabsBy(() => world.tab());
  client = new PorticoUIClient(TOKEN, { adapters: world.tab(), apiUrl: DOCUMENTED_PROVIDER, telemetry: false });
  complaints = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words));
});
afterEach(() => {
  act(() => root?.unmount());
  root = undefined;
  cleanup();
  for (const one of [client, ...own.opened.splice(0)]) one.destroy();
});

let files = 0;

/** What the sample exports, loaded anew: in a browser, or where there is no window. */
async function load({ source }: Example, isServer: boolean): Promise<Readonly<Record<string, ComponentType<object>>>> {
  const file = join(dir, `sample-${(files += 1)}.tsx`);
  const page = source.replaceAll(/ from 'portico';/gu, " from './portico.ts';");
  writeFileSync(file, isServer ? page.replaceAll('typeof window', "'undefined'") : page);
  return (await import(/* @vite-ignore */ file)) as Readonly<Record<string, ComponentType<object>>>;
}

/** Renders the component as a server does, and lets React take over the HTML. */
async function hydrate(sample: Example, name: string, initial: InitialState | null | undefined): Promise<HTMLElement> {
  const pageOf = (Sample: ComponentType<object> | undefined, here: PorticoUIClient | null): ReactNode => {
    if (Sample === undefined) throw new Error(`There is no ${name}.`);
    const props = { client: here, initial, language: 'en', children: 'children' };
    // A sample with a provider has a client of its own.
    return (
      <PorticoProvider client={here} initial={initial}>
        <Sample {...props} />
      </PorticoProvider>
    );
  };
  const place = document.body.appendChild(document.createElement('div'));
  const [server, browser] = [await load(sample, true), await load(sample, false)];
  place.innerHTML = renderToString(pageOf(server[name], null));
  const options = { onRecoverableError: (error: unknown) => complaints.push(error) };
  root = await act(async () => hydrateRoot(place, pageOf(browser[name], client), options));
  await act(() => world.settle());
  return place;
}

const components = samples.flatMap((sample) =>
  [...sample.source.matchAll(/^export function ([A-Z]\w*)/gmu)].map(
    ([, name = '']) => [`${sample.page}, line ${sample.line}`, name, sample] as const,
  ),
);

async function stateOfUser(): Promise<InitialState> {
  await world.signIn(client);
  return { session: client.session.getSync() as Session, user: client.user.getSync() };
}

describe('a component of the documents that a server has rendered hydrates', () => {
  it('each of the page about React, and those of other pages', () => {
    const names = components.filter(([page]) => page.startsWith('docs/react.md')).map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['Providers', 'Greeting', 'Footer', 'Menu', 'SignIn']));
    expect(new Set(samples.map(({ page }) => page)).size).toBeGreaterThan(2);
  });

  describe.each(components)('%s: %s', (_page, name, sample) => {
    it.each([true, false])('of which the server read the session: %s, of a signed-in person', async (known) => {
      const state = await stateOfUser();
      await hydrate(sample, name, known ? state : undefined);
      expect(complaints).toEqual([]);
    });

    it.each([true, false])('of which the server looked for a session: %s, of nobody', async (known) => {
      await hydrate(sample, name, known ? null : undefined);
      expect(complaints).toEqual([]);
    });
  });

  it.each(components.filter(([page, , { source }]) => page.startsWith('docs/react.md') && /SignOut/u.test(source)))(
    'and signs out: %s, %s',
    async (_page, name, sample) => {
      const place = await hydrate(sample, name, await stateOfUser());
      await act(async () => place.querySelector('button')?.click());
      await waitFor(() => expect(place.querySelector('button')).toBe(null));
      expect(client.session.getSync()).toBe(null);
    },
  );
});
