import type { UserMfaPolicy } from '#server-rules/mfa-policy.ts';
import type { AcceptedTerms } from '#server-rules/profile.ts';
import type { MfaStep } from '#domain/sessions/mfa.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { Shape } from '#domain/shape.ts';
import type { User } from '#domain/users/user.ts';

/** A user in the form that an app's server sees. */
export interface BackendUser extends User {
  readonly external_id: string | null;
  /** Always false: this server locks out networks, not users. */
  readonly is_locked: boolean;
  /** What the user's logins must prove, if it differs from the project's policy. */
  readonly mfa_policy?: UserMfaPolicy;
  /** The terms of the project that the user accepted, by their ids; absent for none. */
  readonly accepted_terms?: AcceptedTerms;
}

/** The reply of every successful authenticate call. Without a session, the tokens are empty. */
export interface BackendAuthenticated {
  readonly user_id: string;
  readonly user: BackendUser;
  readonly session: Session | null;
  readonly session_token: string;
  readonly session_jwt: string;
  /** Replaces the session in the reply to a login that lacks the second factor. The next call of the login presents it. */
  readonly intermediate_session_token?: string;
  /** The factors that this login lacks. */
  readonly mfa?: MfaStep;
  /** Shows in later logins that the user trusts their browser. In the reply to a call with `trust_device`. */
  readonly trusted_device_token?: string;
}

/** The fields of nearly every authenticate call. If a session is given, it continues with this login. */
export const SESSION_FIELDS = {
  session_token: 'string?',
  session_jwt: 'string?',
  session_duration_minutes: 'number?',
  session_custom_claims: 'object?',
} as const satisfies Shape;

/** The user's address and browser, as the app's server received them: `{ ip_address, user_agent }`. */
export const ATTRIBUTES = { attributes: 'object?' } as const satisfies Shape;
