import { cleanup } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BROKEN, FIXTURES, type Fixture } from '../../gallery/fixtures.ts';
import { SOAK } from '../../soak.ts';
import { skeleton, withTexts, type Replace } from './hostile-strings.ts';
import { play } from './play.ts';
import { showState } from './show.tsx';

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

/** Rows of a list stay apart, as a server keeps them. The code of a device stays complete: its button depends on that. */
const all =
  (text: string): Replace =>
  (was, path) => {
    if (path === 'state.consent.userCode') return `WDJB-MJHT ${text}`;
    return path.endsWith('_id') ? `${text} ${was}` : text;
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
      if (name === 'href') return !/^(?:https:\/\/|#)/u.test(value);
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

/** Where such a text is seen; what stands anywhere else is not shown. */
const SHOWN = [
  'state.account.apps.error.error_message',
  'state.account.apps.items[].client_host',
  'state.account.apps.items[].last_used_at',
  'state.account.apps.items[].name',
  'state.account.devices.items[].created_at',
  'state.account.devices.items[].ip_address',
  'state.account.devices.items[].last_used_at',
  'state.account.error.error_message',
  'state.account.recoveries.items[].available_at',
  'state.account.sessions.items[].attributes.ip_address',
  'state.account.sessions.items[].last_accessed_at',
  'state.account.sessions.items[].started_at',
  'state.account.task.codes[]',
  'state.account.task.otp.destination',
  'state.account.user.crypto_wallets[].crypto_wallet_address',
  'state.account.user.crypto_wallets[].crypto_wallet_type',
  'state.account.user.emails[].email',
  'state.account.user.name.first_name',
  'state.account.user.name.last_name',
  'state.account.user.phone_numbers[].phone_number',
  'state.account.user.providers[].provider_type',
  'state.account.user.webauthn_registrations[].name',
  'state.bootstrap.projectName',
  'state.consent.account',
  'state.consent.agent.host',
  'state.consent.clientName',
  'state.consent.destination.host',
  'state.consent.device.network',
  'state.consent.device.program',
  'state.consent.device.userCode',
  'state.consent.error.error_message',
  'state.consent.host',
  'state.consent.lists[].entries[].details[]',
  'state.consent.lists[].entries[].text',
  'state.consent.lists[].header',
  'state.consent.resources[]',
  'state.consent.scheme',
  'state.consent.ungrantable[]',
  'state.consent.userCode',
  'state.error.error_message',
  'state.passkeys[].name',
  'state.screen.email',
  'state.screen.flow.error.error_message',
  'state.screen.flow.step.phone_numbers[].phone_number',
  'state.screen.flow.task.otp.destination',
  'state.screen.flow.task.totp.recoveryCodes[]',
  'state.screen.message.otp.destination',
  'state.screen.otp.destination',
  'state.screen.otp.phone.international',
  'state.screen.phone.national',
  'state.strength.strength.feedback.suggestions[]',
  'state.strength.strength.feedback.warning',
];

/** Whether the fixture has a text in a place that no other had before, or where it is still to be seen. */
function hasNew(fixture: Fixture, seen: ReadonlySet<string>, played: ReadonlySet<string>): boolean {
  const paths = new Set<string>();
  withTexts(fixture, (was, path) => {
    paths.add(path);
    return was;
  });
  return [...paths].some((path) => !played.has(path) || (SHOWN.includes(path) && !seen.has(path)));
}

describe('whatever a server, a wallet or a host wrote', () => {
  // In every place in soaks; else the last test has the first text wherever one is shown.
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

  it.runIf(SOAK)('is shown as it is written, in all these places', async () => {
    const seen = new Set<string>();
    const played = new Set<string>();
    for (const [, fixture] of places) {
      if (!SOAK && !hasNew(fixture, seen, played)) continue;
      const used = new Set<string>();
      const container = await shown(fixture, (was, path) => {
        used.add(path);
        return path.endsWith('_id') ? was : `${MARKUP} at ${path}.`;
      });
      expect([fixture.id, unsafe(container)]).toEqual([fixture.id, []]);
      const values = [...container.querySelectorAll('input')].map(({ value }) => value);
      const text = [container.textContent, ...values].join(' ').replaceAll('\u00A0', ' ');
      for (const path of used) played.add(path);
      for (const path of used) if (text.includes(`${MARKUP} at ${path}.`)) seen.add(path);
      cleanup();
    }
    expect([...seen].filter((path) => path.startsWith('state.')).sort()).toEqual(SHOWN);
  });
});
