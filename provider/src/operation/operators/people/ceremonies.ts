import { generateAuthenticationOptions, generateRegistrationOptions } from '@simplewebauthn/server';
import { ALGORITHMS } from '#server-rules/passkeys.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { auditRefusal } from '#provider/base/audit/budgets.ts';
import { isTelling } from '#provider/api/recorded.ts';
import type { Db } from '#provider/base/db/database.ts';
import { isReferenceGone } from '#provider/base/db/database-errors.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { assertionFrom, attestationFrom, clientDataOf } from '#provider/accounts/passkeys/credential.ts';
import { verifyAssertion, verifyAttestation, type ExpectedResponse } from '#provider/accounts/passkeys/verify.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import type { OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { SessionServices } from '#provider/accounts/services.ts';
import type { Services } from '#provider/api/services.ts';
import { invitedBy, startOperatorSession, type Operator } from '../desk/operator-store.ts';
import { auditOperator, type AuditActor } from '../desk/audit-actor.ts';

/** The origin of the page. Its passkeys work only on this origin. */
export interface Site {
  readonly origin: string;
  /** Calls the provider of the company; by default over the network. */
  readonly companyFetch?: OutsideFetch;
}

const CHALLENGE_MS = 5 * MINUTE_MS;

function domainOf({ origin }: Site): string {
  return new URL(origin).hostname;
}

function expected(site: Site, challenge: string): ExpectedResponse {
  return {
    challenge,
    domain: domainOf(site),
    mayUse: (origin) => origin === site.origin,
    userVerification: true,
    userPresence: true,
  };
}

async function issueChallenge(
  { db, clock, random }: Pick<Services, 'db' | 'clock' | 'random'>,
  operatorId: string | null,
): Promise<string> {
  const challenge = newToken(random);
  const expires_at = new Date(clock.now() + CHALLENGE_MS);
  await db
    .insertInto('operator_challenges')
    .values({ challenge_hash: tokenHash(challenge), operator_id: operatorId, expires_at })
    .execute()
    .catch((error: unknown) => {
      // The operator was removed meanwhile, and the invitation with them.
      throw isReferenceGone(error) ? new Refusal('invite_not_found') : error;
    });
  return challenge;
}

/** Spends the challenge. It answers one ceremony, of this operator or of a login. */
async function spendChallenge(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  challenge: string,
  operatorId: string | null,
): Promise<void> {
  const row = await db
    .deleteFrom('operator_challenges')
    .where('challenge_hash', '=', tokenHash(challenge))
    .where('operator_id', 'is not distinct from', operatorId)
    .where('expires_at', '>', new Date(clock.now()))
    .returning('challenge_hash')
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('webauthn_challenge_not_found');
}

/** Options for `navigator.credentials.create()`, for a person with an unused invitation. */
export async function startEnrolment(services: SessionServices, site: Site, token: string): Promise<object> {
  const { operator_id, name } = await invitedBy(services, token);
  return generateRegistrationOptions({
    rpName: `${services.project.name} (operators)`,
    rpID: domainOf(site),
    userID: Uint8Array.from(Buffer.from(operator_id)),
    userName: name,
    userDisplayName: name,
    challenge: Uint8Array.from(Buffer.from(await issueChallenge(services, operator_id), 'base64url')),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: [...ALGORITHMS],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Enrols the passkey and spends the invitation. @returns the token of a session */
export async function enrol(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys'>,
  site: Site,
  { token, credential }: { readonly token: string; readonly credential: string },
  by: Omit<AuditActor, 'name'>,
): Promise<string> {
  const response = attestationFrom(credential);
  const { challenge } = clientDataOf(response.response);
  const operator = await invitedBy(services, token);
  const passkey = await verifyAttestation(response, expected(site, challenge));
  return transaction(services.db, async (tx) => {
    await spendChallenge(services, tx, challenge, operator.operator_id);
    const invite = await tx
      .deleteFrom('operator_invites')
      .where('token_hash', '=', tokenHash(token))
      .where('operator_id', '=', operator.operator_id)
      .returning('operator_id')
      .executeTakeFirst();
    if (invite === undefined) throw new Refusal('invite_not_found');
    // The other details of a passkey matter only for users' passkeys.
    const { credential_id, public_key, sign_count, backup_eligible } = passkey;
    await tx
      .insertInto('operator_passkeys')
      .values({
        credential_id,
        public_key,
        sign_count,
        backup_eligible,
        operator_id: operator.operator_id,
        user_handle: Buffer.from(operator.operator_id).toString('base64url'),
        created_at: new Date(services.clock.now()),
      })
      .execute();
    await auditOperator(services, tx, { ...by, name: operator.name }, { event: 'operator_enrolled' });
    return startOperatorSession(services, tx, operator.operator_id);
  });
}

/** Options for `navigator.credentials.get()`: the passkey identifies the operator. */
export async function startOperatorLogin(
  services: Pick<Services, 'db' | 'clock' | 'random'>,
  site: Site,
): Promise<object> {
  return generateAuthenticationOptions({
    rpID: domainOf(site),
    challenge: Uint8Array.from(Buffer.from(await issueChallenge(services, null), 'base64url')),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
}

/** Logs an operator in by a passkey. @returns the token of a session */
export async function operatorLogin(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys'>,
  site: Site,
  credential: string,
  by: Omit<AuditActor, 'name'>,
): Promise<string> {
  const response = assertionFrom(credential);
  const { challenge } = clientDataOf(response.response);
  // Deleted before the answer is checked, so that only one answer is possible, valid or not.
  await spendChallenge(services, services.db, challenge, null);
  const passkey = await services.db
    .selectFrom('operator_passkeys')
    .innerJoin('operators', 'operators.operator_id', 'operator_passkeys.operator_id')
    .selectAll('operator_passkeys')
    .select('operators.name')
    .where('credential_id', '=', response.id)
    .executeTakeFirst();
  if (passkey === undefined) throw new Refusal('webauthn_verification_failed');
  const { sign_count } = await verifyAssertion(response, expected(site, challenge), passkey);
  return transaction(services.db, async (tx) => {
    const updated = await tx
      .updateTable('operator_passkeys')
      .set({ sign_count })
      .where('credential_id', '=', passkey.credential_id)
      .returning('operator_id')
      .executeTakeFirst();
    if (updated === undefined) throw new Refusal('webauthn_verification_failed');
    await auditOperator(services, tx, { ...by, name: passkey.name }, { event: 'operator_login' });
    return startOperatorSession(services, tx, updated.operator_id);
  });
}

/** Records a refused entry: with an invalid passkey or invitation. */
export async function entering<R>(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'report'>,
  event: 'operator_enrolled' | 'operator_login',
  by: Omit<AuditActor, 'name'>,
  enter: () => Promise<R>,
): Promise<R> {
  try {
    return await enter();
  } catch (cause) {
    if (isTelling(cause)) {
      const details = { error_type: cause.type };
      const entry = { ...by, event, user_id: null, actor: { kind: 'anonymous', id: null }, details } as const;
      await auditRefusal(services, entry).catch((error: unknown) => services.report(error, { where: 'the audit log' }));
    }
    throw cause;
  }
}

export function byOperator({ name }: Pick<Operator, 'name'>, request: Omit<AuditActor, 'name'>): AuditActor {
  return { ...request, name };
}
