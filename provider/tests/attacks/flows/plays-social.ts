import { administer } from '../../kit/managing.ts';
import { PUBLIC_TOKEN, type Fields } from '../../kit/harness.ts';
import { browser, CHALLENGE, ORIGIN, VERIFIER } from '../../kit/oauth-harness.ts';
import { uniqueEmail } from '../attacker.ts';
import { isDone, NOT_OFFERED, refused, type StartedFlow, type FlowStarter } from './flow.ts';
import { isServer, LONG, type Call, type Stage } from './people.ts';

/** Accounts of social providers and of trusted issuers. */

const GIVEN = { ...NOT_OFFERED, status: 200 };
const PKCE = { code_challenge: CHALLENGE };

const redeem =
  (token: string): StartedFlow['finish'] =>
  (by) =>
    by('/oauth/authenticate', { token, code_verifier: VERIFIER, ...LONG });

/** A login with an account whose address is the user's. */
export const socialLogin: FlowStarter = async (stage) => {
  const choice = { email: stage.second.email, verified: 'yes' } as const;
  const token = await browser(stage.provider).token('google', choice, PKCE);
  return { reply: GIVEN, finish: redeem(token) };
};

/** An account of another address, attached in a session or by the word of the app's server. */
export const socialAttachment: FlowStarter = async (stage, call) => {
  const named = isServer(call) ? { user_id: stage.user_id } : {};
  const reply = await call('/oauth/attach', { provider: 'google', ...named });
  if (!isDone(reply)) return refused(reply);
  const oauth_attach_token = String(reply.data['oauth_attach_token']);
  const choice = { email: uniqueEmail('attached'), verified: 'yes' } as const;
  const visit = browser(stage.provider);
  const started = await visit.start('google', { method: 'POST', oauth_attach_token, ...PKCE });
  // What was begun may end before each of the two steps.
  if (started.status !== 303) return refused({ ...NOT_OFFERED, status: started.status });
  const page = await visit.get(started.headers.get('location') ?? '');
  const chosen = await visit.choose(await page.text(), choice);
  const returned = await visit.get(chosen.headers.get('location') ?? '');
  if (returned.status !== 303) return refused({ ...NOT_OFFERED, status: returned.status });
  const token = new URL(returned.headers.get('location') ?? '').searchParams.get('token') ?? '';
  return { reply, finish: redeem(token) };
};

export const oneTap: FlowStarter = async (stage) => {
  const { provider } = stage;
  const started = await provider.post('/oauth/google/onetap/start', { public_token: PUBLIC_TOKEN });
  const account = { client_id: 'portico-test-client', email: stage.second.email, email_verified: true };
  const signed = await provider.app.request(`${ORIGIN}/accounts/google/gsi/credential`, {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const { credential } = (await signed.json()) as Fields;
  const answer = { public_token: PUBLIC_TOKEN, oauth_callback_id: started.data['oauth_callback_id'], ...PKCE };
  const submitted = await provider.post('/oauth/google/onetap/submit', { ...answer, id_token: credential });
  if (!isDone(submitted)) return refused(submitted);
  const token = new URL(String(submitted.data['redirect_url'])).searchParams.get('token') ?? '';
  return { reply: submitted, finish: redeem(token) };
};

/** The issuer is the operator's own command: it signs for the user's address. */
export const trustedToken: FlowStarter = async (stage: Stage, call: Call) => {
  if (call.party !== 'anyone') return refused(NOT_OFFERED);
  const { provider, second } = stage;
  const { token } = await administer(provider.services, 'trusted-token', { profile: 'local', email: second.email });
  return { reply: GIVEN, finish: (by) => by('/sessions/attest', { profile_id: 'local', token, ...LONG }) };
};
