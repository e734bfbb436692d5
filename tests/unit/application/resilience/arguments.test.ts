import { describe, expect, it } from 'vitest';
import type { PorticoClient } from '#composition/client.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { TestWorld } from '../world.ts';
import { CALLS } from './surface.ts';
import { Traps } from './traps.ts';

const NAMES = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  'string[]': 'an array of strings',
} as const;
type Kind = keyof typeof NAMES;

const NEVER: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  // oxlint-disable-next-line no-new-wrappers
  ['a boxed string', new String('text')],
  // oxlint-disable-next-line no-new-wrappers
  ['a boxed number', new Number(1)],
  ['a symbol', Symbol('text')],
  ['a BigInt', 1n],
  ['a function', () => 'text'],
  ['a date', new Date(0)],
  ['a proxy', new Proxy({}, { get: () => 'text' })],
  [
    'an object whose conversion throws',
    {
      toString: () => {
        throw new Error('trap');
      },
      valueOf: () => {
        throw new Error('trap');
      },
    },
  ],
  ['an array of mixed things', ['openid', 1]],
  ['a promise', Promise.resolve('text')],
];

const ALSO_WRONG: Readonly<Record<Kind, readonly (readonly [string, unknown])[]>> = {
  string: [
    ['a number', 1],
    ['a boolean', true],
    ['an array', ['text']],
  ],
  number: [
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a numeric string', '60'],
    ['a boolean', true],
  ],
  boolean: [
    ['a string', 'true'],
    ['a number', 1],
  ],
  object: [],
  'string[]': [
    ['a string', 'openid'],
    ['an object like an array', { 0: 'openid', length: 1 }],
  ],
};

const AUTHORIZE = { client_id: 'c', redirect_uri: 'https://a.example/', response_type: 'code', scopes: ['openid'] };

const wrongFor = (kind: Kind) => [...NEVER, ...ALSO_WRONG[kind]];

/** The error that a call ends in, whether it throws or rejects. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return null;
  } catch (error) {
    return error;
  }
}

describe('arguments', () => {
  it('of every required field and of twelve wrong kinds and more are refused by name, and nothing is sent', async () => {
    const traps = new Traps();
    const world = new TestWorld();
    const { client } = world.open({ telemetry: false });
    await world.settle();
    const before = world.transport.requests.length;
    let tried = 0;
    for (const { method, required, good, call } of CALLS) {
      for (const [field, kind] of Object.entries(required)) {
        for (const [name, value] of wrongFor(kind)) {
          tried += 1;
          const error = await errorOf(() => call(client, { ...good, [field]: value } as never));
          const text = `Invalid call to ${method}\n${field} must be ${NAMES[kind]}`;
          expect(error, `${method} with ${name} as ${field}`).toBeInstanceOf(SDKUsageError);
          expect((error as Error).message, `${method} with ${name} as ${field}`).toBe(text);
        }
        const { [field]: _, ...without } = good;
        expect(await errorOf(() => call(client, without as never)), `${method} without ${field}`).toBeInstanceOf(
          SDKUsageError,
        );
        tried += 1;
      }
    }
    expect(world.transport.requests.length).toBe(before);
    expect(tried).toBeGreaterThan(700);
    client.destroy();
    expect(await traps.close()).toEqual([]);
  });

  it('that are no function are refused where a method calls back', () => {
    const { client } = new TestWorld().open({ telemetry: false });
    for (const [method, target] of [
      ['onStateChange', client],
      ['user.onChange', client.user],
      ['session.onChange', client.session],
    ] as const) {
      const subscribe = (callback: unknown): unknown =>
        (target as unknown as Record<string, (callback: unknown) => unknown>)[method.replace(/^.*\./u, '')]?.(callback);
      for (const value of [undefined, null, 'text', {}, Promise.resolve()])
        expect(() => subscribe(value), method).toThrow(
          new SDKUsageError(method.replace(/^.*\./u, ''), 'callback must be a function'),
        );
      expect(subscribe(() => undefined)).toBeTypeOf('function');
    }
    client.destroy();
  });

  it('name the first wrong field when all are', async () => {
    const { client } = new TestWorld().open({ telemetry: false });
    for (const { method, required, call } of CALLS) {
      const [first] = Object.entries(required);
      if (first === undefined) continue;
      const none = Object.fromEntries(Object.keys(required).map((field) => [field, Symbol('wrong')]));
      const error = await errorOf(() => call(client, none as never));
      expect((error as Error).message).toBe(`Invalid call to ${method}\n${first[0]} must be ${NAMES[first[1]]}`);
    }
    client.destroy();
  });

  it('that are no object at all, or whose getters throw, reject and send nothing', async () => {
    const traps = new Traps();
    const world = new TestWorld();
    const { client } = world.open({ telemetry: false });
    await world.settle();
    const before = world.transport.requests.length;
    let own = 0;
    for (const { method, required, good, call } of CALLS) {
      for (const field of Object.keys(required)) {
        const given = Object.defineProperty({ ...good }, field, {
          enumerable: true,
          get: () => {
            throw new Error('trap');
          },
        });
        const error = await errorOf(() => call(client, given as never));
        // An argument of its own is read by the test itself.
        if (error instanceof Error && error.message === 'trap') own += 1;
        else expect(error, `${method} whose ${field} throws`).toBeInstanceOf(SDKUsageError);
      }
    }
    expect(own).toBe(17);
    const whole: readonly (readonly [string, (client: PorticoClient, given: never) => Promise<unknown>])[] = [
      ['passwords.authenticate', (c, given) => c.passwords.authenticate(given)],
      ['totps.authenticate', (c, given) => c.totps.authenticate(given)],
      ['webauthn.authenticate', (c, given) => c.webauthn.authenticate(given)],
      ['cryptoWallets.authenticate', (c, given) => c.cryptoWallets.authenticate(given)],
      ['impersonation.authenticate', (c, given) => c.impersonation.authenticate(given)],
      ['idp.oauthAuthorizeStart', (c, given) => c.idp.oauthAuthorizeStart(given)],
      ['session.attest', (c, given) => c.session.attest(given)],
      ['otps.authenticate', (c, given) => c.otps.authenticate('1', 'm', given)],
      ['magicLinks.authenticate', (c, given) => c.magicLinks.authenticate('t', given)],
    ];
    for (const [method, call] of whole) {
      for (const [name, value] of [...NEVER, ['a string', 'text'], ['a number', 1]] as const) {
        const error = await errorOf(() => call(client, value as never));
        expect(error, `${method} with ${name}`).toBeInstanceOf(SDKUsageError);
        expect((error as Error).message, `${method} with ${name}`).toMatch(
          new RegExp(`^Invalid call to ${method}\\n[a-z_]+ must be (a|an) `, 'u'),
        );
      }
    }
    expect(world.transport.requests.length).toBe(before);
    client.destroy();
    expect(await traps.close()).toEqual([]);
  });

  it('that cannot be sent as JSON are refused, and nothing is sent', async () => {
    const world = new TestWorld();
    const { client } = world.open({ telemetry: false });
    await world.settle();
    const before = world.transport.requests.length;
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const call of [
      () => client.user.update({ untrusted_metadata: circle }),
      () => client.user.update({ untrusted_metadata: { big: 1n } }),
      () => client.user.deleteEmail('\ud800'),
    ]) {
      expect(await errorOf(call)).toBeInstanceOf(SDKUsageError);
    }
    expect(world.transport.requests.length).toBe(before);
    client.destroy();
  });

  it('that are optional are checked too', async () => {
    const world = new TestWorld();
    const { client } = world.open({ telemetry: false });
    const wrong = async (call: () => unknown, text: string) =>
      expect((await errorOf(call)) as Error).toMatchObject({ message: text });
    for (const provider of Object.keys(OAUTH_PROVIDERS) as OAuthProvider[]) {
      await wrong(
        () => client.oauth[provider].start({ custom_scopes: 'a b' as never }),
        `Invalid call to oauth.${provider}.start\ncustom_scopes must be an array of strings`,
      );
    }
    for (const method of ['PUT', 'post', 'toString']) {
      await wrong(
        () => client.oauth.google.start({ method: method as never }),
        'Invalid call to oauth.google.start\nmethod must be GET or POST',
      );
    }
    await wrong(
      () => client.oauth.google.start({ method: 'GET', oauth_attach_token: 't' }),
      'Invalid call to oauth.google.start\noauth_attach_token requires the method POST',
    );
    await wrong(
      () => client.oauth.google.start({ oauth_attach_token: 1 as never }),
      'Invalid call to oauth.google.start\noauth_attach_token must be a string',
    );
    await wrong(
      () => client.session.authenticate({ session_duration_minutes: '5' as never }),
      'Invalid call to session.authenticate\nsession_duration_minutes must be a number',
    );
    await wrong(
      () => client.session.updateSession({ session_token: 1 as never }),
      'Invalid call to session.updateSession\nsession_token must be a string',
    );
    await wrong(
      () => client.passwords.strengthCheck({ password: 'p', email: 1 as never }),
      'Invalid call to passwords.strengthCheck\nemail must be a string',
    );
    await wrong(
      () => client.idp.oauthAuthorizeSubmit({ ...AUTHORIZE, consent_granted: true, code_challenge_method: 1 as never }),
      'Invalid call to idp.oauthAuthorizeSubmit\ncode_challenge_method must be a string',
    );
    await wrong(
      () => client.idp.oauthAuthorizeStart({ ...AUTHORIZE, max_age: 1 as never }),
      'Invalid call to idp.oauthAuthorizeStart\nmax_age must be a string',
    );
    await wrong(
      () => client.otps.sms.send('+15005550006', { expiration_minutes: '5' as never }),
      'Invalid call to otps.sms.send\nexpiration_minutes must be a number',
    );
    await wrong(
      () => client.magicLinks.email.send('a@b.co', 7 as never),
      'Invalid call to magicLinks.email.send\noptions must be an object',
    );
    await wrong(
      () => client.user.update({ untrusted_metadata: [] as never }),
      'Invalid call to user.update\nuntrusted_metadata must be an object',
    );
    await wrong(
      () => client.rbac.isAuthorizedSync('r', 1 as never),
      'Invalid call to rbac.isAuthorizedSync\naction must be a string',
    );
    expect(world.transport.requestsTo({ name: 'sessions.authenticate' })).toEqual([]);
    client.destroy();
  });

  it('that are ids are refused when they are no part of a path', async () => {
    const world = new TestWorld();
    const { client } = world.open({ telemetry: false });
    await world.settle();
    const before = world.transport.requests.length;
    const ids = CALLS.filter(({ good }) => 'id' in good || 'webauthn_registration_id' in good);
    expect(ids.length).toBe(10);
    for (const { method, good, call } of ids) {
      for (const id of ['', '.', '..', 1, null, undefined, {}]) {
        const field = 'id' in good ? 'id' : 'webauthn_registration_id';
        const error = await errorOf(() => call(client, { ...good, [field]: id } as never));
        expect((error as Error).message, `${method} of ${JSON.stringify(id)}`).toMatch(
          new RegExp(`^Invalid call to ${method}\\n`, 'u'),
        );
      }
    }
    expect(world.transport.requests.length).toBe(before);
    client.destroy();
  });
});
