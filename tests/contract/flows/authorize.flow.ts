import type { PorticoClient } from '#composition/client.ts';
import { isAuthError } from '#domain/errors.ts';
import type { FakeClient } from '#kit/fake-server.ts';
import { suite, type TestRunner } from '../runner.ts';
import { DASHBOARD, PLANNER } from './project.ts';
import { MINUTE_MS, openTab, refusalOf, signedIn, type FlowWorld, type MakeFlowWorld } from './world.ts';

/** The example of RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** What an app asks for. */
export function authorize({ client_id, redirect_uris: [redirect_uri = ''] }: FakeClient, scopes: readonly string[]) {
  return { client_id, redirect_uri, response_type: 'code', scopes };
}

/** Grants it, and answers the tokens that the app gets. */
export async function tokensFor(
  world: FlowWorld,
  client: PorticoClient,
  app: FakeClient,
  scopes: readonly string[],
): ReturnType<FlowWorld['exchangeCode']> {
  const granted = { ...authorize(app, scopes), code_challenge: CHALLENGE, consent_granted: true };
  const { authorization_code: code = '' } = await client.idp.oauthAuthorizeSubmit(granted);
  const { client_id, redirect_uri } = granted;
  return world.exchangeCode({ client_id, redirect_uri, code, code_verifier: VERIFIER });
}

/** This project as the authorization server of other apps (specification, sections 4, 6 and 7). */
export function authorizeFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `authorizing an app: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('returns the app, its scopes, and that consent is required', async (world) => {
        const { client } = await signedIn(world);
        const reply = await client.idp.oauthAuthorizeStart(authorize(PLANNER, ['openid', 'email']));
        expect([reply.client.client_name, reply.client.client_type, reply.consent_required]).toEqual([
          'Planner',
          'third_party_public',
          true,
        ]);
        expect(reply.user_id).toBe(client.user.getSync()?.user_id);
        expect(reply.scope_results.map(({ scope, is_grantable }) => [scope, is_grantable])).toEqual([
          ['openid', true],
          ['email', true],
        ]);
      });

      test('sends the browser back with a code and the app’s own state', async (world) => {
        const { client } = await signedIn(world);
        const state = 'a b&c=d é';
        const submit = { ...authorize(PLANNER, ['openid']), state, code_challenge: CHALLENGE, consent_granted: true };
        const reply = await client.idp.oauthAuthorizeSubmit(submit);
        const back = new URL(reply.redirect_uri);
        expect(`${back.origin}${back.pathname}`).toBe('http://localhost:3001/callback');
        expect([back.searchParams.get('code'), back.searchParams.get('state')]).toEqual([
          reply.authorization_code,
          state,
        ]);
      });

      test('does not ask again for granted scopes, unless the app requests it or a new scope', async (world) => {
        const { client } = await signedIn(world);
        await tokensFor(world, client, PLANNER, ['openid']);
        const asks = async (scopes: readonly string[], prompt?: string) =>
          (await client.idp.oauthAuthorizeStart({ ...authorize(PLANNER, scopes), prompt })).consent_required;
        expect(await asks(['openid'])).toBe(false);
        expect(await asks(['openid'], 'consent')).toBe(true);
        expect(await asks(['openid', 'email'])).toBe(true);
      });

      test('sends the browser back without a code when the user refuses', async (world) => {
        const { client } = await signedIn(world);
        const refused = { ...authorize(PLANNER, ['openid']), code_challenge: CHALLENGE, consent_granted: false };
        const reply = await client.idp.oauthAuthorizeSubmit(refused);
        const { searchParams } = new URL(reply.redirect_uri);
        expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['access_denied', null]);
        expect(reply.authorization_code).toBe(undefined);
        expect((await client.user.getConnectedApps()).connected_apps).toEqual([]);
      });

      test('grants what needs no consent, whether or not the page says that the user consented', async (world) => {
        const { client } = await signedIn(world);
        const answer = async (app: FakeClient, changes: object = {}) => {
          const submit = { ...authorize(app, ['openid']), code_challenge: CHALLENGE, ...changes };
          const { searchParams } = new URL((await client.idp.oauthAuthorizeSubmit(submit)).redirect_uri);
          return searchParams.get('error') ?? typeof searchParams.get('code');
        };
        const denied = { consent_granted: false };
        expect([await answer(DASHBOARD, denied), await answer(DASHBOARD)]).toEqual(['string', 'string']);
        expect([await answer(PLANNER, denied), await answer(PLANNER)]).toEqual(['access_denied', 'access_denied']);
        expect(await answer(PLANNER, { ...denied, prompt: 'none' })).toBe('consent_required');
        await tokensFor(world, client, PLANNER, ['openid']);
        expect([await answer(PLANNER, denied), await answer(PLANNER)]).toEqual(['string', 'string']);
        expect(await answer(PLANNER, { ...denied, prompt: 'none' })).toBe('string');
        expect(await answer(PLANNER, { ...denied, scopes: ['openid', 'email'] })).toBe('access_denied');
        expect(await answer(PLANNER, { ...denied, prompt: 'consent' })).toBe('access_denied');
        expect(await answer(DASHBOARD, { ...denied, prompt: 'select_account' })).toBe('access_denied');
        await client.user.revokedConnectedApp(PLANNER.client_id);
        expect(await answer(PLANNER, denied)).toBe('access_denied');
      });

      test('runs whole without a screen: asks where it must, and leaves for the app', async (world) => {
        const { client, tab } = await signedIn(world);
        const asked: (string | null)[] = [];
        const run = async (app: FakeClient, answer: boolean, changes: object = {}) => {
          const params = { ...authorize(app, ['openid']), scopes: ['openid'], code_challenge: CHALLENGE, ...changes };
          const end = await client.idp.authorize(params, {
            decide: ({ clientName }) => {
              asked.push(clientName);
              return answer;
            },
          });
          const { searchParams } = new URL(tab.browser.navigations.at(-1) ?? 'http://localhost');
          return [end, searchParams.get('error') ?? typeof searchParams.get('code')];
        };
        expect(await run(PLANNER, false)).toEqual([{ status: 'leaving', granted: false }, 'access_denied']);
        expect(await run(PLANNER, true)).toEqual([{ status: 'leaving', granted: true }, 'string']);
        expect(asked).toEqual(['Planner', 'Planner']);
        expect(await run(PLANNER, false)).toEqual([{ status: 'leaving', granted: true }, 'string']);
        expect(await run(DASHBOARD, false)).toEqual([{ status: 'leaving', granted: true }, 'string']);
        expect(asked.length).toBe(2);
        expect(await run(PLANNER, false, { prompt: 'consent' })).toEqual([
          { status: 'leaving', granted: false },
          'access_denied',
        ]);
        tab.browser.isFramed = true;
        expect((await run(PLANNER, true))[0]).toEqual({ status: 'framed' });
        expect(await run(PLANNER, false, { prompt: 'none' })).toEqual([{ status: 'leaving', granted: true }, 'string']);
        tab.browser.isFramed = false;
        const before = tab.browser.navigations.length;
        const [refused] = await run(PLANNER, true, { redirect_uri: 'https://evil.example/' });
        expect((refused as { status: string }).status).toBe('error');
        expect(tab.browser.navigations.length).toBe(before);
      });

      test('ends without a session, redirects for prompt=none, and otherwise needs a login', async (world) => {
        const { client, tab } = openTab(world);
        const params = { ...authorize(PLANNER, ['openid']), scopes: ['openid'], code_challenge: CHALLENGE };
        const decide = () => true;
        expect(await client.idp.authorize(params, { decide })).toEqual({ status: 'noSession' });
        expect(tab.browser.navigations).toEqual([]);
        const end = await client.idp.authorize({ ...params, prompt: 'none' }, { decide });
        expect(end).toEqual({ status: 'leaving', granted: false });
        expect(new URL(tab.browser.navigations[0] ?? '').searchParams.get('error')).toBe('login_required');
        const wrong = client.idp.authorize(params, {} as { decide: () => boolean });
        expect(
          await wrong.then(
            () => 'not refused',
            (thrown: unknown) => (isAuthError(thrown) ? thrown.kind : 'odd'),
          ),
        ).toBe('usage');
      });

      test('lets users grant what their roles allow, and leaves out the rest', async (world) => {
        const scopes = ['openid', 'write:documents'];
        const grantable = async (client: PorticoClient) =>
          (await client.idp.oauthAuthorizeStart(authorize(PLANNER, scopes))).scope_results.map(
            ({ is_grantable, description }) => [is_grantable, description],
          );
        const { client: admin } = await signedIn(world, world.addressWith('admin'));
        expect((await grantable(admin))[1]).toEqual([true, 'Change your documents']);
        const { client: ada } = await signedIn(world);
        expect((await grantable(ada))[1]).toEqual([false, 'Change your documents']);
        await tokensFor(world, ada, PLANNER, scopes);
        const [app] = (await ada.user.getConnectedApps()).connected_apps;
        expect(app?.scopes_granted).toBe('openid');
        expect(await refusalOf(tokensFor(world, ada, PLANNER, ['write:documents']))).toBe('invalid_scope');
      });

      test('needs a session, a known app, its own redirect URI, its scopes and a proof key', async (world) => {
        const asked = authorize(PLANNER, ['openid']);
        const nobody = openTab(world).client;
        expect(await refusalOf(nobody.idp.oauthAuthorizeStart(asked))).toBe('user_unauthenticated');
        const { client } = await signedIn(world);
        const start = (changes: Partial<typeof asked>) =>
          refusalOf(client.idp.oauthAuthorizeStart({ ...asked, ...changes }));
        expect(await start({ client_id: 'none' })).toBe('connected_app_not_found');
        expect(await start({ redirect_uri: 'https://evil.example/callback' })).toBe('invalid_redirect_uri');
        expect(await start({ response_type: 'token' })).toBe('unsupported_response_type');
        expect(await start({ scopes: ['everything'] })).toBe('invalid_scope');
        const unproven = { ...asked, consent_granted: true };
        expect(await refusalOf(client.idp.oauthAuthorizeSubmit(unproven))).toBe('pkce_code_challenge_required');
        const foreign = authorize(DASHBOARD, ['openid', 'email']);
        expect(await refusalOf(client.idp.oauthAuthorizeStart(foreign))).toBe('invalid_scope');
      });

      test('asks for a fresh login where the app wants one', async (world) => {
        const { client } = await signedIn(world);
        const start = (changes: object) =>
          refusalOf(client.idp.oauthAuthorizeStart({ ...authorize(PLANNER, ['openid']), ...changes }));
        expect(await start({ max_age: '60' })).toBe('not refused');
        world.passTime(MINUTE_MS + 1);
        expect(await start({ max_age: '61' })).toBe('not refused');
        // Only the authorization endpoint knows which login was made for a request.
        expect(await start({ max_age: '60' })).toBe('authorization_request_required');
        expect(await start({ prompt: 'login' })).toBe('authorization_request_required');
        expect(await start({ authorization_request: 'nonsense' })).toBe('invalid_authorization_request');
        expect(
          await refusalOf(client.idp.oauthAuthorizeStart({ ...authorize(PLANNER, ['openid']), prompt: 'whatever' })),
        ).toBe('invalid_prompt');
      });

      test('shows nothing if the app wants no page, and reports the obstacle to the app', async (world) => {
        const request = { ...authorize(PLANNER, ['openid']), prompt: 'none' };
        const silent = { ...request, state: 's', code_challenge: CHALLENGE };
        const told = async (by: PorticoClient, changes: object = {}) => {
          const reply = await by.idp.oauthAuthorizeSubmit({ ...silent, consent_granted: true, ...changes });
          const { searchParams } = new URL(reply.redirect_uri);
          expect(searchParams.get('state')).toBe('s');
          return searchParams.get('error');
        };
        const { client } = await signedIn(world);
        expect((await client.idp.oauthAuthorizeStart(request)).consent_required).toBe(false);
        expect(await told(client)).toBe('consent_required');
        expect((await client.user.getConnectedApps()).connected_apps).toEqual([]);
        await tokensFor(world, client, PLANNER, ['openid']);
        expect(await told(client)).toBe(null);
        expect(await told(client, { scopes: ['openid', 'email'] })).toBe('consent_required');
        expect(await told(client, { scopes: ['everything'] })).toBe('invalid_scope');
        expect(await told(client, { prompt: 'none login' })).toBe('invalid_request');
        expect((await client.idp.oauthAuthorizeStart({ ...request, scopes: ['everything'] })).consent_required).toBe(
          false,
        );
        const nobody = openTab(world).client;
        expect(await told(nobody)).toBe('login_required');
        expect(await refusalOf(told(nobody, { redirect_uri: 'https://evil.example/' }))).toBe('invalid_redirect_uri');
      });

      test('gives a code that is late after a minute', async (world) => {
        const { client } = await signedIn(world);
        const granted = { ...authorize(PLANNER, ['openid']), code_challenge: CHALLENGE, consent_granted: true };
        const { authorization_code: code = '' } = await client.idp.oauthAuthorizeSubmit(granted);
        world.passTime(MINUTE_MS + 1);
        const { client_id, redirect_uri } = granted;
        const exchange = { client_id, redirect_uri, code, code_verifier: VERIFIER };
        expect((await refusalOf(world.exchangeCode(exchange))) === 'not refused').toBe(false);
      });
    },
  );

  suite(
    { describe, it, expect },
    `logging out for an app: ${name}`,
    () => makeWorld({}),
    (test) => {
      const leave = { client_id: PLANNER.client_id, post_logout_redirect_uri: 'http://localhost:3001/' };

      test('asks first, and reports where to go then', async (world) => {
        const { client } = await signedIn(world);
        const reply = await client.idp.oauthLogoutStart({ ...leave, state: 's 1' });
        expect([reply.consent_required, new URL(reply.redirect_uri).searchParams.get('state')]).toEqual([true, 's 1']);
        expect(reply.redirect_uri.startsWith('http://localhost:3001/')).toBe(true);
      });

      test('does not ask who shows an ID token of this very session', async (world) => {
        const { client } = await signedIn(world);
        const { id_token } = await tokensFor(world, client, PLANNER, ['openid']);
        const asks = async (by: PorticoClient) =>
          (await by.idp.oauthLogoutStart({ ...leave, id_token_hint: id_token })).consent_required;
        expect(await asks(client)).toBe(false);
        const { client: eve } = await signedIn(world, world.address('eve'));
        expect(await asks(eve)).toBe(true);
      });

      test('leads to the app’s own pages only, and takes no hint that is none', async (world) => {
        const { client } = await signedIn(world);
        const start = (changes: object) => refusalOf(client.idp.oauthLogoutStart({ ...leave, ...changes }));
        expect(await start({ post_logout_redirect_uri: 'https://evil.example/' })).toBe(
          'invalid_post_logout_redirect_uri',
        );
        expect(await start({ client_id: 'none' })).toBe('connected_app_not_found');
        expect(await start({ id_token_hint: 'nonsense' })).toBe('invalid_id_token_hint');
      });
    },
  );
}
