import { BehaviorSubject, Subject, type Observable, type Subscription } from 'rxjs';
import {
  isSession,
  localEnd,
  parseState,
  sameState,
  SIGNED_OUT,
  type Session,
  type SessionState,
  type SessionTokens,
} from '#domain/sessions/session.ts';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { sameJson } from '#domain/json.ts';
import { hintName, isHintFor } from '#domain/sessions/session-hint.ts';
import type { MfaStep } from '#domain/sessions/mfa.ts';
import { isUser, type User } from '#domain/users/user.ts';
import { splitUser, type AuthenticationReply } from '../api/authenticated.ts';
import { changesOf } from '../changes.ts';
import type { ClockPort, CookiesPort, StoragePort } from '../ports/index.ts';
import type { ClientKeys } from '../wire/client-keys.ts';
import type { CookiePlace } from './cookie-options.ts';
import { SessionCookies, valuesOf } from './session-cookies.ts';

/** The lifetime of an intermediate session: ten minutes (specification, section 9). */
const INTERMEDIATE_MS = 600_000;

/** The state. `fromCache` is true until the server has confirmed it in this page. */
export type Snapshot = SessionState & { readonly fromCache: boolean };

/** What the client has just written to its cookies. */
export interface KeptTokens {
  /** Undefined after a sign-out, and if the server stores them. */
  readonly tokens: Partial<SessionTokens>;
  /** Milliseconds since 1970; null for the browser session. */
  readonly expiresAt: number | null;
  /** True for tokens from a reply. */
  readonly isConfirmed: boolean;
}

/**
 * The single owner of the session: the cookie pair, local storage and the streams (specification, section 4).
 *
 * The streams emit only real changes, and once more when the server has confirmed a cached state. An unchanged object keeps its identity.
 * Writes of other tabs are followed. If a stored session has expired by this browser's clock, it is not reported, but kept until the server
 * has answered.
 */
export class SessionStore {
  private readonly subject: BehaviorSubject<Snapshot>;
  /** The last emitted snapshot, possibly with a newer `last_accessed_at`, which is not emitted. */
  private current: Snapshot;
  /** The stored text of a session that has expired by this browser's clock. The clock may be wrong: the server decides. */
  private lapsed: string | null = null;
  private readonly following: Subscription;
  /** The missing steps of this client's logins, as they become known. */
  readonly steps$ = new Subject<MfaStep>();
  /** Writes to the cookies, emitted synchronously. */
  readonly kept$ = new Subject<KeptTokens>();
  readonly cookieJar: SessionCookies;
  readonly session$: Observable<Session | null>;
  readonly user$: Observable<User | null>;

  constructor(
    private readonly storage: StoragePort,
    private readonly cookies: CookiesPort,
    private readonly clock: Pick<ClockPort, 'now'>,
    private readonly keys: ClientKeys,
    private readonly place: CookiePlace,
  ) {
    this.cookieJar = new SessionCookies(storage, cookies, keys, place);
    const text = storage.get(keys.state);
    let stored = parseState(text) ?? SIGNED_OUT;
    if (stored.session !== null && Date.parse(stored.session.expires_at) <= clock.now()) {
      this.lapsed = text;
      stored = SIGNED_OUT;
    }
    this.current = { ...stored, fromCache: stored.session !== null };
    this.subject = new BehaviorSubject(this.current);
    this.session$ = this.part((snapshot) => snapshot.session);
    this.user$ = this.part((snapshot) => snapshot.user);
    this.following = storage.changes(keys.state).subscribe(() => this.reload());
  }

  state(): Snapshot {
    return this.current;
  }

  /** Both tokens, or null if either is missing. */
  tokens(): SessionTokens | null {
    const [session_token, session_jwt] = [this.cookieJar.get('token'), this.jwt()];
    return session_token && session_jwt ? { session_token, session_jwt } : null;
  }

  /** The secret that is sent to the server: the opaque token, else the signed one, else null. */
  secret(): string | null {
    return this.cookieJar.get('token') || this.jwt() || null;
  }

  /** The intermediate session of a login that lacks a factor; null if there is none or its ten minutes are over. */
  intermediateToken(): string | null {
    return this.cookieJar.get('intermediate') || null;
  }

  /** True when a session is stored, including one that has expired by this clock and waits for the server's answer. */
  isHere(): boolean {
    return this.state().session !== null || this.lapsed !== null;
  }

  /** True when there may be a session, confirmed or not: a session or a token is stored, here or in HttpOnly cookies. */
  mayBeSignedIn(): boolean {
    return this.isHere() || this.hasCookies();
  }

  /** True if the cookies of a session exist. All hosts of their domain share them. */
  hasCookies(): boolean {
    return this.secret() !== null || this.isHinted();
  }

  /** True if the server has reported a session in HttpOnly cookies for this browser, and the user has not signed out. */
  isHinted(): boolean {
    return this.hasHint() && !this.owesSignOut();
  }

  /** True if the user has signed out, but the request to end the session and remove its cookies failed. */
  owesSignOut(): boolean {
    return this.storage.get(this.owedKey) !== null;
  }

  /** Records a sign-out whose request failed, if only the server can remove the cookies. */
  oweSignOut(): void {
    if (this.hasHint()) this.storage.set(this.owedKey, '1');
  }

  /**
   * Stores the reply of a successful authenticate call, and returns it without `__user`. Throws without changes when the reply has
   * neither a session nor an intermediate token.
   */
  update<Reply extends AuthenticationReply>(response: Reply): Reply {
    const [whole, reply] = splitUser(response);
    const { session, session_token, session_jwt, intermediate_session_token, mfa } = reply;
    if (!session && intermediate_session_token) {
      this.updateIntermediate(intermediate_session_token);
      if (mfa) this.steps$.next(mfa);
      return reply;
    }
    const user = isUser(whole) ? whole : reply.user;
    if (!isSession(session) || !isUser(user)) throw new SDKAPIUnreachableError('invalid-response');
    this.keepTokens({ session_token, session_jwt }, localEnd(session, this.clock.now()), true);
    this.commit({ session, user });
    return reply;
  }

  /** Stores newer data of the signed-in user. */
  updateUser(user: User): void {
    const { session } = this.state();
    if (session !== null && isUser(user)) this.commit({ session, user });
  }

  /** Stores tokens that the host obtained itself; the next authenticate call loads their session. */
  updateTokens(tokens: { readonly session_token: string; readonly session_jwt?: string }): void {
    this.keepTokens(tokens, null);
  }

  /** Stores an intermediate token, which replaces the session until the login is complete (section 4). */
  updateIntermediate(token: string): void {
    this.keepTokens({}, null);
    this.cookieJar.set('intermediate', token, this.clock.now() + INTERMEDIATE_MS);
    this.commit(SIGNED_OUT);
  }

  /** Removes the session in this tab and in the other tabs. */
  clear(): void {
    this.keepTokens({}, null);
    this.commit(SIGNED_OUT);
  }

  /**
   * Reads the shared storage again. A damaged state is replaced by the state of this tab.
   *
   * @param alive true if the session is not known to have ended. A missing state is then restored if the cookies still exist: signing out
   * removes the cookies first, so the browser must have deleted the state. The server has confirmed nothing yet, so `fromCache` stays true,
   * unless another tab has written the server's answer
   */
  reload(alive = false): void {
    const text = this.storage.get(this.keys.state);
    // A different text was written by another tab, which has the server's response.
    if (text !== null && text === this.lapsed) return;
    this.lapsed = null;
    const stored = text === null && alive && this.hasCookies() ? null : parseState(text);
    if (stored === null) this.commit(this.state(), alive);
    else this.emit(stored, alive);
  }

  /** Stops following the other tabs and ends the streams. */
  destroy(): void {
    this.following.unsubscribe();
    this.kept$.complete();
    this.subject.complete();
  }

  private get owedKey(): string {
    return this.keys.storage('sign_out');
  }

  private hasHint(): boolean {
    const hints = valuesOf(this.cookies, hintName(this.place.names.token));
    return hints.some((hint) => isHintFor(this.keys.publicToken, hint));
  }

  private jwt(): string | null {
    return this.cookieJar.get('jwt', this.current.session?.session_id);
  }

  /**
   * Stores the session's tokens and removes the intermediate one (section 4). The cookie of a missing or empty token is removed,
   * because the server keeps that token in an HttpOnly cookie.
   *
   * @param expiresAt milliseconds since 1970, or null for the browser session
   */
  private keepTokens(tokens: Partial<SessionTokens>, expiresAt: number | null, isConfirmed = false): void {
    this.cookieJar.set('token', tokens.session_token, expiresAt);
    this.cookieJar.set('jwt', tokens.session_jwt, expiresAt);
    this.cookieJar.set('intermediate', undefined, null);
    if (tokens.session_token) this.cookieJar.remember(tokens.session_token);
    this.storage.remove(this.owedKey);
    this.kept$.next({ tokens, expiresAt, isConfirmed });
  }

  private commit({ session, user }: SessionState, unconfirmed?: boolean): void {
    this.lapsed = null;
    if (session === null) this.storage.remove(this.keys.state);
    else this.storage.set(this.keys.state, JSON.stringify({ user, session }));
    this.emit(session === null ? SIGNED_OUT : { session, user }, unconfirmed);
  }

  private emit(next: SessionState, unconfirmed = false): void {
    const now = this.current;
    const session = sameJson(now.session, next.session) ? now.session : next.session;
    const user = sameJson(now.user, next.user) ? now.user : next.user;
    this.current = { session, user, fromCache: unconfirmed && now.fromCache && session === now.session } as Snapshot;
    if (now.fromCache || !sameState(now, next)) this.subject.next(this.current);
  }

  private part<T>(pick: (snapshot: Snapshot) => T): Observable<T> {
    return changesOf(
      this.subject,
      () => pick(this.current),
      (a, b) => sameJson(pick(a), pick(b), ['last_accessed_at']) && a.fromCache === b.fromCache,
    );
  }
}
