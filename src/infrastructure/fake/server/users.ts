import { users, type Endpoint } from '../../../application/api/index.ts';
import type { User } from '../../../domain/user.ts';
import type { Answers, Caller } from './answers.ts';
import { change, checkEmail, findEmail, readUser } from './people.ts';
import { Refused, type RefusalType } from './refused.ts';
import { requireSession } from './sign-in.ts';
import type { ServerState } from './state.ts';
import { dropTotp } from './totps.ts';

interface Deletion {
  readonly endpoint: Endpoint<'id'>;
  readonly unknown: RefusalType;
  /** The user's lists without that registration. */
  readonly without: (user: User, id: string) => Partial<User>;
}

const keep = <Item>(list: readonly Item[], field: keyof Item, id: string): Item[] =>
  list.filter((item) => item[field] !== id);

const DELETIONS: readonly Deletion[] = [
  {
    endpoint: users.deleteEmail,
    unknown: 'email_not_found',
    without: ({ emails }, id) => ({ emails: keep(emails, 'email_id', id) }),
  },
  {
    endpoint: users.deletePhoneNumber,
    unknown: 'phone_number_not_found',
    without: ({ phone_numbers }, id) => ({ phone_numbers: keep(phone_numbers, 'phone_id', id) }),
  },
  {
    endpoint: users.deleteTOTP,
    unknown: 'totp_not_found',
    without: ({ totps }, id) => ({ totps: keep(totps, 'totp_id', id) }),
  },
  {
    endpoint: users.deleteCryptoWallet,
    unknown: 'crypto_wallet_not_found',
    without: ({ crypto_wallets }, id) => ({ crypto_wallets: keep(crypto_wallets, 'crypto_wallet_id', id) }),
  },
  {
    endpoint: users.deleteOAuthRegistration,
    unknown: 'oauth_registration_not_found',
    without: ({ providers }, id) => ({ providers: keep(providers, 'oauth_user_registration_id', id) }),
  },
  {
    endpoint: users.deleteWebauthnRegistration,
    unknown: 'webauthn_registration_not_found',
    without: ({ webauthn_registrations: list }, id) => ({
      webauthn_registrations: keep(list, 'webauthn_registration_id', id),
    }),
  },
  {
    endpoint: users.deleteBiometricRegistration,
    unknown: 'biometric_registration_not_found',
    without: ({ biometric_registrations: list }, id) => ({
      biometric_registrations: keep(list, 'biometric_registration_id', id),
    }),
  },
];

/** The signed-in user: reading, changing and removing. */
export function answerUsers(answers: Answers, state: ServerState): void {
  answers
    .to(users.me, (_, caller) => readUser(state, requireSession(state, caller).session.user_id))
    .to(users.search, ({ email }) => {
      checkEmail(email);
      const known = findEmail(state, email)?.user;
      if (known?.status !== 'active') return { userType: 'new' };
      return { userType: known.password === null ? 'passwordless' : 'password' };
    })
    .to(users.update, ({ name, untrusted_metadata: given }, caller) => {
      const { user_id } = requireSession(state, caller).session;
      const before = readUser(state, user_id);
      const merged = Object.entries({ ...before.untrusted_metadata, ...given }).filter(([, value]) => value !== null);
      const user = change(state, user_id, {
        name: { ...before.name, ...name },
        untrusted_metadata: Object.fromEntries(merged),
      });
      const { emails, phone_numbers, crypto_wallets } = user;
      return { user_id, emails, phone_numbers, crypto_wallets, __user: user };
    });
  for (const deletion of DELETIONS) {
    answers.to(deletion.endpoint, (_, caller, { id }) => remove(state, deletion, id, caller));
  }
}

/** Refuses to remove the last way in. A password goes with the last address. */
function remove(state: ServerState, { unknown, without }: Deletion, id: string, caller: Caller): object {
  const { user_id } = requireSession(state, caller).session;
  const before = readUser(state, user_id);
  const changes = without(before, id);
  const after = { ...before, ...changes };
  const count = (user: User): number => LISTS.reduce((sum, list) => sum + user[list].length, 0);
  if (count(after) === count(before)) throw new Refused(unknown);
  if (WAYS_IN.every((list) => after[list].length === 0)) throw new Refused('cannot_delete_last_factor');
  if (after.totps.length === 0) dropTotp(state, user_id);
  for (const [credential, { webauthn_registration_id }] of state.passkeys) {
    if (webauthn_registration_id === id) state.passkeys.delete(credential);
  }
  if (after.emails.length === 0) state.passwords.delete(user_id);
  const user = change(state, user_id, { ...changes, ...(after.emails.length === 0 ? { password: null } : {}) });
  return { user_id, user, __user: user };
}

const WAYS_IN = ['emails', 'phone_numbers', 'webauthn_registrations', 'providers', 'crypto_wallets'] as const;
const LISTS = [...WAYS_IN, 'totps', 'biometric_registrations'] as const;
