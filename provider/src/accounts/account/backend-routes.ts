import type { users as endpoints } from '#provider/base/backend-api/users.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { auditCall } from '#provider/base/audit/record.ts';
import type { BackendAnswer, BackendCaller, BackendRoutes } from '../sessions/reading/contract.ts';
import type { Services } from '../services.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { endAccessForPassword } from '../users/belongings.ts';
import { lockUserOf, readBackendUser, userIdOf, withUniqueExternalId } from '../users/backend-user.ts';
import { describeUser } from '../users/describe.ts';
import { createUser } from './create-user.ts';
import { exchangePrimaryFactor } from './exchange-primary-factor.ts';
import { lockUser } from '../users/lock.ts';
import { ownerOf, removeFactor, type FactorKind } from './login-factors.ts';
import { dropPassword } from '../passwords/store.ts';
import { searchUsers } from './search.ts';
import { removeUser } from '../users/store.ts';

/** Removes a factor of any user. The rules for the last factor are those of the client's API. */
function deletion(kind: FactorKind): BackendAnswer<typeof endpoints.deleteEmail> {
  return async (services, { params, caller }) =>
    transaction(services.db, async (tx) => {
      const user = await ownerOf(tx, kind, params.id);
      const { user_id } = await removeFactor(tx, user, { kind, id: params.id, keptSessionId: null });
      await byServer(services, tx, caller, user_id, { kind, target: params.id });
      return { user_id, user: await readBackendUser(services.project, tx, user_id) };
    });
}

/** Writes the audit row of the app's own server. */
export async function byServer(
  services: Pick<Services, 'clock' | 'keys'>,
  tx: Db,
  caller: BackendCaller,
  user_id: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const actor = { kind: 'server', id: caller.credential.secret_id } as const;
  await auditCall(services, tx, caller, { user_id, actor, details });
}

async function ownerOfPassword(tx: Db, passwordId: string) {
  const find = () =>
    tx.selectFrom('passwords').select('user_id').where('password_id', '=', passwordId).executeTakeFirst();
  const before = await find();
  const user = before === undefined ? undefined : await lockUser(tx, before.user_id);
  if (user === undefined || (await find()) === undefined) throw new Refusal('password_not_found');
  return user;
}

export const users: Omit<BackendRoutes['users'], 'connectedApps' | 'revokeConnectedApp'> = {
  create: createUser,
  search: searchUsers,
  exchangePrimaryFactor,

  async get({ db, project }, { params }) {
    return readBackendUser(project, db, await userIdOf(db, params.user_id));
  },

  /** Changes the fields of the body. Sessions have the new roles at once, JWTs from the next one on. */
  async update({ db, project }, { params, body }) {
    return withUniqueExternalId(body.external_id, () =>
      transaction(db, async (tx) => {
        const locked = await lockUserOf(tx, params.user_id);
        await describeUser(project, tx, locked, body);
        const user = await readBackendUser(project, tx, locked.user_id);
        const { user_id, emails, phone_numbers, crypto_wallets } = user;
        return { user_id, emails, phone_numbers, crypto_wallets, user };
      }),
    );
  },

  async delete(services, { params, caller }) {
    return transaction(services.db, async (tx) => {
      const { user_id } = await lockUserOf(tx, params.user_id);
      await removeUser(tx, user_id);
      await byServer(services, tx, caller, user_id);
      return { user_id };
    });
  },

  deleteEmail: deletion('email'),
  deletePhoneNumber: deletion('phoneNumber'),
  deleteTOTP: deletion('totp'),
  deleteCryptoWallet: deletion('cryptoWallet'),
  deleteOAuthRegistration: deletion('oauth'),
  deleteWebauthnRegistration: deletion('webauthn'),
  /** Biometric registrations belong to native apps. This server cannot create any, so every id is unknown. */
  deleteBiometricRegistration: () => Promise.reject(new Refusal('biometric_registration_not_found')),

  /** Ends every session and pending login of the user, as each change of a password does. */
  async deletePassword(services, { params, caller }) {
    return transaction(services.db, async (tx) => {
      const user = await ownerOfPassword(tx, params.id);
      await dropPassword(tx, user.user_id);
      await endAccessForPassword(tx, user, null);
      await byServer(services, tx, caller, user.user_id, { kind: 'password' });
      return { user_id: user.user_id, user: await readBackendUser(services.project, tx, user.user_id) };
    });
  },

  async deleteExternalId(services, { params, caller }) {
    return transaction(services.db, async (tx) => {
      const { user_id } = await lockUserOf(tx, params.user_id);
      const removed = await tx
        .updateTable('users')
        .set({ external_id: null })
        .where('user_id', '=', user_id)
        .where('external_id', 'is not', null)
        .executeTakeFirst();
      if (removed.numUpdatedRows === 0n) throw new Refusal('external_id_not_found');
      await byServer(services, tx, caller, user_id, { fields: ['external_id'] });
      return { user_id, user: await readBackendUser(services.project, tx, user_id) };
    });
  },
};
