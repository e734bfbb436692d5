import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { endAccessForPassword } from '#provider/accounts/users/belongings.ts';
import { lockUser } from '#provider/accounts/users/lock.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { browser, CHALLENGE, VERIFIER } from '../kit/oauth-harness.ts';
import { enrolTotp, fromServer, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple';
const OTHER = 'a wholly different phrase of mine';

describe.each(EITHER_DATABASE)('pending logins when an account changes, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  /** A call of the app's own server. */
  async function server(path: string, fields: Fields): Promise<Fields> {
    const { body } = await fromServer(provider, path, fields);
    expect(body).toMatchObject({ status_code: 200 });
    return body;
  }
  const newest = async () => provider.newest();
  const newestToken = async () => new URL((await newest())?.link ?? 'none:').searchParams.get('token');
  const openLink = async (token: unknown) => provider.post('/magic_links/authenticate', { token, ...MINUTES });
  const enterCode = async (method_id: unknown, extras: { readonly session?: string } = {}) =>
    provider.post('/otps/authenticate', { method_id, token: (await newest())?.code, ...MINUTES }, extras);

  async function pending() {
    const email = uniqueEmail('social');
    const choice = { email, verified: 'yes' } as const;
    const token = () => browser(provider).token('google', choice, { code_challenge: CHALLENGE });
    const enter = async (given: string) =>
      provider.post('/oauth/authenticate', { token: given, code_verifier: VERIFIER, ...MINUTES });
    const { data } = await enter(await token());
    const session = String(data['session_token']);
    const set = await provider.post('/passwords/session/reset', { password: PASSWORD }, { session });
    expect(set.status).toBe(200);
    return { email, session: String(set.data['session_token']), stolen: await token(), enter };
  }

  it('a change of the password in a session ends the token of a social login', async () => {
    const { session, stolen, enter } = await pending();
    expect((await provider.post('/passwords/session/reset', { password: OTHER }, { session })).status).toBe(200);
    expect((await enter(stolen)).status).toBe(404);
  });

  soakIt('a change of the password with the old one ends the token of a social login', async () => {
    const { email, stolen, enter } = await pending();
    const body = { email, existing_password: PASSWORD, new_password: OTHER, ...MINUTES };
    expect((await provider.post('/passwords/existing_password/reset', body)).status).toBe(200);
    expect((await enter(stolen)).status).toBe(404);
  });

  it('a change of the password ends all codes and links but those with which an unverified address is verified', async () => {
    const email = uniqueEmail('unverified');
    const phone = { phone_number: '+14155557301' };
    const { user_id, session_token } = await provider.signIn(email);
    const session = String(session_token);
    const added = await provider.post('/otps/sms/send/secondary', phone, { session });
    expect((await enterCode(added.data['method_id'], { session })).status).toBe(200);
    // As after a sign-up by a password.
    await provider.services.db.updateTable('emails').set({ verified: false }).where('email', '=', email).execute();
    const own = await provider.sendLink(email);
    const { token: embedded } = await server('/magic_links', { user_id });
    const sent = await provider.post('/otps/sms/send/primary', phone);
    await transaction(provider.services.db, async (tx) => {
      const user = await lockUser(tx, String(user_id));
      if (user !== undefined) await endAccessForPassword(tx, user, null);
    });
    expect((await enterCode(sent.data['method_id'])).status).toBe(404);
    expect((await openLink(embedded)).status).toBe(401);
    expect((await openLink(own)).status).toBe(200);
  });

  soakIt('the link that adds an address does not add it again after it was removed', async () => {
    const { user_id, session_token } = await provider.signIn(uniqueEmail('owner'));
    const email = uniqueEmail('lost');
    // Both are vouched for by the app's own server: no session is needed to open them.
    await server('/magic_links/email/send', { email, user_id });
    const early = await newestToken();
    await server('/magic_links/email/send', { email, user_id });
    expect((await openLink(await newestToken())).status).toBe(200);
    await server('/magic_links/email/send', { email: email.toUpperCase(), user_id });
    const late = await newestToken();
    const me = await provider.call('GET', '/users/me', undefined, { session: String(session_token) });
    const lost = (me.data['emails'] as Fields[]).find((each) => each['email'] === email);
    const path = `/users/emails/${String(lost?.['email_id'])}`;
    expect((await provider.call('DELETE', path, undefined, { session: String(session_token) })).status).toBe(200);
    for (const token of [early, late]) expect((await openLink(token)).status).toBe(401);
  });

  soakIt('the attach of a social account that a session began ends once the user has a second factor', async () => {
    const email = uniqueEmail('enrolling');
    const stolen = await provider.signIn(email);
    const own = await provider.signIn(email);
    const begun = await server('/oauth/attach', { provider: 'google', session_token: stolen['session_token'] });
    const options = { oauth_attach_token: String(begun['oauth_attach_token']), code_challenge: CHALLENGE };
    const token = await browser(provider).token('google', { email: 'thief@example.com', verified: 'yes' }, options);
    const { session } = await enrolTotp(provider, String(own['session_token']));
    const body = { token, code_verifier: VERIFIER, ...MINUTES };
    for (const presented of [String(stolen['session_token']), session]) {
      const refused = await provider.post('/oauth/authenticate', body, { session: presented });
      expect(refused.body['error_type']).toBe('oauth_token_not_found');
    }
    const begin = (session_token: unknown) =>
      fromServer(provider, '/oauth/attach', { provider: 'google', session_token });
    expect((await begin(stolen['session_token'])).body['error_type']).toBe('mfa_required');
    expect((await begin(session)).status).toBe(200);
    const { data } = await provider.call('GET', '/users/me', undefined, { session });
    expect(data['providers']).toEqual([]);
  });
});
