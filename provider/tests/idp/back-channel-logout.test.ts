import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDelivery } from '#provider/messages/outbox/delivery.ts';
import { LogoutCarrier } from '#provider/messages/logouts/logout-carrier.ts';
import { removeUser } from '#provider/accounts/users/store.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { systemClock } from '#provider/base/platform.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { as, ISSUER, makeApps, SETTINGS, type Apps } from '../kit/idp-harness.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

interface ReceivedLogout {
  readonly path: string;
  readonly type: string;
  readonly token: string;
}

describe.each(EITHER_DATABASE)('back-channel logout (OpenID Connect Back-Channel Logout 1.0) on %s', (_, url) => {
  const received: ReceivedLogout[] = [];
  /** The statuses with which the app answers next; 204 for others. */
  const statuses: number[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const token = new URLSearchParams(body).get('logout_token') ?? '';
      received.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', token });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  let apps: Apps;
  let stop: () => Promise<void>;
  const [planner, other] = SETTINGS.clients;

  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clients = [
      { ...planner, backchannel_logout_uri: `${origin}/planner`, backchannel_logout_session_required: true },
      { ...other, backchannel_logout_uri: `${origin}/other` },
      { ...planner, client_id: 'silent' },
    ];
    apps = await makeApps(url, { clients, allow_loopback: true });
  });
  beforeEach(async () => {
    // An address gets ten codes in ten minutes.
    apps.provider.clock.time += 11 * MINUTE;
    await apps.signInAgain();
    await apps.provider.services.db.deleteFrom('outbox').execute();
    received.length = 0;
    statuses.length = 0;
    const { services } = apps.provider;
    const delivery = startDelivery(
      { ...services, clock: systemClock, dev: false },
      { logout: new LogoutCarrier(services) },
      { poll: 5 },
    );
    stop = async () => delivery?.stop();
  });
  afterEach(() => stop());
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await apps.provider.close();
  });

  const logIn = async (client_id = 'planner', scopes = ['openid', 'offline_access']) =>
    (await apps.redeem({ client_id, code: await apps.codeFor({ client_id, scopes }) })).body;
  const revoke = () => apps.provider.post('/sessions/revoke', {}, as(apps.signedIn.user));
  const arrived = (count: number) =>
    vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(count), { interval: 5 });
  const keys = async () => {
    const reply = await apps.provider.app.request(`${ISSUER}/oauth2/jwks.json`);
    return (await reply.json()) as Fields;
  };
  const read = async ({ token }: ReceivedLogout, audience: string): Promise<JWTPayload> => {
    const set = createLocalJWKSet((await keys()) as never);
    return (await jwtVerify(token, set, { issuer: ISSUER, audience, typ: 'logout+jwt' })).payload;
  };

  it('oidcc-backchannel-rp-initiated-logout: the app gets a logout token of its session', async () => {
    const { id_token } = await logIn();
    const [, payload = ''] = String(id_token).split('.');
    const { sid, sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Fields;
    await revoke();
    await arrived(1);
    const [logout] = received;
    if (logout === undefined) throw new Error('nothing came');
    expect([logout.path, logout.type]).toEqual(['/planner', 'application/x-www-form-urlencoded']);
    expect(decodeProtectedHeader(logout.token)).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' });
    const claims = await read(logout, 'planner');
    expect(claims).toEqual({
      iss: ISSUER,
      sub,
      sid,
      aud: 'planner',
      iat: expect.any(Number),
      exp: Number(claims.iat) + 120,
      jti: expect.any(String),
      events: { [EVENT]: {} },
    });
  });

  it('oidcc-backchannel-logout-discovery-endpoint-verification: the metadata says so', async () => {
    const { body } = await apps.get('/.well-known/openid-configuration');
    expect(body).toMatchObject({ backchannel_logout_supported: true, backchannel_logout_session_supported: true });
  });

  it('each app is told once for a session, and none that was not logged in to or wants no notice', async () => {
    for (const client of ['planner', 'planner', 'silent']) await logIn(client);
    await revoke();
    await arrived(1);
    await apps.signInAgain();
    await logIn('other');
    await revoke();
    await arrived(2);
    expect(received.map(({ path }) => path)).toEqual(['/planner', '/other']);
    // A token for one app is none for another.
    const [first] = received;
    if (first !== undefined) await expect(read(first, 'other')).rejects.toThrow();
  });

  it('an app that gets no ID token is not told', async () => {
    await logIn('planner', ['email']);
    await revoke();
    await apps.signInAgain();
    await logIn('other');
    await revoke();
    await arrived(1);
    expect(received.map(({ path }) => path)).toEqual(['/other']);
  });

  it('is sent when the user is deleted, and when an expired session is swept', async () => {
    const { db } = apps.provider.services;
    await logIn();
    await db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 48 * 3_600_000) })
      .execute();
    await sweep({ ...apps.provider.services, clock: systemClock });
    await arrived(1);
    await apps.signInAgain();
    await logIn('other');
    await removeUser(db, String(apps.signedIn.user['user_id']));
    await arrived(2);
    expect(received.map(({ path }) => path)).toEqual(['/planner', '/other']);
  });

  it('is sent again after a failure, with another id, and not after the app has refused it', async () => {
    await logIn();
    statuses.push(503);
    await revoke();
    await arrived(1);
    const { db } = apps.provider.services;
    const due = async () => {
      const { numUpdatedRows } = await db
        .updateTable('outbox')
        .set({ next_at: new Date(0) })
        .where('claimed_by', 'is', null)
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow();
      expect(Number(numUpdatedRows)).toBe(1);
    };
    statuses.push(400);
    await vi.waitFor(due, { interval: 5 });
    await arrived(2);
    const ids = await Promise.all(received.map(async (each) => (await read(each, 'planner')).jti));
    expect(new Set(ids).size).toBe(2);
    const state = async () => (await db.selectFrom('outbox').select(['state', 'last_error', 'text']).execute())[0];
    await vi.waitFor(async () =>
      expect(await state()).toEqual({ state: 'dead', last_error: 'the app answered 400', text: '' }),
    );
  });

  it('is part of what ends the session: a change that is rolled back tells nobody', async () => {
    await logIn();
    const { db } = apps.provider.services;
    const ends = transaction(db, async (tx) => {
      await tx.deleteFrom('sessions').execute();
      throw new Error('rolled back');
    });
    await expect(ends).rejects.toThrow('rolled back');
    expect(await db.selectFrom('outbox').selectAll().where('channel', '=', 'logout').execute()).toEqual([]);
    await revoke();
    await arrived(1);
  });
});
