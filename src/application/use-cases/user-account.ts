import { endsSession } from '../../domain/session.ts';
import type { User } from '../../domain/user.ts';
import { userIn } from '../api/authenticated.ts';
import { me } from '../api/me.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { WireClient } from '../wire/wire-client.ts';

/** The signed-in user. */
export class UserAccount {
  constructor(
    private readonly wire: WireClient,
    private readonly sessions: SessionStore,
  ) {}

  /** Fetches the user anew; null when nobody is signed in, here and by the server's word. */
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
}
