/**
 * Every way in which this server says no, as data: type, status and what it says. Types that the specification's
 * section 8 lists are spelt as there; only `unauthorized_credentials`, `user_unauthenticated` and `session_not_found`
 * make a client drop its session (section 4), so nothing else here may be named so.
 */
export const REFUSALS = {
  invalid_email: [400, 'The email address does not have the form of one.'],
  invalid_code: [400, 'A passcode has six digits.'],
  otp_code_not_found: [404, 'The passcode is wrong, was used, has expired or was replaced by a newer one.'],
  unable_to_auth_magic_link: [401, 'The magic link is unknown, was used or has expired.'],
  no_match_for_provided_magic_link_url: [400, 'The URL is not registered as a redirect URL of this project.'],
  invalid_expiration_minutes: [400, 'The number of minutes until the message expires is out of range.'],
  invalid_session_duration: [400, 'session_duration_minutes must be a whole number from 5 to 527040.'],
  invalid_code_challenge: [400, 'code_challenge must be the 43 base64url characters of a SHA-256 (pkce).'],
  pkce_code_challenge_required: [400, 'This project requires pkce: send a code_challenge.'],
  pkce_expected_code_verifier: [400, 'This flow began with pkce: its code_verifier is missing.'],
  pkce_expected_code_challenge: [400, 'This flow began without pkce: it takes no code_verifier.'],
  pkce_mismatch: [400, 'The pkce code_verifier does not belong to the code_challenge of this flow.'],
  user_unauthenticated: [401, 'This call needs a session, and none was presented.'],
  unauthorized_credentials: [401, 'The session that was presented is unknown, was revoked or has expired.'],
  missing_public_token: [401, 'The Authorization header must be Basic, with the public token as the user name.'],
  invalid_public_token: [401, 'No project here has this public token.'],
  unregistered_origin: [403, 'This origin is not registered in the project.'],
  user_lock_limit_reached: [429, 'Too many failed attempts for this user.'],
  too_many_requests: [429, 'Too many requests.'],
  route_not_found: [404, 'There is no such route.'],
  method_not_allowed: [405, 'The route does not know this method.'],
  request_too_large: [413, 'The body is larger than 64 kB.'],
  unsupported_media_type: [415, 'The body must be application/json.'],
  invalid_json: [400, 'The body is not JSON.'],
  misdirected_request: [421, 'This server does not answer for that host.'],
  internal_server_error: [500, 'Something went wrong here.'],
  service_unavailable: [503, 'The database cannot be reached or written.'],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>;

export type RefusalType = keyof typeof REFUSALS;

/** A refused request. `retryAfterSeconds` becomes the `Retry-After` header. */
export class Refusal extends Error {
  readonly status: number;

  constructor(
    readonly type: RefusalType,
    message?: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message ?? REFUSALS[type][1]);
    this.status = REFUSALS[type][0];
  }
}

/** What is wrong with one field of the request. */
export interface SchemaIssue {
  readonly dataPath: readonly string[];
  readonly message: string;
}

/** A body that does not have its endpoint's shape. */
export class SchemaRefusal extends Error {
  constructor(readonly body: readonly SchemaIssue[]) {
    super('The body does not have the expected shape.');
  }
}
