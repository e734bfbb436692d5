import { cookiesIn, credentialsOf } from '../../../src/domain/sessions/request-credentials.ts';
import { isWithin, mayUseCookies, NO_SECRETS } from '../../../src/domain/rules/session-cookies.ts';
import { isLoopbackHost } from '../../../src/domain/safe-url.ts';
import { fitsCookie } from '../../../src/domain/sessions/cookie-size.ts';
import { hintName, isHintFor, PLAIN_HINT } from '../../../src/domain/sessions/session-hint.ts';
import { isRecord } from '../../../src/domain/shape.ts';
import type { SessionCookieSettings } from '../project/settings/cookies.ts';
import { unverifiedClaims } from '../base/security/jwts.ts';
import { newChallenge, TRIAL_SECONDS } from '../accounts/sessions/device-binding.ts';
import { endOfJwt } from '../accounts/sessions/rows/jwt.ts';
import type { CookieSecrets, PresentedSession } from '../accounts/sessions/reading/current.ts';
import type { LoginOutcome } from '../accounts/sessions/login/login-policy.ts';
import { requestOrigin } from '../base/http/arrival.ts';
import type { AppContext } from '../base/http/environment.ts';
import type { Services } from './services.ts';
import { BOUND_PATHS } from './bound-addresses.ts';
import { domainAttribute, earlierCookies, expired, hintedPlaces, hintOf, type CookiePlace } from './cookie-hints.ts';

const DAY_SECONDS = 24 * 60 * 60;

type Settings = SessionCookieSettings & { readonly domain: string };
type CookieServices = Pick<Services, 'clock' | 'random' | 'keys' | 'project'>;

/** The cookie of a browser in which no second factor is asked for. */
const TRUSTED_DEVICE = 'stytch_trusted_device';

/** The first segments of a path that a cookie's attribute can contain. */
const PLAIN_PATH = /^(?:\/[\w.~:%-]+){0,8}/u;

/**
 * The session's cookies of one request: those that the browser sent, and those of the reply. Scripts can read neither the cookies
 * nor, in replies, the secrets in them.
 */
export class SessionCookies {
  /** Empty unless a page of this site sent the request. */
  readonly secrets: CookieSecrets;
  /** The secret of a browser that the user trusts. */
  readonly trustedDevice: string | undefined;
  /** Those of our names that came more than once. */
  private readonly repeated: readonly string[];
  /** Whether the browser sent cookies of another project, which has the same names on a parent of this host. */
  private readonly isShared: boolean;
  /** The hint of an earlier release, which does not say where its cookies are. */
  private readonly isPlain: boolean;
  /** The lines that expire the cookies of earlier settings. */
  private readonly earlier: readonly string[];
  private readonly earlierDomains: readonly string[];
  /** True when the browser keeps at least one of our cookies. */
  private readonly isKept: boolean;

  private constructor(
    private readonly context: AppContext,
    private readonly services: CookieServices,
    private readonly settings: Settings,
    /** The host by which browsers know this server. */
    private readonly host: string,
    private readonly trustedSeconds: number,
    isSentByBrowser: boolean,
  ) {
    const { names } = settings;
    const { req } = context;
    const fetchSite = req.header('sec-fetch-site');
    const isSameSite = fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'same-site';
    const counts =
      isSentByBrowser ||
      mayUseCookies(
        { method: req.method, origin: req.header('origin'), fetchSite },
        // Requests with another Origin than the registered ones were refused before.
        { serves: 'calls', lists: () => isSameSite, isOwn: () => false },
      );
    const cookie = counts ? (req.header('cookie') ?? '') : '';
    const headers = new Headers({ cookie });
    this.secrets = { ...credentialsOf(headers, names), isSkipped: req.header('secure-session-skipped') !== undefined };
    const cookies = cookiesIn(cookie);
    this.trustedDevice = cookies.find(([name]) => name === TRUSTED_DEVICE)?.[1];
    const cookieNames = cookies.map(([name]) => name);
    this.repeated = this.names.filter((name) => cookieNames.indexOf(name) !== cookieNames.lastIndexOf(name));
    this.isKept = this.names.some((name) => cookieNames.includes(name));
    const { public_token, project_id } = services.project;
    const hints = cookies.filter(([name]) => name === hintName(names.token)).map(([, value]) => value);
    this.isPlain = hints.includes(PLAIN_HINT);
    this.isShared =
      hints.some((hint) => !isHintFor(public_token, hint)) ||
      this.secrets.jwts.some((jwt) => namesAnother(jwt, project_id));
    const places = hintedPlaces(services, cookie).filter(({ domain }) => isWithin(domain, host));
    this.earlier = earlierCookies(places, this.place);
    this.earlierDomains = places.map(({ domain }) => domain).filter((domain) => domain !== settings.domain);
  }

  private get names(): readonly string[] {
    const { names } = this.settings;
    return [names.token, names.jwt, hintName(names.token)];
  }

  private get place(): CookiePlace {
    const { domain, names } = this.settings;
    return { domain, token: names.token, jwt: names.jwt };
  }

  /**
   * Null in a project whose sessions are kept by the client.
   *
   * @param isSentByBrowser whether no page can have caused the request
   */
  static of(services: CookieServices, context: AppContext, isSentByBrowser = false) {
    const { project } = services;
    const { session_cookies: settings, issuer, mfa } = project;
    const { domain } = settings;
    if (!settings.http_only || domain === null) return null;
    const { hostname } = new URL(issuer ?? requestOrigin(context));
    const days = mfa?.trusted_devices?.days ?? 0;
    return new SessionCookies(
      context,
      services,
      { ...settings, domain },
      hostname,
      days * DAY_SECONDS,
      isSentByBrowser,
    );
  }

  /**
   * Waits for the answer. The secrets of a login or a refresh go into cookies, and are left out of the reply. The cookies of a
   * session that has ended are removed, also when the answer is a refusal.
   */
  async settle(answering: () => Promise<object>, session: PresentedSession, body: unknown): Promise<object> {
    let isSet = false;
    try {
      const answer = await answering();
      if (!isAuthenticated(answer)) return answer;
      await this.set(answer, session, isRecord(body) && body['session_duration_minutes'] !== undefined);
      isSet = true;
      const { trusted_device_token: trusted, ...fields } = answer;
      if (trusted !== undefined) this.write(TRUSTED_DEVICE, trusted, this.trustedSeconds, true);
      return { ...fields, ...NO_SECRETS };
    } finally {
      // An unreadable database does not mean that the session is over.
      if (!isSet && this.isKept && (await session.isOver().catch(() => false))) {
        this.clear(session.isAmbiguous);
      }
    }
  }

  /**
   * A refresh does not change a token. Its reply may arrive after the reply to a login in another tab, and would replace the new
   * token by the old one.
   */
  private async set(
    { session, session_token = '', session_jwt = '' }: LoginOutcome,
    before: PresentedSession,
    lasts: boolean,
  ) {
    // The reply to a JWT without its token, and that of a login which lacks a factor.
    if (session_token === '' || session === null) return;
    const { names } = this.settings;
    const seconds = Math.ceil((Date.parse(session.expires_at) - this.services.clock.now()) / 1000);
    const isNew = !this.secrets.tokens.includes(session_token);
    this.removeOthers();
    // The token may be in an earlier place alone, whose cookies have just been expired.
    const isMoved = this.earlier.length > 0 || this.repeated.length > 0;
    if (lasts || isNew || isMoved) this.write(names.token, session_token, seconds, true);
    if (session.device_bound === true) this.setProof(session_jwt);
    else if (await before.isOnTrial(session)) this.setTrial(session_jwt);
    else this.write(names.jwt, session_jwt, seconds, true);
    // Only to the browser of the login: whoever has copied the secrets of a session could bind it to a key of their own.
    if (session.device_bound !== true && !(await before.hasToken(session_token))) this.offerBinding(session.session_id);
    this.write(hintName(names.token), hintOf(this.services, this.place), seconds, false);
    if (this.trustedDevice !== undefined && !this.isShared) this.moveTrust(this.trustedDevice);
  }

  /** The secret of a browser that the user trusts moves with the session. */
  private moveTrust(secret: string): void {
    if (this.earlierDomains.length === 0) return;
    for (const domain of this.earlierDomains) this.append(expired(TRUSTED_DEVICE, '/', domainAttribute(domain)));
    this.write(TRUSTED_DEVICE, secret, this.trustedSeconds, true);
  }

  /**
   * Keeps the JWT of a bound session for as long as it is valid: a browser that misses the cookie proves itself before it sends the next
   * request. Without a JWT, the cookie of an earlier one is removed for the same reason.
   */
  setProof(jwt: string): void {
    this.write(this.settings.names.jwt, jwt, Math.ceil(endOfJwt(jwt) - this.services.clock.now() / 1000), true);
  }

  /** Keeps the JWT of a session whose key has not been used yet for a moment only, so that the browser soon uses the key. */
  setTrial(jwt: string): void {
    this.write(this.settings.names.jwt, jwt, TRIAL_SECONDS, true);
  }

  /** The name and the attributes of the cookie that proves a bound session. */
  get proofCookie(): { readonly name: string; readonly attributes: string } {
    return { name: this.settings.names.jwt, attributes: `Path=/; ${this.attributes()}; HttpOnly` };
  }

  /** Asks a browser that has device-bound sessions to make a key. Other browsers ignore the header. */
  private offerBinding(sessionId: string): void {
    if (this.settings.device_bound === 'off') return;
    const challenge = newChallenge(this.services, 'registration', sessionId);
    const offer = `(ES256 RS256);path="${BOUND_PATHS.register}";challenge="${challenge}"`;
    this.context.header('Secure-Session-Registration', offer);
  }

  /** @param isTossed whether somebody added cookies of another user to those of the visitor */
  private clear(isTossed: boolean): void {
    const { names } = this.settings;
    this.removeOthers(isTossed);
    this.write(names.token, '', 0, true);
    this.write(names.jwt, '', 0, true);
    this.write(hintName(names.token), '', 0, false);
    if (this.isPlain && this.repeated.length === 0 && !this.isShared) this.remove(this.names, ['/']);
  }

  /** Removes the cookies of earlier settings, by their hints, and where a name came twice, those of all names in other places. */
  private removeOthers(isTossed = false): void {
    for (const line of this.earlier) this.append(line);
    this.removeForeign(isTossed);
    const single = this.names.filter((name) => !this.repeated.includes(name));
    if (this.repeated.length > 0 && (isTossed || !this.isShared)) this.remove(single, ['/']);
  }

  /**
   * Removes cookies of a name that came twice, with another path or domain: a sibling host may have added them (cookie tossing). A request
   * shows neither, but only paths that begin its own path and domains that end its host can match. Cookies of another project stay,
   * unless the request is ambiguous.
   */
  removeForeign(isTossed = false): void {
    if (this.isShared && !isTossed) return;
    const segments = (PLAIN_PATH.exec(this.context.req.path)?.[0] ?? '').split('/').slice(1);
    const folders = segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
    this.remove(this.repeated, ['/', ...folders.flatMap((folder) => [folder, `${folder}/`])]);
  }

  /** Removes cookies of these names at these paths, except our own. */
  private remove(names: readonly string[], paths: readonly string[]): void {
    const labels = this.host.split('.');
    const parents = labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'));
    const own = domainAttribute(this.settings.domain);
    const places = paths.flatMap((path) => ['', ...parents].map((parent) => [path, parent] as const));
    for (const name of names) {
      for (const [path, parent] of places) {
        if (path !== '/' || parent !== own) this.append(expired(name, path, parent));
      }
    }
  }

  private write(name: string, value: string, seconds: number, httpOnly: boolean): void {
    // The browser would keep the older JWT. Without one, servers take the token.
    const isKept = fitsCookie(name, value);
    const lifetime = `Max-Age=${isKept ? Math.max(0, seconds) : 0}; Path=/`;
    this.append(`${name}=${isKept ? value : ''}; ${lifetime}; ${this.attributes()}${httpOnly ? '; HttpOnly' : ''}`);
  }

  private attributes(): string {
    const { domain, same_site } = this.settings;
    const parent = domainAttribute(domain);
    return (
      `SameSite=${same_site === 'lax' ? 'Lax' : 'Strict'}` +
      (parent === '' ? '' : `; Domain=${parent}`) +
      (isLoopbackHost(domain) ? '' : '; Secure')
    );
  }

  private append(line: string): void {
    this.context.header('Set-Cookie', line, { append: true });
  }
}

function isAuthenticated(answer: object): answer is LoginOutcome & { readonly trusted_device_token?: string } {
  return 'session_token' in answer || 'session_jwt' in answer;
}

/** Whether the JWT names another project. Nobody has verified that: it only keeps the cookie from being removed. */
function namesAnother(jwt: string, projectId: string): boolean {
  try {
    const { aud } = unverifiedClaims(jwt);
    return aud !== undefined && ![aud].flat().includes(projectId);
  } catch {
    return false;
  }
}
