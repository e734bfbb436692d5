import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const PROJECT = 'project-test-d1e70000-0000-4000-8000-000000000000';

describe.each(EITHER_DATABASE)('sessions on %s', (_, url) => {
  const provider = suiteProvider(url);

  const me = (session: string) => provider.call('GET', '/users/me', undefined, { session });
  const refresh = (session: string, body: object = {}) => provider.post('/sessions/authenticate', body, { session });

  it('distinguishes a missing session from a wrong one', async () => {
    for (const call of [
      provider.call('GET', '/users/me'),
      provider.post('/sessions/authenticate', {}),
      provider.post('/sessions/revoke'),
    ]) {
      expect((await call).body).toMatchObject({ status_code: 401, error_type: 'user_unauthenticated' });
    }
    for (const wrong of ['planted-token', 'a.b.c', 'x'.repeat(5000)]) {
      expect((await me(wrong)).body).toMatchObject({ status_code: 401, error_type: 'unauthorized_credentials' });
    }
  });

  it('keeps the token and lengthens the session as requested, never shortening it', async () => {
    const login = await provider.signIn('longer@example.com');
    provider.clock.time += 10 * MINUTE;
    const plain = await refresh(login['session_token']);
    expect(plain.data).toMatchObject({
      session_token: login['session_token'],
      user_id: login['user_id'],
      session: { session_id: login['session']['session_id'], expires_at: login['session']['expires_at'] },
    });
    expect(plain.data['session']['last_accessed_at']).toBe(new Date(provider.clock.time).toISOString());
    const shorter = await refresh(login['session_token'], { session_duration_minutes: 5 });
    expect(shorter.data['session']['expires_at']).toBe(login['session']['expires_at']);
    const longer = await refresh(login['session_token'], { session_duration_minutes: 90 });
    expect(longer.data['session']['expires_at']).toBe(new Date(provider.clock.time + 90 * MINUTE).toISOString());
    expect((await refresh(login['session_token'], { session_duration_minutes: 4 })).body['error_type']).toBe(
      'invalid_session_duration',
    );
  });

  it('ends when its time is over, and stays ended', async () => {
    const { session_token } = await provider.signIn('over@example.com');
    provider.clock.time += 60 * MINUTE - 1;
    expect((await me(session_token)).status).toBe(200);
    provider.clock.time += 1;
    expect((await me(session_token)).body['error_type']).toBe('unauthorized_credentials');
    expect((await refresh(session_token, { session_duration_minutes: 60 })).status).toBe(401);
  });

  it('is gone in both forms once revoked, and other sessions of the user are not', async () => {
    const { session_token, session_jwt } = await provider.signIn('revoked@example.com');
    const other = await provider.signIn('revoked@example.com');
    expect((await provider.post('/sessions/revoke', undefined, { session: session_token })).status).toBe(200);
    for (const secret of [session_token, session_jwt]) {
      expect((await me(secret)).body['error_type']).toBe('unauthorized_credentials');
      expect((await refresh(secret)).body['error_type']).toBe('unauthorized_credentials');
    }
    expect((await me(other['session_token'])).status).toBe(200);
  });

  it('has a JWT that anyone can check against the published keys', async () => {
    const login = await provider.signIn('jwt@example.com');
    for (const path of ['/.well-known/jwks.json', `/sdk/v1/sessions/jwks/${PROJECT}`]) {
      const jwks = (await (await provider.app.request(path)).json()) as JSONWebKeySet;
      expect(JSON.stringify(jwks)).not.toMatch(/"(?:d|p|q|dp|dq|qi)":/u);
      const { payload, protectedHeader } = await jwtVerify(login['session_jwt'], createLocalJWKSet(jwks), {
        issuer: `stytch.com/${PROJECT}`,
        audience: PROJECT,
        currentDate: new Date(provider.clock.time),
      });
      expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: jwks.keys[0]?.kid });
      expect(payload.sub).toBe(login['user_id']);
      expect(payload.exp).toBe(provider.clock.time / 1000 + 300);
      expect(payload['https://stytch.com/session']).toMatchObject({
        id: login['session']['session_id'],
        started_at: login['session']['started_at'],
        last_accessed_at: login['session']['last_accessed_at'],
        expires_at: login['session']['expires_at'],
        attributes: login['session']['attributes'],
        authentication_factors: login['session']['authentication_factors'],
      });
    }
  });

  it('takes the JWT as well, for five minutes and the difference of clocks, and gives its holder no other secret', async () => {
    const { session_token, session_jwt, session } = await provider.signIn('both@example.com');
    expect((await me(session_jwt)).status).toBe(200);
    const viaJwt = await refresh(session_jwt, { session_duration_minutes: 500 });
    expect([viaJwt.data['session_token'], viaJwt.data['session_jwt']]).toEqual(['', '']);
    expect(viaJwt.data['session'].expires_at).toBe(session.expires_at);
    provider.clock.time += 5 * MINUTE + 29_000;
    expect((await me(session_jwt)).status).toBe(200);
    provider.clock.time += 1_000;
    expect((await me(session_jwt)).body['error_type']).toBe('unauthorized_credentials');
    expect((await me(session_token)).status).toBe(200);
  });

  it('refuses a JWT that was changed or signed by someone else', async () => {
    const { session_jwt } = await provider.signIn('forged@example.com');
    const [header, payload, signature] = String(session_jwt).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as object;
    const later = Buffer.from(JSON.stringify({ ...claims, exp: 9_999_999_999 })).toString('base64url');
    for (const forged of [`${none}.${payload}.`, `${header}.${later}.${signature}`, `${header}.${payload}.AAAA`]) {
      expect((await me(forged)).status).toBe(401);
    }
  });

  it('adds a factor to the session that the same user presents, under a new token', async () => {
    const first = await provider.signIn('factors@example.com');
    provider.clock.time += MINUTE;
    const token = await provider.sendLink('factors@example.com');
    const fields = { token, session_duration_minutes: 5 };
    const { data } = await provider.post('/magic_links/authenticate', fields, { session: first['session_token'] });
    expect(data['session']['session_id']).toBe(first['session']['session_id']);
    expect(data['session']['expires_at']).toBe(first['session']['expires_at']);
    expect(data['session']['authentication_factors'].map(({ type }: { type: string }) => type)).toEqual([
      'otp',
      'magic_link',
    ]);
    expect((await me(data['session_token'])).status).toBe(200);
    expect((await me(first['session_token'])).status).toBe(401);
    const again = await provider.signIn('factors@example.com', { session: data['session_token'] });
    expect(again['session']['authentication_factors']).toHaveLength(2);
  });

  it('starts a new session for another user, and for an invalid token', async () => {
    const first = await provider.signIn('one@example.com');
    const second = await provider.signIn('two@example.com', { session: first['session_token'] });
    expect(second['session']['session_id']).not.toBe(first['session']['session_id']);
    expect((await me(first['session_token'])).data['user_id']).toBe(first['user_id']);
    const third = await provider.signIn('three@example.com', { session: 'planted' });
    expect(third['session_token']).not.toBe('planted');
    expect((await me('planted')).status).toBe(401);
  });
});
