import type { users as endpoints } from '#application/api/users.ts';
import { checkEmail, mergeName, userType } from '#server-rules/accounts.ts';
import { isOpenToAll } from '#server-rules/sign-ups.ts';
import type { PROVEN_SESSION } from '#domain/rules/gates.ts';
import { mergeMetadata } from '#server-rules/metadata.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { actorIn, auditCall } from '#provider/base/audit/record.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Answer, Routes } from '../sessions/reading/contract.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { findPassword } from '../passwords/store.ts';
import { readUserWithRoles } from '../users/read-user.ts';
import { findContact } from '../users/contacts.ts';
import { removeFactor, type FactorKind } from './login-factors.ts';
import { writeFarewell } from '../notices/farewell.ts';
import { holdSession, type AdmittedBy } from '../sessions/reading/admission.ts';
import { removeUser } from '../users/store.ts';

/** Removes one of the user's own factors. */
function deletion(kind: FactorKind): Answer<typeof endpoints.deleteEmail, AdmittedBy<typeof PROVEN_SESSION>> {
  return async (services, { params, session, caller }) => {
    const user = await transaction(services.db, async (tx) => {
      const lock = await holdSession(services, tx, session);
      const removed = await removeFactor(tx, lock.user, {
        kind,
        id: params.id,
        keptSessionId: lock.session.session_id,
      });
      const details = { kind, target: params.id };
      await auditCall(services, tx, caller, { user_id: removed.user_id, actor: actorIn(lock.session), details });
      return readUserWithRoles(services.project, tx, removed.user_id);
    });
    return { user_id: user.user_id, user, __user: user };
  };
}

export const users: Omit<Routes['users'], 'connectedApps' | 'revokeConnectedApp' | 'export'> = {
  me: (services, { session }) => readUserWithRoles(services.project, services.db, session.user_id),

  /** The reply reveals whether a user exists, so the call is limited. A user who never signed in counts as new. */
  async search(services, { body, caller }) {
    checkEmail(body.email);
    await takeForNetwork(services, 'search', caller.address, services.limits.searchesPerNetwork);
    // No account is looked for. A widget then asks for a password, and offers its other ways in beside that.
    if (!isOpenToAll(services.project.sign_up)) return { userType: 'password' };
    const contact = await findContact(services.db, 'email', body.email);
    const password = contact === undefined ? undefined : await findPassword(services.db, contact.user_id);
    // The app's own server made a managed user: no one else can sign up with the address.
    const status = contact?.managed === true ? 'active' : contact?.status;
    return { userType: userType(status && { status, hasPassword: password !== undefined }) };
  },

  update: async (services, { body, session }) => {
    const user = await transaction(services.db, async (tx) => {
      const { user_id } = (await holdSession(services, tx, session)).user;
      const { name, untrusted_metadata } = await tx
        .selectFrom('users')
        .select(['name', 'untrusted_metadata'])
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow();
      await tx
        .updateTable('users')
        .set({
          name: JSON.stringify(mergeName(name, body.name ?? {})),
          untrusted_metadata: JSON.stringify(
            mergeMetadata(untrusted_metadata, body.untrusted_metadata ?? {}, 'untrusted_metadata'),
          ),
          vouched: false,
        })
        .where('user_id', '=', user_id)
        .execute();
      return readUserWithRoles(services.project, tx, user_id);
    });
    const { user_id, emails, phone_numbers, crypto_wallets } = user;
    return { user_id, emails, phone_numbers, crypto_wallets, __user: user };
  },

  delete: async (services, { caller, session }) => {
    if (!services.project.account.deletion) throw new Refusal('route_not_found');
    const { user_id, messages } = await transaction(services.db, async (tx) => {
      const lock = await holdSession(services, tx, session);
      const { user } = lock;
      const farewell = await writeFarewell(services, tx, user);
      await removeUser(tx, user.user_id);
      await auditCall(services, tx, caller, { user_id: user.user_id, actor: actorIn(lock.session) });
      return { user_id: user.user_id, messages: farewell };
    });
    for (const message of messages) services.inbox.publish(message);
    caller.session.end();
    return { user_id };
  },

  deleteEmail: deletion('email'),
  deletePhoneNumber: deletion('phoneNumber'),
  deleteTOTP: deletion('totp'),
  deleteCryptoWallet: deletion('cryptoWallet'),
  deleteOAuthRegistration: deletion('oauth'),
  deleteWebauthnRegistration: deletion('webauthn'),
  /** Biometric registrations belong to native apps. This server cannot create any, so every id is unknown. */
  deleteBiometricRegistration: () => Promise.reject(new Refusal('biometric_registration_not_found')),
};
