import { checkChallenge } from './proof-key.ts';
import { Refusal } from './refusal.ts';

/** The user to whom a social account is to be attached. */
export interface Attachee {
  readonly user_id: string;
  /** The session in which the user asked for it; null where the app's own server vouched for the user. */
  readonly session_id: string | null;
}

/** The field of the start that makes a social login attach its account to a user. */
export const ATTACH_FIELD = 'oauth_attach_token';

/**
 * Refuses an attach token in an address, which stands in logs, histories and Referer headers, and one without a proof key: the account
 * is attached only by whoever began, even where others read the token of its start or of its end.
 *
 * @param address the query of the start
 * @param posted the fields of the posted form; null for a start by an address
 * @returns the attach token, or undefined for a login
 */
export function attachTokenOf(address: URLSearchParams, posted: URLSearchParams | null): string | undefined {
  if (address.has(ATTACH_FIELD)) {
    throw new Refusal('bad_request', `${ATTACH_FIELD} is taken from the body of a posted form, not from the address.`);
  }
  const token = posted?.get(ATTACH_FIELD) ?? undefined;
  if (token === undefined) return undefined;
  if (token === '') throw new Refusal('bad_request', `${ATTACH_FIELD} must not be empty.`);
  if (posted?.has('code_challenge') !== true) {
    throw new Refusal('pkce_code_challenge_required', 'Attaching an account requires pkce: send a code_challenge.');
  }
  checkChallenge(posted.get('code_challenge') ?? undefined, true);
  return token;
}

/**
 * Refuses to attach an account for anybody but the user: where a session asked for it, that very session must be presented; where
 * the app's own server vouched for the user, that server finishes it, and a session that it presents must be the user's.
 *
 * @param by who finishes it
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

/** An account that another user has: it stays theirs. */
export function accountOfAnother(): Refusal {
  return new Refusal('oauth_flow_callback_error', 'The account belongs to another user.');
}
