import { ownOf } from '#domain/rules/delegates.ts';
import { accountOfAnother, checkAttachee, type Attachee } from '#server-rules/social-attach.ts';
import type { OAuthRegistration } from '#domain/users/user.ts';
import { requireSession } from '../state/admission.ts';
import type { Caller } from '../state/answers.ts';
import { checkWelcome } from '../state/newcomers.ts';
import { confirmContact, findContact, findOrCreateContact } from '../state/people.ts';
import { change, newMember, readUser } from '../state/user-rows.ts';
import { provesSecondFactor, sessionOf } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';
import type { FakeAccount, LiveSession, OAuthReturn } from '../state/tables.ts';

type Account = Pick<OAuthReturn, 'provider' | 'subject' | 'account'>;

/** The user of an account, and whether the account is already stored with the user. */
interface Owner {
  readonly user_id: string;
  readonly registration: OAuthRegistration;
  readonly isStored: boolean;
}

interface RegistrationOwner {
  readonly user_id: string;
  readonly registration: OAuthRegistration;
}

function findRegistered(
  state: ServerState,
  { provider, subject }: Omit<Account, 'account'>,
): RegistrationOwner | undefined {
  const matches = (one: OAuthRegistration): boolean =>
    one.provider_type === provider && one.provider_subject === subject;
  for (const { user_id, providers } of state.users.values()) {
    const registration = providers.find(matches);
    if (registration !== undefined) return { user_id, registration };
  }
  return undefined;
}

const verifiedAddress = (state: ServerState, { email, email_verified = true }: FakeAccount) =>
  email_verified ? findContact(state, 'email', email) : undefined;

/** The id of the account's address, if the provider verified it and the user has it. */
export function addressOf(state: ServerState, userId: string, account: FakeAccount): string | undefined {
  const contact = verifiedAddress(state, account);
  return contact?.user_id === userId ? contact.method_id : undefined;
}

/** The user of the account, without creating one; null if its address was never verified here. */
export function likelyOwner(state: ServerState, account: Account) {
  const registered = findRegistered(state, account);
  if (registered !== undefined) {
    const { user_id, registration } = registered;
    return { user_id, registration_id: registration.oauth_user_registration_id, isNew: false };
  }
  const contact = verifiedAddress(state, account.account);
  const isNew = contact === undefined || contact.status === 'pending';
  return { user_id: contact?.verified === true ? contact.user_id : null, registration_id: null, isNew };
}

/** True if the account was registered when the login returned, and has been removed since. */
export function isRemoved(state: ServerState, { registration_id, ...returned }: OAuthReturn): boolean {
  if (registration_id === null) return false;
  return findRegistered(state, returned)?.registration.oauth_user_registration_id !== registration_id;
}

function newRegistration(state: ServerState, { provider, subject }: Account): OAuthRegistration {
  return {
    oauth_user_registration_id: state.id('oauth-user'),
    provider_type: provider,
    provider_subject: subject,
    profile_picture_url: '',
    locale: 'en',
  };
}

function register(state: ServerState, userId: string, registration: OAuthRegistration): void {
  change(state, userId, { providers: [...readUser(state, userId).providers, registration] });
}

/**
 * The user with this subject; else the user with the same address, verified on both sides; else a new user. If the session does not prove
 * the user's second factor, the account is not stored yet.
 */
export function findOrCreateOwner(state: ServerState, account: Account, caller: Caller, spend: () => void): Owner {
  const registered = findRegistered(state, account);
  if (registered !== undefined) {
    spend();
    return { ...registered, isStored: true };
  }
  const user_id = userOf(state, account.account);
  spend();
  const registration = newRegistration(state, account);
  const isStored = provesSecondFactor(state, user_id, ownOf({ user_id }, sessionOf(state, caller)));
  if (isStored) register(state, user_id, registration);
  return { user_id, registration, isStored };
}

function userOf(state: ServerState, { email, email_verified = true }: FakeAccount): string {
  if (!email_verified) return newMember(state, { arrival: { email: null } }).user_id;
  const contact = findOrCreateContact(state, 'email', email, { arrival: { email }, status: 'active' });
  checkWelcome(state, contact);
  const { method_id, user_id } = contact;
  confirmContact(state, 'email', method_id);
  return user_id;
}

/** The session in which the account is attached. */
export function attachingSession(state: ServerState, attachee: Attachee, caller: Caller): LiveSession {
  const session = requireSession(state, caller, 'adds');
  checkAttachee(attachee, session, 'page');
  return session;
}

/** Adds the account to the user, whatever its address. Refuses an account of another user. */
export function attachAccount(state: ServerState, userId: string, account: Account, spend: () => void): Owner {
  const registered = findRegistered(state, account);
  if (registered !== undefined && registered.user_id !== userId) throw accountOfAnother();
  spend();
  if (registered !== undefined) return { ...registered, isStored: true };
  const registration = newRegistration(state, account);
  register(state, userId, registration);
  return { user_id: userId, registration, isStored: true };
}

/** Stores the accounts that waited in the session for its second factor, unless another user has registered them in the meantime. */
export function storePending(state: ServerState, { session_id, user_id }: LiveSession): void {
  for (const [key, { session_id: waiting, registration }] of state.pendingRegistrations) {
    if (waiting !== session_id) continue;
    state.pendingRegistrations.delete(key);
    const { provider_type: provider, provider_subject: subject } = registration;
    if (findRegistered(state, { provider, subject }) === undefined) register(state, user_id, registration);
  }
}
