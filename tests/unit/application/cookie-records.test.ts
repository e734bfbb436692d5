import { describe, expect, it } from 'vitest';
import type { TransportPort } from '#application/ports/index.ts';
import { cookiePlace } from '#application/session/cookie-options.ts';
import { EarlierCookies } from '#application/session/earlier-cookies.ts';
import { LoginBinding } from '#application/session/login-binding.ts';
import { SessionStore } from '#application/session/session-store.ts';
import { ClientKeys } from '#application/wire/client-keys.ts';
import { FakeCrypto } from '#kit/ports/fake-crypto.ts';
import { MemoryStorage } from '#kit/ports/memory-storage.ts';
import { DocumentCookies } from '#infrastructure/storage/document-cookies.ts';
import { CookieDocument } from '../infrastructure/support/cookie-document.ts';
import { Traps } from './resilience/traps.ts';
import { Browser, CHANGES, makeProject, PAGE, pairAt, SCOPES, sessionOf, type ScopeName } from './cookie-browser.ts';

describe('the cookie of a trusted browser', () => {
  const DEVICE = 'stytch_trusted_device';

  function bindingOf(browser: Browser, storage: MemoryStorage, scope: ScopeName, publicToken = 'public-token-test-a') {
    const document = new CookieDocument(new URL(PAGE), () => browser.clock.now(), browser.store);
    const cookies = new DocumentCookies(document, browser.clock);
    const place = cookiePlace(SCOPES[scope][0], 'docs.example.com');
    const ports = { storage, cookies, clock: browser.clock, crypto: new FakeCrypto(1) };
    return {
      binding: new LoginBinding(
        ports,
        new ClientKeys(publicToken),
        place,
        () => 30,
        { asksProfile: undefined },
        { observed: false },
      ),
      document,
    };
  }

  it.each(CHANGES)('moves when the scope changes from %s to %s', async (from, to) => {
    const browser = new Browser();
    const storage = new MemoryStorage();
    bindingOf(browser, storage, from).binding.settle({ session: {}, trusted_device_token: 'secret' });
    const { binding, document } = bindingOf(browser, storage, to);
    for (let login = 0; login < 2; login += 1) {
      expect(await binding.fields(false)).toMatchObject({ trusted_device_token: 'secret' });
      expect(browser.kept).toEqual([`${DEVICE} ${SCOPES[to][1]}`]);
    }
    expect(document.writes).toHaveLength(2);
    binding.settle({ session: {}, trusted_device_token: 'newer' });
    expect(browser.kept).toHaveLength(1);
  });

  it('is that of the own project, of several', async () => {
    const browser = new Browser();
    bindingOf(browser, new MemoryStorage(), 'a parent domain', 'public-token-test-b').binding.settle({
      trusted_device_token: 'of another project',
    });
    const storage = new MemoryStorage();
    const { binding } = bindingOf(browser, storage, 'the defaults');
    binding.settle({ trusted_device_token: 'own' });
    const again = bindingOf(browser, storage, 'the defaults').binding;
    expect(await again.fields(false)).toMatchObject({ trusted_device_token: 'own' });
  });

  it('stays where a damaged record says nothing of it', async () => {
    const browser = new Browser();
    const storage = new MemoryStorage();
    bindingOf(browser, storage, 'the defaults').binding.settle({ trusted_device_token: 'secret' });
    for (const text of ['', ';;', 'x;/a=b;', 'x;/;a\u0000', 'x;relative;', 'x;/;;;;']) {
      storage.set(new ClientKeys('public-token-test-a').storage('trusted_device'), text);
      const { binding, document } = bindingOf(browser, storage, 'the defaults');
      expect(await binding.fields(false)).toMatchObject({ trusted_device_token: 'secret' });
      expect(document.writes).toEqual([]);
    }
  });
});

describe('a damaged record of the cookies', () => {
  it.each([
    '',
    ' ',
    'x',
    '1 2 3',
    '1 p ;;;;',
    '1 p a=b;c;d;/;',
    '1 p a;b;c;/x\u0000;',
    '{"a":1}',
    `1 p ${';'.repeat(40)}`,
  ])('changes nothing: %j', async (text) => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const first = await browser.open(app, PAGE);
    await app.world.signIn(first.client);
    const known = sessionOf(first);
    first.client.destroy();
    first.adapters.storage.set(`stytch_sdk_state_${app.publicToken}::cookies`, text);
    const { client } = await browser.open(app, PAGE);
    expect([client.session.getSync()?.session_id, browser.kept]).toEqual([known, pairAt('the defaults')]);
    await client.session.revoke();
    expect(browser.kept).toEqual([]);
  });
});

describe('the cookies of another project on the parent domain', () => {
  const withOuter = (jwtCookieName = 'stytch_session_jwt') => {
    const browser = new Browser();
    const [outer, inner] = [makeProject(browser.clock, 'project-b'), makeProject(browser.clock, 'project-a')];
    const openOuter = async () => {
      const there = await browser.open(outer, 'https://example.com/', { availableToSubdomains: true, jwtCookieName });
      await outer.world.signIn(there.client, 'outer@example.com', 600);
      return there;
    };
    const others = ['stytch_session', jwtCookieName].map((name) => `${name} .example.com /`);
    return { browser, inner, openOuter, others };
  };

  it('stay where the page hands their session to this client, which takes no project from it', async () => {
    const { browser, inner, openOuter, others } = withOuter();
    const there = await openOuter();
    const { client } = await browser.open(inner, PAGE);
    await inner.world.signIn(client, 'inner@example.com', 600);
    await browser.settle();
    client.session.updateSession(there.client.session.getTokens() ?? { session_token: '' });
    await browser.settle();
    expect(browser.kept).toEqual(expect.arrayContaining(others));
  });

  it('stay in a place where this client had a session until it signed out', async () => {
    const { browser, inner, openOuter, others } = withOuter('outer_jwt');
    const before = await browser.open(inner, PAGE, SCOPES['a parent domain'][0]);
    await inner.world.signIn(before.client, 'inner@example.com', 600);
    await browser.settle();
    await before.client.session.revoke();
    await browser.settle();
    before.client.destroy();
    await openOuter();
    const { client } = await browser.open(inner, PAGE);
    await inner.world.signIn(client, 'inner@example.com', 600);
    await browser.settle();
    expect(browser.kept).toEqual([...pairAt('the defaults'), ...others].sort());
  });
});

describe('without storage, a client', () => {
  it.each([
    ['in a path that ends with a slash', PAGE, { path: '/shop/' }],
    [
      'on a parent domain, where the address of the page can be no path of a cookie',
      `${PAGE};a`,
      { domain: 'example.com' },
    ],
  ])('expires the earlier cookies %s', async (_, href, options) => {
    const browser = new Browser();
    browser.isStorageBlocked = true;
    const app = makeProject(browser.clock, 'project-a');
    const before = await browser.open(app, href, options);
    await app.world.signIn(before.client);
    before.client.destroy();
    const { client } = await browser.open(app, href);
    expect([client.session.getTokens() !== null, browser.kept]).toEqual([true, pairAt('the defaults')]);
  });
});

describe('a client that does not know which of several cookies is its own', () => {
  it('uses the first one that the server knows', async () => {
    const browser = new Browser();
    browser.isStorageBlocked = true;
    const app = makeProject(browser.clock, 'project-a');
    const before = await browser.open(app, PAGE);
    await app.world.signIn(before.client);
    const known = sessionOf(before);
    before.client.destroy();
    const document = new CookieDocument(new URL(PAGE), () => browser.clock.now(), browser.store);
    document.cookie = 'stytch_session=stale; path=/shop; secure';
    const after = await browser.open(app, PAGE);
    await after.client.session.authenticate();
    expect(sessionOf(after)).toBe(known);
  });
});

describe('JWTs of another server', () => {
  it('that do not name their token: none of an earlier session stays in the earlier scope, also without storage', async () => {
    const browser = new Browser();
    browser.isStorageBlocked = true;
    const app = makeProject(browser.clock, 'project-a', false);
    const before = await browser.open(app, PAGE, SCOPES['a parent domain'][0]);
    await app.world.signIn(before.client);
    const { session_token = '' } = before.client.session.getTokens() ?? {};
    before.client.destroy();
    const elsewhere = await new Browser(browser.clock).open(app, PAGE);
    elsewhere.client.session.updateSession({ session_token });
    await elsewhere.client.session.revoke();
    const { client } = await browser.open(app, PAGE);
    await app.world.signIn(client, 'grace@example.com');
    await browser.settle();
    expect(browser.kept).toEqual(pairAt('the defaults'));
  });

  it('that do not name their project: the cookies of all stay', async () => {
    const browser = new Browser();
    const open = async (project: string, href: string, options = {}) => {
      const app = { ...makeProject(browser.clock, project), withJwts: (inner: TransportPort) => inner };
      const { client } = await browser.open(app, href, options);
      await app.world.signIn(client, `${project}@example.com`, 600);
      await browser.settle();
    };
    await open('project-b', 'https://example.com/', { availableToSubdomains: true });
    await open('project-a', PAGE);
    expect(browser.kept).toEqual([...pairAt('the defaults'), ...pairAt('a parent domain')].sort());
  });
});

describe('the code for earlier cookies', () => {
  it('leaves them where it arrives after the end of its client: another client may use them', async () => {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const { client, adapters } = await browser.open(app, PAGE);
    const reply = await app.world.signIn(client);
    await browser.settle();
    client.destroy();
    const place = cookiePlace(SCOPES['a parent domain'][0], 'docs.example.com');
    const { storage, cookies, clock } = adapters;
    const store = new SessionStore(storage, cookies, clock, new ClientKeys(app.publicToken), place);
    store.update(reply);
    store.destroy();
    new EarlierCookies(store, place, adapters).start();
    await browser.settle();
    expect(browser.kept).toEqual([...pairAt('the defaults'), ...pairAt('a parent domain')].sort());
  });

  /** A client whose cookies are in a path that its record does not name, and whose next login hashes tokens in this way. */
  async function withHash(sha256: (browser: Browser) => Promise<Uint8Array>) {
    const browser = new Browser();
    const app = makeProject(browser.clock, 'project-a');
    const { client, adapters } = await browser.open(app, PAGE, SCOPES['a path'][0]);
    const reply = await app.world.signIn(client);
    await browser.settle();
    client.destroy();
    const { storage, cookies, clock } = adapters;
    storage.set(`stytch_sdk_state_${app.publicToken}::cookies`, '1 project-a');
    const place = cookiePlace({}, 'docs.example.com');
    const store = new SessionStore(storage, cookies, clock, new ClientKeys(app.publicToken), place);
    const crypto = Object.assign(new FakeCrypto(1), { sha256: async () => sha256(browser) });
    const traps = new Traps();
    new EarlierCookies(store, place, { ...adapters, crypto }).start();
    store.update(reply);
    await browser.settle();
    expect([await traps.close(), store.tokens()?.session_token]).toEqual([[], reply.session_token]);
    return browser.kept;
  }

  it('expires fewer, and nothing else happens, where it cannot compute the hash of a token', async () => {
    const kept = await withHash(async () => Promise.reject(new Error('no')));
    expect(kept).toEqual([...pairAt('the defaults'), ...pairAt('a path')].sort());
  });

  it('expires none if others arrive while it computes the hashes', async () => {
    const kept = await withHash(async ({ clock, store }) => {
      const other = new CookieDocument(new URL('https://example.com/'), () => clock.now(), store);
      other.cookie = 'stytch_session=other; domain=example.com; path=/; secure';
      return new Uint8Array(32);
    });
    expect(kept).toContain('stytch_session .example.com /');
  });
});
