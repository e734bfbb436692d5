import { BehaviorSubject, distinctUntilChanged, map, type Observable, type Subscription } from 'rxjs';
import {
  isSession,
  localEnd,
  parseState,
  sameState,
  SIGNED_OUT,
  type Session,
  type SessionState,
  type SessionTokens,
} from '../../domain/session.ts';
import { SDKAPIUnreachableError } from '../../domain/errors.ts';
import { sameJson } from '../../domain/json.ts';
import { isUser, type User } from '../../domain/user.ts';
import { splitUser, type Authenticated } from '../api/sessions.ts';
import type { CookieScope, Ports } from '../ports/index.ts';
import type { ClientKeys } from './client-keys.ts';
import { cookieNames, cookieScope, type CookieOptions } from './cookie-options.ts';

/** An intermediate session lasts ten minutes (specification, section 9). */
const INTERMEDIATE_MS = 600_000;

/** The state, and whether the server has yet confirmed it in this page. */
export type Snapshot = SessionState & { readonly fromCache: boolean };

/**
 * The one place where the session lives: the cookie pair, local storage and the streams (specification, section 4).
 *
 * Subscribers hear of real changes only, and once more when what came from the cache has been confirmed; an object
 * that did not change stays the same object. What another tab writes arrives here by itself. A stored session that is over by
 * this browser's clock is not reported, but kept until the server has answered.
 */
export class SessionStore {
  private readonly subject: BehaviorSubject<Snapshot>;
  /** What subscribers heard last, but for a newer `last_accessed_at`, of which nobody is told. */
  private current: Snapshot;
  /** What this page found stored of a session that is over by the clock here. The clock may be wrong: the server decides. */
  private lapsed: string | null = null;
  private readonly following: Subscription;
  private readonly names: ReturnType<typeof cookieNames>;
  private readonly scope: CookieScope;
  readonly session$: Observable<Session | null>;
  readonly user$: Observable<User | null>;

  constructor(
    private readonly ports: Pick<Ports, 'storage' | 'cookies' | 'clock' | 'browser'>,
    private readonly keys: ClientKeys,
    cookieOptions: CookieOptions,
  ) {
    const { storage, clock, browser } = ports;
    this.names = cookieNames(cookieOptions);
    this.scope = cookieScope(cookieOptions, browser.hostname);
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

  /** Both tokens, or null when either is missing. */
  tokens(): SessionTokens | null {
    const [session_token, session_jwt] = [this.cookie('token'), this.cookie('jwt')];
    return session_token && session_jwt ? { session_token, session_jwt } : null;
  }

  /** What proves the session to the server: the opaque token, else the signed one, else null. */
  secret(): string | null {
    return this.cookie('token') || this.cookie('jwt') || null;
  }

  /** What a login that lacks a factor has so far, or null when there is none or its ten minutes are over. */
  intermediateToken(): string | null {
    return this.cookie('intermediate') || null;
  }

  /** True when a session is here, be it one that has lapsed and waits for the server's word. */
  isHere(): boolean {
    return this.state().session !== null || this.lapsed !== null;
  }

  /** True when something here says that there may be a session, confirmed or not. */
  mayBeSignedIn(): boolean {
    return this.isHere() || this.secret() !== null;
  }

  /**
   * Takes over what a successful authenticate call answered, and answers what its caller gets of it. Throws, and changes
   * nothing, when it is neither a session nor an intermediate token.
   */
  update<Reply extends Authenticated>(answered: Reply): Reply {
    const [whole, reply] = splitUser(answered);
    const { session, session_token, session_jwt, intermediate_session_token } = reply;
    if (!session && intermediate_session_token) {
      this.updateIntermediate(intermediate_session_token);
      return reply;
    }
    const user = isUser(whole) ? whole : reply.user;
    if (!isSession(session) || !isUser(user)) throw new SDKAPIUnreachableError('invalid-response');
    this.keepTokens({ session_token, session_jwt }, localEnd(session, this.ports.clock.now()));
    this.commit({ session, user });
    return reply;
  }

  /** Takes over a newer form of the signed-in user. */
  updateUser(user: User): void {
    const { session } = this.state();
    if (session !== null && isUser(user)) this.commit({ session, user });
  }

  /** Stores tokens that came from elsewhere; the session itself follows with the next authenticate call. */
  updateTokens(tokens: { readonly session_token: string; readonly session_jwt?: string }): void {
    this.keepTokens(tokens, null);
  }

  /** Stores an intermediate token, which stands in the session's place until a login is complete (section 4). */
  updateIntermediate(token: string): void {
    this.keepTokens({}, null);
    this.keepCookie('intermediate', token, this.ports.clock.now() + INTERMEDIATE_MS);
    this.commit(SIGNED_OUT);
  }

  /** Forgets the session here and in the other tabs. */
  clear(): void {
    this.keepTokens({}, null);
    this.commit(SIGNED_OUT);
  }

  /**
   * Reads again what the tabs share; what is damaged there is replaced by what is known here.
   *
   * @param alive nobody has said that the session is over: a state that is gone while its cookies are there was then taken
   *   by the browser (who signs out removes the cookies first), and is put back
   */
  reload(alive = false): void {
    const text = this.ports.storage.get(this.keys.state);
    // Another text is another tab's, which has asked the server.
    if (text !== null && text === this.lapsed) return;
    this.lapsed = null;
    const stored = text === null && alive && this.secret() !== null ? null : parseState(text);
    if (stored === null) this.commit(this.state());
    else this.emit(stored);
  }

  /** Stops following the other tabs and ends the streams. */
  destroy(): void {
    this.following.unsubscribe();
    this.subject.complete();
  }

  private cookie(name: keyof typeof this.names): string | null {
    return this.ports.cookies.get(this.names[name]);
  }

  /**
   * Stores the session's tokens and removes the intermediate one (section 4). A token that is missing or empty is
   * removed: the server holds it.
   *
   * @param expiresAt milliseconds since 1970, or null for the browser session
   */
  private keepTokens(tokens: Partial<SessionTokens>, expiresAt: number | null): void {
    this.keepCookie('token', tokens.session_token, expiresAt);
    this.keepCookie('jwt', tokens.session_jwt, expiresAt);
    this.keepCookie('intermediate', undefined, null);
  }

  private keepCookie(name: keyof typeof this.names, value: string | undefined, expiresAt: number | null): void {
    const { cookies } = this.ports;
    if (value) cookies.set(this.names[name], value, this.scope, expiresAt);
    else cookies.remove(this.names[name], this.scope);
  }

  private commit({ session, user }: SessionState): void {
    this.lapsed = null;
    if (session === null) this.ports.storage.remove(this.keys.state);
    else this.ports.storage.set(this.keys.state, JSON.stringify({ user, session }));
    this.emit(session === null ? SIGNED_OUT : { session, user });
  }

  private emit(next: SessionState): void {
    const now = this.current;
    const session = sameJson(now.session, next.session) ? now.session : next.session;
    const user = sameJson(now.user, next.user) ? now.user : next.user;
    this.current = { session, user, fromCache: false } as Snapshot;
    if (now.fromCache || !sameState(now, next)) this.subject.next(this.current);
  }

  private part<T>(pick: (snapshot: Snapshot) => T): Observable<T> {
    return this.subject.pipe(
      distinctUntilChanged((a, b) => sameJson(pick(a), pick(b), ['last_accessed_at']) && a.fromCache === b.fromCache),
      map(() => pick(this.current)),
    );
  }
}
