import { administer } from '../../kit/managing.ts';
import { CALLBACK, challenge, ISSUER } from '../../kit/idp-harness.ts';
import type { ProviderResponse, Fields } from '../../kit/harness.ts';
import { APP, exchange, isAlive, redeemCode, refresh, token } from '../attacker.ts';
import { refused, isDone, NOT_OFFERED, type FlowStarter } from './flow.ts';
import { isServer, LONG, type Call, type Stage } from './people.ts';

/** What other apps, operators and issuers hold, and sessions. */

const SCOPES = ['openid', 'email', 'offline_access', 'full_access'];
const answered = (body: Fields): ProviderResponse => ({
  status: 'error' in body ? 400 : 200,
  headers: new Headers(),
  body,
  data: body,
});

const authorize = (stage: Stage, call: Call, scopes: readonly string[] = SCOPES): Promise<ProviderResponse> => {
  const request = { client_id: APP, redirect_uri: CALLBACK, response_type: 'code', scopes };
  const body = { ...request, code_challenge: challenge, code_challenge_method: 'S256', consent_granted: true };
  return isServer(call)
    ? call('/idp/oauth/authorize', { ...body, user_id: stage.user_id })
    : call('/idp/oauth/authorize/submit', body);
};

/** The code goes back to the app: whoever has it, and the verifier, redeems it. */
export const authorizationCode: FlowStarter = async (stage, call) => {
  const reply = await authorize(stage, call);
  if (!isDone(reply)) return refused(reply);
  return { reply, finish: async () => answered(await redeemCode(stage.provider, reply.data['authorization_code'])) };
};

/** The device has its code, and redeems it once the user has allowed it. */
export const deviceCode: FlowStarter = async (stage, call) => {
  if (isServer(call)) return refused(NOT_OFFERED);
  const { provider } = stage;
  const body = new URLSearchParams({ client_id: APP, scope: SCOPES.join(' ') });
  const began = await provider.app.request(`${ISSUER}/oauth2/device_authorization`, { method: 'POST', body });
  const { user_code, device_code } = (await began.json()) as Fields;
  const reply = await call('/idp/oauth/device/submit', { user_code, consent_granted: true });
  if (!isDone(reply)) return refused(reply);
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  return { reply, finish: async () => answered(await token(provider, { grant_type, device_code })) };
};

const tokensOf = async (stage: Stage, call: Call, scopes?: readonly string[]) => {
  const reply = await authorize(stage, call, scopes);
  const tokens = isDone(reply) ? await redeemCode(stage.provider, reply.data['authorization_code']) : {};
  return { reply, tokens };
};

/** `full_access` without `offline_access`: the app acts while the user is signed in. */
export const accessToken: FlowStarter = async (stage, call) => {
  const { reply, tokens } = await tokensOf(stage, call, ['openid', 'full_access']);
  return isDone(reply)
    ? { reply, finish: async () => exchange(stage.provider, tokens['access_token']) }
    : refused(reply);
};

export const refreshToken: FlowStarter = async (stage, call) => {
  const { reply, tokens } = await tokensOf(stage, call);
  if (!isDone(reply)) return refused(reply);
  const finish = async () => {
    const refreshed = answered(await refresh(stage.provider, tokens['refresh_token']));
    // For some seconds the same answer is given again.
    stage.provider.clock.time += 30_000;
    return refreshed;
  };
  return { reply, finish };
};

/** A session that the app made from its token. */
export const exchangedSession: FlowStarter = async (stage, call) => {
  const { reply, tokens } = await tokensOf(stage, call, ['openid', 'full_access']);
  if (!isDone(reply)) return refused(reply);
  const made = (await exchange(stage.provider, tokens['access_token'])).data['session_token'];
  return { reply, finish: async () => liveness(await isAlive(stage.provider, made)) };
};

const liveness = (alive: boolean): ProviderResponse => (alive ? { ...NOT_OFFERED, status: 200 } : NOT_OFFERED);

/** A login by the second address. */
export const session: FlowStarter = async (stage, call) => {
  if (call.party !== 'the user') return refused(NOT_OFFERED);
  const token = await stage.session('the user');
  return { reply: liveness(true), finish: async () => liveness(await isAlive(stage.provider, token)) };
};

export const impersonationToken: FlowStarter = async (stage, call) => {
  if (call.party !== 'anyone') return refused(NOT_OFFERED);
  const { provider, user_id } = stage;
  const { token } = await administer(provider.services, 'impersonate', { user: user_id, by: 'ann' });
  return {
    reply: liveness(true),
    finish: (by) => by('/impersonation/authenticate', { impersonation_token: token, ...LONG }),
  };
};
