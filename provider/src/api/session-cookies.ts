import { cookiesIn, credentialsOf } from '#domain/sessions/request-credentials.ts';
import { mayUseCookies, NO_SECRETS } from '#domain/rules/session-cookies.ts';
import { isLoopbackHost } from '#domain/safe-url.ts';
import { fitsCookie } from '#domain/sessions/cookie-size.ts';
import { hintName, isHintFor, PLAIN_HINT } from '#domain/sessions/session-hint.ts';
import { isRecord } from '#domain/shape.ts';
import type { SessionCookieSettings } from '#provider/project/settings/cookies.ts';
import { unverifiedClaims } from '#provider/base/security/jwts.ts';
import { newChallenge, TRIAL_SECONDS } from '#provider/accounts/sessions/device-binding.ts';
import { endOfJwt } from '#provider/accounts/sessions/rows/jwt.ts';
import type { CookieSecrets, PresentedSession } from '#provider/accounts/sessions/reading/current.ts';
import type { LoginOutcome } from '#provider/accounts/sessions/login/login-policy.ts';
import { requestOrigin } from '#provider/base/http/arrival.ts';
import type { AppContext } from '#provider/base/http/environment.ts';
import type { Services } from './services.ts';
import { BOUND_PATHS } from './bound-addresses.ts';
import { domainAttribute, earlierCookies, expired, hintedPlaces, hintOf, type CookiePlace } from './cookie-hints.ts';

const DAY_SECONDS = 24 * 60 * 60;

type Settings = SessionCookieSettings & { readonly domain: string };
type CookieServices = Pick<Services, 'clock' | 'random' | 'keys' | 'project'>;

/** The cookie of a browser that needs no second factor. */
const TRUSTED_DEVICE = 'stytch_trusted_device';

/** The first segments of a path, as far as a cookie's attribute can contain them. */
const PLAIN_PATH = /^(?:\/[\w.~:%-]+){0,8}/u;

/** The session cookies of one request and its reply. Scripts can read neither the cookies nor, in replies, the secrets in them. */
export class SessionCookies {
  /** Empty unless a page of this site sent the request. */
  readonly secrets: CookieSecrets;
  /** The token of a browser that the user trusts. */
  readonly trustedDevice: string | undefined;
  /** Our cookie names that occurred more than once. */
  private readonly repeated: readonly string[];
  /** Whether the browser sent cookies of another project, which uses the same names on a parent of this host. */
  private readonly isShared: boolean;
  /** The hint of an earlier release, which does not say where its cookies are. */
  private readonly isPlain: boolean;
  /** The lines that expire the cookies of earlier settings. */
  private readonly earlier: readonly string[];
  private readonly earlierDomains: readonly string[];
  /** True if the browser stores at least one of our cookies. */
  private readonly isKept: boolean;

  private constructor(
    private readonly context: AppContext,
    private readonly services: CookieServices,
    private readonly settings: Settings,
    /** The host of this server, as browsers see it. */
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
        // Requests with an unregistered Origin were refused before.
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
    const places = hintedPlaces(services, cookie);
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
   * Null in a project whose clients store the sessions.
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
   * Waits for the answer. Moves the secrets of a login or a refresh from the reply into cookies. The cookies of a session that has ended
   * are removed, even if the answer is a refusal.
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
      // If the database cannot be read, that does not mean that the session is over.
      if (!isSet && this.isKept && (await session.isOver().catch(() => false))) {
        this.clear(session.isAmbiguous);
      }
    }
  }

  /**
   * Sets the session's cookies. A refresh does not change a token, and its reply may arrive after the reply to a login in another tab. So
   * the token is set only if it is new, moved or extended: otherwise an old one could replace a new one.
   */
  private async set(
    { session, session_token = '', session_jwt = '' }: LoginOutcome,
    before: PresentedSession,
    lasts: boolean,
  ) {
    // The reply to a JWT without its token, or to a login that lacks a factor.
    if (session_token === '' || session === null) return;
    const { names } = this.settings;
    const seconds = Math.ceil((Date.parse(session.expires_at) - this.services.clock.now()) / 1000);
    const isNew = !this.secrets.tokens.includes(session_token);
    this.removeOthers();
    // The token may be only in an earlier place, whose cookies have just been expired.
    const isMoved = this.earlier.length > 0 || this.repeated.length > 0;
    if (lasts || isNew || isMoved) this.write(names.token, session_token, seconds, true);
    if (session.device_bound === true) this.setProof(session_jwt);
    else if (await before.isOnTrial(session)) this.setTrial(session_jwt);
    else this.write(names.jwt, session_jwt, seconds, true);
    // Only to the browser of the login. Otherwise whoever has copied a session's secrets could bind it to their own key.
    if (session.device_bound !== true && !(await before.hasToken(session_token))) this.offerBinding(session.session_id);
    this.write(hintName(names.token), hintOf(this.services, this.place), seconds, false);
    if (this.trustedDevice !== undefined && !this.isShared) this.moveTrust(this.trustedDevice);
  }

  /** The token of a trusted browser moves together with the session. */
  private moveTrust(secret: string): void {
    if (this.earlierDomains.length === 0) return;
    for (const domain of this.earlierDomains) this.append(expired(TRUSTED_DEVICE, '/', domainAttribute(domain)));
    this.write(TRUSTED_DEVICE, secret, this.trustedSeconds, true);
  }

  /**
   * Stores the JWT of a bound session for as long as it is valid: a browser without the cookie proves itself before it sends the next
   * request. If there is no JWT, the cookie of an earlier one is removed for the same reason.
   */
  setProof(jwt: string): void {
    this.write(this.settings.names.jwt, jwt, Math.ceil(endOfJwt(jwt) - this.services.clock.now() / 1000), true);
  }

  /** Stores the JWT of a session with an unused key only briefly, so that the browser soon uses the key. */
  setTrial(jwt: string): void {
    this.write(this.settings.names.jwt, jwt, TRIAL_SECONDS, true);
  }

  /** The name and the attributes of the cookie that proves a bound session. */
  get proofCookie(): { readonly name: string; readonly attributes: string } {
    return { name: this.settings.names.jwt, attributes: `Path=/; ${this.attributes()}; HttpOnly` };
  }

  /** Asks a browser with device-bound sessions to make a key. Other browsers ignore the header. */
  private offerBinding(sessionId: string): void {
    if (this.settings.device_bound === 'off') return;
    const challenge = newChallenge(this.services, 'registration', sessionId);
    const offer = `(ES256 RS256);path="${BOUND_PATHS.register}";challenge="${challenge}"`;
    this.context.header('Secure-Session-Registration', offer);
  }

  /** @param isTossed whether somebody added another user's cookies to the visitor's */
  private clear(isTossed: boolean): void {
    const { names } = this.settings;
    this.removeOthers(isTossed);
    this.write(names.token, '', 0, true);
    this.write(names.jwt, '', 0, true);
    this.write(hintName(names.token), '', 0, false);
    if (this.isPlain && !this.isShared) this.remove(this.names, ['/']);
  }

  /**
   * Removes the cookies of earlier settings, according to their hints. If a name occurred twice, also removes the cookies of all names in
   * other places.
   */
  private removeOthers(isTossed = false): void {
    for (const line of this.earlier) this.append(line);
    this.removeForeign(isTossed);
    const single = this.names.filter((name) => !this.repeated.includes(name));
    if (this.repeated.length > 0 && (isTossed || !this.isShared)) this.remove(single, ['/']);
  }

  /**
   * Removes cookies of a duplicate name that have another path or domain: a sibling host may have added them (cookie tossing). A request
   * shows neither, but only paths that begin its own path and domains that end its host can match. Cookies of another project stay, unless
   * the request is ambiguous.
   */
  removeForeign(isTossed = false): void {
    if (this.isShared && !isTossed) return;
    const segments = (PLAIN_PATH.exec(this.context.req.path)?.[0] ?? '').split('/').slice(1);
    const folders = segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
    this.remove(this.repeated, ['/', ...folders.flatMap((folder) => [folder, `${folder}/`])]);
  }

  /** Removes cookies with these names and paths, except our own. */
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
    // The browser would keep the older JWT. Without a JWT, servers use the token.
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

/** Whether the JWT is of another project. This is unverified, but only decides not to remove the cookie. */
function namesAnother(jwt: string, projectId: string): boolean {
  try {
    const { aud } = unverifiedClaims(jwt);
    return ![aud].flat().includes(projectId);
  } catch {
    return false;
  }
}
