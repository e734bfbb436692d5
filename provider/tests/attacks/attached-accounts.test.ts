import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { oauthStartUrl } from '#domain/social/oauth-start-url.ts';
import { EITHER_DATABASE, MINUTE, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { browser, CHALLENGE, ORIGIN, VERIFIER } from '../kit/oauth-harness.ts';
import { attachSteps, typeOf, type SignedInPerson } from './attach-steps.ts';
import { consent, enrolTotp, exchange, fromServer, makeTarget, MINUTES, redeemCode, uniqueEmail } from './attacker.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const OTHER_VERIFIER = 'w'.repeat(64);

describe.each(EITHER_DATABASE)('an attacker of accounts that are attached, on %s', (_, url) => {
  let provider: Provider;
  let steps: ReturnType<typeof attachSteps>;
  beforeAll(async () => {
    provider = await makeTarget(url);
    steps = attachSteps(provider);
  });
  afterAll(() => provider.close());

  const begun = (oauth_attach_token: string, visitor = browser(provider)) =>
    visitor.start('google', { oauth_attach_token, code_challenge: CHALLENGE });
  const finishFromServer = async (token: string, fields: Fields = {}) =>
    fromServer(provider, '/oauth/authenticate', { token, code_verifier: VERIFIER, ...fields });

  it('attaching ends in the session that began it: no session is made, and the earlier token ends', async () => {
    const { user_id, session, session_id } = await steps.person('owner');
    const token = await steps.goThere(await steps.begin(session));
    expect(await steps.accountsOf(user_id)).toBe(0);
    const { status, data } = await steps.finish(token, session);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      user_id,
      session: { session_id },
      user: { providers: [{ provider_type: 'google' }] },
    });
    expect(data['session'].authentication_factors).toMatchObject([{ type: 'otp' }, { type: 'oauth' }]);
    expect([await steps.accountsOf(user_id), await steps.sessionsOf(user_id)]).toEqual([1, 1]);
    expect(typeOf(await steps.finish(token, String(data['session_token'])))).toBe('oauth_token_not_found');
    const log = await provider.services.db
      .selectFrom('audit_log')
      .select(['event', 'outcome'])
      .where('user_id', '=', user_id)
      .orderBy('seq', 'desc')
      .execute();
    expect(log).toContainEqual({ event: 'factor_added', outcome: 'ok' });
  });

  it('an attacker who lures a victim into attaching the attacker’s account gets nothing of the victim', async () => {
    const attacker = await steps.person('attacker');
    const victim = await steps.person('victim');
    // A page of the attacker posts the form in the victim's browser, whose social account answers without a question.
    const token = await steps.goThere(await steps.begin(attacker.session), victim.email);
    const refused = [
      await steps.finish(token, victim.session, {}),
      await steps.finish(token, victim.session, { code_verifier: OTHER_VERIFIER }),
      await steps.finish(token, victim.session),
      await steps.finish(token),
      await steps.finish(token, 'nonsense'),
    ];
    expect(refused.map(typeOf)).toEqual([
      'pkce_expected_code_verifier',
      'pkce_mismatch',
      'session_of_another_user',
      'user_unauthenticated',
      'unauthorized_credentials',
    ]);
    for (const { user_id } of [attacker, victim]) {
      expect([await steps.accountsOf(user_id), await steps.sessionsOf(user_id)]).toEqual([0, 1]);
    }
  });

  it('an attacker who read the token of a victim’s attach gets no session and attaches no account', async () => {
    const victim = await steps.person('victim');
    const thief = await steps.person('thief');
    const token = await steps.goThere(await steps.begin(victim.session), thief.email);
    const refused = [
      await steps.finish(token),
      await steps.finish(token, thief.session),
      await steps.finish(token, victim.session, {}),
    ];
    expect(refused.map(typeOf)).toEqual([
      'user_unauthenticated',
      'session_of_another_user',
      'pkce_expected_code_verifier',
    ]);
    expect(refused.every(({ data }) => data['session_token'] === undefined)).toBe(true);
    expect([await steps.accountsOf(victim.user_id), await steps.sessionsOf(victim.user_id)]).toEqual([0, 1]);
  });

  it('a token in an address without a challenge, or beside a form, is refused, and stays valid', async () => {
    const { user_id, session } = await steps.person('owner');
    const attach = await steps.begin(session);
    const start = oauthStartUrl(ORIGIN, PUBLIC_TOKEN, 'google', {});
    const body = new URLSearchParams({ public_token: PUBLIC_TOKEN, code_challenge: CHALLENGE });
    for (const field of [`oauth_attach_token=${attach}`, 'oauth_attach_token=', 'oauth%5Fattach_token=x']) {
      for (const init of [{}, { method: 'POST', body }]) {
        const reply = await provider.app.request(`${start}&${field}`, init);
        expect(reply.status).toBe(400);
        expect(await reply.json()).toMatchObject({
          error_type: 'bad_request',
          error_message: expect.stringContaining('oauth_attach_token'),
        });
      }
    }
    expect((await provider.app.request(`${start}&code_challenge=&oauth_attach_token=${attach}`)).status).toBe(400);
    expect((await begun('')).status).toBe(400);
    expect((await steps.finish(await steps.goThere(attach), session)).status).toBe(200);
    expect(await steps.accountsOf(user_id)).toBe(1);
  });

  it('a form without a challenge, of another provider or for the second time begins nothing', async () => {
    const { session } = await steps.person('owner');
    const attach = await steps.begin(session, 'github');
    const bare = await browser(provider).start('github', { oauth_attach_token: attach });
    expect(await bare.text()).toContain('pkce_code_challenge_required');
    expect((await begun(attach)).status).toBe(404);
    const options = { oauth_attach_token: attach, code_challenge: CHALLENGE };
    expect((await browser(provider).start('github', options)).status).toBe(303);
    expect((await browser(provider).start('github', options)).status).toBe(404);
    const late = await steps.begin(session);
    provider.clock.time += 5 * MINUTE;
    expect((await begun(late)).status).toBe(404);
  });

  it('the provider’s answer counts only in the browser that posted the form', async () => {
    const { session } = await steps.person('owner');
    const options = { oauth_attach_token: await steps.begin(session), code_challenge: CHALLENGE };
    const choice = { email: uniqueEmail('account'), verified: 'yes' } as const;
    const own = browser(provider);
    const callback = await own.callback('google', choice, options);
    expect((await browser(provider).get(callback)).status).toBe(400);
    expect((await own.get(callback)).status).toBe(303);
    // A flow without a browser is one of an early version, which had no attaching.
    const second = await own.callback('google', choice, { ...options, oauth_attach_token: await steps.begin(session) });
    await provider.services.db.updateTable('oauth_flows').set({ browser_hash: null }).execute();
    expect((await own.get(second)).status).toBe(400);
  });

  const PRESENTED: readonly (readonly [string, string, (owner: SignedInPerson) => Promise<string>])[] = [
    [
      'another session of the user',
      'unauthorized_action',
      async ({ email }) => String((await provider.signIn(email))['session_token']),
    ],
    [
      'a session of an impersonator',
      'unauthorized_action',
      async ({ email }) => {
        const by = { user: email, by: 'ann@ops.example' };
        const { token } = await administer(provider.services, 'impersonate', by);
        const body = { impersonation_token: token, ...MINUTES };
        return String((await provider.post('/impersonation/authenticate', body)).data['session_token']);
      },
    ],
    [
      'a session of an app',
      'unauthorized_action',
      async ({ session }) => {
        const { data } = await consent(provider, session);
        const tokens = await redeemCode(provider, data['authorization_code']);
        return String((await exchange(provider, tokens['access_token'])).data['session_token']);
      },
    ],
    [
      'the session after it ended',
      'unauthorized_credentials',
      async ({ session }) => {
        await provider.post('/sessions/revoke', {}, { session });
        return session;
      },
    ],
    [
      'the session without the second factor that another session added',
      // The attach ended with the change, and only a session with the factor begins another.
      'oauth_token_not_found',
      async ({ email, session }) => {
        await enrolTotp(provider, String((await provider.signIn(email))['session_token']));
        return session;
      },
    ],
  ];
  it.each(oneOf(3, PRESENTED))('%s attaches nothing', async (_title, type, presented) => {
    const owner = await steps.person('owner');
    const token = await steps.goThere(await steps.begin(owner.session));
    const session = await presented(owner);
    const sessions = await steps.sessionsOf(owner.user_id);
    expect(typeOf(await steps.finish(token, session))).toBe(type);
    expect([await steps.accountsOf(owner.user_id), await steps.sessionsOf(owner.user_id)]).toEqual([0, sessions]);
    if (type !== 'unauthorized_action') return;
    // Nor can an impersonator or an app begin; another session of the user can, for itself.
    const asked = await provider.post('/oauth/attach', { provider: 'google' }, { session });
    expect(_title.startsWith('another') ? asked.status : typeOf(asked)).toBe(
      _title.startsWith('another') ? 200 : 'unauthorized_action',
    );
  });

  it('beginning needs a session with the second factor, and a provider that is offered', async () => {
    const { email, session } = await steps.person('owner');
    const attach = async (name: string, extras = {}) =>
      typeOf(await provider.post('/oauth/attach', { provider: name }, extras));
    expect(await attach('google')).toBe('user_unauthenticated');
    expect(await attach('myspace', { session })).toBe('oauth_config_not_found');
    const totp = await enrolTotp(provider, String((await provider.signIn(email))['session_token']));
    expect(await attach('google', { session })).toBe('mfa_required');
    expect(await attach('google', { session: totp.session })).toBe(200);
  });

  describe('by way of the app’s own server', () => {
    soakIt('an attach that a session began is finished with that session alone, which continues', async () => {
      const owner = await steps.person('owner');
      const other = await steps.person('other');
      const token = await steps.goThere(await steps.begin(owner.session));
      expect(typeOf(await finishFromServer(token, MINUTES))).toBe('session_not_found');
      expect(typeOf(await finishFromServer(token, { session_token: other.session }))).toBe('session_of_another_user');
      expect(await steps.accountsOf(owner.user_id)).toBe(0);
      const { body } = await finishFromServer(token, { session_token: owner.session });
      expect(body).toMatchObject({ user_id: owner.user_id, session: { session_id: owner.session_id } });
      expect([await steps.accountsOf(owner.user_id), await steps.sessionsOf(owner.user_id)]).toEqual([1, 1]);
    });

    it('an attach that the app’s server vouched for is finished by it alone, and logs no one in', async () => {
      const owner = await steps.person('owner');
      const other = await steps.person('other');
      const token = await steps.goThere(await steps.vouch(owner.user_id));
      for (const session of [undefined, owner.session, other.session]) {
        expect(typeOf(await steps.finish(token, session))).toBe('unauthorized_action');
      }
      const stranger = await finishFromServer(token, { session_token: other.session });
      expect(typeOf(stranger)).toBe('session_of_another_user');
      const wrong = await finishFromServer(token, { code_verifier: OTHER_VERIFIER });
      expect(typeOf(wrong)).toBe('pkce_mismatch');
      expect(await steps.accountsOf(owner.user_id)).toBe(0);
      const { body } = await finishFromServer(token, { ...MINUTES, session_custom_claims: { a: 1 } });
      expect(body).toMatchObject({ user_id: owner.user_id, session: null, session_token: '', session_jwt: '' });
      expect([await steps.accountsOf(owner.user_id), await steps.sessionsOf(owner.user_id)]).toEqual([1, 1]);
      expect(typeOf(await finishFromServer(token))).toBe('oauth_token_not_found');
    });

    soakIt('a session that it presents must prove the second factor', async () => {
      const { email, user_id, session } = await steps.person('owner');
      const before = await steps.goThere(await steps.vouch(user_id));
      await enrolTotp(provider, String((await provider.signIn(email))['session_token']));
      // What was begun before the change is over, also for the app's server.
      for (const fields of [{ session_token: session }, {}]) {
        expect(typeOf(await finishFromServer(before, fields))).toBe('oauth_token_not_found');
      }
      const token = await steps.goThere(await steps.vouch(user_id));
      expect(typeOf(await finishFromServer(token, { session_token: session }))).toBe('mfa_required');
      expect(await steps.accountsOf(user_id)).toBe(0);
      expect(typeOf(await finishFromServer(token))).toBe(200);
    });
  });

  soakIt('an account of another user stays theirs', async () => {
    const { email, user_id, session } = await steps.person('owner');
    const first = await browser(provider).token('google', { email, verified: 'yes' });
    expect((await steps.finish(first, undefined, {})).status).toBe(200);
    const other = await steps.person('other');
    const refused = await steps.finish(await steps.goThere(await steps.begin(other.session), email), other.session);
    expect(typeOf(refused)).toBe('oauth_flow_callback_error');
    expect([await steps.accountsOf(user_id), await steps.accountsOf(other.user_id)]).toEqual([1, 0]);
    // The owner attaches it again: nothing changes.
    expect((await steps.finish(await steps.goThere(await steps.begin(session), email), session)).status).toBe(200);
    expect(await steps.accountsOf(user_id)).toBe(1);
  });

  describe('with rows of the version before', () => {
    it('a token whose account is registered logs its user in, once', async () => {
      const { email } = await steps.person('owner');
      const choice = { email, verified: 'yes' } as const;
      expect((await steps.finish(await browser(provider).token('google', choice), undefined, {})).status).toBe(200);
      const token = await browser(provider).token('google', choice);
      const { db } = provider.services;
      const old = { identity: null, user_id: null };
      await db.updateTable('oauth_tokens').set(old).where('oauth_user_registration_id', 'is not', null).execute();
      const { data } = await steps.finish(token, undefined, {});
      expect(data['user'].emails).toMatchObject([{ email }]);
      expect((await steps.finish(token, undefined, {})).status).toBe(404);
    });

    soakIt('an attach that began without a challenge ends without a token', async () => {
      const { session } = await steps.person('owner');
      const visitor = browser(provider);
      const options = { oauth_attach_token: await steps.begin(session), code_challenge: CHALLENGE };
      const callback = await visitor.callback('google', { email: uniqueEmail('account'), verified: 'yes' }, options);
      await provider.services.db.updateTable('oauth_flows').set({ code_challenge: null }).execute();
      const { searchParams } = new URL((await visitor.get(callback)).headers.get('location') ?? '');
      expect([searchParams.get('error'), searchParams.get('token')]).toEqual(['server_error', null]);
    });
  });
});
