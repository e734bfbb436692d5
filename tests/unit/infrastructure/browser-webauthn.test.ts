import { describe, expect, it, vi } from 'vitest';
import { BrowserWebauthn } from '#infrastructure/passkeys/browser-webauthn.ts';

const CREATION = {
  rp: { id: 'localhost', name: 'A project' },
  user: { id: 'dXNlcg', name: 'ada@example.com', displayName: 'Ada' },
  challenge: 'Y2hhbGxlbmdl',
  pubKeyCredParams: [
    { type: 'public-key', alg: -7 },
    { type: 'public-key', alg: -257 },
  ],
  timeout: 60_000,
  excludeCredentials: [{ type: 'public-key', id: 'AAECAw', transports: ['internal', 'usb'] }],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
  attestation: 'none',
  hints: ['client-device'],
  extensions: { credProps: true, appid: 'https://example.com', prf: { eval: { first: 'AAAA' } } },
};
const REQUEST = { challenge: 'Y2hhbGxlbmdl', rpId: 'localhost', allowCredentials: CREATION.excludeCredentials };

type Ceremony = (options: { publicKey: unknown; signal: AbortSignal; mediation?: string }) => Promise<unknown>;

const RAW = Uint8Array.of(251, 255, 0).buffer;
const BARE = { id: '-_8A', rawId: RAW, type: 'public-key', response: { clientDataJSON: RAW } };

function world(ceremony: Ceremony = async () => BARE) {
  const [create, get] = [vi.fn<Ceremony>(ceremony), vi.fn<Ceremony>(ceremony)];
  const page = { navigator: { credentials: { create, get } }, PublicKeyCredential: {} } as unknown as Window;
  return { create, get, page, webauthn: new BrowserWebauthn(page) };
}

const NONSENSE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  'x',
  '🗝️',
  '\u0000',
  '=',
  'A'.repeat(70_000),
  [],
  [[]],
  [null],
  {},
  { a: {} },
  { length: 1, 0: 'a' },
  { type: 'Buffer', data: [1] },
];

/** Every value of the tree by its path, arrays included. */
function paths(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => paths(item, [...path, key]))];
}

function changed(value: unknown, path: readonly string[], to: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return to;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = changed(copy[key], rest, to);
  return copy;
}

/** Whether every field that a browser reads is of the type that it reads. */
function isWellFormed(options: Record<string, unknown>): boolean {
  const lists = ['excludeCredentials', 'allowCredentials'].flatMap(
    (name) => (options[name] ?? []) as { id: unknown }[],
  );
  const user = options['user'] as { id: unknown } | undefined;
  const buffers = [options['challenge'], ...lists.map(({ id }) => id), ...(user === undefined ? [] : [user.id])];
  return buffers.every((one) => one instanceof ArrayBuffer && one.byteLength > 0 && one.byteLength <= 1_024);
}

describe('BrowserWebauthn', () => {
  it('reports where a passkey can be created, even when the browser throws', async () => {
    const creationWith = async (PublicKeyCredential: object | undefined) =>
      new BrowserWebauthn({ PublicKeyCredential } as unknown as Window).creation();
    const answers = async (isThere: unknown) =>
      creationWith({ isUserVerifyingPlatformAuthenticatorAvailable: async () => isThere });
    expect([await answers(true), await answers(false), await answers('yes')]).toEqual([
      'here',
      'elsewhere',
      'elsewhere',
    ]);
    const broken = { isUserVerifyingPlatformAuthenticatorAvailable: () => Promise.reject(new Error('no')) };
    expect([await creationWith(undefined), await creationWith({}), await creationWith(broken)]).toEqual([
      'none',
      'elsewhere',
      'elsewhere',
    ]);
  });

  it('calls the browser only with well-formed options', async () => {
    let [called, refused] = [0, 0];
    const { webauthn } = world(async ({ publicKey }) => {
      called += 1;
      expect(isWellFormed(publicKey as Record<string, unknown>)).toBe(true);
      return BARE;
    });
    for (const [options, start] of [
      [CREATION, async (json: string) => webauthn.create(json)],
      [REQUEST, async (json: string) => webauthn.get(json, 'modal')],
    ] as const) {
      for (const path of paths(options)) {
        for (const nonsense of NONSENSE) {
          try {
            await start(JSON.stringify(changed(options, path, nonsense)));
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
            refused += 1;
          }
        }
      }
    }
    expect(called + refused).toBeGreaterThan(500);
    expect([called > 50, refused > 400]).toEqual([true, true]);
  });

  it('passes on only known fields, decoded', async () => {
    const { create, webauthn } = world();
    await webauthn.create(JSON.stringify({ ...CREATION, mediation: 'silent', __proto__: null, unknown: 1 }));
    const { publicKey } = create.mock.calls[0]![0] as { publicKey: Record<string, unknown> };
    expect(publicKey).toEqual({
      ...CREATION,
      challenge: new TextEncoder().encode('challenge').buffer,
      user: { ...CREATION.user, id: new TextEncoder().encode('user').buffer },
      excludeCredentials: [{ ...CREATION.excludeCredentials[0], id: Uint8Array.of(0, 1, 2, 3).buffer }],
      extensions: {
        credProps: true,
        appid: 'https://example.com',
        prf: { eval: { first: Uint8Array.of(0, 0, 0).buffer } },
      },
    });
  });

  it('asks for mediation only where it is conditional', async () => {
    const { get, webauthn } = world();
    await webauthn.get(JSON.stringify(REQUEST), 'modal');
    await webauthn.get(JSON.stringify(REQUEST), 'conditional');
    expect(get.mock.calls.map(([options]) => options.mediation)).toEqual([undefined, 'conditional']);
  });

  it('reads a credential that has only the required fields', async () => {
    const { webauthn } = world();
    expect(JSON.parse(await webauthn.create(JSON.stringify(CREATION)))).toEqual({
      id: '-_8A',
      rawId: '-_8A',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: '-_8A' },
    });
  });

  it('writes buffers within extension results as base64url', async () => {
    const results = { prf: { results: { first: Uint8Array.of(1, 2, 3) } }, credProps: { rk: true } };
    const { webauthn } = world(async () => ({ ...BARE, getClientExtensionResults: () => results }));
    const { clientExtensionResults } = JSON.parse(await webauthn.create(JSON.stringify(CREATION)));
    expect(clientExtensionResults).toEqual({ prf: { results: { first: 'AQID' } }, credProps: { rk: true } });
  });

  it.each([
    'authenticatorAttachment',
    'getClientExtensionResults',
    'response.getTransports',
    'response.getPublicKeyAlgorithm',
    'response.getPublicKey',
    'response.getAuthenticatorData',
    'response.authenticatorData',
    'response.signature',
    'response.userHandle',
  ])('does without %s of a password manager, which throws, or is of no use', async (member) => {
    const [name = '', inner] = member.split('.');
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const fail = (): never => {
      throw new TypeError('Illegal invocation');
    };
    const results: PropertyDescriptor[] = [{ get: fail }, { value: fail }, { value: () => cyclic }, { value: cyclic }];
    for (const descriptor of results) {
      const response = Object.defineProperty({ ...BARE.response, attestationObject: RAW }, inner ?? 'none', {
        ...(inner === undefined ? { value: undefined } : descriptor),
        enumerable: true,
      });
      const credential = { ...BARE, response };
      if (inner === undefined) Object.defineProperty(credential, name, { ...descriptor, enumerable: true });
      const { webauthn } = world(async () => credential);
      expect(JSON.parse(await webauthn.create(JSON.stringify(CREATION)))).toEqual({
        id: '-_8A',
        rawId: '-_8A',
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: '-_8A', attestationObject: '-_8A' },
      });
    }
  });

  it('reads a credential of a password manager that has no more than its id and the answer to the ceremony', async () => {
    const answers = { clientDataJSON: RAW, signature: new Uint8Array(RAW), authenticatorData: '-_8A' };
    const response = new Proxy(answers, {
      get: (from, name) => {
        if (name in from) return Reflect.get(from, name) as unknown;
        throw new TypeError('There is no such member');
      },
    });
    const credential = { id: '-_8A', response, toJSON: undefined };
    for (const name of ['rawId', 'type']) {
      Object.defineProperty(credential, name, {
        get: () => {
          throw new TypeError('Illegal invocation');
        },
      });
    }
    const { webauthn } = world(async () => credential);
    expect(JSON.parse(await webauthn.get(JSON.stringify(REQUEST), 'modal'))).toEqual({
      id: '-_8A',
      rawId: '-_8A',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: '-_8A', signature: '-_8A', authenticatorData: '-_8A' },
    });
  });

  it('is aborted even when a replacement of the browser’s function ignores the signal', async () => {
    const { webauthn } = world(async () => new Promise(() => undefined));
    const abort = new AbortController();
    const outcome = expect(webauthn.get(JSON.stringify(REQUEST), 'conditional', abort.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
    abort.abort();
    await outcome;
  });

  it('holds one ceremony at a time in a page, whichever client began it, over a hundred of them', async () => {
    let pending = 0;
    const { page } = world(async ({ signal }) => {
      pending += 1;
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          pending -= 1;
          reject(signal.reason as Error);
        }),
      );
    });
    const outcomes: Promise<string>[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      const started = new BrowserWebauthn(page).get(JSON.stringify(REQUEST), 'conditional');
      outcomes.push(started.catch((error: Error) => error.name));
      expect(pending).toBe(1);
    }
    const abort = new AbortController();
    const last = new BrowserWebauthn(page).get(JSON.stringify(REQUEST), 'modal', abort.signal);
    outcomes.push(last.catch((error: Error) => error.name));
    abort.abort();
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['AbortError']));
    expect(pending).toBe(0);
  });

  it('does not end a ceremony for one that never begins', async () => {
    const { get, webauthn } = world(async () => new Promise(() => undefined));
    void webauthn.get(JSON.stringify(REQUEST), 'conditional');
    await expect(webauthn.create('{}')).rejects.toThrow(TypeError);
    await expect(webauthn.create(JSON.stringify(CREATION), AbortSignal.abort())).rejects.toThrow('aborted');
    expect(get.mock.calls[0]?.[0].signal.aborted).toBe(false);
  });

  it('rejects with the error of the browser, and when there is no passkey', async () => {
    const { webauthn } = world(() => {
      throw new DOMException('not in this frame', 'SecurityError');
    });
    await expect(webauthn.create(JSON.stringify(CREATION))).rejects.toMatchObject({ name: 'SecurityError' });
    for (const nothing of [null, undefined, false]) {
      const none = world(async () => nothing);
      await expect(none.webauthn.get(JSON.stringify(REQUEST), 'modal')).rejects.toMatchObject({
        name: 'NotAllowedError',
      });
    }
  });

  it('takes a browser that cannot be asked, or fails when asked, for one without autofill', async () => {
    const answers = [undefined, async () => false, async () => Promise.reject(new Error('no')), async () => 'yes'];
    for (const isConditionalMediationAvailable of answers) {
      const page = { PublicKeyCredential: { isConditionalMediationAvailable } } as unknown as Window;
      expect(await new BrowserWebauthn(page).supportsAutofill()).toBe(false);
    }
  });
});
