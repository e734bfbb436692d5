import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ClientOptions } from '#composition/client.ts';
import { checkFault, controlOf, type FaultOptions, type TimeSpan } from '#composition/control/provider-control.ts';
import type { PorticoOptions } from '#composition/playwright.ts';
import { checkedTestSettings, type PorticoTestSettings } from '#composition/playwright/test-settings.ts';
import type { FakeSettings } from '#kit/fake-server.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { TestWorld } from '../application/world.ts';
import { COOKIES } from './cookie-rows.ts';
import {
  allMistakesHaveMessages,
  eachMistakeHasAMessage,
  mistakesOf,
  thrownBy,
  type Rows,
  type Surface,
} from './option-rows.ts';

/** A setting cannot be left out of the fake server. */
type OptionalSettings = Partial<FakeSettings>;

const SETTINGS: Rows<OptionalSettings> = {
  origins: { wrongType: ['https://a.example', [7], undefined] },
  redirectUrls: { wrongType: ['https://a.example', [7], undefined] },
  defaultRedirectUrl: { wrongType: [7, null, undefined] },
  allowLoopback: { wrongType: ['true', null] },
  clients: { wrongType: [{}, ['app'], null] },
  roleAssignments: { wrongType: [{}, [{ email: 'a@b.example' }], [{ roles: ['a'] }], null] },
  trustedProfiles: { wrongType: ['a', [7], null] },
  breachedPasswords: { wrongType: ['a', [7], null] },
  sessionMaxMinutes: { wrongType: ['60', null], wrongUnit: [60 * 60_000, 0.5] },
  sessionAbsoluteMinutes: { wrongType: ['60', null], wrongUnit: [60 * 60_000, 0.5] },
  httpOnlySessions: { wrongType: ['true', null] },
  accountDeletion: { wrongType: ['true', null] },
  passkeySignUp: { wrongType: ['true', null] },
  signUp: { wrongType: ['closed', null, { policy: 'shut', domains: [], roles: [] }, { policy: 'open' }] },
  linkMaxMinutes: { wrongType: ['30', null], wrongUnit: [30 * 60_000, 0.5] },
  mfa: { wrongType: ['required', []] },
  profile: { wrongType: ['terms', [], { fields: ['company'], terms: [] }, { fields: [] }] },
};
eachMistakeHasAMessage('FakeServer.settings', SETTINGS, {
  good: {},
  path: 'settings.',
  messagesOf: (settings) => thrownBy(() => Object.assign(new TestWorld().server.settings, settings)),
});

const PLAYWRIGHT: Rows<PorticoTestSettings> = {
  apiUrl: { wrongType: [7, {}] },
  projectId: { wrongType: [7, {}] },
  secret: { wrongType: [7, {}] },
  cookieOptions: { wrongType: ['session', 7] },
};
eachMistakeHasAMessage('use.portico of Playwright', PLAYWRIGHT, {
  good: {},
  messagesOf: (settings) => thrownBy(() => checkedTestSettings(settings)),
});
eachMistakeHasAMessage('cookieOptions of Playwright', COOKIES, {
  good: { availableToSubdomains: true },
  messagesOf: (cookieOptions) => thrownBy(() => checkedTestSettings({ cookieOptions })),
});

const FAULT: Rows<FaultOptions> = {
  times: { wrongType: ['2', null, 0, 1.5, 1_001] },
  retryAfterSeconds: { wrongType: ['9', null, 0], wrongUnit: [90_000] },
  delayMs: { wrongType: ['9', null, 0], wrongUnit: [0.5] },
};
const FAULT_NAMES = Object.keys(FAULT) as (keyof FaultOptions)[];
const faults: Surface = {
  good: { times: 1, retryAfterSeconds: 86_400, delayMs: 60_000 },
  messagesOf: (options) => mistakesOf(() => checkFault('refuse', options, FAULT_NAMES)),
};
eachMistakeHasAMessage('a fault', FAULT, faults);
allMistakesHaveMessages('a fault', FAULT, faults);

it('each fault of a control checks its options before it is sent', async () => {
  const control = controlOf('http://localhost:1');
  const wrong = { times: 0, delayMS: 5 } as never;
  const odd = { name: 'SDKUsageError', details: expect.stringContaining('times must be a whole number') };
  await expect(control.refuse('*', 'too_many_requests', wrong)).rejects.toMatchObject(odd);
  await expect(control.delay('*', 5, wrong)).rejects.toMatchObject(odd);
  await expect(control.drop('*', 'answer', wrong)).rejects.toMatchObject(odd);
  await expect(control.drop('*', 'answer', null as never)).rejects.toThrow('options must be an object');
});

describe('a role in a fixture', () => {
  it('that the policy does not have is refused', () => {
    const { server } = new TestWorld();
    const assign = (role: string) => () => {
      server.settings.roleAssignments = [{ email: 'ada@example.com', roles: [role] }];
    };
    expect(assign('editor')).not.toThrow();
    server.project['rbac_policy'] = { roles: [{ role_id: 'editor', permissions: [] }], resources: [], scopes: [] };
    expect(assign('editor')).not.toThrow();
    expect(assign('edtior')).toThrow('has the role "edtior", which project.rbac_policy does not have');
  });
});

describe('a setting of the fake server', () => {
  const set = (settings: object) => () => Object.assign(new TestWorld().server.settings, settings);

  it('that does not exist is named, with the one that was meant or with all', () => {
    expect(set({ redirectUrl: [] })).toThrow(
      'FakeServer.settings.redirectUrl is no setting. Did you mean redirectUrls?',
    );
    expect(set({ orgins: [] })).toThrow('FakeServer.settings.orgins is no setting. Did you mean origins?');
    for (const name of ['toString', 'colour'])
      expect(set({ [name]: 1 })).toThrow(`FakeServer.settings.${name} is no setting. There are origins, `);
  });

  it('is null where it may be', () => {
    expect(set({ origins: null, redirectUrls: null, mfa: null })).not.toThrow();
  });

  it('about sign-ups has each of its parts, and roles of the policy', () => {
    const { server } = new TestWorld();
    const signUp = { policy: 'open', domains: ['a.example'], roles: ['editor'] } as const;
    for (const wrong of [{ domains: 'a.example' }, { roles: [7] }, { policy: 'shut' }])
      expect(set({ signUp: { ...signUp, ...wrong } })).toThrow(
        'FakeServer.settings.signUp must be an object { policy,',
      );
    server.project['rbac_policy'] = { roles: [{ role_id: 'editor', permissions: [] }], resources: [], scopes: [] };
    expect(() => (server.settings.signUp = signUp)).not.toThrow();
    expect(() => (server.settings.signUp = { ...signUp, roles: ['edtior'] })).toThrow(
      'FakeServer.settings.signUp has the role "edtior", which project.rbac_policy does not have',
    );
  });
});

it('a setting of Playwright that is undefined or null has its default', () => {
  const { apiUrl, secret, ...others } = checkedTestSettings({
    apiUrl: undefined,
    secret: null,
    cookieOptions: null,
  } as never);
  expect([apiUrl, secret]).toEqual(['http://localhost:4100', expect.stringMatching(/^secret-test-/u)]);
  expect(others).not.toHaveProperty('cookieOptions');
});

it('the cookies of Playwright are those of the app’s client, whose options they take, and no others', () => {
  type Cookies = NonNullable<PorticoTestSettings['cookieOptions']>;
  expectTypeOf<Cookies>().toEqualTypeOf<NonNullable<ClientOptions['cookieOptions']>>();
  // @ts-expect-error A name that does not exist is an error where it stands.
  const wrong: PorticoOptions = { portico: { cookieOptions: { jwtName: 'a' } } };
  expect(() => checkedTestSettings(wrong.portico)).toThrow('Did you mean jwtCookieName?');
});

describe('a virtual clock', () => {
  const WRONG = [null, '60', Number.NaN, Number.POSITIVE_INFINITY, { minutes: 5 }, new Date(0)];

  it.each([undefined, ...WRONG])('that is moved by %j says what it needs, and keeps its time', async (ms) => {
    const { clock } = new TestWorld();
    const before = clock.now();
    const remedy = /ms is .*: it must be a number of milliseconds\./u;
    await expect(clock.advance(ms as number)).rejects.toThrow(remedy);
    expect(() => clock.jump(ms as number)).toThrow(remedy);
    expect(clock.now()).toBe(before);
  });

  it.each(WRONG)('that begins at %j says what it needs', (start) => {
    expect(() => new VirtualClock(start as number)).toThrow(/start is .*: it must be milliseconds since 1970/u);
  });

  it('goes back by a jump alone', async () => {
    const { clock } = new TestWorld();
    await expect(clock.advance(-5)).rejects.toThrow('ms is -5: it must be 0 or more. `jump` sets the clock back.');
  });
});

describe('a span of time', () => {
  const UNITS: Record<keyof TimeSpan, true> = {
    milliseconds: true,
    seconds: true,
    minutes: true,
    hours: true,
    days: true,
  };

  it.each(Object.keys(UNITS))('in %s names a wrong unit and a wrong value', async (unit) => {
    const { clock } = controlOf('http://localhost:1');
    const singular = unit.slice(0, -1);
    await expect(clock.move({ [singular]: 5 })).rejects.toThrow(`${singular} is no option. Did you mean ${unit}?`);
    await expect(clock.move({ [unit]: '5' })).rejects.toThrow(`${unit} must be a number`);
    await expect(clock.move(5_000 as never)).rejects.toThrow('the span, such as { minutes: 5 }: must be an object');
  });
});
