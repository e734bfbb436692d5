import { users, type Endpoint } from '#application/api/index.ts';
import { checkCanEnter, checkEmail, mergeName, userType } from '#server-rules/accounts.ts';
import { mergeMetadata } from '#server-rules/metadata.ts';
import { PASSWORD_ID } from '#server-rules/provenance.ts';
import { Refusal, type RefusalType } from '#domain/rules/refusal.ts';
import type { User } from '#domain/users/user.ts';
import { requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import { endSessionsOfFactors } from '../state/ending.ts';
import { hidesUsers } from '../state/newcomers.ts';
import { findContact } from '../state/people.ts';
import { change, readUser, removeRows } from '../state/user-rows.ts';
import type { ServerState } from '../state/state.ts';

interface Deletion {
  readonly endpoint: Endpoint<'id'>;
  readonly list: keyof User;
  /** The field that contains an item's id. */
  readonly key: string;
  readonly unknown: RefusalType;
}

const DELETIONS: readonly Deletion[] = [
  { endpoint: users.deleteEmail, list: 'emails', key: 'email_id', unknown: 'email_not_found' },
  { endpoint: users.deletePhoneNumber, list: 'phone_numbers', key: 'phone_id', unknown: 'phone_number_not_found' },
  { endpoint: users.deleteTOTP, list: 'totps', key: 'totp_id', unknown: 'totp_not_found' },
  {
    endpoint: users.deleteCryptoWallet,
    list: 'crypto_wallets',
    key: 'crypto_wallet_id',
    unknown: 'crypto_wallet_not_found',
  },
  {
    endpoint: users.deleteOAuthRegistration,
    list: 'providers',
    key: 'oauth_user_registration_id',
    unknown: 'oauth_registration_not_found',
  },
  {
    endpoint: users.deleteWebauthnRegistration,
    list: 'webauthn_registrations',
    key: 'webauthn_registration_id',
    unknown: 'webauthn_registration_not_found',
  },
];

/** The signed-in user: reading, updating and deleting. */
export function answerUsers(answers: Answers, state: ServerState): void {
  answers
    .to(users.me, (_, caller) => readUser(state, requireSession(state, caller).user_id))
    .to(users.search, ({ email }) => {
      checkEmail(email);
      // No account is looked for.
      if (hidesUsers(state)) return { userType: 'password' };
      const user = findContact(state, 'email', email)?.user;
      return { userType: userType(user && { status: user.status, hasPassword: user.password !== null }) };
    })
    .to(users.update, ({ name, untrusted_metadata: metadata }, caller) => {
      const session = requireSession(state, caller);
      const { user_id } = session;
      const before = readUser(state, user_id);
      const user = change(state, user_id, {
        name: mergeName(before.name, name ?? {}),
        untrusted_metadata: mergeMetadata(before.untrusted_metadata, metadata ?? {}, 'untrusted_metadata'),
      });
      const { emails, phone_numbers, crypto_wallets } = user;
      return { user_id, emails, phone_numbers, crypto_wallets, __user: user };
    })
    // Only native apps can register biometrics, so there are no registrations here.
    .to(users.deleteBiometricRegistration, () => {
      throw new Refusal('biometric_registration_not_found');
    });
  for (const deletion of DELETIONS) {
    answers.to(deletion.endpoint, (_, caller, { id }) => remove(state, deletion, id, caller));
  }
}

/** Removes an item of the user; refuses to remove the last factor. Removing the last email address also removes the password. */
function remove(state: ServerState, { list, key, unknown }: Deletion, id: string, caller: Caller): object {
  const { user_id, session_id } = requireSession(state, caller);
  const before = readUser(state, user_id);
  const items = before[list] as readonly Readonly<Record<string, unknown>>[];
  const rest = items.filter((item) => item[key] !== id);
  if (rest.length === items.length) throw new Refusal(unknown);
  const after: User = { ...before, [list]: rest };
  checkCanEnter(after);
  if (list === 'totps') state.totps.delete(user_id);
  removeRows(state.passkeys, user_id, (passkey) => passkey.webauthn_registration_id === id);
  removeRows(state.codes, user_id, ({ method_id }) => method_id === id);
  if (after.emails.length === 0) state.passwords.delete(user_id);
  const password = after.emails.length === 0 ? null : after.password;
  const losesPassword = password === null && before.password !== null;
  endSessionsOfFactors(state, user_id, losesPassword ? [id, PASSWORD_ID] : [id], session_id);
  const user = change(state, user_id, { [list]: rest, password });
  return { user_id, user, __user: user };
}
