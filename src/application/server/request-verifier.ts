import { SDKUsageError } from '../../domain/errors.ts';
import { credentialsOf, type CookieNames, type Credentials } from '../../domain/sessions/request-credentials.ts';
import type { AccessPolicy } from '../../domain/sessions/rbac.ts';
import { isRecord, wrongFields } from '../../domain/shape.ts';
import type { Authentication, Requirements, SignedIn, SignedOut, SignedOutReason } from './authentication.ts';
import { UnavailableError, type CachedValue } from './cached-value.ts';
import type { Live, Secret, SessionApi } from './session-api.ts';
import type { SessionJwt, TrustedJwt } from './session-jwt.ts';
import { crossOriginOf, type PagesOfApp, type RequestSource } from './cross-origin.ts';

/** How many values of one cookie are tried. Each may cost a request. */
const MOST_CANDIDATES = 3;
const METHOD = 'authenticateRequest';
const SHAPE = { roles: 'string[]?', permission: 'object?', fresh: 'boolean?' } as const;
const PERMISSION = { resource_id: 'string', action: 'string' } as const;

/** What the verifier is made of. */
export interface VerifierParts {
  readonly cookies: CookieNames;
  /** Whose pages may use the cookies to change something; null when that is not checked. */
  readonly pages: PagesOfApp | null;
  readonly jwt: SessionJwt;
  /** The hash of a session token, as its JWT has it. */
  readonly hashOf: (token: string) => Promise<string>;
  /** What the API knows; null when nothing was given to ask it with. */
  readonly asked: { readonly api: SessionApi; readonly policy: CachedValue<AccessPolicy> } | null;
}

/** Tells who sent a request, and whether they may. */
export class RequestVerifier {
  constructor(private readonly parts: VerifierParts) {}

  /** Throws an SDKUsageError for wrong requirements, and nothing else. */
  async authenticateRequest(request: RequestSource, requirements: Requirements = {}): Promise<Authentication> {
    this.checkRequirements(requirements);
    const { cookies, pages } = this.parts;
    const presented = credentialsOf(request.headers, cookies);
    // Nothing is asked for a page that may not act for its visitor.
    const refused = presented.isCookie && pages !== null ? crossOriginOf(request, pages) : null;
    if (refused !== null) return refused;
    try {
      const found = await this.whoSent(presented, requirements.fresh === true);
      return found.status === 'signed-in' ? await this.judge(found, requirements) : found;
    } catch (error) {
      if (error instanceof UnavailableError) return error.result;
      throw error;
    }
  }

  private async whoSent(presented: Credentials, fresh: boolean): Promise<SignedIn | SignedOut> {
    const { jwts, tokens, malformed } = presented;
    if (jwts.length + tokens.length === 0) return signedOut(malformed ? 'malformed' : 'no-credentials');
    if (Math.max(jwts.length, tokens.length) > MOST_CANDIDATES) return signedOut('ambiguous');
    const verdicts = await Promise.all(jwts.map((jwt) => this.parts.jwt.check(jwt)));
    const trusted = verdicts.flatMap((verdict, at) =>
      verdict.session === null ? [] : [{ ...verdict, jwt: jwts[at] ?? '' }],
    );
    // A JWT that has expired signs nobody in, and still says that its user is another one.
    if (!areOfOneUser(trusted)) return signedOut('ambiguous');
    const good = trusted.find(({ reason }) => reason === null);
    if (!fresh && good !== undefined && (await this.areBound(tokens, trusted))) {
      return signedIn({ session: good.session, user: null }, 'jwt');
    }
    const reason = good === undefined ? verdicts.find((verdict) => verdict.reason !== null)?.reason : undefined;
    return this.ask(tokens, trusted, reason ?? 'cannot-ask');
  }

  /** Whether each session token was issued with one of the JWTs. A sibling host can add or replace one cookie of the two. */
  private async areBound(tokens: readonly string[], jwts: readonly TrustedJwt[]): Promise<boolean> {
    const hashes = await Promise.all(tokens.map((token) => this.parts.hashOf(token)));
    return hashes.every((hash) => jwts.some(({ tokenHash }) => tokenHash === hash));
  }

  /** Asks the API about the tokens; about the JWTs when there is none. A JWT that nobody of ours signed is not asked about. */
  private async ask(
    tokens: readonly string[],
    trusted: readonly (TrustedJwt & { readonly jwt: string })[],
    reason: SignedOutReason,
  ): Promise<SignedIn | SignedOut> {
    const { asked } = this.parts;
    const jwts = trusted.filter((each) => each.reason !== 'premature-jwt');
    const secrets: readonly Secret[] =
      tokens.length > 0
        ? tokens.map((session_token) => ({ session_token }))
        : jwts.map(({ jwt }) => ({ session_jwt: jwt }));
    if (asked === null || secrets.length === 0) return signedOut(reason);
    const sessions = await Promise.all(secrets.map((secret) => asked.api.session(secret)));
    const live = sessions.filter((session) => session !== null);
    const [first] = live;
    if (first === undefined) return signedOut('session-ended');
    return areOfOneUser([...live, ...trusted]) ? signedIn(first, 'api') : signedOut('ambiguous');
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
const areOfOneUser = (found: readonly Pick<Live, 'session'>[]): boolean =>
  found.every(({ session }) => session.user_id === found[0]?.session.user_id);

function signedIn(live: Live, source: SignedIn['source']): SignedIn {
  const { user_id, roles = [], custom_claims: claims = {} } = live.session;
  return { status: 'signed-in', user_id, ...live, roles, claims, source };
}
