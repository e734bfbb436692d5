import { createHash } from 'node:crypto';
import { importJWK, SignJWT, type CryptoKey } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { codeHash } from '#provider/base/security/secrets.ts';
import { unseal } from '#provider/base/security/seal.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { as, ISSUER, makeApps, OFFLINE, verifier, type Apps } from '../kit/idp-harness.ts';
import { browser } from '../kit/oauth-harness.ts';
import { dumpOf, privateKeysIn, symmetricKeysIn, wordsIn, type Dump } from './database-dump.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 60 };

/** True when the key decrypts the value for one of these owners. */
function opens(key: Uint8Array, sealed: unknown, owners: readonly string[]): boolean {
  return owners.some((owner) => {
    try {
      return unseal(key, owner, String(sealed)) !== '';
    } catch {
      return false;
    }
  });
}

/** Row 18: an attacker reads every table while a user's flows are in progress, and knows nothing else. */
describe.each(EITHER_DATABASE)('an attacker who reads the database, on %s', (_, url) => {
  let apps: Apps;
  let dump: Dump;
  let user: Fields;
  let totp: Fields;
  let passcode: Fields;
  /** All secrets that are currently valid. */
  let secrets: Readonly<Record<string, string>>;
  let flow: URL;

  beforeAll(async () => {
    apps = await makeApps(url);
    const { provider } = apps;
    user = await provider.signIn('victim@example.com');
    totp = (await provider.post('/totps', { expiration_minutes: 60 }, as(user))).data;
    passcode = await provider.sendCode('other@example.com');
    const { post } = provider;
    const login = browser(provider);
    const visit = login.login('google', { account: 'ada@example.com' });
    const started = await login.start('github');
    flow = new URL(started.headers.get('location') ?? '');
    const social = (await visit).searchParams.get('token') ?? '';
    const consumed = await login.token('google', { account: 'grace@example.com' });
    const values = (await post('/oauth/authenticate', { token: consumed, ...minutes })).data['provider_values'];
    const acting = { user: 'victim@example.com' };
    const tokens = await apps.tokensFor(OFFLINE);
    secrets = {
      session: user['session_token'],
      jwt: user['session_jwt'],
      link: await provider.sendLink('victim@example.com'),
      state: flow.searchParams.get('state') ?? '',
      nonce: flow.searchParams.get('nonce') ?? '',
      social,
      refresh: tokens['refresh_token'],
      access: tokens['access_token'],
      code: await apps.codeFor(),
      verifier,
      impersonation: (await administer(provider.services, 'impersonate', acting)).token,
      totp: totp['secret'],
      ...Object.fromEntries((totp['recovery_codes'] as string[]).map((code, place) => [`recovery ${place}`, code])),
    };
    dump = await dumpOf(provider.services.db);
    expect(values.id_token).not.toBe('');
  });
  afterAll(() => apps.provider.close());

  it('the reader signs no session and no token of an app', async () => {
    const { signing_keys = [] } = dump.tables;
    expect(new Set(signing_keys.map(({ purpose }) => String(purpose)))).toEqual(new Set(['apps', 'sessions']));
    const { session_id, user_id } = dump.tables['sessions']?.find((row) => row['user_id'] === user['user_id']) ?? {};
    for (const { kid, ...jwk } of privateKeysIn(dump)) {
      const claims = JSON.parse(Buffer.from(String(secrets['jwt']).split('.')[1] ?? '', 'base64url').toString());
      const forged = new SignJWT({ ...claims, 'https://stytch.com/session': { id: session_id } });
      const key = (await importJWK(jwk, 'RS256')) as CryptoKey;
      for (const each of [kid, ...signing_keys.map((row) => row['kid'])]) {
        const header = { alg: 'RS256', typ: 'JWT', ...(each === undefined ? {} : { kid: each }) };
        const session = await forged.setSubject(user_id).setProtectedHeader(header).sign(key);
        expect((await apps.provider.call('GET', '/users/me', undefined, { session })).status).toBe(401);
      }
    }
    expect(privateKeysIn(dump)).toEqual([]);
    const owners = signing_keys.flatMap(({ kid, purpose }) => [kid, `signing key ${purpose} ${kid}`]);
    for (const { sealed } of signing_keys) {
      expect(sealed).toBeTypeOf('string');
      expect(symmetricKeysIn(dump).some((key) => opens(key, sealed, owners))).toBe(false);
    }
  });

  it('the reader decrypts no secret of an authenticator app and no recovery code', () => {
    const keys = symmetricKeysIn(dump);
    const [row] = dump.tables['totps'] ?? [];
    const codes = dump.tables['recovery_codes'] ?? [];
    const sealed = [row?.['secret'], ...codes.map((code) => code['sealed'])];
    expect(sealed.length).toBeGreaterThan(5);
    for (const each of sealed) expect(keys.some((key) => opens(key, each, [String(row?.['totp_id'])]))).toBe(false);
  });

  it('the reader cannot check a guessed passcode offline', () => {
    const rows = (dump.tables['passcodes'] ?? []).filter((row) => row['passcode_id'] === passcode['method_id']);
    expect(rows).not.toHaveLength(0);
    const { method_id, code } = passcode;
    const guesses = symmetricKeysIn(dump).map((key) => codeHash(key, method_id, code));
    const bare = [code, `${method_id}${code}`, `${method_id}\n${code}`];
    const known = [...guesses, ...bare.map((text) => createHash('sha256').update(text).digest('base64url'))];
    for (const row of rows) expect(known).not.toContain(row['code_hash']);
  });

  it('the reader finds no unencrypted secret', () => {
    expect(dump.text).toContain('victim@example.com');
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret, name).not.toBe('');
      expect(dump.text.includes(secret), name).toBe(false);
    }
    expect(dump.text).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/u);
  });

  it('the reader cannot finish a social login that another person began', () => {
    const challenge = flow.searchParams.get('code_challenge');
    expect(dump.tables['oauth_flows']).toHaveLength(1);
    const digests = wordsIn(dump).map((word) => createHash('sha256').update(word).digest('base64url'));
    expect(challenge).toMatch(/^[\w-]{43}$/u);
    expect(digests).not.toContain(challenge);
  });

  soakIt('the reader cannot use a stored hash in place of its secret', async () => {
    const { post, call } = apps.provider;
    const words = wordsIn(dump).filter((word) => word.length >= 40 && word.length < 600);
    expect(words.length).toBeGreaterThan(20);
    for (const token of words) {
      const tries = await Promise.all([
        call('GET', '/users/me', undefined, { session: token }),
        post('/magic_links/authenticate', { token, ...minutes }),
        post('/oauth/authenticate', { token, ...minutes }),
        post('/impersonation/authenticate', { impersonation_token: token }),
        apps.refresh(token),
        apps.redeem({ code: token }),
        apps.userinfo(token),
      ]);
      for (const { status } of tries) expect(status).toBeGreaterThanOrEqual(400);
    }
    expect((await call('GET', '/users/me', undefined, as(user))).status).toBe(200);
    expect((await apps.refresh(secrets['refresh'])).status).toBe(200);
    expect(ISSUER).toBe(apps.provider.services.project.issuer);
  });
});
