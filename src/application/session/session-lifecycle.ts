import { endsSession } from '../../domain/session.ts';
import { splitUser } from '../api/authenticated.ts';
import { sessions, type Authenticated, type BodyFor } from '../api/index.ts';
import type { WireClient } from '../wire/wire-client.ts';
import type { SessionStore } from './session-store.ts';

/** How often a call is repeated because the session changed during it (specification, section 4; threats, finding 9). */
const MAX_REPEATS = 3;

/** The result of a call. `write` stores it and returns the reply, or throws `error`. */
export interface Asked {
  readonly error: unknown;
  readonly write: () => Authenticated;
}

type Result =
  | { readonly reply: Authenticated; readonly error: null }
  | { readonly reply: null; readonly error: unknown };

/** The call `sessions/authenticate`, with the rules of section 4 for a session that changes during the call. */
export class AuthenticatedCall {
  constructor(
    private readonly wire: WireClient,
    private readonly store: SessionStore,
  ) {}

  /** Asks the server. The caller stores the result by `write`, for example after releasing a lock. */
  async ask(body: BodyFor<typeof sessions.authenticate>): Promise<Asked> {
    for (let repeats = 0; ; repeats += 1) {
      const id = this.sessionId();
      const secret = this.store.secret();
      const result = await this.send(body);
      const outdated = (): boolean =>
        this.sessionId() !== id || (result.error !== null && this.store.secret() !== secret);
      if (!outdated() || repeats === MAX_REPEATS || !this.store.mayBeSignedIn()) {
        return { error: result.error, write: () => this.write(result, outdated) };
      }
    }
  }

  private async send(body: BodyFor<typeof sessions.authenticate>): Promise<Result> {
    try {
      return { reply: await this.wire.call(sessions.authenticate, body), error: null };
    } catch (error) {
      return { reply: null, error };
    }
  }

  /**
   * Stores the result. A result for a session that is no longer the current one is returned, but not stored. The storage is read
   * first, because the event of another tab's write may not have arrived yet.
   */
  private write(result: Result, isOutdated: () => boolean): Authenticated {
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
