import { SDKUsageError } from '#domain/errors.ts';
import { credentialsOf, valueOf, type CookieNames, type Credentials } from '#domain/sessions/request-credentials.ts';
import { missingProof } from '#domain/rules/authentication-methods.ts';
import type { ClockPort } from '../ports/index.ts';
import type { AccessPolicy } from '#domain/sessions/rbac.ts';
import type { Authentication, Requirements, SignedIn, SignedOut, SignedOutReason } from './authentication.ts';
import { Doubt, UnavailableError, type CachedValue } from './cached-value.ts';
import type { Live, Secret, SessionApi } from './session-api.ts';
import type { RequestBudget } from './request-budget.ts';
import { checkRequest } from './request-check.ts';
import { checkRequirements } from './requirements.ts';
import type { JwtVerdict, SessionJwt, TrustedJwt, UnknownJwt } from './session-jwt.ts';
import { crossOriginOf, type PagesOfApp, type RequestSource } from './cross-origin.ts';

/** The maximum number of values of one cookie to try, because each may cost a request. */
const MOST_CANDIDATES = 3;
const LONGEST_WAIT_MS = 60_000;
const METHOD = 'authenticateRequest';

/** The dependencies of the verifier. */
export interface VerifierParts {
  readonly cookies: CookieNames;
  /** The origins whose pages may send state-changing requests with cookies; null disables the check. */
  readonly pages: PagesOfApp | null;
  readonly jwt: SessionJwt;
  readonly clock: ClockPort;
  /** The hash of a session token, in the form of the JWT's claim. */
  readonly hashOf: (token: string) => Promise<string>;
  /** Checks the proofs of sessions that are bound to a key of their page; null if the option is off. */
  readonly proofs: { readonly judge: JudgeProof; readonly isRequired: boolean } | null;
  /** The API's sessions; null without credentials for the API. */
  readonly apiAccess: {
    readonly api: SessionApi;
    readonly policy: CachedValue<AccessPolicy>;
    /** For JWTs whose signature cannot be checked here yet. They are limited, because anyone can write one. */
    readonly budget: RequestBudget;
  } | null;
}

/** The contents of a request, after the checks that need no request to the API. */
interface CheckedCredentials {
  readonly tokens: readonly string[];
  readonly trusted: readonly (TrustedJwt & { readonly jwt: string })[];
  readonly unknown: readonly (UnknownJwt & { readonly jwt: string })[];
  /** The result if the API cannot be called. */
  readonly reason: SignedOutReason;
}

/** A request with the proof in its header, and the session that it must prove. */
export interface ProvedRequest {
  readonly request: RequestSource;
  /** The value of the header `DPoP`. */
  readonly proof: string;
  /** The thumbprint of the session's key. */
  readonly jkt: string;
  /** The token and JWT of the session that came with the request. */
  readonly jwts: readonly string[];
}

/** Resolves with the reason why the proof is rejected; null if it is valid. Rejects with an `UnavailableError`. */
export type JudgeProof = (proved: ProvedRequest) => Promise<'invalid-proof' | 'used-proof' | null>;

/** Authenticates and authorizes requests. */
export class RequestVerifier {
  constructor(private readonly parts: VerifierParts) {}

  /** Throws only an SDKUsageError for invalid requirements, and a TypeError for anything but a request. */
  async authenticateRequest(request: RequestSource, requirements: Requirements = {}): Promise<Authentication> {
    checkRequest(METHOD, request);
    this.checkRequirements(requirements);
    const { cookies, pages, proofs } = this.parts;
    const credentials = credentialsOf(request.headers, cookies, proofs !== null);
    // A page that must not act for its visitor must not cause a request to the API.
    const crossOrigin = credentials.isCookie && pages !== null ? crossOriginOf(request, pages) : null;
    if (crossOrigin !== null) return crossOrigin;
    try {
      const own = credentials.isCookie ? await this.ownOf(credentials) : credentials;
      const found = await this.whoSent(request, own, requirements.fresh === true);
      return found.status === 'signed-in' ? await this.judge(found, requirements) : found;
    } catch (error) {
      if (error instanceof UnavailableError) return error.result;
      throw error;
    }
  }

  /** Removes the cookies of other projects, which use the same names on a parent of this host. */
  private async ownOf(credentials: Credentials): Promise<Credentials> {
    const others = new Map(credentials.jwts.map((jwt) => [jwt, this.parts.jwt.hashOfAnother(jwt)]));
    const hashes = [...others.values()].filter((hash) => hash !== null);
    if (hashes.length === 0) return credentials;
    const tokens = await Promise.all(
      credentials.tokens.map(async (token) => (hashes.includes(await this.parts.hashOf(token)) ? [] : [token])),
    );
    const own = {
      ...credentials,
      jwts: credentials.jwts.filter((jwt) => others.get(jwt) === null),
      tokens: tokens.flat(),
    };
    // If nothing is left, the configured project may be the wrong one.
    return own.jwts.length + own.tokens.length === 0 ? credentials : own;
  }

  private async whoSent(
    request: RequestSource,
    credentials: Credentials,
    fresh: boolean,
  ): Promise<SignedIn | SignedOut> {
    const { jwts, tokens, malformed } = credentials;
    if (jwts.length + tokens.length === 0) return signedOut(malformed ? 'malformed' : 'no-credentials');
    if (Math.max(jwts.length, tokens.length) > MOST_CANDIDATES) return signedOut('ambiguous');
    const verdicts = await Promise.all(jwts.map(async (jwt) => ({ ...(await this.parts.jwt.check(jwt)), jwt })));
    const trusted = verdicts.filter((verdict) => verdict.session !== null);
    const unknown = verdicts.filter((verdict) => verdict.reason === 'unknown-key');
    // An expired JWT signs no user in, but can still show that the cookies belong to different users.
    if (!areOfOneUser(trusted)) return signedOut('ambiguous');
    const good = trusted.find(({ reason }) => reason === null);
    if (!fresh && good !== undefined && (await this.areBound(tokens, trusted))) {
      return this.proved(request, trusted, signedIn({ session: good.session, user: null }, 'jwt'));
    }
    const [reason = 'cannot-ask'] = good === undefined ? verdicts.flatMap(certainReason) : [];
    const who = await this.ask({ tokens, trusted, unknown, reason });
    // If the API refused the tokens, a JWT does not change that: a sibling host may have added it.
    const isCertain = tokens.length > 0 && this.parts.apiAccess !== null;
    if (who.status === 'signed-in' || unknown.length === 0 || isCertain) return this.proved(request, trusted, who);
    return this.askUnknown(request, unknown);
  }

  /** Verifies JWTs of unknown keys with the API. Only a refusal by the API is certain. */
  private async askUnknown(
    request: RequestSource,
    unknown: CheckedCredentials['unknown'],
  ): Promise<SignedIn | SignedOut> {
    const found = await Promise.all(unknown.map((each) => this.confirmed(each)));
    const live = found.filter((each) => each !== null && each !== 'lacks-factor');
    const [first] = live;
    if (first === undefined) return signedOut(found.includes('lacks-factor') ? 'lacks-factor' : 'session-ended');
    if (!areOfOneUser(live)) return signedOut('ambiguous');
    return this.proved(
      request,
      live.flatMap(({ trusted }) => trusted),
      signedIn(first, 'api'),
    );
  }

  /** The session of a JWT that the API accepts, with the JWT as verified by its key, which is read now. */
  private async confirmed(
    unknown: CheckedCredentials['unknown'][number],
  ): Promise<(Live & { readonly trusted: CheckedCredentials['trusted'] }) | 'lacks-factor' | null> {
    const { jwt, error } = unknown;
    const { apiAccess, proofs } = this.parts;
    if (apiAccess === null) throw error;
    const waitMs = apiAccess.budget.take();
    if (waitMs > 0) throw error;
    const live = await apiAccess.api.session({ session_jwt: jwt });
    if (live === null) return null;
    apiAccess.budget.giveBack();
    if (live === 'lacks-factor') return live;
    const again = await this.parts.jwt.checkAgain(jwt, unknown);
    if (again.session !== null) return { ...live, trusted: [{ ...again, jwt }] };
    // Only a locally checked signature shows the key that the session is bound to.
    if (proofs !== null) throw error;
    return { ...live, trusted: [] };
  }

  /** A session that is bound to a key of its page counts only with a proof of that key. */
  private async proved(
    request: RequestSource,
    trusted: readonly (TrustedJwt & { readonly jwt: string })[],
    who: SignedIn | SignedOut,
  ): Promise<SignedIn | SignedOut> {
    const { proofs } = this.parts;
    if (proofs === null || who.status !== 'signed-in') return who;
    const own = trusted.filter(({ session }) => session.session_id === who.session.session_id);
    const jkt = own.find((each) => each.jkt !== null)?.jkt ?? null;
    if (jkt === null) return who;
    const proof = valueOf(request.headers, 'dpop');
    if (proof === '') return signedOut('proof-required');
    const reason = await proofs.judge({ request, proof, jkt, jwts: own.map(({ jwt }) => jwt) });
    return reason === null ? who : signedOut(reason);
  }

  /** Whether each session token was issued with one of the JWTs. A sibling host can add or replace one of the two cookies. */
  private async areBound(tokens: readonly string[], jwts: readonly TrustedJwt[]): Promise<boolean> {
    const hashes = await Promise.all(tokens.map((token) => this.parts.hashOf(token)));
    return hashes.every((hash) => jwts.some(({ tokenHash }) => tokenHash === hash));
  }

  /** Verifies the tokens with the API, or the JWTs when there are no tokens. A JWT without a valid signature is not sent. */
  private async ask({ tokens, trusted, reason: otherwise }: CheckedCredentials): Promise<SignedIn | SignedOut> {
    const { apiAccess } = this.parts;
    // The API accepts a bound session's token only from its browser.
    const isBound = trusted.some(({ session, reason }) => session.device_bound === true && reason !== 'expired-jwt');
    const isAlone = tokens.length === 0 || (isBound && (await this.areBound(tokens, trusted)));
    const secrets: readonly Secret[] = !isAlone
      ? tokens.map((session_token) => ({ session_token }))
      : trusted.map(({ jwt }) => ({ session_jwt: jwt }));
    if (apiAccess === null || secrets.length === 0) {
      const premature = trusted.find(({ reason }) => reason === 'premature-jwt');
      if (premature !== undefined) throw clockBehind(premature);
      return signedOut(otherwise);
    }
    const sessions = await Promise.all(secrets.map((secret) => apiAccess.api.session(secret)));
    const live = sessions.filter((session) => session !== null && session !== 'lacks-factor');
    const [first] = live;
    if (first === undefined) return signedOut(sessions.includes('lacks-factor') ? 'lacks-factor' : 'session-ended');
    return areOfOneUser([...live, ...trusted]) ? signedIn(first, 'api') : signedOut('ambiguous');
  }

  private async judge(who: SignedIn, requirements: Requirements): Promise<Authentication> {
    const { roles = [], permission, factors, maxAgeMinutes, bound = this.parts.proofs?.isRequired } = requirements;
    const missing = roles.filter((role) => !who.roles.includes(role));
    if (missing.length > 0) return { status: 'forbidden', lacks: { roles: missing }, who };
    if (bound === true && !who.bound) return { status: 'forbidden', lacks: { bound: true }, who };
    const proof = missingProof(who.session, { factors, maxAgeMinutes }, this.parts.clock.now());
    if (proof !== null) return { status: 'forbidden', lacks: proof, who };
    if (permission === undefined) return who;
    const policy = await this.parts.apiAccess?.policy.get();
    const { resource_id, action } = permission;
    return policy?.isAuthorized(who.roles, resource_id, action) === true
      ? who
      : { status: 'forbidden', lacks: { permission: { resource_id, action } }, who };
  }

  /** A misspelled or uncheckable requirement must not count as met. */
  private checkRequirements(requirements: Requirements): void {
    checkRequirements(METHOD, requirements);
    const { permission, fresh } = requirements;
    if (this.parts.apiAccess === null && (permission !== undefined || fresh === true)) {
      const field = fresh === true ? 'fresh' : 'permission';
      throw new SDKUsageError(METHOD, `${field} needs publicToken or secret, which createVerifier was not given`);
    }
  }
}

/** The reasons that another check cannot change. */
const certainReason = ({ reason }: JwtVerdict): readonly SignedOutReason[] =>
  reason === 'expired-jwt' || reason === 'untrusted-jwt' ? [reason] : [];

/** The project signed the JWT, so either this clock is behind, or the other one is ahead. */
function clockBehind({ startsInMs }: TrustedJwt): UnavailableError {
  const problem = 'a session JWT is not valid yet: the clock of this server is behind that of the provider';
  return new UnavailableError(
    'session',
    new Doubt('The JWT is not valid yet', problem),
    Math.min(startsInMs, LONGEST_WAIT_MS),
  );
}

const signedOut = (reason: SignedOutReason): SignedOut => ({ status: 'signed-out', reason });

/** Several sessions of one user are equivalent. Sessions of different users are ambiguous. */
const areOfOneUser = (found: readonly Pick<Live, 'session'>[]): boolean =>
  found.every(({ session }) => session.user_id === found[0]?.session.user_id);

function signedIn(live: Live, source: SignedIn['source']): SignedIn {
  const { user_id, roles = [], custom_claims: claims = {}, device_bound = false } = live.session;
  return { status: 'signed-in', user_id, ...live, roles, bound: device_bound, claims, source };
}
