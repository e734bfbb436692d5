import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { keysInDatabase } from '#provider/base/security/server-keys.ts';
import { rotateSigningKey, signingKey } from '#provider/base/security/signing-keys.ts';
import { basic, EITHER_DATABASE, MASTER, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import { as, BYE, ISSUER, makeApps, type Apps } from '../kit/idp-harness.ts';

/** The tables that the attacker changes, and that are restored after each attack. */
const TABLES = ['signing_keys', 'sealed_keys'];
const SESSION = 'https://stytch.com/session';
const decoded = (jwt: unknown) =>
  JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) as JWTPayload;

/** The attacker's own key. */
async function ownKey() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const sign = (claims: JWTPayload, typ: string, named = kid) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ, kid: named }).sign(privateKey);
  return {
    kid,
    jwk: JSON.stringify({ ...jwk, kid, alg: 'RS256', use: 'sig' }),
    secret: await exportJWK(privateKey),
    sign,
  };
}

/** Row 18: an attacker can write every row of the tables, but knows no key of the server. */
describe.each(EITHER_DATABASE)('an attacker who writes to the database, on %s', (_, url) => {
  let apps: Apps;
  let victim: Fields;
  let tokens: Fields;
  let mine: Awaited<ReturnType<typeof ownKey>>;

  beforeAll(async () => {
    [apps, mine] = await Promise.all([makeApps(url), ownKey()]);
    victim = apps.signedIn.user;
    tokens = await apps.tokensFor(['openid', 'email']);
    for (const table of TABLES) await run(sql`create table ${sql.ref(`${table}_before`)} as table ${sql.ref(table)}`);
  });
  afterEach(async () => {
    for (const table of TABLES) {
      await run(sql`delete from ${sql.ref(table)}`);
      await run(sql`insert into ${sql.ref(table)} select * from ${sql.ref(`${table}_before`)}`);
    }
  });
  afterAll(() => apps.provider.close());

  /** The server after a restart, with no copy of the database's rows. */
  async function restarted() {
    const { services } = apps.provider;
    const keys = await keysInDatabase(services, MASTER);
    const again = { ...services, keys };
    const app = createApp(again);
    const ask = async (path: string, authorization: string) =>
      (await app.request(`${ISSUER}${path}`, { headers: { authorization } })).status;
    return {
      services: again,
      session: (jwt: string) => ask('/sdk/v1/users/me', basic(PUBLIC_TOKEN, jwt)),
      userinfo: (token: string) => ask('/oauth2/userinfo', `Bearer ${token}`),
      shown: async (path: string) => (await app.request(ISSUER + path)).text(),
    };
  }
  const run = (query: ReturnType<typeof sql>) => query.execute(apps.provider.services.db);
  const forgedSession = (kid?: string) => mine.sign(decoded(victim['session_jwt']), 'JWT', kid);
  const forgedAccess = (kid?: string) => mine.sign(decoded(tokens['access_token']), 'at+jwt', kid);

  it.each(['sessions', 'apps'] as const)('the writer adds no key that signs %s', async (purpose) => {
    // Uses the authentication code of a valid row, which is the best that the attacker has.
    await run(sql`insert into signing_keys (purpose, generation, kid, public_key, sealed, created_at, active_at, mac)
      select purpose, generation + 1, ${mine.kid}, ${mine.jwk}::jsonb, sealed, created_at, active_at, mac
      from signing_keys where purpose = ${purpose}`);
    const server = await restarted();
    expect(await server.session(await forgedSession())).toBe(401);
    expect(await server.userinfo(await forgedAccess())).toBe(401);
    const hint = await mine.sign(decoded(tokens['id_token']), 'JWT');
    const fields = { client_id: 'planner', post_logout_redirect_uri: BYE, id_token_hint: hint };
    const logout = await apps.provider.post('/oauth/logout/start', fields, as(victim));
    expect(logout.body['error_type']).toBe('invalid_id_token_hint');
    for (const path of ['/.well-known/jwks.json', '/oauth2/jwks.json']) {
      expect(await server.shown(path)).not.toContain(mine.kid);
    }
    expect(await server.session(victim['session_jwt'])).toBe(200);
    expect(await server.userinfo(tokens['access_token'])).toBe(200);
    // A row in the place of the next key does not prevent the server from making that key.
    const next = await rotateSigningKey(server.services, purpose);
    expect((await signingKey(server.services, purpose)).kid).toBe(next);
    expect(next).not.toBe(mine.kid);
  });

  it('the writer replaces no valid key', async () => {
    await run(sql`update signing_keys set public_key = ${mine.jwk}::jsonb`);
    const server = await restarted();
    const { rows } = await sql<{ kid: string }>`select kid from signing_keys`.execute(server.services.db);
    expect(rows).toHaveLength(2);
    for (const { kid } of rows) {
      expect(await server.session(await forgedSession(kid))).toBe(401);
      expect(await server.userinfo(await forgedAccess(kid))).toBe(401);
    }
    expect(await server.shown('/oauth2/jwks.json')).not.toContain(mine.kid);
  });

  it('the writer cannot turn a key for apps into one for sessions, nor an old key into a new one', async () => {
    await run(sql`update signing_keys set purpose = 'sessions', generation = generation + 1 where purpose = 'apps'`);
    const server = await restarted();
    expect(await server.userinfo(tokens['access_token'])).toBe(401);
    expect(await server.session(victim['session_jwt'])).toBe(200);
    await run(sql`update signing_keys set generation = generation + 7, active_at = active_at - interval '1 day'`);
    const again = await restarted();
    expect(await again.session(victim['session_jwt'])).toBe(401);
    expect(decoded(victim['session_jwt'])[SESSION]).toBeDefined();
  });

  it('the writer cannot make the server read unencrypted keys again', async () => {
    const stored = JSON.stringify({ signing: mine.secret, code: 'A'.repeat(43) });
    await run(sql`create table if not exists server_keys (name text primary key, value text not null)`);
    await run(sql`insert into server_keys values ('keys', ${stored})`);
    const server = await restarted();
    expect(await server.session(await forgedSession())).toBe(401);
    expect(server.services.keys).toEqual(apps.provider.services.keys);
    await run(sql`drop table server_keys`);
    await run(sql`delete from sealed_keys`);
    await expect(restarted()).rejects.toThrow('The database has lost its sealed keys');
  });

  it('the writer cannot give the server other data keys', async () => {
    await run(sql`update sealed_keys set sealed = ${`${'A'.repeat(11)}.${'A'.repeat(200)}`}`);
    await expect(restarted()).rejects.toThrow();
  });
});
