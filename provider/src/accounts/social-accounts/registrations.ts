import type { ProviderAssurance } from '#server-rules/mfa-policy.ts';
import type { Db } from '#provider/base/db/database.ts';
import { seal, unseal } from '#provider/base/security/seal.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import { findContact } from '../users/contacts.ts';
import type { AccountProfile, OAuthRegistrationsTable } from './tables.ts';

/** The account that logged in at a social provider. The provider has its name on the wire. */
export interface SocialIdentity {
  readonly provider: string;
  readonly profile: AccountProfile;
  /** What the provider's signed ID token says about the login; absent without one, and in logins of earlier versions. */
  readonly assurance?: ProviderAssurance;
}

export function findRegistration(
  tx: Db,
  { provider, profile }: SocialIdentity,
): Promise<OAuthRegistrationsTable | undefined> {
  return tx
    .selectFrom('oauth_registrations')
    .selectAll()
    .where('provider_type', '=', provider)
    .where('provider_subject', '=', profile.sub)
    .executeTakeFirst();
}

/** The user of the account, looked up without a lock. */
interface LikelyOwner {
  /** Null if there is no user, or the address was never verified here: a stranger may have signed up with it. */
  readonly user_id: string | null;
  readonly oauth_user_registration_id: string | null;
  /** True if the person has never logged in before. */
  readonly isNew: boolean;
}

export async function likelyOwner(db: Db, identity: SocialIdentity): Promise<LikelyOwner> {
  const registration = await findRegistration(db, identity);
  if (registration !== undefined) return { ...registration, isNew: false };
  const contact = await findVerifiedAddress(db, identity.profile);
  const isNew = contact === undefined || contact.status === 'pending';
  return { user_id: contact?.verified === true ? contact.user_id : null, oauth_user_registration_id: null, isNew };
}

/** The stored address that the provider verified, even if it was never verified here. */
export async function findVerifiedAddress(db: Db, { email, email_verified }: AccountProfile) {
  return email_verified && email !== '' ? findContact(db, 'email', email) : undefined;
}

/**
 * A registration that is not stored yet.
 *
 * @param owner the user, and the session that adds the account, if any
 */
export function newRegistration(
  { random, clock }: Pick<Services, 'random' | 'clock'>,
  { user_id, session_id = null }: { readonly user_id: string; readonly session_id?: string | null },
  { provider, profile }: SocialIdentity,
): OAuthRegistrationsTable {
  return {
    oauth_user_registration_id: newId(random, 'oauth-user'),
    user_id,
    provider_type: provider,
    provider_subject: profile.sub,
    profile_picture_url: profile.picture,
    locale: profile.locale,
    created_at: new Date(clock.now()),
    refresh_token: null,
    added_in: session_id,
  };
}

/** Stores a registration. False if the account is registered already. */
export async function insertRegistration(tx: Db, registration: OAuthRegistrationsTable): Promise<boolean> {
  const row = await tx
    .insertInto('oauth_registrations')
    .values(registration)
    .onConflict((conflict) => conflict.columns(['provider_type', 'provider_subject']).doNothing())
    .returning('oauth_user_registration_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the provider's current claims about the account. */
export async function refreshRegistration(
  tx: Db,
  registration: OAuthRegistrationsTable,
  { picture, locale }: AccountProfile,
): Promise<OAuthRegistrationsTable> {
  const details = { profile_picture_url: picture, locale };
  await tx
    .updateTable('oauth_registrations')
    .set(details)
    .where('oauth_user_registration_id', '=', registration.oauth_user_registration_id)
    .execute();
  return { ...registration, ...details };
}

/**
 * The provider's refresh token for the account, stored sealed. Some providers, such as Google, send one only at the first login, so the
 * last one is kept.
 */
export async function keepRefreshToken(
  { random, keys }: Pick<Services, 'random' | 'keys'>,
  tx: Db,
  { oauth_user_registration_id: id, refresh_token: ciphertext }: OAuthRegistrationsTable,
  token: string,
): Promise<string> {
  if (token === '') return ciphertext === null ? '' : unseal(keys.codeKey, id, ciphertext);
  const refresh_token = seal(random, keys.codeKey, id, token);
  await tx
    .updateTable('oauth_registrations')
    .set({ refresh_token })
    .where('oauth_user_registration_id', '=', id)
    .execute();
  return token;
}
