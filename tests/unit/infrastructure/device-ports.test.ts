import { describe, expect, it, vi } from 'vitest';
import { loadedTexts, portsOf, textsInMemory } from '#composition/adapters.ts';
import { PlainFetch } from '#infrastructure/device/plain-fetch.ts';
import { TextCookies } from '#infrastructure/device/text-cookies.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';

const SITE = new URL('https://app.example.com/');
const SCOPE = { path: '/', domain: null, secure: true };
const REQUEST = { method: 'GET', url: 'https://api.example.com/x', headers: {}, body: null } as const;

describe('an asynchronous store', () => {
  it('is read once, and gets each change in its order', async () => {
    const written: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const store = {
      load: async () => ({ token: 'a', count: 7 }),
      set: async (key: string, value: string) => {
        if (value === 'slow') await gate;
        written.push(`${key}=${value}`);
      },
      remove: async (key: string) => void written.push(`-${key}`),
    };
    const texts = await loadedTexts(store);
    expect([texts.get('token'), texts.get('count'), texts.get('absent')]).toEqual(['a', null, null]);
    texts.set('token', 'slow');
    texts.set('token', 'b');
    texts.remove('token');
    expect(texts.get('token')).toBeNull();
    release();
    await vi.waitFor(() => expect(written).toEqual(['token=slow', 'token=b', '-token']));
  });

  it('that refuses a change reports it, and gets the next one', async () => {
    const written: string[] = [];
    const errors: unknown[] = [];
    const full = new Error('full');
    const set = async (key: string) => (key === 'large' ? Promise.reject(full) : written.push(key));
    const store = { load: async () => ({}), set, remove: async () => undefined };
    const texts = await loadedTexts(store, (error) => errors.push(error));
    texts.set('large', 'x');
    texts.set('small', 'y');
    await vi.waitFor(() => expect([written, errors]).toEqual([['small'], [full]]));
    expect(texts.get('large')).toBe('x');
  });
});

describe('the cookies of a client without a page', () => {
  it('are kept until they expire, also after a restart', async () => {
    const clock = new VirtualClock();
    const texts = textsInMemory();
    new TextCookies(texts, clock).set('session', 'a=b; ü', SCOPE, clock.now() + 1000);
    new TextCookies(texts, clock).set('other', 'x', SCOPE, null);
    const cookies = new TextCookies(texts, clock);
    expect([cookies.get('session'), cookies.get('other'), cookies.get('absent')]).toEqual(['a=b; ü', 'x', null]);
    await clock.advance(1000);
    expect([cookies.get('session'), cookies.get('other')]).toEqual([null, 'x']);
    cookies.remove('other');
    expect(cookies.get('other')).toBeNull();
  });

  it('that are damaged count as absent', () => {
    const texts = textsInMemory([
      ['a', '{}'],
      ['b', 'no JSON'],
      ['c', '{"value":1}'],
    ]);
    const cookies = new TextCookies(texts, new VirtualClock());
    expect(['a', 'b', 'c'].map((name) => cookies.get(name))).toEqual([null, null, null]);
  });
});

describe('the transport of a client without a page', () => {
  const answer = (url: string) => ({ ...headersOf({ 'X-A': 'b' }), status: 200, url, text: async () => '{}' });
  const headersOf = (headers: Record<string, string>) => ({ headers: new Headers(headers) });

  it('sends no cookies, and names headers in lower case', async () => {
    const fetch = vi.fn(async (url: string) => answer(url));
    const reply = await new PlainFetch({ fetch }, new VirtualClock()).send(REQUEST);
    expect(reply).toEqual({ status: 200, headers: { 'x-a': 'b' }, text: '{}' });
    expect(fetch).toHaveBeenCalledWith(REQUEST.url, expect.objectContaining({ credentials: 'omit' }));
  });

  it('rejects a reply of another address', async () => {
    const transport = new PlainFetch({ fetch: async () => answer('https://evil.example/') }, new VirtualClock());
    await expect(transport.send(REQUEST)).rejects.toThrow('redirects');
  });

  it('gives up after a minute', async () => {
    const clock = new VirtualClock();
    const fetch = async (_: string, { signal }: RequestInit) =>
      new Promise<never>((__, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    const sent = new PlainFetch({ fetch }, clock).send(REQUEST);
    const ended = expect(sent).rejects.toThrow('aborted');
    await clock.advance(60_000);
    await ended;
  });
});

describe('the ports of a device with nothing but stores', () => {
  const ports = portsOf({ secrets: textsInMemory(), storage: textsInMemory() }, SITE);

  it('have hashes and a time zone, and the address of the site', async () => {
    expect(await ports.crypto.sha256('')).toHaveLength(32);
    expect(ports.browser.timezone).not.toBe('');
    expect([ports.browser.origin, ports.browser.href()]).toEqual([SITE.origin, SITE.href]);
  });

  it('report what is missing', async () => {
    expect(() => ports.browser.navigate('https://accounts.example/')).toThrow('not supported here');
    await expect(ports.webauthn.create('{}')).rejects.toMatchObject({ name: 'NotSupportedError' });
    expect(await ports.webauthn.creation()).toBe('none');
  });
});
