import { tokenHashOf, tokenHashOfClaims } from '#domain/sessions/session-claim.ts';
import { localEnd, SESSION_CLAIM } from '#domain/sessions/session.ts';
import { unverifiedClaims } from '#domain/sessions/unverified-claims.ts';
import type { CookieScope, Ports } from '../ports/index.ts';
import type { CookiePlace } from './cookie-options.ts';
import { placeText } from './session-cookies.ts';
import type { KeptTokens, SessionStore } from './session-store.ts';

/** The project in a session's JWT; empty without one. */
function projectOf(jwt: string): string {
  const { aud, [SESSION_CLAIM]: claim } = unverifiedClaims(jwt);
  const [project] = [aud].flat();
  return claim !== undefined && typeof project === 'string' && /^\S+$/u.test(project) ? project : '';
}

interface RecordedPlace {
  readonly names: readonly string[];
  readonly scope: CookieScope;
}

/**
 * Expires the session's cookies with earlier scopes and names, after the host changed these options. Otherwise a browser sends them
 * together with the newer ones, often first, and a sign-out would leave them.
 *
 * Only this project's cookies are expired: those that this client has stored here, according to its record, and others only if the JWTs
 * show that all visible ones belong to the project. It is not visible which scope a cookie has.
 */
export class EarlierCookies {
  constructor(
    private readonly store: SessionStore,
    private readonly place: CookiePlace,
    private readonly ports: Pick<Ports, 'browser' | 'clock' | 'cookies' | 'crypto'>,
  ) {}

  /** Follows the client's writes until the store ends. */
  start(): void {
    const following = this.store.kept$.subscribe((update) => void this.expire(update));
    // This code may arrive after the store has ended, when another client uses the places in the record.
    if (following.closed) return;
    const { session, fromCache } = this.store.state();
    const tokens = this.store.tokens();
    if (session === null || fromCache || tokens === null) return;
    // The login that loaded this code has already written them.
    void this.expire({ tokens, expiresAt: localEnd(session, this.ports.clock.now()), isConfirmed: true });
  }

  private async expire(update: KeptTokens): Promise<void> {
    try {
      this.expireRecorded(update);
      await this.expireNamed(update);
    } catch {
      // A damaged record names no cookie. The remaining ones are expired with the next login.
    }
  }

  /** The places in this client's record. They are removed from it, because another project may use them from now on. */
  private expireRecorded(update: KeptTokens): void {
    const { cookieJar } = this.store;
    const { mark, places, project } = cookieJar.record();
    const here = placeText(this.place);
    const own = (update.isConfirmed && projectOf(update.tokens.session_jwt ?? '')) || project;
    const stays = places.filter((place) => place === here && update.tokens.session_token);
    cookieJar.write({ mark, project: own, places: stays });
    const earlier = places.filter((place) => place !== here).map((place) => this.parsed(place));
    const removals = earlier.filter((place) => this.mayLeave(place, { earlier, update, own }));
    for (const { names, scope } of removals) for (const name of names) this.remove(name, scope);
    if (removals.length > 0) this.restore(update);
  }

  /** False if a visible cookie of another project may now be in this place. */
  private mayLeave(
    { names: [, jwtName = ''], scope }: RecordedPlace,
    {
      earlier,
      update,
      own,
    }: { readonly earlier: readonly RecordedPlace[]; readonly update: KeptTokens; readonly own: string },
  ): boolean {
    const { cookies } = this.ports;
    const projects = (cookies.all?.(jwtName) ?? []).map(projectOf);
    const { pathname } = new URL(this.ports.browser.href());
    if (own === '' || projects.every((project) => project === own) || !pathname.startsWith(scope.path)) return true;
    const isHere = jwtName === this.place.names.jwt && update.tokens.session_jwt;
    const ours = projects.filter((project) => project === own).length - (isHere ? 1 : 0);
    return ours >= earlier.filter((place) => place.names[1] === jwtName).length;
  }

  private parsed(place: string): RecordedPlace {
    const [token = '', jwt = '', intermediate = '', path = '', domain = ''] = place.split(';');
    const { secure } = this.place.scope;
    return { names: [token, jwt, intermediate], scope: { path, domain: domain || null, secure } };
  }

  /** Cookies whose JWT names the project, in any scope that this page can see. */
  private async expireNamed(update: KeptTokens): Promise<void> {
    const { cookieJar } = this.store;
    const { project } = cookieJar.record();
    const [tokens, jwts] = [cookieJar.all('token'), cookieJar.all('jwt')];
    const { session_token, session_jwt } = update.tokens;
    const isAlone = tokens.length <= (session_token ? 1 : 0) && jwts.length <= (session_jwt ? 1 : 0);
    if (isAlone || project === '' || jwts.some((jwt) => projectOf(jwt) !== project)) return;
    const hashes = jwts.map((jwt) => tokenHashOfClaims(unverifiedClaims(jwt)));
    const proved = await Promise.all(
      tokens.map(async (token) => hashes.includes(tokenHashOf(await this.ports.crypto.sha256(token)))),
    );
    // JWTs of other servers do not show which token they belong to.
    const isPaired = hashes.every((hash) => hash === null) && tokens.length <= jwts.length;
    const isOurs = (token: string, at: number): boolean => proved[at] === true || token === session_token;
    const isSame = String([cookieJar.all('token'), cookieJar.all('jwt')]) === String([tokens, jwts]);
    if (!isSame || !(isPaired || tokens.every(isOurs))) return;
    for (const scope of this.otherScopes()) {
      for (const name of [this.place.names.token, this.place.names.jwt]) this.remove(name, scope);
    }
    this.restore(update);
  }

  /** Every scope whose cookies this page can see, except the client's own. */
  private otherScopes(): readonly CookieScope[] {
    const { browser } = this.ports;
    const { hostname } = browser;
    const labels = hostname.split('.');
    const parents = labels.map((_, from) => labels.slice(from).join('.')).filter((name) => name.includes('.'));
    const folders = new URL(browser.href()).pathname.split('/').slice(1);
    const paths = folders.flatMap((_, at) => {
      const path = `/${folders.slice(0, at + 1).join('/')}`;
      return [path, `${path}/`];
    });
    const { scope } = this.place;
    return [...new Set(['/', ...paths])].flatMap((path) =>
      [null, ...new Set([hostname, ...parents])]
        .filter((domain) => path !== scope.path || domain !== scope.domain)
        .map((domain) => ({ ...scope, path, domain })),
    );
  }

  private remove(name: string, scope: CookieScope): void {
    try {
      this.ports.cookies.remove(name, scope);
    } catch {
      // A path of the page, or of a damaged record, with a character that cookies cannot have.
    }
  }

  /** Writes the newest cookies again, because the port treats a removal as one of all cookies with the name. */
  private restore({ tokens, expiresAt }: KeptTokens): void {
    const { cookieJar } = this.store;
    if (tokens.session_token) cookieJar.set('token', tokens.session_token, expiresAt);
    if (tokens.session_jwt) cookieJar.set('jwt', tokens.session_jwt, expiresAt);
  }
}
