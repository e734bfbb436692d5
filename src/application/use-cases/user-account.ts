import { endsSession } from '../../domain/session.ts';
import type { User, UserName } from '../../domain/user.ts';
import { users, type ChangesUser, type ReplyFor } from '../api/index.ts';
import type { Endpoint } from '../api/index.ts';
import { withoutUser } from '../api/users.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { RiskyCall } from '../wire/risky-call.ts';
import type { WireClient } from '../wire/wire-client.ts';

/** What a user may change of their own. */
export interface UserChanges {
  readonly name?: UserName | undefined;
  readonly untrusted_metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The registrations that can be deleted, under the names of their methods. */
export const DELETIONS = {
  deleteEmail: users.deleteEmail,
  deletePhoneNumber: users.deletePhoneNumber,
  deleteTOTP: users.deleteTOTP,
  deleteCryptoWallet: users.deleteCryptoWallet,
  deleteOAuthRegistration: users.deleteOAuthRegistration,
  deleteWebauthnRegistration: users.deleteWebauthnRegistration,
  deleteBiometricRegistration: users.deleteBiometricRegistration,
} as const;
export type Deletion = keyof typeof DELETIONS;
export type Deleted = Omit<ReplyFor<typeof users.deleteEmail>, '__user'>;

/** The signed-in user. */
export class UserAccount {
  constructor(
    private readonly wire: WireClient,
    private readonly sessions: SessionStore,
    private readonly risky: RiskyCall,
  ) {}

  /** Fetches the user anew; null when nobody is signed in, here and by the server's word. */
  async get(): Promise<User | null> {
    const expected = this.sessions.mayBeSignedIn();
    try {
      const { status_code: _, request_id: __, ...user } = await this.wire.call(users.me, {});
      this.sessions.updateUser(user);
      return user;
    } catch (error) {
      if (expected || !endsSession(error)) throw error;
      return null;
    }
  }

  async update(changes: UserChanges): Promise<Omit<ReplyFor<typeof users.update>, '__user'>> {
    return this.taking(await this.wire.call(users.update, { ...changes, name: changes.name && { ...changes.name } }));
  }

  async delete(kind: Deletion, id: string): Promise<Deleted> {
    const endpoint: Endpoint<'id', object, ReplyFor<typeof users.deleteEmail>> = DELETIONS[kind];
    return this.taking(await this.wire.call(endpoint, {}, { params: { id } }));
  }

  connectedApps(): Promise<ReplyFor<typeof users.connectedApps>> {
    return this.wire.call(users.connectedApps, {});
  }

  revokeConnectedApp(id: string): Promise<ReplyFor<typeof users.revokeConnectedApp>> {
    return this.wire.call(users.revokeConnectedApp, {}, { params: { id } });
  }

  /** Whether an address belongs to somebody, and how that person logs in. */
  search(email: string): Promise<ReplyFor<typeof users.search>> {
    return this.risky.call(users.search, { email });
  }

  private taking<Reply extends ChangesUser>(reply: Reply): Omit<Reply, '__user'> {
    return withoutUser(reply, (user) => this.sessions.updateUser(user));
  }
}
