import { SDKUsageError } from '../../domain/errors.ts';
import { credentialsOf, type CookieNames, type HeaderSource } from '../../domain/request-credentials.ts';
import type { AccessPolicy } from '../../domain/rbac.ts';
import { isRecord, wrongFields } from '../../domain/shape.ts';
import type { Authentication, Requirements, SignedIn, SignedOut, SignedOutReason } from './authentication.ts';
import { UnavailableError, type Remembered } from './remembered.ts';
import type { Live, Secret, SessionApi } from './session-api.ts';
import type { SessionJwt } from './session-jwt.ts';

/** How many values of one cookie are tried. Each may cost a request. */
const MOST_CANDIDATES = 3;
const METHOD = 'authenticateRequest';
const SHAPE = { roles: 'string[]?', permission: 'object?', fresh: 'boolean?' } as const;
const PERMISSION = { resource_id: 'string', action: 'string' } as const;

/** What the verifier is made of. */
export interface VerifierParts {
  readonly cookies: CookieNames;
  readonly jwt: SessionJwt;
  /** What the API knows; null when nothing was given to ask it with. */
  readonly asked: { readonly api: SessionApi; readonly policy: Remembered<AccessPolicy> } | null;
}

/** Tells who sent a request, and whether they may. */
export class RequestVerifier {
  constructor(private readonly parts: VerifierParts) {}

  /** Throws an SDKUsageError for wrong requirements, and nothing else. */
  async authenticateRequest(
    request: { readonly headers: HeaderSource },
    requirements: Requirements = {},
  ): Promise<Authentication> {
    this.checkRequirements(requirements);
    try {
      const found = await this.whoSent(request.headers, requirements.fresh === true);
      return found.status === 'signed-in' ? await this.judge(found, requirements) : found;
    } catch (error) {
      if (error instanceof UnavailableError) return error.result;
      throw error;
    }
  }

  private async whoSent(headers: HeaderSource, fresh: boolean): Promise<SignedIn | SignedOut> {
    const { jwts, tokens, malformed } = credentialsOf(headers, this.parts.cookies);
    if (jwts.length + tokens.length === 0) return signedOut(malformed ? 'malformed' : 'no-credentials');
    if (Math.max(jwts.length, tokens.length) > MOST_CANDIDATES) return signedOut('ambiguous');
    const verdicts = await Promise.all(jwts.map((jwt) => this.parts.jwt.check(jwt)));
    const good = verdicts.flatMap((verdict) =>
      'session' in verdict ? [{ session: verdict.session, user: null }] : [],
    );
    if (!fresh && good.length > 0) return onlyOne(good, 'jwt');
    // A JWT whose signature is wrong is not asked about: anybody can make one.
    const signed = jwts.filter((_jwt, at) => {
      const verdict = verdicts[at];
      return verdict !== undefined && ('session' in verdict || verdict.reason === 'expired-jwt');
    });
    const reason = verdicts.flatMap((verdict) => ('reason' in verdict ? [verdict.reason] : []))[0];
    return this.ask(tokens, signed, good, reason);
  }

  private async ask(
    tokens: readonly string[],
    jwts: readonly string[],
    good: readonly Live[],
    reason: SignedOutReason = 'cannot-ask',
  ): Promise<SignedIn | SignedOut> {
    const { asked } = this.parts;
    const secrets: readonly Secret[] =
      tokens.length > 0
        ? tokens.map((session_token) => ({ session_token }))
        : jwts.map((session_jwt) => ({ session_jwt }));
    if (asked === null || secrets.length === 0) return signedOut(reason);
    const sessions = await Promise.all(secrets.map((secret) => asked.api.session(secret)));
    const live = sessions.filter((session) => session !== null);
    return live.length === 0 ? signedOut('session-ended') : onlyOne([...live, ...good], 'api');
  }

  private async judge(who: SignedIn, { roles = [], permission }: Requirements): Promise<Authentication> {
    const missing = roles.filter((role) => !who.roles.includes(role));
    if (missing.length > 0) return { status: 'forbidden', lacks: { roles: missing }, who };
    if (permission === undefined) return who;
    const policy = await this.parts.asked?.policy.get();
    const { resource_id, action } = permission;
    return policy?.isAuthorized(who.roles, resource_id, action) === true
      ? who
      : { status: 'forbidden', lacks: { permission: { resource_id, action } }, who };
  }

  /** A requirement that is misspelt or cannot be checked must not look as if it were met. */
  private checkRequirements(requirements: Requirements): void {
    const unknown = isRecord(requirements)
      ? Object.keys(requirements).find((name) => !Object.hasOwn(SHAPE, name))
      : 'requirements';
    if (unknown !== undefined) throw new SDKUsageError(METHOD, `${unknown} is no requirement`);
    const { permission, fresh } = requirements;
    const [wrong] = [
      ...wrongFields(SHAPE, requirements),
      ...(permission === undefined ? [] : wrongFields(PERMISSION, permission)),
    ];
    if (wrong !== undefined) throw new SDKUsageError(METHOD, wrong.message);
    if (this.parts.asked === null && (permission !== undefined || fresh === true)) {
      const field = fresh === true ? 'fresh' : 'permission';
      throw new SDKUsageError(METHOD, `${field} needs publicToken or secret, which createVerifier was not given`);
    }
  }
}

const signedOut = (reason: SignedOutReason): SignedOut => ({ status: 'signed-out', reason });

/** Several sessions of one user are as good as one; which of two users is meant, nobody can tell. */
function onlyOne(found: readonly Live[], source: SignedIn['source']): SignedIn | SignedOut {
  const [live] = found;
  if (live === undefined || found.some(({ session }) => session.user_id !== live.session.user_id)) {
    return signedOut('ambiguous');
  }
  const { user_id, roles = [], custom_claims: claims = {} } = live.session;
  return { status: 'signed-in', user_id, ...live, roles, claims, source };
}
