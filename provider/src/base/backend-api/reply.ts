import type { Session } from '../../../../src/domain/sessions/session.ts';
import type { Shape } from '../../../../src/domain/shape.ts';
import type { User } from '../../../../src/domain/users/user.ts';

/** A user as an app's server sees them. */
export interface BackendUser extends User {
  readonly external_id: string | null;
  /** This server locks out networks, not users, so no user is ever locked. */
  readonly is_locked: boolean;
}

/** The reply of every successful authenticate call. Without a session, the tokens are empty. */
export interface BackendAuthenticated {
  readonly user_id: string;
  readonly user: BackendUser;
  readonly session: Session | null;
  readonly session_token: string;
  readonly session_jwt: string;
}

/** The fields of nearly every authenticate call. A session that is given here continues with this login. */
export const SESSION_FIELDS = {
  session_token: 'string?',
  session_jwt: 'string?',
  session_duration_minutes: 'number?',
  session_custom_claims: 'object?',
} as const satisfies Shape;

/** The user's address and browser, as the app's server received them: `{ ip_address, user_agent }`. */
export const ATTRIBUTES = { attributes: 'object?' } as const satisfies Shape;
