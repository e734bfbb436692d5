import { describe, expect, it } from 'vitest';
import { api, events, type Endpoint } from '#application/api/index.ts';
import { PorticoClient } from '#composition/client.ts';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import type { FakeTab } from '#kit/fake-world.ts';
import type { SeenRequest } from '#kit/transport/seen-request.ts';
import { CALLS } from './resilience/surface.ts';
import { TestWorld, TOKEN } from './world.ts';

const BATCH_MS = 800;

/** A client whose event log a test can write to, as the widget does. */
class LoggingClient extends PorticoClient {
  log(name: string, details: Readonly<Record<string, unknown>> = {}): void {
    void this.core.late().then(({ eventLog }) => eventLog.log(name, details));
  }

  /** What a mounted widget reports. */
  note(): void {
    this.core.events?.note({ type: 'bootstrap/loaded', bootstrap: DEFAULT_BOOTSTRAP }, { name: 'Main', email: '' }, {});
  }
}

/** A page of the browser. */
async function open(world: TestWorld, telemetry = true, tab: FakeTab = world.tab('http://localhost:3000/')) {
  const client = new LoggingClient(TOKEN, { telemetry, adapters: tab });
  // What is loaded on demand comes from a file: that takes a turn of the platform's own, and no virtual time.
  await client.webauthn.browserSupportsAutofill();
  await world.settle();
  return { client, tab };
}

const batches = (world: TestWorld) =>
  world.transport.requestsTo(events.log).map(({ body }) => body as { event: { event_name: string } }[]);
const names = (world: TestWorld) => batches(world).map((batch) => batch.map(({ event }) => event.event_name));

describe('named events', () => {
  it('go out in batches of at most 15, one every 800 ms', async () => {
    const world = new TestWorld();
    const { client } = await open(world);
    for (let index = 0; index < 40; index += 1) client.log(`event-${index}`);
    await world.settle();
    expect(names(world)).toEqual([]);
    await world.clock.advance(BATCH_MS);
    expect(names(world).map(({ length }) => length)).toEqual([15]);
    await world.clock.advance(BATCH_MS);
    expect(names(world).map(({ length }) => length)).toEqual([15, 15]);
    await world.clock.advance(10 * BATCH_MS);
    expect(names(world).flat()).toEqual(Array.from({ length: 40 }, (_, index) => `event-${index}`));
    expect(world.outbox.texts).toEqual([]);
    client.destroy();
  });

  it('survive a redirect: what a page could not send, the next one sends once', async () => {
    const world = new TestWorld();
    const entry = (name: string) =>
      JSON.stringify({ telemetry: {}, event: { public_token: TOKEN, event_name: name, details: {} } });
    await world.leaveInOutbox(entry('a'), entry('b'));
    const { client } = await open(world);
    await world.clock.advance(5 * BATCH_MS);
    expect(names(world)).toEqual([['a', 'b']]);
    expect(world.outbox.texts).toEqual([]);
    client.destroy();
  });

  it('logged last go out in a request that outlives the page, each exactly once', async () => {
    const world = new TestWorld();
    const sent: { readonly url: string; readonly keepalive?: boolean | undefined }[] = [];
    const tab = world.tab('http://localhost:3000/');
    const { send } = tab.transport;
    const spied = Object.create(tab.transport) as typeof tab.transport;
    spied.send = async (request) => {
      sent.push(request);
      return send.call(tab.transport, request);
    };
    await world.leaveInOutbox(
      JSON.stringify({ telemetry: {}, event: { public_token: TOKEN, event_name: 'older', details: {} } }),
    );
    const { client } = await open(world, true, { ...tab, transport: spied });
    await world.clock.advance(BATCH_MS);
    await world.clock.advance(2 * BATCH_MS);
    expect(names(world)).toEqual([['older']]);
    for (const name of ['a', 'b']) client.log(name);
    await world.settle();
    tab.browser.leave();
    await world.settle();
    expect(names(world)).toEqual([['older'], ['a', 'b']]);
    expect(sent.filter(({ url }) => url.endsWith('/events')).map(({ keepalive }) => keepalive)).toEqual([false, true]);
    client.destroy();
    await world.settle();

    const next = await open(world);
    await world.clock.advance(5 * BATCH_MS);
    expect(names(world)).toEqual([['older'], ['a', 'b']]);
    next.client.destroy();
  });

  it('of an earlier page are not lost when the next one is left at once', async () => {
    const world = new TestWorld();
    const { client, tab } = await open(world);
    await world.clock.advance(5 * BATCH_MS);
    await world.leaveInOutbox(
      JSON.stringify({ telemetry: {}, event: { public_token: TOKEN, event_name: 'older', details: {} } }),
    );
    client.log('newer');
    await world.settle();
    tab.browser.leave();
    await world.settle();
    expect(names(world)).toEqual([['newer']]);
    expect(
      world.outbox.texts.map((text) => (JSON.parse(text) as { event: { event_name: string } }).event.event_name),
    ).toEqual(['older']);
    client.destroy();
  });

  it('are bounded, with a store and without one', async () => {
    for (const full of [false, true]) {
      const world = new TestWorld();
      world.outbox.full = full;
      const { client } = await open(world);
      for (let index = 0; index < 5_000; index += 1) client.log(`event-${index}`);
      await world.settle();
      expect(world.outbox.texts.length).toBeLessThanOrEqual(100);
      await world.clock.advance(60_000);
      const all = names(world).flat();
      expect(all.length).toBeLessThanOrEqual(100);
      expect(all.at(-1)).toBe('event-4999');
      expect(new Set(all).size).toBe(all.length);
      client.destroy();
    }
  });

  it('that are damaged in the store are left out', async () => {
    const world = new TestWorld();
    for (const text of ['', '{', 'null', '[]', '{"telemetry":1,"event":{}}', '{"telemetry":{},"event":null}']) {
      await world.leaveInOutbox(text);
    }
    await world.leaveInOutbox(JSON.stringify({ telemetry: {}, event: { event_name: 'good' } }));
    const { client } = await open(world);
    await world.clock.advance(5 * BATCH_MS);
    expect(names(world)).toEqual([['good']]);
    client.destroy();
  });

  it('are not sent when the host turns telemetry off, and no script is loaded', async () => {
    const world = new TestWorld();
    Object.assign(world.server.project, {
      captcha_settings: { enabled: true, siteKey: 'k' },
      dfp_protected_auth_enabled: true,
      dfp_protected_auth_mode: 'OBSERVATION',
    });
    const { client, tab } = await open(world, false);
    client.note();
    await client.user.search('a@b.co');
    await world.signIn(client);
    await world.clock.advance(3_600_000);
    tab.browser.leave();
    client.destroy();
    await world.settle();
    expect(batches(world)).toEqual([]);
    expect(world.outbox.texts).toEqual([]);
    expect(tab.deviceTelemetry.asked).toEqual([]);
    expect(world.transport.requestsTo(api.users.search)[0]?.body).toEqual({
      email: 'a@b.co',
      captcha_token: 'captcha-1',
    });
  });
});

describe('secrets', () => {
  /** Where a caller's secret goes in. */
  const SECRET_FIELDS = [
    'password',
    'existing_password',
    'new_password',
    'code',
    'totp_code',
    'recovery_code',
    'token',
    'access_token',
    'impersonation_token',
    'signature',
  ];
  const canaryOf = (field: string): string => `canary-${field.replaceAll('_', '-')}-7f3a`;
  const SERVER_SECRETS = {
    session_token: canaryOf('session_token'),
    session_jwt: canaryOf('session_jwt'),
    secret: canaryOf('totp_secret'),
    recovery_codes: [canaryOf('recovery_codes')],
    challenge: canaryOf('challenge'),
    authorization_code: canaryOf('authorization_code'),
    provider_values: { access_token: canaryOf('provider_token'), refresh_token: canaryOf('provider_refresh') },
  };
  const ENDPOINTS = Object.values(api).flatMap((area) => Object.values(area) as Endpoint[]);

  const headerOf = ({ headers }: SeenRequest): string =>
    Buffer.from(headers['x-sdk-client'] ?? '', 'base64').toString();

  it('of every flow reach no event, no log entry and no X-SDK-Client', async () => {
    const world = new TestWorld();
    Object.assign(world.server.project, {
      pkce_required_for_email_magic_links: true,
      pkce_required_for_password_resets: true,
      pkce_required_for_oauth: true,
    });
    const { client, tab } = await open(world);
    const { user, session } = await world.signIn(client);
    await client.magicLinks.email.loginOrCreate('a@b.co');
    await client.oauth.google.start();
    const options = JSON.stringify({
      challenge: 'AAAA',
      rp: { id: 'localhost', name: 'n' },
      user: { id: 'AAAA', name: 'n', displayName: 'd' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    });
    const reply = {
      user,
      session,
      user_id: user.user_id,
      totp_id: 't',
      webauthn_registration_id: 'w',
      redirect_url: 'https://a.example/',
      google_client_id: 'g',
      oauth_callback_id: 'cb',
      public_key_credential_creation_options: options,
      public_key_credential_request_options: JSON.stringify({ challenge: 'AAAA', rpId: 'localhost' }),
      ...SERVER_SECRETS,
    };
    for (const fails of [false, true]) {
      for (const endpoint of ENDPOINTS) {
        if (endpoint.name === events.log.name || endpoint.name === api.projects.bootstrap.name) continue;
        world.transport.answer(endpoint, (body) =>
          // A careless server tells back what it was sent.
          fails ? errorReply(400, 'refused', `You sent ${JSON.stringify(body)}`) : reply,
        );
      }
      for (const { call, good } of CALLS) {
        const secret = Object.keys(good).filter((field) => SECRET_FIELDS.includes(field));
        const given = { ...good, ...Object.fromEntries(secret.map((field) => [field, canaryOf(field)])) };
        await call(client, given as never).catch(() => undefined);
        client.log('something', { of: 'interest' });
      }
      await client.oauth.googleOneTap.start();
      tab.oneTap.choose(canaryOf('id_token'));
      client.session.updateSession({ session_token: canaryOf('updated'), session_jwt: canaryOf('updated_jwt') });
      await client.session
        .attest({
          profile_id: 'p',
          token: canaryOf('trusted'),
          session_token: canaryOf('attested'),
          session_jwt: canaryOf('attested_jwt'),
        })
        .catch(() => undefined);
      await world.clock.advance(10_000);
    }
    const verifiers = [...world.storage.values].flatMap(([key, text]) =>
      key.includes('pkce_') ? [(JSON.parse(text) as { code_verifier: string }).code_verifier] : [],
    );
    expect(verifiers.length).toBeGreaterThan(0);
    tab.browser.leave();
    await world.settle();
    client.destroy();

    const { requests } = world.transport;
    const wire = JSON.stringify(requests.map(({ body }) => body));
    // They did go where they belong, so the test would see them elsewhere.
    for (const field of SECRET_FIELDS) expect(wire).toContain(canaryOf(field));
    const outside = [
      ['events', JSON.stringify(batches(world))],
      ['outbox', JSON.stringify(world.outbox.texts)],
      ['X-SDK-Client', requests.map(headerOf).join('\n')],
      ['log', tab.log.entries.map(({ message }) => message).join('\n')],
      ['URLs', requests.map(({ url }) => url).join('\n')],
    ] as const;
    expect(batches(world).length).toBeGreaterThan(2);
    for (const [place, text] of outside) {
      expect(text.match(/canary-[a-z0-9-]+/gu) ?? [], place).toEqual([]);
      for (const verifier of verifiers) expect(text.includes(verifier), place).toBe(false);
    }
    const causes = tab.log.entries.map(({ cause }) => (cause instanceof Error ? cause.message : JSON.stringify(cause)));
    expect(causes.join('\n').match(/canary-[a-z0-9-]+/gu) ?? []).toEqual([]);
  });
});
