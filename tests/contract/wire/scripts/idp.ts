import { idp, impersonation, otps, sessions, totps, users, webauthn } from '#application/api/index.ts';
import { authorize } from '../../flows/authorize.flow.ts';
import { DASHBOARD, PLANNER, PROFILE } from '../../flows/project.ts';
import { at, HOUR, textOf, type Script, type Wire } from '../wire.ts';
import { CHALLENGE, EVIL, MINUTE_MS, signIn, VERIFIER, withTotp } from './people.ts';

const OPENID = authorize(PLANNER, ['openid']);
const GRANTED = { code_challenge: CHALLENGE, consent_granted: true };

/** Grants the app its scopes and exchanges the code. */
async function tokens(wire: Wire, session: string, app = PLANNER, scopes: readonly string[] = ['openid']) {
  const request = authorize(app, scopes);
  const granted = await wire.call(idp.authorizeSubmit, { ...request, ...GRANTED }, { session });
  const { client_id, redirect_uri } = request;
  const code = textOf(granted, 'authorization_code');
  return wire.world.exchangeCode({ client_id, redirect_uri, code, code_verifier: VERIFIER });
}

export const AUTHORIZATION: readonly Script[] = [
  {
    title: 'apps are shown, granted, listed and revoked',
    run: async (wire) => {
      const session = await signIn(wire);
      await wire.call(idp.authorizeStart, authorize(PLANNER, ['openid', 'email', 'openid']), { session });
      await wire.call(idp.authorizeSubmit, { ...OPENID, ...GRANTED, state: 'a b&c=d é' }, { session });
      await wire.call(idp.authorizeSubmit, { ...OPENID, ...GRANTED, consent_granted: false, state: 's' }, { session });
      const {
        redirect_uris: [, redirect_uri],
      } = PLANNER;
      await wire.call(idp.authorizeSubmit, { ...OPENID, ...GRANTED, redirect_uri, state: 's' }, { session });
      await wire.call(idp.authorizeStart, OPENID, { session });
      await wire.call(idp.authorizeStart, { ...OPENID, prompt: 'consent' }, { session });
      await wire.call(idp.authorizeStart, { ...OPENID, prompt: 'select_account' }, { session });
      await wire.call(idp.authorizeStart, authorize(PLANNER, ['openid', 'phone']), { session });
      await wire.call(idp.authorizeStart, authorize(DASHBOARD, ['openid']), { session });
      for (const [app, changes] of [
        [PLANNER, {}],
        [PLANNER, { scopes: ['openid', 'phone'] }],
        [PLANNER, { prompt: 'consent' }],
        [PLANNER, { prompt: 'none' }],
        [DASHBOARD, {}],
        [DASHBOARD, { prompt: 'none', scopes: ['openid', 'full_access'] }],
      ] as const) {
        const unasked = { ...authorize(app, ['openid']), code_challenge: CHALLENGE, ...changes };
        await wire.call(idp.authorizeSubmit, unasked, { session });
        await wire.call(idp.authorizeSubmit, { ...unasked, consent_granted: false }, { session });
      }
      await wire.call(users.connectedApps, null, { session });
      const params = { id: PLANNER.client_id };
      await wire.call(users.revokeConnectedApp, {}, { session, params });
      await wire.call(users.revokeConnectedApp, {}, { session, params });
      await wire.call(users.connectedApps, null, { session });
      await wire.call(users.connectedApps, null);
    },
  },
  {
    title: 'requests are refused that no app here can make',
    run: async (wire) => {
      const session = await signIn(wire);
      const start = async (changes: object) => wire.call(idp.authorizeStart, { ...OPENID, ...changes }, { session });
      await wire.call(idp.authorizeStart, OPENID);
      await start({ client_id: 'none' });
      await start({ redirect_uri: EVIL });
      await start({ redirect_uri: 'http://localhost:3999/callback' });
      await start({ redirect_uri: 'http://localhost:3001/callback?state=x' });
      await start({ response_type: 'token' });
      await start({ scopes: ['everything'] });
      await start({ scopes: ['a scope'] });
      await start({ scopes: ['offline_access'] });
      await start({ scopes: [] });
      await start({ prompt: 'whatever' });
      await start({ prompt: 'none login' });
      await start({ max_age: 'x' });
      await start({ max_age: '0' });
      wire.world.passTime(5 * MINUTE_MS);
      await start({ max_age: '0' });
      await start({ max_age: '60' });
      await start({ max_age: '3600' });
      await start({ prompt: 'login' });
      const submit = async (changes: object) =>
        wire.call(idp.authorizeSubmit, { ...OPENID, ...GRANTED, ...changes }, { session });
      await submit({ code_challenge: undefined });
      await submit({ code_challenge: 'short' });
      await submit({ code_challenge_method: 'plain' });
      await submit({ scopes: ['write:documents'] });
      await submit({ prompt: 'login' });
      await wire.call(idp.authorizeSubmit, { ...OPENID, ...GRANTED });
    },
  },
  {
    title: 'apps that want nothing shown are told what is in the way',
    run: async (wire) => {
      const session = await signIn(wire);
      const silent = async (changes: object, by: string | undefined = session) =>
        wire.call(
          idp.authorizeSubmit,
          { ...OPENID, ...GRANTED, prompt: 'none', state: 's', ...changes },
          { session: by },
        );
      await wire.call(idp.authorizeStart, { ...OPENID, prompt: 'none' }, { session });
      await wire.call(idp.authorizeStart, { ...OPENID, prompt: 'none', scopes: ['everything'] }, { session });
      await silent({});
      await tokens(wire, session);
      await silent({});
      await silent({ scopes: ['openid', 'email'] });
      await silent({ scopes: ['everything'] });
      await silent({ prompt: 'none login' });
      await silent({ max_age: 'x' });
      await silent({ code_challenge_method: 'plain' });
      await silent({ response_type: 'token' });
      await silent({ redirect_uri: EVIL });
      await silent({}, 'nonsense');
      await wire.call(idp.authorizeSubmit, { ...OPENID, ...GRANTED, prompt: 'none', state: 's' });
    },
  },
  {
    title: 'scopes are granted that the user’s roles allow',
    run: async (wire) => {
      wire.world.addressWith('admin', wire.address('admin'));
      const [admin, ada] = [await signIn(wire, 'admin'), await signIn(wire)];
      const request = authorize(PLANNER, ['openid', 'write:documents']);
      await wire.call(idp.authorizeStart, request, { session: admin });
      await wire.call(idp.authorizeStart, request, { session: ada });
      await wire.call(idp.authorizeSubmit, { ...request, ...GRANTED }, { session: ada });
      await tokens(wire, admin, PLANNER, ['openid', 'write:documents']);
      await wire.call(users.connectedApps, null, { session: admin });
    },
  },
  {
    title: 'lasting scopes need the second factor',
    run: async (wire) => {
      const { session } = await withTotp(wire);
      const weak = await signIn(wire);
      const request = { ...authorize(PLANNER, ['full_access']), ...GRANTED };
      await wire.call(idp.authorizeSubmit, request, { session: weak });
      await wire.call(idp.authorizeSubmit, { ...request, prompt: 'none' }, { session: weak });
      await wire.call(idp.authorizeSubmit, request, { session });
      await wire.call(idp.authorizeSubmit, { ...request, prompt: 'none' }, { session: weak });
    },
  },
  {
    title: 'logouts ask first, unless the app shows an ID token of this very session',
    run: async (wire) => {
      const session = await signIn(wire);
      const { id_token: id_token_hint } = await tokens(wire, session);
      const leave = { client_id: PLANNER.client_id, post_logout_redirect_uri: 'http://localhost:3001/' };
      const start = async (changes: object, by: string | undefined = session) =>
        wire.call(idp.logoutStart, { ...leave, ...changes }, { session: by });
      await start({ state: 's 1' });
      await start({ id_token_hint });
      await start({ id_token_hint }, await signIn(wire, 'eve'));
      await start({ id_token_hint: 'nonsense' });
      await start({ client_id: 'none' });
      await start({ post_logout_redirect_uri: EVIL });
      await start({ post_logout_redirect_uri: 'http://localhost:4001/' });
      await wire.call(idp.logoutStart, leave);
    },
  },
];

export const ACCESS: readonly Script[] = [
  {
    title: 'whoever impersonates a user gets a marked session, once, and cannot create credentials',
    run: async (wire) => {
      const own = await signIn(wire);
      const impersonation_token = await wire.world.impersonationToken(wire.address('ada'), 'admin@example.com');
      const begun = await wire.call(impersonation.authenticate, { impersonation_token }, { session: own });
      const session = textOf(begun, 'session_token');
      await wire.call(impersonation.authenticate, { impersonation_token });
      await wire.call(impersonation.authenticate, { impersonation_token: 'nonsense' });
      await wire.call(sessions.authenticate, { session_duration_minutes: 600 }, { session });
      await wire.call(users.me, null, { session });
      await wire.call(totps.create, { expiration_minutes: 60 }, { session });
      await wire.call(totps.recoveryCodes, {}, { session });
      await wire.call(totps.authenticate, { totp_code: '123456', ...HOUR }, { session });
      await wire.call(webauthn.registerStart, { domain: 'localhost' }, { session });
      await wire.call(otps.emailSendSecondary, { email: wire.address('second') }, { session });
      await wire.call(idp.authorizeSubmit, { ...OPENID, ...GRANTED }, { session });
      await wire.call(idp.authorizeStart, OPENID, { session });
      await wire.call(users.revokeConnectedApp, {}, { session, params: { id: PLANNER.client_id } });
      const id = at(begun, 'user.emails.0.email_id');
      await wire.call(users.deleteEmail, null, { session, params: { id } });
      await signIn(wire, 'ada', session);
      const late = await wire.world.impersonationToken(wire.address('ada'));
      wire.world.passTime(5 * MINUTE_MS);
      await wire.call(impersonation.authenticate, { impersonation_token: late });
    },
  },
  {
    title: 'trusted tokens of an issuer make a session, once',
    run: async (wire) => {
      const own = await signIn(wire);
      const token = await wire.world.trustedToken(PROFILE, wire.address('ada'));
      const body = { profile_id: PROFILE, token, session_token: own };
      await wire.call(sessions.attest, { ...body, profile_id: 'none' });
      await wire.call(sessions.attest, { ...body, token: 'nonsense' });
      await wire.call(sessions.attest, { ...body, session_duration_minutes: 1 });
      await wire.call(sessions.attest, body);
      await wire.call(sessions.attest, body);
      await wire.call(sessions.authenticate, {}, { session: own });
      const fresh = await wire.world.trustedToken(PROFILE, wire.address('new'));
      await wire.call(sessions.attest, { profile_id: PROFILE, token: fresh });
    },
  },
  {
    title: 'access tokens become sessions of their own that end with the app',
    run: async (wire) => {
      const session = await signIn(wire);
      const exchange = async (access_token: string, by?: string) =>
        textOf(
          await wire.call(sessions.exchangeAccessToken, { access_token, ...HOUR }, { session: by }),
          'session_token',
        );
      await exchange('nonsense');
      await exchange((await tokens(wire, session)).access_token);
      const { access_token } = await tokens(wire, session, PLANNER, ['openid', 'full_access']);
      await wire.call(sessions.exchangeAccessToken, { access_token, session_duration_minutes: 1 });
      const first = await exchange(access_token, session);
      const made = await exchange(access_token, first);
      await wire.call(users.me, null, { session: made });
      await wire.call(totps.create, { expiration_minutes: 60 }, { session: made });
      await wire.call(idp.authorizeStart, { ...OPENID, max_age: '0' }, { session: made });
      await wire.call(users.revokeConnectedApp, {}, { session: made, params: { id: DASHBOARD.client_id } });
      await wire.call(users.revokeConnectedApp, {}, { session: made, params: { id: PLANNER.client_id } });
      await wire.call(users.me, null, { session: made });
      await wire.call(sessions.authenticate, {}, { session });
      await exchange(access_token);
    },
  },
  {
    title: 'access tokens end by the clock',
    run: async (wire) => {
      const session = await signIn(wire);
      const { access_token } = await tokens(wire, session, PLANNER, ['full_access']);
      wire.world.passTime(60 * MINUTE_MS);
      await wire.call(sessions.exchangeAccessToken, { access_token, ...HOUR });
    },
  },
];
