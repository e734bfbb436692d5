import type { UserName } from '../../domain/user.ts';
import { users, type ChangesUser, type Endpoint, type ReplyFor } from '../api/index.ts';
import { withoutUser } from '../api/users.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { RiskyCall } from '../wire/risky-call.ts';

/** What a user may change of their own. */
export interface UserChanges {
  readonly name?: UserName | undefined;
  readonly untrusted_metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The registrations that can be deleted, under the names of their methods. */
export type Deletion = Extract<keyof typeof users, `delete${string}`>;
export type Deleted = Omit<ReplyFor<typeof users.deleteEmail>, '__user'>;

/** Changing the signed-in user, and asking about others (specification, section 7). */
export class UserEdits {
  constructor(
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
  ) {}

  async update(changes: UserChanges): Promise<Omit<ReplyFor<typeof users.update>, '__user'>> {
    const body = { ...changes, name: changes.name && { ...changes.name } };
    return this.taking(await this.risky.wire.call(users.update, body));
  }

  async delete(kind: Deletion, id: string): Promise<Deleted> {
    const endpoint: Endpoint<'id', object, ReplyFor<typeof users.deleteEmail>> = users[kind];
    return this.taking(await this.risky.wire.call(endpoint, {}, { params: { id } }));
  }

  connectedApps(): Promise<ReplyFor<typeof users.connectedApps>> {
    return this.risky.wire.call(users.connectedApps, {});
  }

  revokeConnectedApp(id: string): Promise<ReplyFor<typeof users.revokeConnectedApp>> {
    return this.risky.wire.call(users.revokeConnectedApp, {}, { params: { id } });
  }

  /** Whether an address belongs to somebody, and how that person logs in. */
  search(email: string): Promise<ReplyFor<typeof users.search>> {
    return this.risky.call(users.search, { email });
  }

  private taking<Reply extends ChangesUser>(reply: Reply): Omit<Reply, '__user'> {
    return withoutUser(reply, (user) => this.sessions.updateUser(user));
  }
}
