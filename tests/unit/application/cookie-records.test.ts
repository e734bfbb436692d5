import { describe, expect, it } from 'vitest';
import { cookiePlace } from '../../../src/application/session/cookie-options.ts';
import { EarlierCookies } from '../../../src/application/session/earlier-cookies.ts';
import { LoginBinding } from '../../../src/application/session/login-binding.ts';
import { SessionStore } from '../../../src/application/session/session-store.ts';
import { ClientKeys } from '../../../src/application/wire/client-keys.ts';
import { FakeCrypto } from '../../../kit/ports/fake-crypto.ts';
import { MemoryStorage } from '../../../kit/ports/memory-storage.ts';
import { DocumentCookies } from '../../../src/infrastructure/storage/document-cookies.ts';
import { CookieDocument } from '../infrastructure/support/cookie-document.ts';
import { Browser, CHANGES, makeProject, PAGE, pairAt, SCOPES, sessionOf, type ScopeName } from './cookie-browser.ts';

describe('the cookie of a trusted browser', () => {
  const DEVICE = 'stytch_trusted_device';

  function bindingOf(browser: Browser, storage: MemoryStorage, scope: ScopeName, publicToken = 'public-token-test-a') {
    const document = new CookieDocument(new URL(PAGE), () => browser.clock.now(), browser.store);
    const cookies = new DocumentCookies(document, browser.clock);
    const place = cookiePlace(SCOPES[scope][0], 'docs.example.com');
    const ports = { storage, cookies, clock: browser.clock, crypto: new FakeCrypto(1) };
    return { binding: new LoginBinding(ports, new ClientKeys(publicToken), place, () => 30), document };
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
});
