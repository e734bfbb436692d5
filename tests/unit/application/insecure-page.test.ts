import { describe, expect, it, vi } from 'vitest';
import type { CryptoPort } from '#application/ports/index.ts';
import type { AuthError } from '#domain/errors.ts';
import { insecurePage } from '#domain/insecure-page.ts';
import { LANGUAGES } from '#domain/widget/language.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { WebCrypto } from '#infrastructure/browser/web-crypto.ts';
import type { FakeTab } from '#kit/fake-world.ts';
import { MemoryLog } from '#kit/ports/memory-log.ts';
import { BoundFetch } from '#infrastructure/http/bound-fetch.ts';
import { loadLocale, localeOf } from '#presentation/messages/language.ts';
import { errorMessage } from '#presentation/parts/login/error-message.ts';
import { openLogin } from './open-widget.ts';
import { TestWorld, TOKEN } from './world.ts';

/** The cryptography of a page with http on another host. */
const insecure = new WebCrypto({
  getRandomValues: (array: Uint32Array<ArrayBuffer>) => globalThis.crypto.getRandomValues(array),
} as Crypto);
const CAUSE = 'serve this page with https, or on localhost.';

const CALLS: Readonly<Record<keyof CryptoPort, readonly [call: () => unknown, result: unknown]>> = {
  words: [() => insecure.words(4).length, 4],
  uuid: [() => insecure.uuid().length, 36],
  sha256: [async () => insecure.sha256('a').catch((error: AuthError) => error.error_type), 'insecure_page'],
};

describe('a page without Web Cryptography', () => {
  it.each(Object.entries(CALLS))('works, or says that it needs https: %s', async (_, [call, result]) => {
    expect(await call()).toBe(result);
  });

  it('is asked for each method of the crypto port', () => {
    const methods = Object.getOwnPropertyNames(WebCrypto.prototype).filter((name) => name !== 'constructor');
    expect(methods.sort()).toEqual(Object.keys(CALLS).sort());
  });

  it.each<[LoginConfig, Parameters<ReturnType<typeof openLogin>['store']['send']>[0]]>([
    [{ products: ['emailMagicLinks'] }, { type: 'magicLink/requested', email: 'ada@example.com' }],
    [
      { products: ['oauth'], oauthOptions: { providers: [{ type: 'github' }] } },
      { type: 'oauth/chosen', index: 0 },
    ],
  ])('shows at a login what it needs, and the host gets the error: %j', async (config, event) => {
    const world = new TestWorld();
    world.server.project['pkce_required_for_email_magic_links'] = true;
    world.server.project['pkce_required_for_oauth'] = true;
    const tab = { ...world.tab('http://localhost:3000/'), crypto: insecure as CryptoPort as FakeTab['crypto'] };
    const { store, errors } = openLogin(config, { world, tab });
    await world.settle();
    store.send(event);
    await world.settle();
    const refusal = { kind: 'api', error_type: 'insecure_page', error_message: expect.stringContaining(CAUSE) };
    expect(store.getState().error).toMatchObject(refusal);
    expect(errors).toEqual([expect.objectContaining(refusal)]);
  });

  it('says it at a login that requires a key of the browser', async () => {
    const parts = { clock: { now: () => 0 }, crypto: insecure, log: new MemoryLog(), isRequired: true };
    const none = { find: async () => null, ensure: async () => null, keep: vi.fn(), remove: vi.fn() };
    const { fetch } = new BoundFetch(() => globalThis, { ...parts, keys: none });
    const headers = { authorization: `Basic ${btoa(`${TOKEN}:${TOKEN}`)}` };
    const login = new Request('https://api.example.com/sdk/v1/sessions/authenticate', { method: 'POST', headers });
    vi.stubGlobal('crypto', {});
    expect(await (await fetch(login)).json()).toMatchObject({ error_type: 'insecure_page' });
    vi.unstubAllGlobals();
    expect(await (await fetch(login)).json()).toMatchObject({ error_type: 'session_binding_unavailable' });
  });

  it.each(LANGUAGES)('says it in %s', async (language) => {
    await loadLocale(language);
    const text = errorMessage(insecurePage(), localeOf(language) ?? undefined) ?? '';
    expect(text).toContain(CAUSE);
    expect(text.startsWith('On this page')).toBe(language === 'en');
  });
});
