import { OAUTH_FLOW_MINUTES } from '../../../src/domain/rules/lifetimes.ts';
import { createHash, hkdfSync } from 'node:crypto';
import { OAUTH_PROVIDERS, type OAuthProvider } from '../../../src/domain/oauth-providers.ts';
import type { Attachee } from './attaching.ts';
import type { OAuthFlowsTable } from './tables.ts';
import { MINUTE_MS } from '../platform.ts';
import { newToken, tokenHash } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { ACCOUNT_CLIENT_ID, issuerOf } from './account-tokens.ts';
import { DEFAULT_SCOPES } from './providers.ts';

const FLOW_MS = OAUTH_FLOW_MINUTES * MINUTE_MS;

/** The parameters of the request to the provider that a host must not set. */
const RESERVED: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]);

export function callbackUrl(origin: string, provider: OAuthProvider): string {
  return `${origin}/v1/public/oauth/${provider}/callback`;
}

export interface FlowStart {
  readonly origin: string;
  readonly provider: OAuthProvider;
  readonly code_challenge: string | null;
  readonly login_redirect_url: string;
  readonly signup_redirect_url: string;
  /** The user to whom the account is attached; null for a login. */
  readonly attachee: Attachee | null;
  readonly custom_scopes: readonly string[];
  readonly provider_params: readonly (readonly [name: string, value: string])[];
}

/** The nonce, and the PKCE verifier that this server presents to the social provider. */
interface Proofs {
  readonly nonce: string;
  readonly code_verifier: string;
}

/** Derived from the state, which only the browser has, so that a reader of the database cannot complete a login. */
function proofsOf({ keys }: Services, state: string): Proofs {
  const [nonce = '', code_verifier = ''] = ['nonce', 'code_verifier'].map((name) =>
    Buffer.from(hkdfSync('sha256', keys.codeKey, state, `portico: ${name} of a social login`, 32)).toString(
      'base64url',
    ),
  );
  return { nonce, code_verifier };
}

/** Stores the login and returns the provider's authorization URL: code flow with state, nonce and PKCE. */
export async function startFlow(services: Services, flow: FlowStart): Promise<string> {
  const { random, clock, db } = services;
  const state = newToken(random);
  const { nonce, code_verifier } = proofsOf(services, state);
  await db
    .insertInto('oauth_flows')
    .values({
      state_hash: tokenHash(state),
      provider_type: flow.provider,
      code_challenge: flow.code_challenge,
      login_redirect_url: flow.login_redirect_url,
      signup_redirect_url: flow.signup_redirect_url,
      user_id: flow.attachee?.user_id ?? null,
      session_id: flow.attachee?.session_id ?? null,
      expires_at: new Date(clock.now() + FLOW_MS),
    })
    .execute();
  const scopes = new Set(['openid', ...DEFAULT_SCOPES[flow.provider], ...flow.custom_scopes]);
  const target = new URL(`${issuerOf(flow.origin, flow.provider)}/authorize`);
  const own: Readonly<Record<string, string>> = {
    client_id: ACCOUNT_CLIENT_ID,
    redirect_uri: callbackUrl(flow.origin, flow.provider),
    response_type: 'code',
    scope: [...scopes].join(' '),
    state,
    nonce,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of flow.provider_params) {
    if (!RESERVED.has(name)) target.searchParams.set(name, value);
  }
  for (const [name, value] of Object.entries(own)) target.searchParams.set(name, value);
  return target.href;
}

/** A started login. `isLive` is false for an expired login, which can only be redirected back with an error. */
export type OAuthFlow = OAuthFlowsTable & Proofs & { readonly isLive: boolean };

/** Takes the login with this state out of the table, so that a second callback finds nothing. */
export async function takeFlow(
  services: Services,
  provider: OAuthProvider,
  state: string,
): Promise<OAuthFlow | undefined> {
  const { db, clock } = services;
  const flow = await db
    .deleteFrom('oauth_flows')
    .where('state_hash', '=', tokenHash(state))
    .where('provider_type', '=', provider)
    .returningAll()
    .executeTakeFirst();
  if (flow === undefined) return undefined;
  return { ...flow, ...proofsOf(services, state), isLive: flow.expires_at.getTime() > clock.now() };
}

/** The errors with which a social login can end (RFC 6749, section 4.1.2.1), with words for the app's description. */
const ENDINGS = {
  access_denied: 'was denied',
  temporarily_unavailable: 'is not possible at the moment',
  server_error: 'did not work',
} as const;
export type OAuthEnding = keyof typeof ENDINGS;

/** Maps an error of the provider. Other codes mean an invalid request, which this server made, and become `server_error`. */
export function endingOf(error: string | null): OAuthEnding {
  return error !== null && Object.hasOwn(ENDINGS, error) ? (error as OAuthEnding) : 'server_error';
}

/**
 * The redirect URL of a social login that ended without a token. `provider_type`, named as in the reply of a login, distinguishes it
 * from the answers to the page's own OAuth flows.
 */
export function returnError(redirect: string, provider: OAuthProvider, error: OAuthEnding): string {
  const url = new URL(redirect);
  url.searchParams.set('error', error);
  url.searchParams.set('error_description', `The login with ${OAUTH_PROVIDERS[provider]} ${ENDINGS[error]}.`);
  url.searchParams.set('provider_type', provider);
  return url.href;
}
