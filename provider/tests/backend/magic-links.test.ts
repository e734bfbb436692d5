import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 60 };
const here = { ip_address: '203.0.113.7', user_agent: 'A browser' };

describe.each(EITHER_DATABASE)('magic links of the backend API, on %s', (_, database) => {
  let backend: Backend;
  let links: Backend['client']['magicLinks'];
  beforeAll(async () => {
    backend = await startBackend(database);
    links = backend.client.magicLinks;
  });
  afterAll(() => backend.close());

  /** The newest message to the address. */
  const mail = async (to: string) => {
    const found = await backend.provider.newest(to);
    if (found?.link === undefined) throw new Error(`no link to ${to}`);
    return { ...found, link: new URL(found.link) };
  };
  const tokenTo = async (to: string) => (await mail(to)).link.searchParams.get('token') ?? '';
  const user = async (user_id: string) => backend.client.users.get({ user_id });
  /** A user with a verified address, and their session. */
  const signedIn = async (email: string) => {
    await links.email.loginOrCreate({ email });
    return links.authenticate({ token: await tokenTo(email), ...minutes });
  };

  it('sign up a user, and log them in again', async () => {
    const email = 'new@example.com';
    const sent = await links.email.loginOrCreate({ email, create_user_as_pending: true });
    expect(sent).toMatchObject({ status_code: 200, user_created: true });
    expect(await user(sent.user_id)).toMatchObject({ status: 'pending' });
    expect((await mail(email)).text).toContain('sign up for');
    const first = await links.authenticate({ token: await tokenTo(email), attributes: here, ...minutes });
    expect(first).toMatchObject({
      user_id: sent.user_id,
      method_id: sent.email_id,
      reset_sessions: true,
      user: { status: 'active', emails: [{ email_id: sent.email_id, email, verified: true }] },
      session: { attributes: here, authentication_factors: [{ type: 'magic_link', delivery_method: 'email' }] },
    });
    const again = await links.email.loginOrCreate({ email });
    expect(again).toMatchObject({ user_id: sent.user_id, email_id: sent.email_id, user_created: false });
    expect((await mail(email)).text).toContain('log in to');
    expect(await links.authenticate({ token: await tokenTo(email) })).toMatchObject({ reset_sessions: false });
  });

  it('make an active user unless told otherwise', async () => {
    const { user_id } = await links.email.loginOrCreate({ email: 'active@example.com' });
    expect(await user(user_id)).toMatchObject({ status: 'active', emails: [{ verified: false }] });
  });

  it('end without a session, with a new one, or in the one that is presented', async () => {
    const email = 'session@example.com';
    const { user_id, session_token, session, session_jwt } = await signedIn(email);
    await links.email.send({ email });
    const without = await links.authenticate({ token: await tokenTo(email), session_custom_claims: { lost: true } });
    expect(without).toMatchObject({ user_id, session: null, session_token: '', session_jwt: '' });
    await links.email.send({ email });
    const claims = { session_custom_claims: { plan: 'gold' } };
    const joined = await links.authenticate({ token: await tokenTo(email), session_jwt, ...claims });
    expect(joined.session).toMatchObject({
      session_id: session?.session_id,
      expires_at: session?.expires_at,
      custom_claims: { plan: 'gold' },
    });
    expect(joined.session_token).not.toBe(session_token);
  });

  it('go on in no session but a live one of their user, and are not spent otherwise', async () => {
    const email = 'joining@example.com';
    const { user_id } = await signedIn(email);
    const stranger = await signedIn('stranger@example.com');
    await links.email.send({ email });
    const token = await tokenTo(email);
    const refused = async (fields: Fields) => refusalOf(links.authenticate({ token, ...fields }));
    expect(await refused({ session_token: stranger.session_token, ...minutes })).toMatchObject({
      status_code: 400,
      error_type: 'session_of_another_user',
    });
    expect(await refused({ session_token: 'none' })).toMatchObject({ error_type: 'session_not_found' });
    expect(await refused({ session_duration_minutes: 4 })).toMatchObject({ error_type: 'invalid_session_duration' });
    const reserved = { session_custom_claims: { iss: 'me' }, ...minutes };
    expect(await refused(reserved)).toMatchObject({ error_type: 'invalid_session_custom_claims' });
    expect(await refused({ attributes: { ip_address: 'here' } })).toMatchObject({ error_type: 'bad_request' });
    expect(await links.authenticate({ token, ...minutes })).toMatchObject({ user_id });
    expect(await refused({})).toMatchObject({ status_code: 401, error_type: 'unable_to_auth_magic_link' });
  });

  it('are sent to known addresses only, and lead to registered pages only', async () => {
    const unknown = links.email.send({ email: 'nobody@example.com' });
    expect(await refusalOf(unknown)).toMatchObject({ status_code: 404, error_type: 'email_not_found' });
    const elsewhere = { email: 'new@example.com', login_magic_link_url: 'https://evil.example/' };
    expect(await refusalOf(links.email.send(elsewhere))).toMatchObject({
      error_type: 'no_match_for_provided_magic_link_url',
      error_message: expect.stringContaining('login_magic_link_url') as string,
    });
    expect(await refusalOf(links.email.loginOrCreate({ email: 'no address' }))).toMatchObject({
      error_type: 'invalid_email',
    });
    const long = links.email.loginOrCreate({ email: 'x@example.com', signup_expiration_minutes: 10_081 });
    expect(await refusalOf(long)).toMatchObject({ error_type: 'invalid_expiration_minutes' });
  });

  it('last for the times of this wire, or the ones that are requested', async () => {
    const lasting = async (send: () => Promise<unknown>, email: string) => {
      await send();
      const row = await backend.provider.services.db
        .selectFrom('magic_links')
        .innerJoin('emails', 'emails.email_id', 'magic_links.email_id')
        .select('magic_links.expires_at')
        .where('email', '=', email)
        .orderBy('magic_links.expires_at', 'desc')
        .executeTakeFirstOrThrow();
      return (row.expires_at.getTime() - backend.provider.clock.time) / MINUTE;
    };
    const email = 'lasting@example.com';
    expect(await lasting(() => links.email.invite({ email }), email)).toBe(60);
    // The longest is read: a login or sign-up is good for thirty minutes, whatever is requested.
    const other = 'short@example.com';
    expect(await lasting(() => links.email.loginOrCreate({ email: other, signup_expiration_minutes: 90 }), other)).toBe(
      30,
    );
    expect(await lasting(() => links.email.loginOrCreate({ email: other }), other)).toBe(30);
    expect(await lasting(() => links.email.invite({ email, invite_expiration_minutes: 90 }), email)).toBe(90);
  });

  it('want the verifier of their challenge, which the app’s server need not send', async () => {
    const email = 'pkce@example.com';
    const verifier = 'a'.repeat(43);
    const code_challenge = Buffer.from(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)),
    ).toString('base64url');
    await links.email.loginOrCreate({ email, code_challenge });
    const token = await tokenTo(email);
    expect(await refusalOf(links.authenticate({ token }))).toMatchObject({ error_type: 'pkce_expected_code_verifier' });
    expect(await links.authenticate({ token, code_verifier: verifier })).toMatchObject({ status_code: 200 });
  });

  it('open only in the requesting browser, if the app’s server requires it', async () => {
    const email = 'match@example.com';
    await links.email.loginOrCreate({ email, attributes: here });
    const token = await tokenTo(email);
    const options = { ip_match_required: true, user_agent_match_required: true };
    const open = (attributes: Fields) => links.authenticate({ token, attributes, options });
    for (const elsewhere of [
      { ...here, ip_address: '203.0.113.8' },
      { ...here, user_agent: 'Another' },
    ]) {
      expect(await refusalOf(open(elsewhere))).toMatchObject({ error_type: 'attributes_mismatch' });
    }
    expect(await refusalOf(open({}))).toMatchObject({ error_type: 'bad_request' });
    const odd = links.authenticate({ token, options: { ip_match_required: 'yes' } as never });
    expect(await refusalOf(odd)).toMatchObject({ error_type: 'bad_request' });
    expect(await open(here)).toMatchObject({ status_code: 200 });
  });

  it('add an address in the session of its user, who must open them in it', async () => {
    const { user_id, session_token } = await signedIn('owner@example.com');
    const email = 'second@example.com';
    const sent = await links.email.send({ email, session_token });
    expect(sent).toMatchObject({ user_id });
    const token = await tokenTo(email);
    expect(await refusalOf(links.authenticate({ token }))).toMatchObject({ error_type: 'session_not_found' });
    const done = await links.authenticate({ token, session_token });
    expect(done).toMatchObject({ user_id, method_id: sent.email_id });
    expect(done.user.emails).toContainEqual({ email_id: sent.email_id, email, verified: true });
  });

  it('add an address to a user whom the app’s server names, without a session', async () => {
    const { user_id } = await signedIn('named@example.com');
    const stranger = await signedIn('other@example.com');
    const email = 'third@example.com';
    const both = { email, user_id, session_token: stranger.session_token };
    expect(await refusalOf(links.email.send(both))).toMatchObject({ error_type: 'session_of_another_user' });
    const nobody = links.email.send({ email, user_id: 'user-test-nobody' });
    expect(await refusalOf(nobody)).toMatchObject({ error_type: 'user_not_found' });
    const taken = links.email.send({ email: 'other@example.com', user_id });
    expect(await refusalOf(taken)).toMatchObject({ error_type: 'duplicate_email' });
    await links.email.send({ email, user_id });
    const done = await links.authenticate({ token: await tokenTo(email), ...minutes });
    expect(done).toMatchObject({ user_id, session: { user_id } });
    expect(done.user.emails.map((each) => each.email)).toContain(email);
  });

  it('are made for the app to send in its own way, and prove no address then', async () => {
    const { user_id, email_id } = await links.email.loginOrCreate({ email: 'embedded@example.com' });
    const { token, user_id: of } = await links.create({ user_id, expiration_minutes: 5 });
    expect(of).toBe(user_id);
    const done = await links.authenticate({ token, ...minutes });
    expect(done).toMatchObject({
      user_id,
      user: { status: 'active', emails: [{ email_id, verified: false }] },
      session: {
        authentication_factors: [
          {
            type: 'magic_link',
            delivery_method: 'embedded',
            embeddable_magic_link_factor: { embedded_id: done.method_id },
          },
        ],
      },
    });
    expect(await refusalOf(links.authenticate({ token }))).toMatchObject({ error_type: 'unable_to_auth_magic_link' });
    const late = await links.create({ user_id, expiration_minutes: 5 });
    backend.provider.clock.time += 6 * MINUTE;
    expect(await refusalOf(links.authenticate({ token: late.token }))).toMatchObject({ status_code: 401 });
    const nobody = links.create({ user_id: 'user-test-nobody' });
    expect(await refusalOf(nobody)).toMatchObject({ status_code: 404, error_type: 'user_not_found' });
    const short = links.create({ user_id, expiration_minutes: 4 });
    expect(await refusalOf(short)).toMatchObject({ error_type: 'invalid_expiration_minutes' });
  });

  it('log in by the client’s API too, but set no password there', async () => {
    const { user_id } = await links.email.loginOrCreate({ email: 'both@example.com' });
    const { token } = await links.create({ user_id });
    const fields = { token, ...minutes };
    const reset = await backend.provider.post('/passwords/email/reset', {
      ...fields,
      password: 'violet tractor moon 88',
    });
    expect(reset.body['error_type']).toBe('unable_to_auth_magic_link');
    expect((await backend.provider.post('/magic_links/authenticate', fields)).data['user_id']).toBe(user_id);
  });

  it('invite a user, with what the app says of them', async () => {
    const email = 'invited@example.com';
    const about = {
      name: { first_name: 'Ada' },
      trusted_metadata: { plan: 'gold' },
      untrusted_metadata: { theme: 'dark' },
    };
    const sent = await links.email.invite({ email, invite_magic_link_url: 'http://localhost:3000/welcome', ...about });
    expect(await user(sent.user_id)).toMatchObject({ status: 'pending', ...about });
    const { link, subject } = await mail(email);
    expect(subject).toContain('You are invited');
    expect(link.pathname).toBe('/welcome');
    // A reminder; the first link stays valid.
    expect(await links.email.invite({ email })).toMatchObject({ user_id: sent.user_id });
    const done = await links.authenticate({ token: link.searchParams.get('token') ?? '', ...minutes });
    expect(done).toMatchObject({
      user_id: sent.user_id,
      method_id: sent.email_id,
      user: { status: 'active', ...about, emails: [{ verified: true }] },
    });
    expect(await refusalOf(links.email.invite({ email }))).toMatchObject({ error_type: 'duplicate_email' });
    const odd = links.email.invite({ email: 'odd@example.com', trusted_metadata: { a: 'x'.repeat(5000) } });
    expect(await refusalOf(odd)).toMatchObject({ error_type: 'invalid_metadata' });
    expect(await refusalOf(links.email.revokeInvite({ email }))).toMatchObject({ error_type: 'invite_not_found' });
  });

  it('no longer work once the invitation is revoked, which removes the user who never came', async () => {
    const email = 'revoked@example.com';
    const { user_id } = await links.email.invite({ email, trusted_metadata: { plan: 'gold' } });
    await links.email.invite({ email });
    const token = await tokenTo(email);
    expect(await links.email.revokeInvite({ email })).toMatchObject({ status_code: 200 });
    expect(await refusalOf(links.authenticate({ token }))).toMatchObject({ error_type: 'unable_to_auth_magic_link' });
    expect(await refusalOf(user(user_id))).toMatchObject({ error_type: 'user_not_found' });
    expect(await refusalOf(links.email.revokeInvite({ email }))).toMatchObject({
      status_code: 404,
      error_type: 'invite_not_found',
    });
  });

  it('keep a pending user who was there before the invitation', async () => {
    const email = 'before@example.com';
    const { user_id } = await links.email.loginOrCreate({ email, create_user_as_pending: true });
    const signUp = await tokenTo(email);
    await links.email.invite({ email });
    await links.email.revokeInvite({ email });
    expect(await user(user_id)).toMatchObject({ status: 'pending' });
    expect(await links.authenticate({ token: signUp })).toMatchObject({ user_id });
  });

  soakIt('either log in or are revoked, when both happen at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = `race${round}@example.com`;
      const { user_id } = await links.email.invite({ email });
      const token = await tokenTo(email);
      const [opened, revoked] = await Promise.allSettled([
        links.authenticate({ token, ...minutes }),
        links.email.revokeInvite({ email }),
      ]);
      expect(opened.status).not.toBe(revoked.status);
      const now = await user(user_id).catch(() => null);
      expect(now?.status ?? null).toBe(opened.status === 'fulfilled' ? 'active' : null);
    }
  });
});
