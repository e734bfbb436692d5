import { cleanup } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadPart } from '#presentation/parts/load-part.ts';
import { BROKEN, FIXTURES, type Fixture } from '../../gallery/fixtures.ts';
import { SOAK } from '../../soak.ts';
import { soakIt } from '../../soak-tests.ts';
import { rowOf, skeleton, withTexts, type Replace } from './hostile-strings.ts';
import { play } from './play.ts';
import { showState } from './show.tsx';
import { TEXT_ORIGINS } from './text-origins.ts';

// Else a case would show them only after another one has loaded them.
for (const part of ['factors', 'account'] as const) await loadPart(part);

afterEach(cleanup);

const MARKUP =
  '<img src=x onerror="__xss()"><script>__xss()</script>"\'><a href="javascript:__xss()">{{7*7}}${7*7}{email}{clientName}</a>';
const TEXTS: Readonly<Record<string, string>> = {
  'markup, an order of its own and a word without end': `${MARKUP}\u202Emoc.elpmaxe@ada\u2067\u0000\uFFFF${'x'.repeat(5_000)}`,
  'a link': 'javascript:__xss()',
  'a part of every object': '__proto__',
};

/** Every text in soaks; else the first in each place, and each of the others in every eighth. */
const textsIn = (place: number): readonly (readonly [what: string, text: string])[] =>
  Object.entries(TEXTS).filter((_, at) => SOAK || at === 0 || (place + at) % 8 === 0);

/** Rows of a list, and options of a field, stay apart, as a server keeps them. The code of a device stays complete: its button depends on that. */
const all =
  (text: string): Replace =>
  (was, path) => {
    if (path === 'state.consent.userCode') return `WDJB-MJHT ${text}`;
    return /(?:_id|\.options\[\])$/u.test(path) ? `${text} ${was}` : text;
  };

async function shown(fixture: Fixture, replace: Replace): Promise<HTMLElement> {
  const given = withTexts(fixture, replace);
  const view = showState(given.state, given);
  await play(view, given);
  return view.container;
}

/** What a page must never hold, whatever anybody wrote. */
function unsafe(container: Element): readonly string[] {
  return [...container.querySelectorAll('*')].flatMap((element) =>
    element.getAttributeNames().filter((name) => {
      const value = element.getAttribute(name) ?? '';
      if (name === 'href') return !/^(?:https:\/\/|#|\/(?!\/))/u.test(value);
      if (name === 'src') return !/^(?:https:|data:image\/(?:png|jpeg|gif|webp);)/u.test(value);
      return /^on|^style$|^srcdoc$|^formaction$|^action$/u.test(name);
    }),
  );
}

/** A host's own words for everything that is said. */
const KEYS = Object.values(
  import.meta.glob<Readonly<Record<string, object>>>(
    ['../../../src/presentation/messages/en/*.ts', '../../../src/presentation/messages/error-texts.ts'],
    { eager: true },
  ),
).flatMap((file) => Object.values(file).flatMap((texts) => Object.keys(texts)));
const inEveryText = (fixture: Fixture): Fixture => ({
  ...fixture,
  strings: Object.fromEntries(KEYS.map((key) => [key, ''])),
});
const hosts =
  (text: string): Replace =>
  (was, path) =>
    path.startsWith('strings.') ? text : was;

const places = FIXTURES.filter(({ state }) => state !== BROKEN).map(
  (fixture, place) => [fixture.id, fixture, place] as const,
);

/** Names of apps are cut to 120 characters. */
const SHORT_MARKUP = `<img src=x onerror="__xss()">"'{email}`;

/** Where such a text is seen. */
const SHOWN = Object.entries(TEXT_ORIGINS).flatMap(([path, origin]) => (origin === 'shown' ? [path] : []));

describe('whatever a server, a wallet or a host wrote', () => {
  // In every place in soaks.
  it.each(places.filter((_, place) => SOAK || place % 36 === 0))('is only text in %s', async (_, fixture, place) => {
    const complained = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const plain = skeleton(await shown(fixture, all('plain')));
    cleanup();
    for (const [what, text] of textsIn(place)) {
      const container = await shown(fixture, all(text));
      expect([what, unsafe(container)]).toEqual([what, []]);
      expect([what, skeleton(container)]).toEqual([what, plain]);
      cleanup();
    }
    expect(complained.mock.calls).toEqual([]);
  });

  it.each(places.filter((_, place) => SOAK || place % 72 === 9))(
    'is only text where the host has its own words for %s',
    async (_, fixture) => {
      const complained = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const plain = skeleton(await shown(inEveryText(fixture), hosts('{email} plain {clientName} {email}')));
      cleanup();
      const container = await shown(inEveryText(fixture), hosts(`${MARKUP}{email}{__proto__}{constructor}`));
      expect([unsafe(container), skeleton(container)]).toEqual([[], plain]);
      expect(container.textContent).not.toMatch(/\[object|function/u);
      expect(complained.mock.calls).toEqual([]);
    },
  );

  soakIt('is shown as it is written, in all these places', async () => {
    const seen = new Set<string>();
    for (const [, fixture] of places) {
      const used = new Set<string>();
      const container = await shown(fixture, (was, path) => {
        used.add(path);
        const text = `${SHORT_MARKUP} at ${path}.`;
        if (path.endsWith('.options[]')) return `${text} ${was}`;
        return path.endsWith('_id') ? was : text;
      });
      expect([fixture.id, unsafe(container)]).toEqual([fixture.id, []]);
      const values = [...container.querySelectorAll('input')].map(({ value }) => value);
      const text = [container.textContent, ...values].join(' ').replaceAll('\u00A0', ' ');
      for (const path of used) if (text.includes(`${SHORT_MARKUP} at ${path}.`)) seen.add(rowOf(path));
      cleanup();
    }
    expect([...seen].filter((path) => path.startsWith('state.')).sort()).toEqual(SHOWN);
  });
});
