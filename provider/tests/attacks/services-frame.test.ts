import { afterEach, describe, expect, it, vi } from 'vitest';
import { REGISTERED, servicesFrame } from '../kit/services-frame.ts';

const EXAMPLE = { method: 'parsedPhoneNumber', args: [{ phoneNumber: '4155552671', regionCode: 'US' }] };

afterEach(() => vi.unstubAllGlobals());

describe('messages to the page of client-side services', () => {
  it.each([REGISTERED, 'http://localhost:3000', 'https://app.localhost', 'http://127.0.0.1:8080'])(
    'are answered from %s, which is registered',
    async (origin) => {
      const frame = servicesFrame();
      await frame.call(EXAMPLE.method, ...EXAMPLE.args);
      expect(await frame.postAny({ data: EXAMPLE, origin })).toMatchObject({ success: true });
    },
  );

  it.each([
    'https://evil.example',
    'null',
    '',
    'http://app.example.com',
    'https://app.example.com.evil.example',
    'https://app.example.com:8443',
    'https://APP.example.com',
    'https://localhost.evil.example',
    'https://evillocalhost',
    'http://127.0.0.1.evil.example',
    'file://',
    'chrome-extension://abcdefghijklmnop',
    'capacitor://localhost',
    'app.example.com',
  ])('get no answer from the foreign origin "%s", and do nothing', async (origin) => {
    const asked = vi.fn();
    vi.stubGlobal('fetch', asked);
    const frame = servicesFrame();
    expect(await frame.postAny({ data: EXAMPLE, origin })).toBeNull();
    const start = { method: 'oneTapStart', args: [{ publicToken: 'public-token-test-1' }] };
    expect(await frame.postAny({ data: start, origin })).toBeNull();
    expect(frame.scripts).toEqual([]);
    expect(asked).not.toHaveBeenCalled();
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1'])(
    'get no answer from %s where the project does not register this machine',
    async (origin) => {
      expect(await servicesFrame({ hosts: null }).postAny({ data: EXAMPLE, origin })).toBeNull();
    },
  );

  it('get no answer from another window of a registered origin', async () => {
    for (const source of [{}, null]) {
      expect(await servicesFrame().postAny({ data: EXAMPLE, origin: REGISTERED, source })).toBeNull();
    }
  });

  it('get no answer where no page is around, and without a port', async () => {
    expect(await servicesFrame({ alone: true }).postAny({ data: EXAMPLE, origin: REGISTERED })).toBeNull();
    expect(await servicesFrame().postAny({ data: EXAMPLE, origin: REGISTERED, port: false })).toBeNull();
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'parsedPhoneNumber'],
    ['a number', 7],
    ['a list', [EXAMPLE]],
    ['no method', { args: EXAMPLE.args }],
    ['an unknown method', { ...EXAMPLE, method: 'eval' }],
    ['a method of every object', { ...EXAMPLE, method: 'constructor' }],
    ['the prototype', { ...EXAMPLE, method: '__proto__' }],
    ['a list as the method', { ...EXAMPLE, method: ['parsedPhoneNumber'] }],
    ['no arguments', { method: EXAMPLE.method }],
    ['arguments that are no list', { method: EXAMPLE.method, args: { 0: EXAMPLE.args[0] } }],
    ['a text as the argument', { method: EXAMPLE.method, args: ['4155552671'] }],
    ['a list as the argument', { method: EXAMPLE.method, args: [['4155552671']] }],
    ['a number as the telephone number', { method: EXAMPLE.method, args: [{ phoneNumber: 4_155_552_671 }] }],
    ['an object as the telephone number', { method: EXAMPLE.method, args: [{ phoneNumber: { length: 1 } }] }],
    ['a number as the region', { method: EXAMPLE.method, args: [{ phoneNumber: '4', regionCode: 1 }] }],
    ['a region of any length', { method: EXAMPLE.method, args: [{ phoneNumber: '4', regionCode: 'U'.repeat(1e6) }] }],
    [
      'a region that every object has',
      { method: EXAMPLE.method, args: [{ phoneNumber: '4', regionCode: '__proto__' }] },
    ],
    ['no region for an example', { method: 'getExamplePhoneNumber', args: [{}] }],
    ['no public token', { method: 'oneTapStart', args: [{}] }],
    ['an empty public token', { method: 'oneTapStart', args: [{ publicToken: '' }] }],
    ['a public token that no header can hold', { method: 'oneTapStart', args: [{ publicToken: 'a\r\nb' }] }],
    ['a public token in another script', { method: 'oneTapStart', args: [{ publicToken: 'トークン' }] }],
    ['a huge public token', { method: 'oneTapStart', args: [{ publicToken: 'x'.repeat(1e6) }] }],
    ['no ID token', { method: 'oneTapSubmit', args: [{ publicToken: 'p', oauthCallbackID: 'c' }] }],
    [
      'a huge ID token',
      { method: 'oneTapSubmit', args: [{ publicToken: 'p', idToken: 'x'.repeat(1e6), oauthCallbackID: 'c' }] },
    ],
    [
      'an object as a redirect URL',
      {
        method: 'oneTapSubmit',
        args: [{ publicToken: 'p', idToken: 'i', oauthCallbackID: 'c', loginRedirectURL: {} }],
      },
    ],
  ])('that contain %s are refused, and the server is not asked', async (_, data) => {
    const asked = vi.fn();
    vi.stubGlobal('fetch', asked);
    const reply = await servicesFrame().postAny({ data, origin: REGISTERED });
    expect(reply).toMatchObject({ success: false, error: { name: 'TypeError' } });
    expect(asked).not.toHaveBeenCalled();
  });

  it.each(['4'.repeat(10_000_000), `+${' '.repeat(10_000_000)}`, `${'4-'.repeat(1_000_000)}x`])(
    'with a huge telephone number are answered unread',
    async (phoneNumber) => {
      const frame = servicesFrame();
      const reply = await frame.call('parsedPhoneNumber', { phoneNumber, regionCode: 'US' });
      expect((reply.payload as { readonly isValid: boolean }).isValid).toBe(false);
      expect(frame.scripts).toEqual([]);
    },
  );

  it('cannot make the page call another address with what they contain', async () => {
    const asked = vi.fn((_url: string) => Promise.resolve(new Response('{"data":{}}')));
    vi.stubGlobal('fetch', asked);
    const hostile = 'https://evil.example/?';
    const fields = {
      idToken: hostile,
      oauthCallbackID: hostile,
      loginRedirectURL: hostile,
      url: hostile,
      path: hostile,
    };
    await servicesFrame().call('oneTapSubmit', { publicToken: hostile, ...fields });
    expect(asked.mock.calls.map(([url]) => url)).toEqual(['../sdk/v1/oauth/google/onetap/submit']);
  });
});
