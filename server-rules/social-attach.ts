import { checkChallenge } from './proof-key.ts';
import { Refusal } from '#domain/rules/refusal.ts';

/** The user to whom a social account will be attached. */
export interface Attachee {
  readonly user_id: string;
  /** The session of the request; null if the app's own server vouched for the user. */
  readonly session_id: string | null;
}

/** The field of a social login's start that attaches the account to a user. */
export const ATTACH_FIELD = 'oauth_attach_token';

/**
 * The attach token of a start; undefined for a plain login. It needs a proof key, so that only the starter of the flow can attach the
 * account, even if others read its tokens. A token in a URL is rejected without a proof key, because URLs appear in logs and histories.
 * With one, it is allowed, because the reference client sends it this way.
 *
 * @param address the query of the start
 * @param posted the fields of the posted form; null for a start by a URL
 */
export function attachTokenOf(address: URLSearchParams, posted: URLSearchParams | null): string | undefined {
  if (address.has(ATTACH_FIELD) && (posted !== null || !hasChallenge(address))) {
    throw new Refusal(
      'bad_request',
      `${ATTACH_FIELD} is taken from an address only with a code_challenge beside it; otherwise post it in a form with a code_challenge.`,
    );
  }
  const fields = posted ?? address;
  const token = fields.get(ATTACH_FIELD) ?? undefined;
  if (token === undefined) return undefined;
  if (token === '') throw new Refusal('bad_request', `${ATTACH_FIELD} must not be empty.`);
  if (!hasChallenge(fields)) {
    throw new Refusal('pkce_code_challenge_required', 'Attaching an account requires pkce: send a code_challenge.');
  }
  checkChallenge(fields.get('code_challenge') ?? undefined, true);
  return token;
}

/**
 * The attach tokens in the URL of a start, which are spent whether or not the start succeeds. Otherwise a reader of the URL, which also
 * contains the challenge, could start the flow again with another account, and the user's browser would finish it.
 */
export function tokensToSpend(address: URLSearchParams): readonly string[] {
  return hasChallenge(address) ? address.getAll(ATTACH_FIELD) : [];
}

/** An empty field counts as left out. */
function hasChallenge(fields: URLSearchParams): boolean {
  return fields.getAll('code_challenge').some((challenge) => challenge !== '');
}

/**
 * Rejects the attachment for anyone but the user. If a session requested it, the same session must be presented. If the app's own
 * server vouched for the user, that server must finish it, and a session that it presents must be the user's.
 *
 * @param by the caller that finishes the flow
 */
export function checkAttachee(
  { user_id, session_id }: Attachee,
  session: { readonly user_id: string; readonly session_id: string } | undefined,
  by: 'page' | 'server',
): void {
  if (session_id === null && by === 'page') {
    throw new Refusal('unauthorized_action', 'The server of the app began to attach this account, and finishes it.');
  }
  if (session_id !== null && session === undefined) throw new Refusal('user_unauthenticated');
  if (session !== undefined && session.user_id !== user_id) {
    throw new Refusal('session_of_another_user', 'The account is attached to another user than that of the session.');
  }
  if (session_id !== null && session?.session_id !== session_id) {
    throw new Refusal('unauthorized_action', 'The account is attached only in the session that asked for it.');
  }
}

/** An account that belongs to another user stays with that user. */
export function accountOfAnother(): Refusal {
  return new Refusal('oauth_flow_callback_error', 'The account belongs to another user.');
}
