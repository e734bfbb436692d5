import { OAUTH_TOKEN_MINUTES } from '../../../src/domain/rules/lifetimes.ts';
import type { UserName } from '../../../src/domain/user.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Db } from '../db/database.ts';
import { ChangedMeanwhile } from '../db/transaction.ts';
import type {
  AccountProfile,
  OAuthFlowsTable,
  OAuthRegistrationsTable,
  OAuthTokensTable,
  ProviderValues,
} from './tables.ts';
import { MINUTE_MS } from '../platform.ts';
import { seal, unseal } from '../security/seal.ts';
import { newToken, tokenHash, uuid } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { findLive } from '../sessions/find.ts';
import { requireSecondFactor } from '../sessions/second-factor.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import { confirmEmail, findEmail, findOrCreateEmail, lockEmail, newUser, removeUser } from '../users/store.ts';

const TOKEN_MS = OAUTH_TOKEN_MINUTES * MINUTE_MS;

export interface Registered {
  readonly registration: OAuthRegistrationsTable;
  /** True for a user who never logged in before. */
  readonly isNew: boolean;
}

function find(tx: Db, provider: string, subject: string): Promise<OAuthRegistrationsTable | undefined> {
  return tx
    .selectFrom('oauth_registrations')
    .selectAll()
    .where('provider_type', '=', provider)
    .where('provider_subject', '=', subject)
    .executeTakeFirst();
}

/** Undefined when the account is registered already. */
async function insertRegistration(services: Services, tx: Db, { provider, profile, user_id }: Attaching) {
  return tx
    .insertInto('oauth_registrations')
    .values({
      oauth_user_registration_id: `oauth-user-test-${uuid(services.random)}`,
      user_id,
      provider_type: provider,
      provider_subject: profile.sub,
      profile_picture_url: profile.picture,
      locale: profile.locale,
      created_at: new Date(services.clock.now()),
    })
    .onConflict((conflict) => conflict.columns(['provider_type', 'provider_subject']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** The user of a provider's account: found by the subject, linked by a verified email address, or created. */
export async function findOrCreateRegistration(
  services: Services,
  tx: Db,
  provider: string,
  profile: AccountProfile,
): Promise<Registered> {
  const details = { profile_picture_url: profile.picture, locale: profile.locale };
  const before = await find(tx, provider, profile.sub);
  // Reads again under the lock, because the registration may have been removed in the meantime.
  const locked = before === undefined ? undefined : await lockUser(tx, before.user_id);
  const known = locked === undefined ? undefined : await find(tx, provider, profile.sub);
  if (known !== undefined) {
    const { oauth_user_registration_id: id } = known;
    await tx.updateTable('oauth_registrations').set(details).where('oauth_user_registration_id', '=', id).execute();
    return { registration: { ...known, ...details }, isNew: false };
  }
  const { user, made: fresh, isNew } = await ownerOf(services, tx, profile);
  const { user_id } = user;
  const made = await insertRegistration(services, tx, { provider, profile, user_id });
  if (made !== undefined) return { registration: made, isNew };
  if (fresh) await removeUser(tx, user_id);
  const winner = await find(tx, provider, profile.sub);
  if (winner === undefined) throw new ChangedMeanwhile();
  return { registration: winner, isNew: false };
}

interface Attaching {
  readonly provider: string;
  readonly profile: AccountProfile;
  readonly user_id: string;
}

/**
 * Adds a provider's account to the user, whatever address it has. Refuses one that another user has, and a user who asked for it in
 * a session that has ended, or that does not prove the second factor, which may have been added meanwhile.
 */
export async function attachRegistration(
  services: Services,
  tx: Db,
  { session_id, ...attaching }: Attaching & Pick<OAuthFlowsTable, 'session_id'>,
): Promise<Registered> {
  const { provider, profile, user_id } = attaching;
  const refusal = new Refusal('oauth_flow_callback_error', 'The account cannot be attached to this user.');
  if ((await lockUser(tx, user_id)) === undefined) throw refusal;
  if (session_id !== null) {
    const session = await findLive(services, tx, session_id);
    if (session === undefined) throw refusal;
    await requireSecondFactor(tx, user_id, session);
  }
  const made = await insertRegistration(services, tx, attaching);
  const registration = made ?? (await find(tx, provider, profile.sub));
  if (registration?.user_id !== user_id) throw refusal;
  return { registration, isNew: false };
}

interface Owner {
  readonly user: LockedUser;
  /** The user was created in this transaction. */
  readonly made: boolean;
  readonly isNew: boolean;
}

/**
 * The user with the account's email address. Only an address that the provider verified is linked. If the user had not verified it yet,
 * this is the first verification, which removes all access that a stranger may have registered in advance.
 */
async function ownerOf(services: Services, tx: Db, profile: AccountProfile): Promise<Owner> {
  if (!profile.email_verified || profile.email === '') {
    return { user: await newUser(services, tx, 'active', nameOf(profile)), made: true, isNew: true };
  }
  const known = await findEmail(tx, profile.email);
  const { email_id } = known ?? (await findOrCreateEmail(services, tx, profile.email, 'active'));
  const found = await lockEmail(tx, email_id);
  if (found === undefined) throw new ChangedMeanwhile();
  const made = known === undefined && !found.email.verified;
  const { user } = await confirmEmail(tx, found);
  if (made) {
    await tx
      .updateTable('users')
      .set({ name: JSON.stringify(nameOf(profile)) })
      .where('user_id', '=', user.user_id)
      .execute();
  }
  return { user, made, isNew: made || known?.status === 'pending' };
}

function nameOf({ given_name, family_name }: AccountProfile): UserName {
  return { first_name: given_name, middle_name: '', last_name: family_name };
}

/** The id of the account's address where the provider verified it and the user has it. */
async function emailIdOf(tx: Db, user_id: string, profile: AccountProfile): Promise<string | undefined> {
  const known = profile.email_verified && profile.email !== '' ? await findEmail(tx, profile.email) : undefined;
  return known?.user_id === user_id ? known.email_id : undefined;
}

interface Issuing {
  readonly registration: OAuthRegistrationsTable;
  readonly profile: AccountProfile;
  readonly code_challenge: string | null;
  readonly values: ProviderValues;
}

/** A token that one login redeems, within five minutes and with the verifier of its challenge. */
export async function issueOAuthToken(
  services: Services,
  tx: Db,
  { registration, profile, code_challenge, values }: Issuing,
): Promise<string> {
  const token = newToken(services.random);
  const token_hash = tokenHash(token);
  const refresh_token = await keepRefreshToken(services, tx, registration, values.refresh_token);
  const email_id = await emailIdOf(tx, registration.user_id, profile);
  await tx
    .insertInto('oauth_tokens')
    .values({
      token_hash,
      oauth_user_registration_id: registration.oauth_user_registration_id,
      code_challenge,
      provider_values: seal(
        services.random,
        services.keys.codeKey,
        token_hash,
        JSON.stringify({ ...values, refresh_token, email_id }),
      ),
      expires_at: new Date(services.clock.now() + TOKEN_MS),
    })
    .execute();
  return token;
}

/**
 * The provider's refresh token for the account. Providers such as Google give one at the first login only, so the last one is kept,
 * sealed.
 */
async function keepRefreshToken(
  { random, keys }: Services,
  tx: Db,
  { oauth_user_registration_id: id, refresh_token: kept }: OAuthRegistrationsTable,
  given: string,
): Promise<string> {
  if (given === '') return kept === null ? '' : unseal(keys.codeKey, id, kept);
  const refresh_token = seal(random, keys.codeKey, id, given);
  await tx
    .updateTable('oauth_registrations')
    .set({ refresh_token })
    .where('oauth_user_registration_id', '=', id)
    .execute();
  return given;
}

type SealedValues = ProviderValues & { readonly email_id?: string };

export type FoundToken = Omit<OAuthTokensTable, 'provider_values'> &
  OAuthRegistrationsTable & { readonly provider_values: ProviderValues; readonly email_id: string | undefined };

/** The live token and its registration. Spends nothing. */
export async function findOAuthToken(services: Services, token: string): Promise<FoundToken | undefined> {
  const { db, clock, keys } = services;
  const found = await db
    .selectFrom('oauth_tokens')
    .innerJoin(
      'oauth_registrations',
      'oauth_registrations.oauth_user_registration_id',
      'oauth_tokens.oauth_user_registration_id',
    )
    .selectAll('oauth_tokens')
    .selectAll('oauth_registrations')
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const sealed = JSON.parse(unseal(keys.codeKey, found.token_hash, found.provider_values)) as SealedValues;
  const { email_id, ...provider_values } = sealed;
  return { ...found, provider_values, email_id };
}

/** Spends the token. True for one caller only. */
export async function redeemOAuthToken(tx: Db, { token_hash }: Pick<OAuthTokensTable, 'token_hash'>): Promise<boolean> {
  const spent = await tx
    .deleteFrom('oauth_tokens')
    .where('token_hash', '=', token_hash)
    .returning('token_hash')
    .executeTakeFirst();
  return spent !== undefined;
}
