import { createHash } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { IntermediateReply } from '#application/api/index.ts';
import { SECOND_FACTOR } from '#application/api/authenticated.ts';
import { INTERMEDIATE_MINUTES, mfaStep, type ActiveMfaRules, type MissingFactors } from '#server-rules/mfa-policy.ts';
import { checkChallenge } from '#server-rules/proof-key.ts';
import { OTP_LENGTH } from '#domain/passcodes/otp.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { missingProfile, profileStep } from '#server-rules/profile.ts';
import { checkBody } from '#server-rules/request-body.ts';
import type { MfaStep } from '#domain/sessions/mfa.ts';
import { isRecord, type Infer } from '#domain/shape.ts';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import type { DeviceCookie } from '#provider/base/security/device-cookies.ts';
import { newToken, sameSecret, tokenHash } from '#provider/base/security/secrets.ts';
import { readProfile } from '../../users/profile.ts';
import { isOfAll, waitingRecovery } from '../../recovery/store.ts';
import type { Services } from '../../services.ts';
import { checkNotLockedOut, lockUser, type LockedUser } from '../../users/lock.ts';
import { canProvePasskey } from './disputes.ts';
import { lackOf, mfaRulesOf } from './policy.ts';
import type { IntermediateSessionsTable } from '../tables.ts';

/** A login that lacks the second factor. */
export type IntermediateSession = Selectable<IntermediateSessionsTable>;

/**
 * The most logins of a user that can wait for their second factor: the oldest are dropped. A thief of the first factor drops only their own
 * logins first, because each network has a few places.
 */
const MOST_WAITING = 200;
const MOST_OF_NETWORK = 10;

/** Binds a login that lacks a factor to the browser or server that began it. */
type StepBinding = Pick<IntermediateSession, 'code_challenge' | 'device_key' | 'by_server'>;

type StepFields = Infer<typeof SECOND_FACTOR>;

/** Who presents an intermediate session. */
interface StepOrigin {
  readonly device?: DeviceCookie | undefined;
  /** True for the app's own server. */
  readonly isServer: boolean;
}

/** The fields of a request about the second factor: the login to continue, and the browser that the user trusts. */
export class SecondStep {
  /** The login as a transaction read it under the user's lock. */
  private snapshot: { readonly tx: Db; readonly row: IntermediateSession } | null = null;

  private constructor(
    private readonly services: Pick<Services, 'clock'>,
    private readonly fields: StepFields,
    private readonly origin: StepOrigin,
  ) {}

  /** Reads the fields of a body. They are ignored in a project whose logins lack nothing after their first factor. */
  static of(
    services: Pick<Services, 'clock' | 'project'>,
    json: unknown,
    origin: StepOrigin,
    trusted?: string,
  ): SecondStep {
    const isOneStep = mfaRulesOf(services) === undefined && services.project.profile === null;
    if (isOneStep) return new SecondStep(services, {}, origin);
    const body = isRecord(json) ? json : {};
    const fields = checkBody({ body: SECOND_FACTOR, list: false }, body) as StepFields;
    checkChallenge(fields.mfa_code_challenge, false);
    const trusted_device_token = fields.trusted_device_token ?? trusted;
    return new SecondStep(services, { ...fields, trusted_device_token }, origin);
  }

  /** Whether the request has an intermediate token at all, valid or not. */
  get isPresented(): boolean {
    return this.fields.intermediate_session_token !== undefined;
  }

  get trustedToken(): string | undefined {
    return this.fields.trusted_device_token;
  }

  get trustsDevice(): boolean {
    return this.fields.trust_device === true;
  }

  /** Whether the caller can ask its user for a profile. The app's own server has no user to ask. */
  get asksProfile(): boolean {
    return this.fields.asks_profile === true && !this.origin.isServer;
  }

  /**
   * Binds a login to this browser: by the challenge of the request, else by its device cookie. Refuses a page that sends neither, before
   * its first factor is spent: anyone who got the token could continue the login. The app's own server is bound by its secret.
   */
  bindingFor(userId: string): StepBinding {
    const { device, isServer } = this.origin;
    const unbound = { code_challenge: null, device_key: null, by_server: isServer };
    const { mfa_code_challenge: code_challenge } = this.fields;
    if (code_challenge !== undefined) return { ...unbound, code_challenge };
    if (isServer) return unbound;
    if (device?.knows(userId) === true) return { ...unbound, device_key: device.keyFor(userId) };
    throw new Refusal('mfa_code_challenge_required');
  }

  /** The same browser, without the login that it continued. */
  anew(): SecondStep {
    const { intermediate_session_token: _, ...fields } = this.fields;
    return new SecondStep(this.services, fields, this.origin);
  }

  /** The live login of the token, if this browser began it. */
  async find(db: Db): Promise<IntermediateSession | undefined> {
    const { intermediate_session_token: token } = this.fields;
    if (token === undefined) return undefined;
    const row = await db
      .selectFrom('intermediate_sessions')
      .selectAll()
      .where('token_hash', '=', tokenHash(token))
      .where('expires_at', '>', new Date(this.services.clock.now()))
      .executeTakeFirst();
    return row !== undefined && this.isOfBrowser(row) ? row : undefined;
  }

  /** Like `find`; refuses if there is none. */
  async require(db: Db): Promise<IntermediateSession> {
    const row = await this.find(db);
    if (row === undefined) throw new Refusal('intermediate_session_not_found');
    return row;
  }

  /**
   * Locks the user of the login and reads it again, so that only one of several simultaneous requests continues. It also remembers the
   * login, because a factor that the transaction adds ends all logins of the user.
   */
  async hold(
    tx: Db,
    { user_id }: IntermediateSession,
  ): Promise<{ readonly user: LockedUser; readonly row: IntermediateSession }> {
    const user = await lockUser(tx, user_id);
    const row = user === undefined ? undefined : await this.find(tx);
    if (user === undefined || row === undefined) throw new Refusal('intermediate_session_not_found');
    checkNotLockedOut(user);
    this.snapshot = { tx, row };
    return { user, row };
  }

  /** The login of this user that the request continues. Call it once the user is locked. */
  async findIn(tx: Db, userId: string): Promise<IntermediateSession | undefined> {
    const row = this.snapshot?.tx === tx ? this.snapshot.row : await this.find(tx);
    return row?.user_id === userId ? row : undefined;
  }

  private isOfBrowser({ code_challenge, device_key, by_server, user_id }: IntermediateSession): boolean {
    const { device, isServer } = this.origin;
    if (by_server !== isServer) return false;
    if (code_challenge === null) return isServer || device?.keyFor(user_id) === device_key;
    const digest = createHash('sha256')
      .update(this.fields.mfa_code_verifier ?? '')
      .digest('base64url');
    return sameSecret(digest, code_challenge);
  }
}

/** Stores a login that lacks a factor. Resolves with its token and when it expires. */
export async function beginStep(
  { clock, random }: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  login: Pick<
    IntermediateSession,
    | 'user_id'
    | 'factors'
    | 'minutes'
    | 'custom_claims'
    | 'session_id'
    | 'new_session_id'
    | 'pending_accounts'
    | 'hook_decision'
  > &
    StepBinding &
    Pick<IntermediateSession, 'network'>,
): Promise<{ readonly token: string; readonly expires_at: Date }> {
  const token = newToken(random);
  const now = clock.now();
  const expires_at = new Date(now + INTERMEDIATE_MINUTES * MINUTE_MS);
  await tx
    .insertInto('intermediate_sessions')
    .values({
      ...login,
      factors: JSON.stringify(login.factors),
      pending_accounts: JSON.stringify(login.pending_accounts),
      custom_claims: login.custom_claims === null ? null : JSON.stringify(login.custom_claims),
      hook_decision: login.hook_decision === null ? null : JSON.stringify(login.hook_decision),
      token_hash: tokenHash(token),
      created_at: new Date(now),
      expires_at,
    })
    .execute();
  await dropOldest(tx, { user_id: login.user_id, token_hash: tokenHash(token) });
  return { token, expires_at };
}

/** Always keeps the new login, even if others began at the same instant. */
async function dropOldest(
  tx: Db,
  { user_id, token_hash }: Pick<IntermediateSession, 'user_id' | 'token_hash'>,
): Promise<void> {
  const newestFirst = sql`order by token_hash = ${token_hash} desc, created_at desc, token_hash`;
  await sql`
    delete from intermediate_sessions where token_hash in (
      select token_hash from (
        select token_hash,
          row_number() over (${newestFirst}) as place,
          row_number() over (partition by network ${newestFirst}) as place_of_network
        from intermediate_sessions where user_id = ${user_id}) as waiting
      where place > ${sql.lit(MOST_WAITING)} or place_of_network > ${sql.lit(MOST_OF_NETWORK)})`.execute(tx);
}

/** Ends a login that lacks a factor, because it was completed, or its tries are used up. */
export async function endStep(db: Db, { token_hash }: Pick<IntermediateSession, 'token_hash'>): Promise<void> {
  await db.deleteFrom('intermediate_sessions').where('token_hash', '=', token_hash).execute();
}

/** The step of a user's login as the wire shows it. */
export async function stepFrom(
  services: Pick<Services, 'clock'>,
  db: Db,
  rules: ActiveMfaRules,
  {
    user_id,
    missing,
    expires_at,
    factors: authentication_factors,
  }: Pick<IntermediateSession, 'user_id' | 'expires_at' | 'factors'> & { readonly missing: MissingFactors },
): Promise<MfaStep> {
  const hasRecovery = rules.recovery_hours !== null && missing.enrol.length === 0;
  const recovery = hasRecovery ? await waitingRecovery(services, db, user_id) : undefined;
  const times = { expires_at, recovery_at: recovery?.available_at ?? null };
  const isPasskeyListed =
    recovery === undefined ||
    isOfAll(recovery) ||
    !missing.factors.includes('webauthn') ||
    (await canProvePasskey(services, db, { recovery, session: { authentication_factors } }));
  const factors = isPasskeyListed ? missing.factors : missing.factors.filter((factor) => factor !== 'webauthn');
  const totp_digits = factors.includes('totp') ? await digitsOf(db, user_id) : OTP_LENGTH;
  const step = mfaStep(rules, { ...missing, factors }, times);
  return totp_digits === OTP_LENGTH ? step : { ...step, totp_digits };
}

/** The number of digits of the codes of the user's authenticator app. */
async function digitsOf(db: Db, userId: string): Promise<number> {
  const totp = db.selectFrom('totps').select('digits').where('user_id', '=', userId).where('verified', '=', true);
  return (await totp.executeTakeFirst())?.digits ?? OTP_LENGTH;
}

/** What the login lacks now. Refuses a login that lacks nothing any more because the project's settings have changed. */
export async function stepOfRow(
  services: Pick<Services, 'clock' | 'project'>,
  db: Db,
  row: IntermediateSession,
): Promise<MfaStep> {
  const rules = mfaRulesOf(services);
  const { user_id, factors: authentication_factors, hook_decision } = row;
  const factors = await lackOf(services, db, { user_id, authentication_factors, hook_decision });
  if (rules !== undefined && factors !== null) return stepFrom(services, db, rules, { ...row, missing: factors });
  // A session that continues is not asked. A login whose profile is complete by now goes on without an answer.
  if (services.project.profile === null || row.session_id !== null) throw new Refusal('intermediate_session_not_found');
  const missing = await readProfile(services, db, user_id, missingProfile);
  return profileStep(user_id, missing ?? { fields: [], terms: [] }, row.expires_at);
}

/** The reply to a login that lacks a factor. */
export function intermediateReply(user_id: string, token: string, mfa: MfaStep): IntermediateReply {
  const none = { user: null, session: null, session_token: '', session_jwt: '' } as const;
  return { user_id, ...none, intermediate_session_token: token, mfa };
}
