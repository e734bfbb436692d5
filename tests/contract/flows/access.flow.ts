import { suite, type TestRunner } from '../runner.ts';
import { authorize, tokensFor } from './authorize.flow.ts';
import { DASHBOARD, PLANNER, PROFILE } from './project.ts';
import { factorsOf, HOUR, MINUTE_MS, openTab, refusalOf, signedIn, signIn, type MakeFlowWorld } from './world.ts';

/** Sessions by other means than a login (specification, sections 4 and 7). */
export function accessFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `impersonation: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('makes a session of the user, marked with who acts', async (world) => {
        const email = world.address('ada');
        const { client: ada } = await signedIn(world, email);
        const { client } = openTab(world);
        const impersonation_token = await world.impersonationToken(email, 'ann@ops.example');
        const reply = await client.impersonation.authenticate({ impersonation_token });
        expect(reply.user_id).toBe(ada.user.getSync()?.user_id);
        const [factor] = reply.session.authentication_factors;
        expect([factor?.type, factor?.delivery_method, factor?.['impersonated_factor']]).toEqual([
          'impersonated',
          'impersonation',
          { impersonator_id: 'ann@ops.example', impersonator_email_address: 'ann@ops.example' },
        ]);
        await ada.session.authenticate();
      });

      test('takes a token once, within five minutes, and no other', async (world) => {
        const email = world.address('ada');
        await signedIn(world, email);
        const { client } = openTab(world);
        const redeem = (impersonation_token: string) =>
          refusalOf(client.impersonation.authenticate({ impersonation_token }));
        const token = await world.impersonationToken(email);
        expect(await redeem(token)).toBe('not refused');
        expect(await redeem(token)).toBe('unable_to_auth_impersonation_token');
        const late = await world.impersonationToken(email);
        world.passTime(5 * MINUTE_MS + 1);
        expect(await redeem(late)).toBe('unable_to_auth_impersonation_token');
        expect(await redeem('nonsense')).toBe('unable_to_auth_impersonation_token');
      });

      test('ends after an hour, however it is used, and makes nothing that outlives it', async (world) => {
        const email = world.address('ada');
        await signedIn(world, email);
        const { client } = openTab(world);
        const impersonation_token = await world.impersonationToken(email);
        const { session } = await client.impersonation.authenticate({ impersonation_token });
        expect(Date.parse(session.expires_at) - Date.parse(session.started_at)).toBe(60 * MINUTE_MS);
        const touched = await client.session.authenticate({ session_duration_minutes: 500 });
        expect(touched.session.expires_at).toBe(session.expires_at);
        expect(await refusalOf(client.totps.create({ expiration_minutes: 5 }))).toBe('unauthorized_action');
        expect(await refusalOf(client.webauthn.register())).toBe('unauthorized_action');
        expect(await refusalOf(client.otps.email.send(world.address('eve')))).toBe('unauthorized_action');
        expect(factorsOf(client)).toEqual(['impersonated']);
        await signIn(world, client, email);
        expect(client.session.getSync()?.session_id === session.session_id).toBe(false);
        expect(factorsOf(client)).toEqual(['otp']);
      });
    },
  );

  suite(
    { describe, it, expect },
    `attested sessions: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('are for whom a trusted issuer names, known or not, for an hour', async (world) => {
        const email = world.address('ada');
        const { client } = openTab(world);
        const token = await world.trustedToken(PROFILE, email);
        const first = await client.session.attest({ profile_id: PROFILE, token });
        expect(first.user.emails.map((each) => [each.email, each.verified])).toEqual([[email, true]]);
        expect(Date.parse(first.session.expires_at) - Date.parse(first.session.started_at)).toBe(60 * MINUTE_MS);
        expect(factorsOf(client)).toEqual(['trusted_auth_token']);
        const { client: later } = openTab(world);
        const again = { profile_id: PROFILE, token: await world.trustedToken(PROFILE, email), ...HOUR };
        expect((await later.session.attest(again)).user_id).toBe(first.user_id);
      });

      test('end the session whose token comes along', async (world) => {
        const email = world.address('ada');
        const { client: before } = await signedIn(world, email);
        const { session_token = '' } = before.session.getTokens() ?? {};
        const { client } = openTab(world);
        const token = await world.trustedToken(PROFILE, email);
        await client.session.attest({ profile_id: PROFILE, token, session_token });
        expect(await refusalOf(before.session.authenticate())).toBe('unauthorized_credentials');
      });

      test('are made once of each token', async (world) => {
        const token = await world.trustedToken(PROFILE, world.address('ada'));
        const attest = () => openTab(world).client.session.attest({ profile_id: PROFILE, token });
        await attest();
        expect(await refusalOf(attest())).toBe('invalid_trusted_auth_token');
      });

      test('need a known profile, and a fresh token of its issuer', async (world) => {
        const { client } = openTab(world);
        const token = await world.trustedToken(PROFILE, world.address('ada'));
        expect(await refusalOf(client.session.attest({ profile_id: 'none', token }))).toBe(
          'trusted_auth_token_profile_not_found',
        );
        expect(await refusalOf(client.session.attest({ profile_id: PROFILE, token: 'nonsense' }))).toBe(
          'invalid_trusted_auth_token',
        );
        world.passTime(10 * MINUTE_MS);
        expect(await refusalOf(client.session.attest({ profile_id: PROFILE, token }))).toBe(
          'invalid_trusted_auth_token',
        );
        expect(client.session.getSync()).toBe(null);
      });
    },
  );

  suite(
    { describe, it, expect },
    `connected apps: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('exchange an access token that may do everything for a session', async (world) => {
        const { client: ada } = await signedIn(world);
        const { access_token } = await tokensFor(world, ada, PLANNER, ['openid', 'full_access']);
        const { client } = openTab(world);
        const reply = await client.session.exchangeAccessToken({ access_token, ...HOUR });
        expect(reply.user_id).toBe(ada.user.getSync()?.user_id);
        expect(factorsOf(client)).toEqual(['oauth_access_token_exchange']);
        const less = await tokensFor(world, ada, PLANNER, ['openid']);
        const exchange = (token: string) =>
          refusalOf(client.session.exchangeAccessToken({ access_token: token, ...HOUR }));
        expect(await exchange(less.access_token)).toBe('insufficient_scope');
        expect(await exchange('nonsense')).toBe('invalid_access_token');
      });

      test('get no session that outlives the access, or the session in which it was given', async (world) => {
        const { client: ada } = await signedIn(world);
        const { access_token } = await tokensFor(world, ada, PLANNER, ['openid', 'full_access']);
        const { client } = openTab(world);
        const year = { access_token, session_duration_minutes: 527_040 };
        const { session } = await client.session.exchangeAccessToken(year);
        const end = ada.session.getSync()?.expires_at;
        expect(session.expires_at).toBe(end);
        const { session: extended } = await client.session.authenticate({ session_duration_minutes: 527_040 });
        expect(extended.expires_at).toBe(end);
        await ada.session.revoke();
        expect(await refusalOf(client.session.authenticate())).toBe('unauthorized_credentials');
        expect(await refusalOf(client.session.exchangeAccessToken(year))).toBe('invalid_access_token');
      });

      test('lose what they were given in a session that ends with all others', async (world) => {
        const address = world.address('ada');
        const { client: away } = await signedIn(world, address);
        const { access_token } = await tokensFor(world, away, PLANNER, ['openid', 'full_access']);
        const { client: app } = openTab(world);
        await app.session.exchangeAccessToken({ access_token, ...HOUR });
        const { client: here } = await signedIn(world, address);
        await here.session.revokeOthers();
        for (const client of [away, app]) {
          expect(await refusalOf(client.session.authenticate())).toBe('unauthorized_credentials');
        }
        expect(await refusalOf(app.session.exchangeAccessToken({ access_token, ...HOUR }))).toBe(
          'invalid_access_token',
        );
        expect((await here.user.getConnectedApps()).connected_apps).toEqual([]);
        await here.session.authenticate();
      });

      test('are listed with what was granted, and gone with their tokens once they are revoked', async (world) => {
        const { client } = await signedIn(world);
        expect((await client.user.getConnectedApps()).connected_apps).toEqual([]);
        const { access_token } = await tokensFor(world, client, PLANNER, ['openid', 'full_access']);
        const apps = (await client.user.getConnectedApps()).connected_apps;
        expect(apps.map((app) => [app.name, app.client_type, app.scopes_granted])).toEqual([
          ['Planner', 'third_party_public', 'openid full_access'],
        ]);
        await client.user.revokedConnectedApp(apps[0]?.connected_app_id ?? '');
        expect((await client.user.getConnectedApps()).connected_apps).toEqual([]);
        const { client: other } = openTab(world);
        expect(await refusalOf(other.session.exchangeAccessToken({ access_token, ...HOUR }))).toBe(
          'invalid_access_token',
        );
        expect(await refusalOf(client.user.revokedConnectedApp('none'))).toBe('connected_app_not_found');
      });

      test('are each user’s own business', async (world) => {
        const { client: ada } = await signedIn(world);
        await tokensFor(world, ada, PLANNER, ['openid']);
        const { client: grace } = await signedIn(world, world.address('grace'));
        expect((await grace.user.getConnectedApps()).connected_apps).toEqual([]);
        expect(await refusalOf(grace.user.revokedConnectedApp(PLANNER.client_id))).toBe('connected_app_not_found');
        const { consent_required } = await grace.idp.oauthAuthorizeStart(authorize(DASHBOARD, ['openid']));
        expect(consent_required).toBe(false);
      });
    },
  );
}
