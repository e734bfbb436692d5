import type { Observable } from 'rxjs';
import { endsSession } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import { userIn } from '../../api/authenticated.ts';
import { me } from '../../api/me.ts';
import { onLaterValue } from '../../changes.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { WireClient } from '../../wire/wire-client.ts';

/** The part of `client.user` that a page needs from its start. */
export class UserAccount {
  /** Emits the signed-in user (or null) on subscription, then every change. */
  readonly user$: Observable<User | null>;

  constructor(
    private readonly wire: WireClient,
    private readonly sessions: SessionStore,
  ) {
    this.user$ = sessions.user$;
  }

  /** Fetches the user from the server. Null when neither this browser nor the server knows a signed-in user. */
  async get(): Promise<User | null> {
    const expected = this.sessions.mayBeSignedIn();
    try {
      const user = userIn(await this.wire.call(me, {}));
      this.sessions.updateUser(user);
      return user;
    } catch (error) {
      if (expected || !endsSession(error)) throw error;
      return null;
    }
  }

  /** The user as stored in this browser, or null. */
  getSync(): User | null {
    return this.sessions.state().user;
  }

  /** Like `getSync`; `fromCache` is true until the server has confirmed the user in this page. */
  getInfo(): { readonly user: User | null; readonly fromCache: boolean } {
    const { user, fromCache } = this.sessions.state();
    return { user, fromCache };
  }

  /** Calls `callback` on every later change. Returns a function that unsubscribes. */
  onChange(callback: (user: User | null) => void): () => void {
    return onLaterValue(this.user$, callback);
  }
}
