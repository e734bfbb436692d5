import { hkdfSync } from 'node:crypto';
import { OAUTH_FLOW_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Attachee } from '#server-rules/social-attach.ts';
import type { Db } from '#provider/base/db/database.ts';
import { isReferenceGone } from '#provider/base/db/database-errors.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '../../services.ts';
import { lockUser } from '../../users/lock.ts';
import type { OAuthEnding, Proofs } from '../providers/social-provider.ts';
import type { OAuthFlowsTable } from '../../social-accounts/tables.ts';
import { PROVIDER_PARAMETER, SOCIAL_PREFIX } from './start-call.ts';

const FLOW_MS = OAUTH_FLOW_MINUTES * MINUTE_MS;

/** The parameters of the provider's page that a host must not set. */
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

/** The app's parameters for the provider's page: the fields `provider_…` of the start. */
export function providerParams(parameters: URLSearchParams): readonly (readonly [name: string, value: string])[] {
  return [...parameters]
    .filter(([name]) => name.startsWith(PROVIDER_PARAMETER))
    .map(([name, value]) => [name.slice(PROVIDER_PARAMETER.length), value] as const)
    .filter(([name]) => !RESERVED.has(name));
}

export function callbackUrl(origin: string, provider: string): string {
  return `${origin}${SOCIAL_PREFIX}/${provider}/callback`;
}

/** The secrets of a new login. Neither is stored in the database. */
export interface NewFlow extends Proofs {
  /** Sent to the provider and back. */
  readonly state: string;
  /** Stays in the browser. */
  readonly browser: string;
}

export function newFlow(services: Pick<Services, 'random' | 'keys'>): NewFlow {
  const state = newToken(services.random);
  return { state, browser: newToken(services.random), ...proofsOf(services, state) };
}

/** Derived from the state, which only the browser has, so that a reader of the database cannot complete a login. */
export function proofsOf({ keys }: Pick<Services, 'keys'>, state: string): Proofs {
  const [nonce = '', code_verifier = ''] = ['nonce', 'code_verifier'].map((name) =>
    Buffer.from(hkdfSync('sha256', keys.codeKey, state, `portico: ${name} of a social login`, 32)).toString(
      'base64url',
    ),
  );
  return { nonce, code_verifier };
}

export interface FlowStart {
  readonly provider: string;
  readonly code_challenge: string | null;
  readonly login_redirect_url: string;
  readonly signup_redirect_url: string;
  /** The user to attach the account to; null for a login. */
  readonly attachee: Attachee | null;
}

/** Stores a login. Refuses the attach token of a user who was removed meanwhile. */
export async function storeFlow(
  { clock }: Pick<Services, 'clock'>,
  tx: Db,
  { state, browser }: NewFlow,
  { provider, attachee, ...flow }: FlowStart,
): Promise<void> {
  await tx
    .insertInto('oauth_flows')
    .values({
      ...flow,
      state_hash: tokenHash(state),
      browser_hash: tokenHash(browser),
      provider_type: provider,
      user_id: attachee?.user_id ?? null,
      session_id: attachee?.session_id ?? null,
      expires_at: new Date(clock.now() + FLOW_MS),
    })
    .execute()
    .catch((error: unknown) => {
      throw isReferenceGone(error) ? new Refusal('oauth_token_not_found') : error;
    });
}

/** A started login. `isLive` is false if it has expired: then it can only be redirected back with an error. */
export interface OAuthFlow extends Omit<OAuthFlowsTable, 'user_id' | 'session_id'>, Proofs {
  /** Null for a login. */
  readonly attachee: Attachee | null;
  readonly isLive: boolean;
}

/** The key of a login after its callback, so that no other callback finds it. */
const claimedHash = (state: string): string => tokenHash(`claimed\n${state}`);

/**
 * Claims the login with this state, so that a second callback finds nothing. Another provider or browser finds nothing either, and leaves
 * the login as it is. The row stays until the login's token replaces it (`endFlow`), so that a change of the account meanwhile still ends
 * it.
 */
export async function takeFlow(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  provider: string,
  { state, browser }: Pick<NewFlow, 'state' | 'browser'>,
): Promise<OAuthFlow | undefined> {
  const { db, clock } = services;
  const flow = await db
    .updateTable('oauth_flows')
    .set({ state_hash: claimedHash(state) })
    .where('state_hash', '=', tokenHash(state))
    .where('provider_type', '=', provider)
    .where((where) =>
      where.or([
        where.and([where('browser_hash', 'is', null), where('user_id', 'is', null)]),
        where('browser_hash', '=', tokenHash(browser)),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  if (flow === undefined) return undefined;
  const { user_id, session_id, ...rest } = flow;
  const attachee = user_id === null ? null : { user_id, session_id };
  return { ...rest, attachee, ...proofsOf(services, state), isLive: flow.expires_at.getTime() > clock.now() };
}

/** Ends a claimed login. If it attaches an account, this locks the user first. False if it has ended already. */
export async function endFlow(tx: Db, state: string, attachee: Attachee | null): Promise<boolean> {
  if (attachee !== null) await lockUser(tx, attachee.user_id);
  const row = await tx
    .deleteFrom('oauth_flows')
    .where('state_hash', '=', claimedHash(state))
    .returning('state_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** The words for each result in the report to the app. */
const ENDINGS: Readonly<Record<OAuthEnding, string>> = {
  access_denied: 'was denied',
  temporarily_unavailable: 'is not possible at the moment',
  server_error: 'did not work',
};

interface ProviderLabel {
  /** The provider's name on the wire. */
  readonly name: string;
  readonly label: string;
}

/**
 * The redirect URL of a social login that ended without a token. `provider_type`, named as in the reply of a login, distinguishes it from
 * the answers to the page's own OAuth flows.
 */
export function returnError(redirect: string, { name, label }: ProviderLabel, error: OAuthEnding): string {
  const url = new URL(redirect);
  url.searchParams.set('error', error);
  url.searchParams.set('error_description', `The login with ${label} ${ENDINGS[error]}.`);
  url.searchParams.set('provider_type', name);
  return url.href;
}
