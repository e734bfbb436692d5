import {
  createLocalJWKSet,
  decodeProtectedHeader,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  type JSONWebKeySet,
} from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AppOptions } from '#provider/operation/app.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { administer } from '../kit/managing.ts';
import * as keys from '#provider/base/security/signing-keys.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { as, BYE, ISSUER, makeApps, type Apps } from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DAY = 24 * 60 * MINUTE;

describe.each(EITHER_DATABASE)('the keys that sign for other apps on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url);
  });
  afterAll(() => apps.provider.close());

  const services = () => apps.provider.services;
  const rotate = (at: AppOptions) => keys.rotateSigningKey(at, 'apps');
  /** Holds the table until each of three servers has read the old key and waits to write. */
  const whileAllWait = async <T>(act: () => Promise<T>): Promise<T> => {
    const { db } = services();
    const acted = await transaction(db, async (tx) => {
      await sql`lock table signing_keys in share mode`.execute(tx);
      const pending = act();
      await vi.waitFor(async () => {
        const { rows } =
          await sql`select from pg_locks where relation = 'signing_keys'::regclass and not granted`.execute(tx);
        expect(rows).toHaveLength(3);
      });
      return { pending };
    });
    return acted.pending;
  };
  const shown = async () =>
    ((await apps.get('/oauth2/jwks.json')).body['keys'] as Fields[]).map(({ kid }) => String(kid));
  const kidOf = async () => decodeProtectedHeader((await apps.tokensFor(['openid']))['id_token']).kid ?? '';
  const verified = async (token: string) => {
    const set = createLocalJWKSet((await keys.publishedKeys(services(), 'apps')) as JSONWebKeySet);
    return jwtVerify(token, set, { issuer: ISSUER, currentDate: new Date(apps.provider.clock.time) });
  };
  const logout = (id_token_hint: string) => {
    const fields = { client_id: 'planner', post_logout_redirect_uri: BYE, id_token_hint };
    return apps.provider.post('/oauth/logout/start', fields, as(apps.signedIn.user));
  };

  it('differ from the one that signs sessions', async () => {
    const { keys: shownForSessions } = (await apps.get('/.well-known/jwks.json')).body as { readonly keys: Fields[] };
    expect(await shown()).toHaveLength(1);
    expect(shownForSessions).toHaveLength(1);
    expect(await shown()).not.toContain(shownForSessions[0]?.['kid']);
    await expect(verified(apps.signedIn.user['session_jwt'])).rejects.toThrow();
  });

  soakIt('are published before they sign, and until all that they signed has expired', async () => {
    const old = await kidOf();
    apps.provider.clock.time += 90 * DAY;
    await apps.signInAgain();
    expect(await kidOf()).toBe(old);
    const [next = ''] = await shown();
    expect(await shown()).toEqual([next, old]);
    apps.provider.clock.time += 10 * MINUTE - 1;
    const { id_token } = await apps.tokensFor(['openid']);
    expect(decodeProtectedHeader(id_token).kid).toBe(old);
    apps.provider.clock.time += 1;
    expect(await kidOf()).toBe(next);
    apps.provider.clock.time += 59 * MINUTE;
    await verified(id_token);
    apps.provider.clock.time += 11 * MINUTE;
    expect(await shown()).toEqual([next]);
    await apps.signInAgain();
  });

  soakIt('are replaced in time although a clock that was moved made one for decades later', async () => {
    const ahead = { ...services(), clock: { now: () => apps.provider.clock.time + 50 * 365 * DAY } };
    await rotate(ahead);
    const old = await kidOf();
    apps.provider.clock.time += 90 * DAY;
    await apps.signInAgain();
    expect(await kidOf()).toBe(old);
    apps.provider.clock.time += 10 * MINUTE;
    const next = await kidOf();
    expect(next).not.toBe(old);
    expect(await shown()).toEqual(expect.arrayContaining([old, next]));
    await verified((await apps.tokensFor(['openid']))['id_token']);
    apps.provider.clock.time += 70 * MINUTE;
    await keys.sweepSigningKeys(services());
    expect(await shown()).toEqual([next]);
    await apps.signInAgain();
  });

  it('are replaced at once by the operator, and what the old one signed stays valid', async () => {
    const { access_token, id_token } = await apps.tokensFor(['openid']);
    const { token: kid } = await administer(services(), 'rotate-keys', {});
    expect(await kidOf()).toBe(kid);
    expect(await shown()).toHaveLength(2);
    await verified(id_token);
    expect((await apps.userinfo(access_token)).status).toBe(200);
    expect((await logout(id_token)).data['consent_required']).toBe(false);
  });

  soakIt('are replaced once by several servers at the same moment', async () => {
    const others = [services(), { ...services() }, { ...services() }];
    const rotated = async (): Promise<readonly string[]> => Promise.all(others.map(rotate));
    const made = await (url === undefined ? rotated() : whileAllWait(rotated));
    expect(new Set(made).size).toBe(1);
    const signers = await Promise.all(others.map((other) => keys.signingKey(other, 'apps')));
    expect(new Set(signers.map(({ kid }) => kid))).toEqual(new Set(made));
  });

  soakIt('are encrypted in the database, and deleted once they no longer sign; a hint is still accepted', async () => {
    const { id_token } = await apps.tokensFor(['openid']);
    await rotate(services());
    const rows = () =>
      services()
        .db.selectFrom('signing_keys')
        .selectAll()
        .where('purpose', '=', 'apps')
        .orderBy('generation', 'desc')
        .execute();
    for (const { sealed } of await rows()) expect(sealed ?? '').not.toMatch(/"kty"|"d"/u);
    apps.provider.clock.time += 71 * MINUTE;
    await keys.sweepSigningKeys(services());
    const [newest, ...older] = await rows();
    expect(newest?.sealed).not.toBeNull();
    expect(older.every(({ sealed }) => sealed === null)).toBe(true);
    await apps.signInAgain();
    expect((await logout(id_token)).data['consent_required']).toBe(true);
    apps.provider.clock.time += 401 * DAY;
    await keys.sweepSigningKeys(services());
    expect(await rows()).toHaveLength(1);
    await apps.signInAgain();
    expect((await logout(id_token)).body['error_type']).toBe('invalid_id_token_hint');
  });

  soakIt('are the only ones that sign a hint for the logout', async () => {
    const { id_token, access_token } = await apps.tokensFor(['openid']);
    const [head, payload, signature = ''] = String(id_token).split('.');
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as Fields;
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const other = Buffer.from(JSON.stringify({ ...claims, sub: 'user-test-other' })).toString('base64url');
    const stranger = await generateKeyPair('RS256');
    const { kid = '' } = decodeProtectedHeader(id_token);
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .sign(stranger.privateKey);
    const wrong = [
      `${head}.${other}.${signature}`,
      `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      forged,
      access_token,
      apps.signedIn.user['session_jwt'],
      '..',
    ];
    for (const hint of wrong) expect((await logout(hint)).body['error_type']).toBe('invalid_id_token_hint');
    expect((await logout(id_token)).data).toMatchObject({ consent_required: false, redirect_uri: BYE });
  });
});
