import type { CallerKind } from '#domain/rules/gates.ts';

/** The kinds of callers in the table of calls. */
const KINDS: Readonly<Record<CallerKind, string>> = {
  none: 'no session',
  ended: 'a session that has ended',
  intermediate: 'a login that lacks a factor',
  lacking: 'a session without a factor that the project has required since its login',
  impersonated: 'a session of an operator',
  jwt_alone: 'a page that sends the JWT of a session without its token',
  exchanged: 'a session of an app',
  one_factor: 'a session without the second factor of its user',
  trusted_browser: 'the same, in a browser that the user trusts',
  stale_proof: 'a session whose last proof is older than ten minutes',
  complete: 'any other session',
};

/** Explains the words by which calls name the sessions that they refuse. */
export const CALLERS_TEXT = `A call may refuse some sessions. Its text names them by these words, each with the type of the refusal: ${Object.entries(
  KINDS,
)
  .map(([kind, about]) => `\`${kind}\` (${about})`)
  .join(', ')}.`;
