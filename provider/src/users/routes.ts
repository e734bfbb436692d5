import type { User, UserName } from '../../../src/domain/user.ts';
import { transaction } from '../db/transaction.ts';
import type { Caller, Routes } from '../http/endpoints.ts';
import { Refusal, SchemaRefusal, type RefusalType } from '../http/refusal.ts';
import type { Services } from '../services.ts';
import { connectedApps, revokeConnectedApp } from '../idp/connected-apps.ts';
import { takeForNetwork } from '../security/limits.ts';
import { mergeMetadata } from './metadata.ts';
import { findPassword } from '../passwords/store.ts';
import { checkEmail, findEmail, readUser } from './store.ts';
import { removeEmail, removeFrom, removePhoneNumber, removeTotp, type Remove } from './login-factors.ts';
import { removeRegistration } from './registrations.ts';
import { holdSession, holdSessionForFactors, requireSession } from '../sessions/authenticated.ts';

const NAMES = ['first_name', 'middle_name', 'last_name'] as const;
const MAX_NAME = 128;

/** The name with the given parts over it; null empties one, what is no part of a name is dropped. */
function mergeName(before: UserName, given: Readonly<Record<string, unknown>>): UserName {
  const parts = NAMES.filter((part) => given[part] !== undefined).map((part) => {
    const value = given[part] ?? '';
    if (typeof value !== 'string' || value.length > MAX_NAME || /\0|\p{Surrogate}/u.test(value)) {
      const message = `${part} must be a string of at most ${MAX_NAME} characters`;
      throw new SchemaRefusal([{ dataPath: ['name', part], message }]);
    }
    return [part, value];
  });
  return { ...before, ...(Object.fromEntries(parts) as UserName) };
}

interface Deletion {
  readonly id: string;
  readonly caller: Caller;
  readonly remove: Remove;
  readonly unknown: RefusalType;
}

async function deleteFrom(services: Services, { id, caller, remove, unknown }: Deletion) {
  const user: User = await transaction(services.db, async (tx) =>
    removeFrom(tx, { id, user: (await holdSessionForFactors(services, tx, caller)).user, remove, unknown }),
  );
  return { user_id: user.user_id, user, __user: user };
}

export const users: Routes['users'] = {
  async me(services, { caller }) {
    const { row } = await requireSession(services, caller);
    return readUser(services.db, row.user_id);
  },

  /** Tells who exists, by design of the wire; so it is limited. A user who never signed in is still new. */
  async search(services, { body, caller }) {
    checkEmail(body.email);
    await takeForNetwork(services, 'search', caller.address, services.limits.searchesPerNetwork);
    const known = await findEmail(services.db, body.email);
    if (known?.status !== 'active') return { userType: 'new' };
    const password = await findPassword(services.db, known.user_id);
    return { userType: password === undefined ? 'passwordless' : 'password' };
  },

  async update(services, { body, caller }) {
    const user = await transaction(services.db, async (tx) => {
      const { user_id } = (await holdSession(services, tx, caller)).user;
      const { name, untrusted_metadata } = await tx
        .selectFrom('users')
        .select(['name', 'untrusted_metadata'])
        .where('user_id', '=', user_id)
        .executeTakeFirstOrThrow();
      await tx
        .updateTable('users')
        .set({
          name: JSON.stringify(mergeName(name, body.name ?? {})),
          untrusted_metadata: JSON.stringify(mergeMetadata(untrusted_metadata, body.untrusted_metadata ?? {})),
        })
        .where('user_id', '=', user_id)
        .execute();
      return readUser(tx, user_id);
    });
    const { user_id, emails, phone_numbers, crypto_wallets } = user;
    return { user_id, emails, phone_numbers, crypto_wallets, __user: user };
  },

  deleteEmail: (services, { params, caller }) =>
    deleteFrom(services, { id: params.id, caller, remove: removeEmail, unknown: 'email_not_found' }),
  deletePhoneNumber: (services, { params, caller }) =>
    deleteFrom(services, { id: params.id, caller, remove: removePhoneNumber, unknown: 'phone_number_not_found' }),
  deleteTOTP: (services, { params, caller }) =>
    deleteFrom(services, { id: params.id, caller, remove: removeTotp, unknown: 'totp_not_found' }),
  deleteCryptoWallet: (services, { params, caller }) =>
    deleteFrom(services, {
      id: params.id,
      caller,
      remove: (tx, id, userId) => removeRegistration(tx, 'crypto_wallet', id, userId),
      unknown: 'crypto_wallet_not_found',
    }),
  deleteOAuthRegistration: (services, { params, caller }) =>
    deleteFrom(services, {
      id: params.id,
      caller,
      remove: (tx, id, userId) => removeRegistration(tx, 'oauth', id, userId),
      unknown: 'oauth_registration_not_found',
    }),
  deleteWebauthnRegistration: (services, { params, caller }) =>
    deleteFrom(services, {
      id: params.id,
      caller,
      remove: (tx, id, userId) => removeRegistration(tx, 'webauthn', id, userId),
      unknown: 'webauthn_registration_not_found',
    }),
  /** Biometrics belong to native apps: no registration can be made here, so none is known. */
  async deleteBiometricRegistration(services, { caller }) {
    await requireSession(services, caller);
    throw new Refusal('biometric_registration_not_found');
  },
  connectedApps,
  revokeConnectedApp,
};
