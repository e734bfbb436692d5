/** `portico/server`: authenticates requests to an app's own server. Needs only `Request` and `fetch`, without React and DOM. */
import type { Authentication, RefusedSetting, Requirements, Unavailable } from '#application/server/authentication.ts';
import { KeyRing } from '#application/server/key-ring.ts';
import { checkedOptions, type VerifierOptions as Options } from '#application/server/options.ts';
import { CachedValue, Doubt, UnavailableError } from '#application/server/cached-value.ts';
import { RequestBudget } from '#application/server/request-budget.ts';
import { RequestVerifier, type JudgeProof } from '#application/server/request-verifier.ts';
import { BackendSessionApi, PublicSessionApi } from '#application/server/session-api.ts';
import { SessionJwt } from '#application/server/session-jwt.ts';
import type { RequestSource } from '#application/server/cross-origin.ts';
import type { HeaderSource } from '#domain/sessions/request-credentials.ts';
import { tokenHashOf } from '#domain/sessions/session-claim.ts';
import { ConsoleLog } from '#infrastructure/browser/console-log.ts';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { WebCrypto } from '#infrastructure/browser/web-crypto.ts';
import { FetchTransport, type Fetch } from '#infrastructure/http/fetch-transport.ts';
import type { PageProofs } from '#infrastructure/server/page-proofs.ts';
import { JoseJwt } from '#infrastructure/server/jose-jwt.ts';
import { JwksOverHttp } from '#infrastructure/http/jwks-over-http.ts';

export { isAuthError, SDKAPIError, SDKAPIUnreachableError, SDKUsageError } from '#domain/errors.ts';
export type { MissingProof } from '#domain/sessions/mfa.ts';
export type { AuthenticationFactor, Session, SessionClaims } from '#domain/sessions/session.ts';
export type { User } from '#domain/users/user.ts';
export type { HeaderSource, RequestSource };
export { acceptedLanguage } from '#domain/widget/accepted-language.ts';
export type { Language } from '#domain/widget/language.ts';
export { refusalOf, type Refusal } from '#application/server/refusal.ts';
export { refusalResponse } from './server-responses.ts';
export { verifyHook, type HookAnswer, type HookRequest, type HookUser } from '#infrastructure/server/signed-hooks.ts';
export type * from '#application/server/authentication.ts';
export type { BoundSessions } from '#application/server/options.ts';
export type {
  ClockPort,
  HttpRequest,
  HttpResponse,
  KeysPort,
  LogPort,
  PublishedKey,
  TransportPort,
  UsedProofsPort,
} from '#application/ports/index.ts';

/** Options of `createVerifier`. */
export interface VerifierOptions extends Omit<Options, 'fetch'> {
  /** A `fetch` to use instead of the platform's. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Authenticates requests. It caches the keys and the policy of the project, so create one for the lifetime of the server. */
export interface Verifier {
  /**
   * Authenticates the request and checks the requirements. Every problem with a session is a result. Only invalid requirements throw an
   * SDKUsageError, and anything but a request throws a TypeError.
   *
   * @param request a `Request`, Node's `IncomingMessage`, or anything else with their headers and, if it is known, their method
   */
  authenticateRequest(request: RequestSource, requirements?: Requirements): Promise<Authentication>;
}

const MAX_BYTES = 1024 * 1024;
const MINUTE_MS = 60_000;
/** The limit of requests to the API about JWTs with an unknown key. */
const UNKNOWN_JWTS = { atOnce: 20, intervalMs: 500 };
/** Permissions change rarely, and a page keeps its copy for just as long. */
const POLICY_LIFETIMES = { freshMs: 5 * MINUTE_MS, staleMs: 60 * MINUTE_MS };

/**
 * A verifier of sessions. Create one when your server starts, because it caches the keys and the policy.
 *
 * Throws an SDKUsageError that names the first invalid option.
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const checked = checkedOptions(options);
  const { projectId, publicToken, secret, apiUrl, jwksUrl } = checked;
  const { cookies, pages, clockToleranceSeconds, timeoutMs, boundSessions } = checked;
  const { adapters = {} } = options;
  const { clock = new SystemClock(globalThis) } = adapters;
  // Read on each request, so that a replacement by the host is used.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const transport = adapters.transport ?? new FetchTransport(fetch, clock, { timeoutMs, maxBytes: MAX_BYTES });
  const crypto = new WebCrypto(globalThis.crypto);
  const shares = !isWorker();

  const keys = new KeyRing(adapters.keys ?? new JwksOverHttp(transport, jwksUrl), clock, shares);
  const issuers = [`stytch.com/${projectId}`, apiUrl, `${apiUrl}/`];
  const jwt = new SessionJwt(new JoseJwt(), keys, clock, {
    issuers,
    audience: projectId,
    toleranceSeconds: clockToleranceSeconds,
  });
  const publicApi = publicToken === undefined ? null : new PublicSessionApi(transport, apiUrl, publicToken);
  const backendApi = secret === undefined ? null : new BackendSessionApi(transport, apiUrl, projectId, secret);
  const api = backendApi ?? publicApi;
  const policies = publicApi ?? backendApi;
  let proofs: PageProofs | undefined;
  const judge: JudgeProof = async (proved) => {
    try {
      const late = await import('#infrastructure/server/page-proofs.ts');
      proofs ??= new late.PageProofs({ serverUrls: checked.serverUrls, clock, crypto, used: adapters.usedProofs });
      return await proofs.judge(proved);
    } catch (error) {
      throw new UnavailableError('proofs', error);
    }
  };
  const verifier = new RequestVerifier({
    cookies,
    pages,
    jwt,
    clock,
    proofs: boundSessions === 'ignore' ? null : { judge, isRequired: boundSessions === 'require' },
    hashOf: async (token) => tokenHashOf(await crypto.sha256(token)),
    apiAccess: api &&
      policies && {
        api,
        policy: new CachedValue('policy', async () => policies.policy(), clock, POLICY_LIFETIMES, shares),
        budget: new RequestBudget(clock, UNKNOWN_JWTS.atOnce, UNKNOWN_JWTS.intervalMs),
      },
  });
  const { log = new ConsoleLog(globalThis) } = adapters;
  const logged = new Set<string>();
  return {
    async authenticateRequest(request, requirements) {
      const found = await verifier.authenticateRequest(request, requirements);
      const problem = found.status === 'unavailable' ? problemOf(found, apiUrl, jwksUrl) : null;
      if (problem !== null && !logged.has(problem)) {
        logged.add(problem);
        log.error(`createVerifier: ${problem}. Requests that need it are answered as unavailable.`);
      }
      return found;
    },
  };
}

/** A problem that an operator can correct: a setting, or the URL of an API that does not answer. Null for anything else. */
function problemOf({ setting, needs, error }: Unavailable, apiUrl: string, jwksUrl: string): string | null {
  if (setting !== undefined) return `${REFUSED[setting]} at ${apiUrl}`;
  if (error.cause instanceof Doubt) return error.cause.problem;
  if (error.kind !== 'unreachable' || needs === 'proofs') return null;
  return `${needs === 'keys' ? jwksUrl : apiUrl} gives no usable answer: is it the address of the API, and does it run`;
}

/** The messages for the operator, each logged once. They contain no secret. */
const REFUSED: Readonly<Record<RefusedSetting, string>> = {
  projectId: 'there is no project of this projectId, or no API,',
  publicToken: 'no project has this publicToken',
  secret: 'this secret is none of this projectId',
};

/** True on platforms where a request must not wait for another request's fetch: Cloudflare's runtime and Vercel's edge. */
function isWorker(): boolean {
  const { WebSocketPair, EdgeRuntime } = globalThis as { WebSocketPair?: unknown; EdgeRuntime?: unknown };
  return WebSocketPair !== undefined || EdgeRuntime !== undefined;
}
