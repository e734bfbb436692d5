import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// Loaded beforehand: the report after a login must not still be on its way when a test ends.
import '#application/use-cases/passkeys/passkey-reports.ts';
import { boundTransport } from '#composition/bound.ts';
import { PorticoClient } from '#composition/client.ts';
import { FakeBindingKeys } from '#kit/ports/fake-binding-keys.ts';
import { FakeWorld } from '#kit/fake-world.ts';
import { MemoryLog } from '#kit/ports/memory-log.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { BoundFetch } from '#infrastructure/http/bound-fetch.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';
import { WebCrypto } from '#infrastructure/browser/web-crypto.ts';
import { makeTarget, uniqueEmail } from '../attacks/attacker.ts';
import { ISSUER } from '../kit/idp-harness.ts';
import { ANY_DATABASE, PUBLIC_TOKEN, type Provider } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const MINUTES = { session_duration_minutes: 60 };

interface BrowserOptions {
  readonly keys?: FakeBindingKeys;
  readonly isRequired?: boolean;
  /** The first replies, in the place of the server's. */
  readonly instead?: readonly Response[];
}

describe('the client with bound sessions', () => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(ANY_DATABASE);
  });
  afterAll(() => provider.close());

  /** A browser of one person: each client that it opens is a tab. */
  function openBrowser({ keys = new FakeBindingKeys(), isRequired = false, instead = [] }: BrowserOptions = {}) {
    const world = new FakeWorld(new VirtualClock(provider.clock.time));
    const log = new MemoryLog();
    const proofs: string[] = [];
    const left = [...instead];
    const scope = {
      fetch: async (request: Request, init?: RequestInit) => {
        const sent = new Request(request, init);
        if (sent.headers.has('dpop'))
          proofs.push(`${sent.method} ${new URL(sent.url).pathname.slice('/sdk/v1'.length)}`);
        return left.shift() ?? provider.app.request(sent);
      },
    };
    const clients: PorticoClient[] = [];
    const open = (transport?: KyTransport) => {
      const parts = { keys, clock: world.clock, crypto: new WebCrypto(globalThis.crypto), log, isRequired };
      const bound = transport ?? new KyTransport(new BoundFetch(() => scope, parts));
      const adapters = { ...world.tab('http://localhost:3000/'), transport: bound, log };
      const client = new PorticoClient(PUBLIC_TOKEN, { apiUrl: ISSUER, adapters, telemetry: false });
      clients.push(client);
      return client;
    };
    const signIn = async (client: PorticoClient) => {
      const email = uniqueEmail('client');
      const { method_id } = await client.otps.email.loginOrCreate(email);
      const code = (await provider.newest(email))?.code ?? '';
      return client.otps.authenticate(code, method_id, MINUTES);
    };
    const close = () => clients.forEach((client) => client.destroy());
    return { world, keys, log, proofs, scope, open, signIn, close };
  }

  it('logs in, goes on after a reload and in another tab, adds a factor and signs out, which deletes the key', async () => {
    const browser = openBrowser();
    const first = browser.open();
    const { session, session_token } = await browser.signIn(first);
    expect(session.device_bound).toBe(true);
    const [reloaded, other] = [browser.open(), browser.open()];
    for (const tab of [first, reloaded, other]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await tab.session.authenticate(MINUTES)).session.session_id).toBe(session.session_id);
    }
    const added = await other.passwords.resetBySession({ password: 'correct horse battery staple 7', ...MINUTES });
    expect([added.session.session_id, added.session.device_bound]).toEqual([session.session_id, true]);
    expect(added.session_token).not.toBe(session_token);
    await other.user.get();
    expect(await browser.keys.find(PUBLIC_TOKEN)).not.toBeNull();
    await other.session.revoke();
    expect(await browser.keys.find(PUBLIC_TOKEN)).toBeNull();
    browser.close();
  });

  soakIt('signs a browser out to which the token was copied, and that has another key or none', async () => {
    const owner = openBrowser();
    const tab = owner.open();
    await owner.signIn(tab);
    const tokens = tab.session.getTokens()!;
    const [without, withKey] = [openBrowser(), openBrowser()];
    await withKey.keys.ensure(PUBLIC_TOKEN);
    for (const thief of [without, withKey]) {
      const copy = thief.open();
      copy.session.updateSession({ session_token: tokens.session_token, session_jwt: tokens.session_jwt });
      // oxlint-disable-next-line no-await-in-loop -- one thief after the other
      await expect(copy.session.authenticate(MINUTES)).rejects.toMatchObject({
        error_type: 'unauthorized_credentials',
      });
      expect(copy.session.getTokens()).toBeNull();
      thief.close();
    }
    expect((await tab.session.authenticate(MINUTES)).status_code).toBe(200);
    owner.close();
  });

  it('makes a proof for each attempt: a busy server and a new nonce cost a repetition, not the session', async () => {
    const browser = openBrowser();
    const client = browser.open();
    await browser.signIn(client);
    browser.close();
    const again = openBrowser({
      keys: browser.keys,
      instead: [new Response('{}'), new Response('{}', { status: 503, headers: { 'retry-after': '0' } })],
    });
    const tab = again.open();
    tab.session.updateSession(client.session.getTokens()!);
    await tab.user.get();
    // The first was refused as busy, the second for the nonce.
    expect(again.proofs.filter((each) => each === 'GET /users/me').length).toBeGreaterThanOrEqual(3);
    provider.clock.time += 15 * 60_000;
    await tab.user.get();
    again.close();
  });

  it('sends no proof with calls of nobody', async () => {
    const browser = openBrowser();
    const client = browser.open();
    await client.otps.email.loginOrCreate(uniqueEmail('nobody'));
    expect(browser.proofs).toEqual([]);
    browser.close();
  });

  it('logs in without a key where the browser keeps none, and tells the developer once', async () => {
    const keys = new FakeBindingKeys();
    keys.refuses = true;
    const browser = openBrowser({ keys });
    const client = browser.open();
    expect((await browser.signIn(client)).session).not.toHaveProperty('device_bound');
    await client.session.authenticate(MINUTES);
    await client.session.revoke();
    await browser.signIn(client);
    expect(browser.log.messages('warn').filter((text) => text.includes('cannot store a key'))).toHaveLength(1);
    browser.close();
  });

  it('refuses to log in without a key where the host requires one, and sends nothing', async () => {
    const keys = new FakeBindingKeys();
    keys.refuses = true;
    const browser = openBrowser({ keys, isRequired: true });
    const signedIn = browser.signIn(browser.open());
    await expect(signedIn).rejects.toMatchObject({ error_type: 'session_binding_unavailable', status_code: 400 });
    browser.close();
  });

  it('works with a server that knows nothing of proofs', async () => {
    const browser = openBrowser();
    const plain = {
      fetch: async (request: Request, init?: RequestInit) => {
        const sent = new Request(request, init);
        sent.headers.delete('dpop');
        return provider.app.request(sent);
      },
    };
    const parts = { keys: browser.keys, clock: browser.world.clock, crypto: new WebCrypto(globalThis.crypto) };
    const client = browser.open(
      new KyTransport(new BoundFetch(() => plain, { ...parts, log: browser.log, isRequired: true })),
    );
    expect((await browser.signIn(client)).session).not.toHaveProperty('device_bound');
    expect((await client.session.authenticate(MINUTES)).status_code).toBe(200);
    browser.close();
  });
});

describe('boundTransport', () => {
  it('can be made where there is no browser, and names what it does not know', () => {
    expect(boundTransport({ required: true })).toBeInstanceOf(KyTransport);
    expect(() => boundTransport({ require: true } as object)).toThrow(/require/u);
    expect(() => boundTransport({ required: 'yes' } as object)).toThrow(/required/u);
  });
});
