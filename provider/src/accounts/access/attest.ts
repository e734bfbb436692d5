import { isVouchable } from '#server-rules/accounts.ts';
import { FACTORS, type NewFactor } from '#domain/rules/factors.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { trustedClaims, useTrustedToken, vouchesFor } from './trusted-tokens.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { TrustedAuthTokenProfile } from '#provider/project/settings/external/trusted-issuers.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import type { LoginServices, Services } from '../services.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import { confirmContact } from '../users/contact-changes.ts';
import { findContact, lockContact } from '../users/contacts.ts';
import { comeIn } from '../users/coming-in.ts';
import { checkWelcome, checkWelcomeUser } from '../users/newcomers.ts';
import { findOrCreateContact } from '../users/store.ts';
import type { Caller } from '../sessions/reading/current.ts';
import { endSession } from '../sessions/rows/ending.ts';
import type { LoginProof } from '../sessions/login/log-in.ts';
import { findSession, isBound, type CurrentSession } from '../sessions/rows/find.ts';

/** The claims of a trusted issuer about a person. */
type Claims = Readonly<Record<string, unknown>>;

function textClaim(claims: Claims, name: string | null): string | null {
  const value = name === null ? undefined : claims[name];
  return typeof value === 'string' && value !== '' && !/\0|\p{Surrogate}/u.test(value) ? value : null;
}

/**
 * An absent claim counts as verified: such issuers check every address. Some write the boolean as text. Any other value
 * is refused.
 */
function isVouchedFor(verified: unknown): boolean {
  return verified === undefined || verified === true || verified === 'true';
}

/** The user with the external id, which only the app's own server and imports set. */
async function userWithExternalId(tx: Db, external_id: string): Promise<LockedUser | undefined> {
  const find = () => tx.selectFrom('users').select('user_id').where('external_id', '=', external_id).executeTakeFirst();
  const before = await find();
  const user = before && (await lockUser(tx, before.user_id));
  // Reads again under the lock: the id may have gone to another user.
  return (await find())?.user_id === user?.user_id ? user : undefined;
}

/**
 * Whether a session of an old system still becomes one here. It does not once all access of the user has ended here, as by a new password,
 * because whoever has a stolen session would come back by it.
 */
async function canMove(services: Pick<Services, 'project'>, tx: Db, user: LockedUser): Promise<boolean> {
  const { user_id } = user;
  const row = await tx.selectFrom('users').select('access_ended_at').where('user_id', '=', user_id).executeTakeFirst();
  if (row === undefined || row.access_ended_at !== null) return false;
  await comeIn(services, tx, user);
  return true;
}

/** The user whom the claims name, if the profile's tokens are a login of theirs. */
async function userOf(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  profile: TrustedAuthTokenProfile,
  claims: Claims,
): Promise<LockedUser | undefined> {
  const user = await userNamed(services, tx, profile, claims);
  if (user === undefined || profile.migration_ends_at === null) return user;
  return (await canMove(services, tx, user)) ? user : undefined;
}

/**
 * When the user proved who they are, for a session of an old system, which may be months old. Without `auth_time` nobody has said so, and
 * the proof counts as one of 1970.
 */
function earlierProof(now: number, { migration_ends_at }: TrustedAuthTokenProfile, { auth_time }: Claims) {
  if (migration_ends_at === null) return {};
  const at = typeof auth_time === 'number' && auth_time > 0 ? Math.min(auth_time * 1000, now) : 0;
  return { last_authenticated_at: new Date(at).toISOString() };
}

/** The user of the claims: by an id, else by email address, which the issuer has verified and may vouch for. */
async function userNamed(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  profile: TrustedAuthTokenProfile,
  claims: Claims,
): Promise<LockedUser | undefined> {
  const id = textClaim(claims, profile.user_id_claim);
  if (id !== null) return welcome(services, tx, await lockUser(tx, id));
  const externalId = textClaim(claims, profile.external_id_claim);
  if (externalId !== null) return welcome(services, tx, await userWithExternalId(tx, externalId));
  const email = textClaim(claims, profile.email_claim);
  if (email === null || !isVouchedFor(claims['email_verified'])) return undefined;
  if (!isVouchable(email)) {
    throw new Refusal('invalid_email', undefined, undefined, { [profile.email_claim]: 'must be an email address' });
  }
  if (!vouchesFor(profile, email)) return undefined;
  const contact = profile.creates_users
    ? await findOrCreateContact(
        services,
        tx,
        { kind: 'email', value: email },
        { arrival: { email }, status: 'pending' },
      )
    : await findContact(tx, 'email', email);
  const found = contact === undefined ? undefined : await lockContact(tx, 'email', contact.method_id);
  if (found === undefined) return undefined;
  await checkWelcome(services, tx, found.contact);
  await confirmContact(services, tx, found);
  return found.user;
}

/** The user whom an id names. One who never came in proves no address by it. */
async function welcome(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  user: LockedUser | undefined,
): Promise<LockedUser | undefined> {
  if (user === undefined) return undefined;
  await checkWelcomeUser(services, tx, user.user_id, null);
  await comeIn(services, tx, user);
  return user;
}

/** A user who proved their identity to another party, and the details for the session. */
export interface ExternalProof {
  readonly user: LockedUser;
  readonly factor: NewFactor;
  /** The token family of the app from whose token the session is made. */
  readonly family_id?: string;
  /** What the user had proved when they authorized that app. */
  readonly earlier?: LoginProof['earlier'];
}

export type ExchangeLogin<R> = (tx: Db, exchanged: ExternalProof) => Promise<R>;

export interface AttestRequest {
  readonly profile_id: string;
  readonly token: string;
  /** The session, given by its token or its JWT, that ends when the new one starts. */
  readonly session_token?: string | undefined;
  readonly session_jwt?: string | undefined;
}

/** Logs in the user whom the token of a trusted issuer names. */
export async function attest<R>(
  services: LoginServices & Pick<Services, 'warn'>,
  body: AttestRequest,
  caller: Caller,
  enter: ExchangeLogin<R>,
): Promise<R> {
  const now = services.clock.now();
  const profile = services.project.trusted_auth_token_profiles.find(
    ({ profile_id, migration_ends_at: end }) =>
      profile_id === body.profile_id && (end === null || Date.parse(end) > now),
  );
  if (profile === undefined) throw new Refusal('trusted_auth_token_profile_not_found');
  const claims = await trustedClaims(services, profile, body.token);
  try {
    return await transaction(services.db, async (tx) => {
      // Thrown to roll back, so that a token that names no user is not used up.
      const refusal = new Refusal('invalid_trusted_auth_token');
      if (claims === null || !(await useTrustedToken(tx, profile, claims, body.token))) throw refusal;
      const user = await userOf(services, tx, profile, claims);
      if (user === undefined) throw refusal;
      const before = body.session_token ?? body.session_jwt;
      const previous = before === undefined ? undefined : await findSession(services, tx, before);
      if (previous !== undefined) {
        await requireProofOf(tx, previous, caller);
        await endSession(tx, previous.session_id);
      }
      const factor = FACTORS.trustedToken(profile.profile_id, textClaim(claims, 'jti') ?? '');
      return enter(tx, { user, factor: { ...factor, ...earlierProof(now, profile, claims) } });
    });
  } catch (error) {
    if (error instanceof Refusal && error.type === 'invalid_trusted_auth_token') {
      await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    }
    throw error;
  }
}

/** Refuses to end a bound session if the request does not prove it: the token alone may be a copy. */
async function requireProofOf(tx: Db, previous: CurrentSession, { session }: Pick<Caller, 'session'>): Promise<void> {
  if (!isBound(previous)) return;
  if (previous.proof_jkt !== null && previous.proof_jkt === session.proof.key) return;
  const current = await session.findIn(tx);
  if (current?.session_id === previous.session_id) return;
  throw new Refusal(previous.proof_jkt === null ? 'unauthorized_credentials' : 'session_proof_required');
}
