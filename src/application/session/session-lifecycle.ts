import { endsSession } from '#domain/sessions/session.ts';
import { splitUser } from '../api/authenticated.ts';
import type { AuthenticationReply, BodyFor, ReplyFor } from '../api/index.ts';
import { sessions } from '../api/sessions.ts';
import type { WireClient } from '../wire/wire-client.ts';
import type { SessionStore } from './session-store.ts';

/** How often a call is repeated at most if the session changed during it (specification, section 4; threats, finding 9). */
const MAX_REPEATS = 3;
const KINDS = ['token', 'jwt'] as const;

/** The result of a call. `write` stores it and returns the reply, or throws `error`. */
export interface SessionResponse {
  readonly error: unknown;
  readonly write: () => AuthenticationReply;
}

type Result =
  | { readonly reply: AuthenticationReply; readonly error: null }
  | { readonly reply: null; readonly error: unknown };

/** Extending and ending the session (specification, section 4). */
export class SessionLifecycle {
  constructor(
    private readonly wire: WireClient,
    private readonly store: SessionStore,
  ) {}

  /** Confirms the session with the server, and extends it when a duration is given. */
  async authenticate(session_duration_minutes?: number): Promise<AuthenticationReply> {
    const { write } = await this.ask({ session_duration_minutes });
    return write();
  }

  /**
   * Confirms the session and returns the result unstored, so that the caller can release a lock first. Repeats the call if the session or
   * its token was replaced during it, because it is impossible to tell which of two tokens is newer if the server issued them at the same
   * time.
   *
   * @param isReplaced true if another tab makes this call, so that this one is not repeated
   */
  async ask(body: BodyFor<typeof sessions.authenticate>, isReplaced = (): boolean => false): Promise<SessionResponse> {
    const owed = await this.settle();
    if (owed !== null) return { error: owed, write: () => this.write({ reply: null, error: owed }, () => true) };
    for (let repeats = 0; ; repeats += 1) {
      const id = this.sessionId();
      const secret = this.store.secret();
      const result = await this.send(body);
      const outdated = (): boolean => this.sessionId() !== id || this.store.secret() !== secret;
      this.tryOthers(result.error, secret);
      const repeated = outdated() || (endsSession(result.error) && this.store.isHinted());
      if (!repeated || isReplaced() || repeats === MAX_REPEATS || !this.store.mayBeSignedIn()) {
        return { error: result.error, write: () => this.write(result, outdated) };
      }
    }
  }

  /**
   * Ends the session. It is removed from this browser when the server confirms the end, by a success or by one of four error types; with
   * `forceClear` it is always removed. Rejects if the call fails.
   */
  async revoke(forceClear: boolean): Promise<ReplyFor<typeof sessions.revoke>> {
    for (let repeats = 0; ; repeats += 1) {
      const secret = this.store.secret();
      try {
        const reply = await this.wire.call(sessions.revoke, {});
        this.store.clear();
        return reply;
      } catch (error) {
        const isOver = endsSession(error);
        // Either a login in another tab has replaced the cookies during the call, or the value came from another cookie.
        const isOther = this.tryOthers(error, secret) || (isOver && this.store.isHinted());
        if (isOther && repeats < MAX_REPEATS) continue;
        if (isOver || forceClear) this.store.clear();
        if (!isOver && forceClear) this.store.oweSignOut();
        throw error;
      }
    }
  }

  /** Repeats a sign-out that failed to reach the server. Returns the error if it fails again. */
  async settle(): Promise<unknown> {
    if (!this.store.owesSignOut()) return null;
    const failure = await this.revoke(false).then(
      () => null,
      (error: unknown) => error,
    );
    return this.store.owesSignOut() ? failure : null;
  }

  /**
   * From now on ignores a secret that the server does not know, if the page shows other cookies with its name: it may belong to another
   * project, or to an earlier scope of the cookies.
   */
  private tryOthers(error: unknown, secret: string | null): boolean {
    if (!endsSession(error) || secret === null || this.store.secret() !== secret) return false;
    const { cookieJar } = this.store;
    const isOther = (value: string): boolean => value !== '' && value !== secret && !cookieJar.refusedValues.has(value);
    const hasOther = KINDS.some((kind) => cookieJar.all(kind).includes(secret) && cookieJar.all(kind).some(isOther));
    if (hasOther) cookieJar.refusedValues.add(secret);
    return hasOther;
  }

  private async send(body: BodyFor<typeof sessions.authenticate>): Promise<Result> {
    try {
      return { reply: await this.wire.call(sessions.authenticate, body), error: null };
    } catch (error) {
      return { reply: null, error };
    }
  }

  /**
   * Stores the result. A result for a session that is no longer the current one is returned, but not stored. The storage is read first,
   * because the event of another tab's write may not have arrived yet.
   */
  private write(result: Result, isOutdated: () => boolean): AuthenticationReply {
    this.store.reload(!endsSession(result.error));
    const outdated = isOutdated();
    if (result.reply === null) {
      if (!outdated && endsSession(result.error)) this.store.clear();
      throw result.error;
    }
    return outdated ? splitUser(result.reply)[1] : this.store.update(result.reply);
  }

  private sessionId(): string | undefined {
    return this.store.state().session?.session_id;
  }
}
