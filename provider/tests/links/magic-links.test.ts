import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, makeProvider, WITHOUT_PKCE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const VERIFIER = 'a'.repeat(64);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

describe.each(EITHER_DATABASE)('magic links on %s', (_, url) => {
  let provider: Provider;
  let strict: Provider;
  beforeAll(async () => {
    provider = await makeProvider(url);
    const project = { ...DEMO_PROJECT, ...WITHOUT_PKCE, pkce_required_for_email_magic_links: true };
    strict = await makeProvider(url, { project });
  });
  afterAll(async () => {
    await provider.close();
    await strict.close();
  });

  const open = (token: string, fields: Fields = {}) =>
    provider.post('/magic_links/authenticate', { token, session_duration_minutes: 30, ...fields });
  const send = (fields: Fields) =>
    provider.post('/magic_links/email/login_or_create', { email: 'redirect@example.com', ...fields });

  it('opens once', async () => {
    const token = await provider.sendLink('once@example.com');
    expect((await open(token)).status).toBe(200);
    expect((await open(token)).body).toMatchObject({ status_code: 401, error_type: 'unable_to_auth_magic_link' });
    expect((await open('unknown')).body['error_type']).toBe('unable_to_auth_magic_link');
  });

  it('expires after thirty minutes at most, however long it was asked for, and the email says so', async () => {
    const asked = [undefined, 5, 29, 31, 10_080].map((minutes) => ({ minutes, email: `late-${minutes}@example.com` }));
    const tokens = new Map<number | undefined, string>();
    for (const { minutes, email } of asked) {
      tokens.set(minutes, await provider.sendLink(email, { signup_expiration_minutes: minutes }));
      expect((await provider.newest(email))?.text).toContain(`${Math.min(minutes ?? 30, 30)} minutes`);
    }
    const opened = async () =>
      Promise.all([...tokens].map(async ([minutes, token]) => ((await open(token)).status === 200 ? minutes : 0)));
    provider.clock.time += 29 * MINUTE;
    expect((await open(tokens.get(29) ?? '')).body['error_type']).toBe('unable_to_auth_magic_link');
    provider.clock.time += MINUTE;
    expect(await opened()).toEqual([0, 0, 0, 0, 0]);
  });

  it('expires after ten minutes in a project that wants it (OWASP ASVS 6.5.5), and the email says so', async () => {
    const strict = await makeProvider(url, { project: { ...provider.services.project, link_max_minutes: 10 } });
    try {
      const token = await strict.sendLink('strict@example.com');
      expect((await strict.newest('strict@example.com'))?.text).toContain('10 minutes');
      strict.clock.time += 10 * MINUTE;
      const late = await strict.post('/magic_links/authenticate', { token, session_duration_minutes: 30 });
      expect(late.body['error_type']).toBe('unable_to_auth_magic_link');
    } finally {
      await strict.close();
    }
  });

  soakIt(
    'lives as long as it was asked for where the project allows it, and thirty minutes where the request says nothing',
    async () => {
      const roomy = await makeProvider(url, { project: { ...provider.services.project, link_max_minutes: 60 } });
      try {
        const token = await roomy.sendLink('late@example.com');
        const longer = await roomy.sendLink('late@example.com', { signup_expiration_minutes: 31 });
        roomy.clock.time += 30 * MINUTE;
        const statuses = [token, longer].map(async (each) => roomy.post('/magic_links/authenticate', { token: each, session_duration_minutes: 30 })); // prettier-ignore
        expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([401, 200]);
      } finally {
        await roomy.close();
      }
    },
  );

  it('is not spent by requests of scanners and browsers', async () => {
    const token = await provider.sendLink('scanned@example.com');
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      const query = new URLSearchParams({ token, session_duration_minutes: '30' });
      const headers = { 'sec-purpose': 'prefetch' };
      const reply = await provider.app.request(`/sdk/v1/magic_links/authenticate?${query}`, { method, headers });
      expect(reply.status).toBe(405);
      expect(reply.headers.get('allow')).toBe('POST');
    }
    expect((await open(token)).status).toBe(200);
  });

  it('opens only for the browser that holds the verifier, and is not burnt by another', async () => {
    const token = await provider.sendLink('pkce@example.com', { code_challenge: CHALLENGE });
    const missing = await open(token);
    expect(missing.body).toMatchObject({ status_code: 400, error_type: 'pkce_expected_code_verifier' });
    expect(missing.body['error_message']).toContain('pkce');
    for (const code_verifier of ['b'.repeat(64), 'a'.repeat(42), 'a'.repeat(129), CHALLENGE]) {
      expect((await open(token, { code_verifier })).body).toMatchObject({
        status_code: 400,
        error_type: 'pkce_mismatch',
      });
    }
    expect((await open(token, { code_verifier: VERIFIER })).status).toBe(200);
  });

  it('takes null for a verifier that is not there', async () => {
    const token = await provider.sendLink('null@example.com', { code_challenge: null });
    expect((await open(token, { code_verifier: null })).status).toBe(200);
  });

  it('takes no verifier where there was no challenge', async () => {
    const token = await provider.sendLink('plain@example.com');
    const { body } = await open(token, { code_verifier: VERIFIER });
    expect(body).toMatchObject({ status_code: 400, error_type: 'pkce_expected_code_challenge' });
    expect((await open(token)).status).toBe(200);
  });

  it.each(['short', 'a'.repeat(44), `${'a'.repeat(42)}=`, ''])('refuses the challenge %j', async (code_challenge) => {
    expect((await send({ code_challenge })).body).toMatchObject({
      status_code: 400,
      error_type: 'invalid_code_challenge',
    });
  });

  it('is not sent without a challenge where the project requires one', async () => {
    const email = 'strict@example.com';
    const refused = await strict.post('/magic_links/email/login_or_create', { email });
    expect(refused.body).toMatchObject({ status_code: 400, error_type: 'pkce_code_challenge_required' });
    const token = await strict.sendLink(email, { code_challenge: CHALLENGE });
    const fields = { token, code_verifier: VERIFIER, session_duration_minutes: 30 };
    expect((await strict.post('/magic_links/authenticate', fields)).status).toBe(200);
  });

  it.each([
    'https://evil.example/',
    'http://localhost.evil.example/',
    'http://localhost:3000@evil.example/',
    'http://user:pw@localhost/',
    'http://user@localhost/',
    'https://127.0.0.1.evil.example/',
    'javascript:alert(1)//localhost',
    '//localhost/',
    '/relative',
    'http://localhost/#fragment',
    'ftp://localhost/',
    '',
  ])('does not lead to %j', async (address) => {
    for (const field of ['login_magic_link_url', 'signup_magic_link_url']) {
      const { body } = await send({ [field]: address });
      expect(body).toMatchObject({ status_code: 400, error_type: 'no_match_for_provided_magic_link_url' });
      expect(body['error_message']).toContain(field);
    }
  });

  it.each(['http://localhost/', 'https://a.b.localhost:1/x?y=z', 'http://127.0.0.1:99/', 'http://[::1]:5/p'])(
    'leads to %s, on this machine',
    async (address) => {
      const token = await provider.sendLink(`${Buffer.from(address).toString('hex')}@example.com`, {
        signup_magic_link_url: address,
      });
      expect(token).toMatch(/^[\w-]{43}$/u);
      const link = (await provider.newest())?.link ?? '';
      expect(link.startsWith(address)).toBe(true);
    },
  );

  it.each([
    ['login_expiration_minutes', 4],
    ['signup_expiration_minutes', 10_081],
    ['signup_expiration_minutes', 7.5],
  ])('refuses %s of %s', async (field, minutes) => {
    const { body } = await send({ [field]: minutes });
    expect(body).toMatchObject({ status_code: 400, error_type: 'invalid_expiration_minutes' });
    expect(body['error_message']).toContain(field);
  });

  it('makes the user active at once when pending ones are not wanted', async () => {
    await send({ email: 'now@example.com', create_user_as_pending: false });
    expect((await provider.post('/users/search', { email: 'now@example.com' })).data['userType']).toBe('passwordless');
  });
});
