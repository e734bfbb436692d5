import { describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const minutes = { session_duration_minutes: 30 };

describe.each(EITHER_DATABASE)('addresses that are added on %s', (_, url) => {
  const provider = suiteProvider(url);

  const enter = (token: string, method_id: string, session?: string) =>
    provider.post('/otps/authenticate', { token, method_id, ...minutes }, session === undefined ? {} : { session });
  const open = (token: string, session?: string, fields: Fields = {}) =>
    provider.post(
      '/magic_links/authenticate',
      { token, ...minutes, ...fields },
      session === undefined ? {} : { session },
    );
  const newest = async () => (await provider.newest())!;
  const linkToken = async () => new URL((await newest()).link!).searchParams.get('token')!;

  it('come by passcode', async () => {
    const { session_token: session, user_id } = await provider.signIn('code@example.com');
    const bare = await provider.post('/otps/email/send/secondary', { email: 'code2@example.com' });
    expect(bare.body['error_type']).toBe('user_unauthenticated');
    provider.clock.time += 1000;
    const { data } = await provider.post('/otps/email/send/secondary', { email: 'Code2@example.com' }, { session });
    expect(data['method_id']).toMatch(/^email-test-/u);
    expect((await enter((await newest()).code!, data['method_id'])).body['error_type']).toBe('user_unauthenticated');
    const done = await enter((await newest()).code!, data['method_id'], session);
    expect(done.data['user']['emails']).toMatchObject([
      { email: 'code@example.com' },
      { email: 'Code2@example.com', verified: true, email_id: done.data['method_id'] },
    ]);
    expect((await provider.signIn('code2@example.com'))['user_id']).toBe(user_id);
  });

  it('come by link, opened where it was requested and nowhere else', async () => {
    const { session_token: session, user_id } = await provider.signIn('link@example.com');
    const stranger = await provider.signIn('stranger@example.com');
    const bare = await provider.post('/magic_links/email/send/secondary', { email: 'link2@example.com' });
    expect(bare.body['error_type']).toBe('user_unauthenticated');
    provider.clock.time += 1000;
    const sent = await provider.post('/magic_links/email/send/secondary', { email: 'link2@example.com' }, { session });
    expect(sent.status).toBe(200);
    const token = await linkToken();
    expect((await open(token)).body['error_type']).toBe('user_unauthenticated');
    expect((await open(token, stranger['session_token'])).body['error_type']).toBe('unable_to_auth_magic_link');
    const done = await open(token, session);
    expect(done.data).toMatchObject({ user_id, method_id: done.data['user']['emails'][1]['email_id'] });
    expect(done.data['session']['authentication_factors']).toHaveLength(2);
    expect((await open(token, done.data['session_token'])).status).toBe(401);
    expect((await provider.signIn('link2@example.com'))['user_id']).toBe(user_id);
  });

  it('are not taken from another user', async () => {
    await provider.signIn('owned@example.com');
    const { session_token: session } = await provider.signIn('greedy@example.com');
    for (const path of ['/otps/email/send/secondary', '/magic_links/email/send/secondary']) {
      const { body } = await provider.post(path, { email: 'OWNED@example.com' }, { session });
      expect(body).toMatchObject({ status_code: 400, error_type: 'duplicate_email' });
    }
    await provider.post('/magic_links/email/send/secondary', { email: 'raced@example.com' }, { session });
    const token = await linkToken();
    await provider.signIn('raced@example.com');
    expect((await open(token, session)).body['error_type']).toBe('duplicate_email');
  });

  it('may be one of the own: a second factor', async () => {
    const { session_token: session, user_id } = await provider.signIn('own@example.com');
    await provider.post('/magic_links/email/send/secondary', { email: 'own@example.com' }, { session });
    const { data } = await open(await linkToken(), session);
    expect(data).toMatchObject({ user_id, user: { emails: [{ email: 'own@example.com' }] } });
    expect(data['session']['authentication_factors']).toHaveLength(2);
  });

  it('are reached only when known, where that was requested', async () => {
    for (const path of ['/otps/email/send/primary', '/magic_links/email/send/primary']) {
      const { body } = await provider.post(path, { email: 'unknown@example.com' });
      expect(body).toMatchObject({ status_code: 404, error_type: 'email_not_found' });
    }
    const { user_id } = await provider.signIn('known@example.com');
    const code = await provider.post('/otps/email/send/primary', { email: 'KNOWN@example.com' });
    expect((await enter((await newest()).code!, code.data['method_id'])).data['user_id']).toBe(user_id);
    const link = await provider.post('/magic_links/email/send/primary', { email: 'known@example.com' });
    expect(Object.keys(link.data).sort()).toEqual(['request_id', 'status_code']);
    expect((await newest()).link).toContain('stytch_token_type=magic_links');
    expect((await open(await linkToken())).data['user_id']).toBe(user_id);
  });
});
