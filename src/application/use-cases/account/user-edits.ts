import type { UserName } from '#domain/users/user.ts';
import { checkArguments } from '#domain/shape.ts';
import { checkId } from '#domain/check-id.ts';
import { users, type ChangesUser, type Endpoint, type ReplyFor } from '../../api/index.ts';
import { withoutUser } from '../../api/users.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { LogPort } from '../../ports/index.ts';
import type { RiskyCall } from '../../wire/risky-call.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import type { PasskeyCeremonies } from '../passkeys/passkey-ceremonies.ts';

/** The fields that a user may change. */
export interface UserChanges {
  readonly name?: UserName | undefined;
  readonly untrusted_metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The names of the methods that delete a registration. */
export type DeletionMethod = Exclude<Extract<keyof typeof users, `delete${string}`>, 'delete'>;
export type DeletionResult = Omit<ReplyFor<typeof users.deleteEmail>, '__user'>;

/** The name of each deletion's id parameter. */
const IDS: Readonly<Record<DeletionMethod, string>> = {
  deleteEmail: 'email_id',
  deletePhoneNumber: 'phone_id',
  deleteTOTP: 'totp_id',
  deleteCryptoWallet: 'crypto_wallet_id',
  deleteOAuthRegistration: 'oauth_user_registration_id',
  deleteWebauthnRegistration: 'webauthn_registration_id',
  deleteBiometricRegistration: 'biometric_registration_id',
};

/** Changes to the signed-in user, connected apps, and the search for users (specification, section 7). */
export class UserEdits {
  constructor(
    private readonly wire: WireClient,
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
    private readonly passkeys: Pick<PasskeyCeremonies, 'tellAccepted'>,
    private readonly log: Pick<LogPort, 'warn'>,
  ) {}

  /** Changes the signed-in user's own fields. */
  async update(changes: UserChanges): Promise<Omit<ReplyFor<typeof users.update>, '__user'>> {
    checkArguments('user.update', { changes: 'object' }, { changes });
    checkArguments('user.update', users.update.body, changes);
    const body = { ...changes, name: changes.name && { ...changes.name } };
    return this.taking(await this.wire.call(users.update, body));
  }

  /** Removes a registration of the signed-in user by its id. A removed passkey is reported to the passkey provider. */
  async delete(kind: DeletionMethod, id: string): Promise<DeletionResult> {
    checkId(`user.${kind}`, IDS[kind], id);
    const endpoint: Endpoint<'id', object, ReplyFor<typeof users.deleteEmail>> = users[kind];
    const { user } = this.sessions.state();
    const passkey = user?.webauthn_registrations?.find(({ webauthn_registration_id: each }) => each === id);
    const reply = this.taking(await this.wire.call(endpoint, {}, { params: { id } }));
    if (passkey) {
      void this.passkeys
        .tellAccepted(passkey.domain)
        .catch((error: unknown) => this.log.warn(`The passkey provider was not notified. ${String(error)}`));
    }
    return reply;
  }

  /** Deletes the signed-in user with all of their data, and ends the session of this browser. */
  async deleteAccount(): Promise<ReplyFor<typeof users.delete>> {
    // A repeated call would find no session, and report that instead of the deletion.
    const reply = await this.wire.call(users.delete, {}, { once: true });
    this.sessions.clear();
    return reply;
  }

  /** Everything that the server stores about the signed-in user. */
  async exportData(): Promise<ReplyFor<typeof users.export>> {
    return this.wire.call(users.export, {});
  }

  /** The apps that the user signed in to with this project as their identity provider. */
  async connectedApps(): Promise<ReplyFor<typeof users.connectedApps>> {
    return this.wire.call(users.connectedApps, {});
  }

  /** Revokes the consent that the user gave to an app. */
  async revokeConnectedApp(connected_app_id: string): Promise<ReplyFor<typeof users.revokeConnectedApp>> {
    checkId('user.revokedConnectedApp', 'connected_app_id', connected_app_id);
    return this.wire.call(users.revokeConnectedApp, {}, { params: { id: connected_app_id } });
  }

  /** Searches for the user of an email address. `userType` describes how that user logs in. */
  async search(email: string): Promise<ReplyFor<typeof users.search>> {
    checkArguments('user.search', users.search.body, { email });
    return this.risky.call(users.search, { email });
  }

  private taking<Reply extends ChangesUser>(reply: Reply): Omit<Reply, '__user'> {
    return withoutUser(reply, (user) => this.sessions.updateUser(user));
  }
}
