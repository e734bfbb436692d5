import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { startDelivery } from '#provider/messages/outbox/delivery.ts';
import { purgeMessages, retryMessages } from '#provider/operation/operators/messages/store.ts';
import { replaceHash } from '#provider/accounts/passwords/store.ts';
import { systemClock } from '#provider/base/platform.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import type { WebhookSettings } from '#provider/project/settings/webhooks.ts';
import { newUser, removeUser } from '#provider/accounts/users/store.ts';
import { EventCarrier } from '#provider/messages/webhooks/event-carrier.ts';
import { registerWebhooks } from '#provider/messages/webhooks/register.ts';
import { EITHER_DATABASE, makeProvider, WITHOUT_PKCE, type Fields, type Provider } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const OPERATOR = { name: 'root', address: null, request_id: null };
const NEW_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe.each(EITHER_DATABASE)('webhooks on %s', (_, databaseUrl) => {
  const received: ReceivedWebhook[] = [];
  /** What the receiver does with a request to each path; 204 for others. */
  const answers = new Map<string, (response: ServerResponse) => void>();
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers as Record<string, string>, body });
      const answer = answers.get(path) ?? ((reply: ServerResponse) => reply.writeHead(204).end());
      answer(response);
    });
  });
  let provider: Provider;
  let origin: string;
  const db = () => provider.services.db;

  beforeAll(async () => {
    provider = await makeProvider(databaseUrl, { clock: systemClock });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    await registerWebhooks(db(), []);
    await db().deleteFrom('outbox').execute();
    received.length = 0;
    answers.clear();
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await provider.close();
  });

  const hook = (path: string, events: WebhookSettings['events'] = null): WebhookSettings => ({
    url: origin + path,
    secret: [NEW_SECRET, OLD_SECRET],
    events,
  });
  const register = (...hooks: readonly WebhookSettings[]) => registerWebhooks(db(), hooks);
  /** Delivers with these webhooks while the test runs. */
  const delivering = async (hooks: readonly WebhookSettings[], test: () => Promise<void>): Promise<void> => {
    const project = { ...DEMO_PROJECT, ...WITHOUT_PKCE, webhooks: hooks };
    const started = startDelivery(
      { ...provider.services, project, dev: false },
      { webhook: new EventCarrier(hooks, { allowPrivate: true }) },
    );
    try {
      await test();
    } finally {
      await started?.stop();
    }
  };
  const waiting = async (): Promise<readonly Fields[]> =>
    (await db().selectFrom('outbox').select('text').where('channel', '=', 'webhook').orderBy('seq').execute()).map(
      ({ text }) => JSON.parse(text) as Fields,
    );
  const rows = () => db().selectFrom('outbox').selectAll().orderBy('seq').execute();
  const types = async () => (await waiting()).map(({ type }) => type as string);
  const tell = () =>
    transaction(db(), async (tx) => (await newUser(provider.services, tx, 'made', { status: 'active' })).user_id);
  const until = (check: () => Promise<void>) => vi.waitFor(check, { interval: 5 });

  it('a login tells, in requests that a foreign verifier accepts with the old secret and the new one', async () => {
    const hooks = [hook('/all')];
    await register(...hooks);
    const { user_id, session } = await provider.signIn('ada.lovelace@example.com');
    await delivering(hooks, () => until(() => Promise.resolve(expect(received.length).toBe(3))));
    const events = received.map(({ body, headers }) => {
      const told = new Webhook(NEW_SECRET).verify(body, headers) as Fields;
      expect(new Webhook(OLD_SECRET).verify(body, headers)).toEqual(told);
      expect(() => new Webhook(NEW_SECRET).verify(body.replace('user', 'usex'), headers)).toThrow();
      return told;
    });
    const data = Object.fromEntries(events.map((event) => [event['type'], event['data'] as Fields]));
    expect(data).toEqual({
      'user.created': { user_id },
      'factor.added': { user_id, factor_type: 'email', factor_id: expect.stringMatching(/^email-/u) },
      'session.created': { user_id, session_id: session.session_id, method: 'otp' },
    });
    expect(events.every(({ timestamp }) => Math.abs(Date.parse(timestamp as string) - Date.now()) < 60_000)).toBe(true);
    expect(JSON.stringify(received)).not.toContain('lovelace');
  });

  soakIt('reports changes of a user, and of a deletion only the fact', async () => {
    const { session_token, user } = await provider.signIn('grace@example.com');
    await register(hook('/all'));
    const mine = { session: session_token as string };
    const next = async (): Promise<readonly string[]> => {
      const told = await types();
      await db().deleteFrom('outbox').where('channel', '=', 'webhook').execute();
      return told;
    };
    await provider.call('PUT', '/users/me', { name: { first_name: 'Grace' } }, mine);
    expect(await next()).toEqual(['user.updated']);
    const password = 'correct horse battery staple 7';
    const set = await provider.post('/passwords/session/reset', { password, session_duration_minutes: 60 }, mine);
    expect([set.status, await next()]).toEqual([200, ['factor.added']]);
    const again = { session: set.data['session_token'] as string };
    const body = { password: `${password}8`, session_duration_minutes: 60 };
    const changed = await provider.post('/passwords/session/reset', body, again);
    expect([changed.status, await next()]).toEqual([200, ['password.changed']]);
    await replaceHash(db(), user.user_id, 'a stronger hash');
    expect(await next()).toEqual([]);
    await provider.post('/sessions/revoke', {}, { session: changed.data['session_token'] as string });
    expect(await next()).toEqual(['session.revoked']);
    await provider.signIn('grace@example.com');
    expect(await next()).toEqual(['session.created']);
    await removeUser(db(), user.user_id);
    expect(await next()).toEqual(['user.deleted']);
  });

  it('reports nothing of a transaction that is rolled back, of a user who never came, or of an expired session', async () => {
    await register(hook('/all'));
    const failing = transaction(db(), async (tx) => {
      await newUser(provider.services, tx, 'made', { status: 'active' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await provider.post('/otps/email/login_or_create', { email: 'never@example.com' });
    expect(await types()).toEqual([]);
    await provider.signIn('expired@example.com');
    await sql`update sessions set expires_at = clock_timestamp() - interval '1 second'`.execute(db());
    await db().deleteFrom('outbox').execute();
    await db().deleteFrom('sessions').execute();
    expect(await types()).toEqual([]);
  });

  it('writes nothing without a webhook, and for each webhook the events that it wants', async () => {
    await tell();
    expect(await types()).toEqual([]);
    await register(hook('/deleted', ['user.deleted']), hook('/all'));
    await removeUser(db(), await tell());
    expect((await rows()).map(({ recipient }) => recipient.replace(origin, '')).sort()).toEqual([
      '/all',
      '/all',
      '/deleted',
    ]);
    await register(hook('/deleted', ['user.updated']));
    await db().deleteFrom('outbox').execute();
    await removeUser(db(), await tell());
    expect(await types()).toEqual([]);
  });

  soakIt('repeats a refused request under the same id, and follows no redirect', async () => {
    const hooks = [hook('/refusing'), hook('/moved')];
    answers.set('/refusing', (response) => response.writeHead(503, { 'Retry-After': '0' }).end('busy'));
    answers.set('/moved', (response) => response.writeHead(307, { Location: `${origin}/elsewhere` }).end());
    await register(...hooks);
    await tell();
    await delivering(hooks, async () => {
      await until(async () => {
        const errors = (await rows()).map(({ last_error }) => String(last_error));
        expect([...new Set(errors)].sort((a, b) => a.localeCompare(b))).toEqual([
          'the receiver answered 307',
          'the receiver answered 503',
        ]);
      });
      answers.delete('/refusing');
      await db()
        .updateTable('outbox')
        .set({ next_at: new Date(0) })
        .execute();
      await until(async () => expect((await rows()).map(({ state }) => state).sort()).toEqual(['sent', 'waiting']));
    });
    const ids = received.filter(({ path }) => path === '/refusing').map(({ headers }) => headers['webhook-id']);
    // Two, and one more if the first second is over before the receiver accepts it.
    const repeated = (await rows()).find(({ recipient }) => recipient === hooks[0]?.url);
    expect(repeated?.attempts).toBeGreaterThan(1);
    expect(ids.length).toBe(repeated?.attempts);
    expect(new Set(ids).size).toBe(1);
    expect(received.some(({ path }) => path === '/elsewhere')).toBe(false);
  });

  soakIt('gives up a webhook that is gone, until the operator sends it again', async () => {
    const hooks = [hook('/gone')];
    answers.set('/gone', (response) => response.writeHead(410).end());
    await register(...hooks);
    await tell();
    await delivering(hooks, async () => {
      await until(async () => expect(await rows()).toMatchObject([{ state: 'dead', attempts: 1 }]));
      answers.delete('/gone');
      expect(await retryMessages(provider.services, null, OPERATOR)).toBe(1);
      await until(async () => expect(await rows()).toMatchObject([{ state: 'sent', text: '' }]));
      expect(await retryMessages(provider.services, null, OPERATOR)).toBe(0);
    });
    expect(await purgeMessages(provider.services, 'sent', OPERATOR)).toBe(1);
  });

  soakIt('whose time ends while the receiver fails can be sent again, and a long reply accepts it', async () => {
    const hooks = [hook('/failing')];
    answers.set('/failing', (response) => response.writeHead(500).end());
    await register(...hooks);
    await tell();
    // The next wait would be longer than the time that is left.
    const expires_at = new Date(Date.now() + 600_000);
    await db().updateTable('outbox').set({ attempts: 12, expires_at }).execute();
    await delivering(hooks, async () => {
      await until(async () => expect(await rows()).toMatchObject([{ state: 'dead', attempts: 13 }]));
      answers.set('/failing', (response) => response.writeHead(200).end('x'.repeat(100_000)));
      expect(await retryMessages(provider.services, null, OPERATOR)).toBe(1);
      await until(async () => expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1 }]));
    });
  });

  soakIt('a receiver that does not answer holds up no other', async () => {
    const hooks = [hook('/stalling'), hook('/quick')];
    answers.set('/stalling', () => undefined);
    await register(...hooks);
    for (let user = 0; user < 12; user += 1) await tell();
    await delivering(hooks, async () => {
      await until(async () => {
        const sent = (await rows()).filter(({ state }) => state === 'sent');
        expect(sent.map(({ recipient }) => recipient)).toEqual(Array.from({ length: 12 }, () => `${origin}/quick`));
      });
      await until(() => Promise.resolve(expect(received.filter(({ path }) => path === '/stalling').length).toBe(4)));
      server.closeAllConnections();
    });
  });

  it('calls no address of this machine or a private network for a project that is not for this machine', async () => {
    const carrier = new EventCarrier([hook('/private')], { allowPrivate: false });
    await register(hook('/private'));
    await tell();
    const row = await db().selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
    const { id, channel, kind, recipient: to, subject, text, locale, values, expires_at: expiresAt } = row;
    const parcel = { id, channel, kind, to, subject, text, locale, templateId: null, values, expiresAt, attempt: 1 };
    expect(await carrier.deliver(parcel, new AbortController().signal)).toMatchObject({ kind: 'retry' });
    expect(received).toEqual([]);
    const unknown = await new EventCarrier([], { allowPrivate: true }).deliver(parcel, new AbortController().signal);
    expect(unknown).toMatchObject({ kind: 'rejected' });
  });
});
