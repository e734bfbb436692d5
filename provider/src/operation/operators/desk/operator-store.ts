import { Refusal } from '#domain/rules/refusal.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { newToken, tokenHash, uuid } from '#provider/base/security/secrets.ts';
import type { Services } from '#provider/api/services.ts';
import { auditOperator, type AuditActor } from './audit-actor.ts';
import type { OperatorsTable } from '../tables.ts';

type OperatorServices = Pick<Services, 'db' | 'clock' | 'random' | 'keys'>;
export type Operator = Pick<OperatorsTable, 'operator_id' | 'name' | 'role'>;

const INVITE_MS = 60 * MINUTE_MS;
const IDLE_MS = 15 * MINUTE_MS;
const SESSION_MS = 8 * 60 * MINUTE_MS;
/** The precision of the last use. A finer one would need a write for every page. */
const USE_RECORDED_EVERY_MS = MINUTE_MS;
const NAME = /^[^\p{C}]{1,80}$/u;

/** The token of a link that enrols one passkey, once, within an hour. Earlier links of the operator end. */
export async function inviteOperator(
  services: OperatorServices,
  { name, role }: Pick<Operator, 'name' | 'role'>,
  by: AuditActor,
): Promise<string> {
  const { db, clock, random } = services;
  if (!NAME.test(name) || name.trim() !== name) {
    throw new Refusal('bad_request', 'The name of an operator has 1 to 80 visible characters.');
  }
  const token = newToken(random);
  await transaction(db, async (tx) => {
    const operator = await tx
      .insertInto('operators')
      .values({ operator_id: `operator-${uuid(random)}`, name, role, created_at: new Date(clock.now()) })
      // The company decides about its own people.
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ role }).where('operators.issuer', 'is', null))
      .returning('operator_id')
      .executeTakeFirst();
    if (operator === undefined) {
      throw new Refusal(
        'bad_request',
        `${name} logs in at the company, which gives the role: change the groups there.`,
      );
    }
    const { operator_id } = operator;
    await tx.deleteFrom('operator_invites').where('operator_id', '=', operator_id).execute();
    await tx
      .insertInto('operator_invites')
      .values({ token_hash: tokenHash(token), operator_id, expires_at: new Date(clock.now() + INVITE_MS) })
      .execute();
    await auditOperator(services, tx, by, { event: 'operator_invited', details: { name, role } });
  });
  return token;
}

/** All operators, and when they enrolled each passkey. */
export async function listOperators({ db }: Pick<Services, 'db'>) {
  const operators = await db
    .selectFrom('operators')
    .select(['operator_id', 'name', 'role', 'issuer', 'created_at'])
    .orderBy('name')
    .execute();
  const passkeys = await db
    .selectFrom('operator_passkeys')
    .select(['operator_id', 'created_at'])
    .orderBy('created_at')
    .execute();
  return operators.map(({ operator_id, ...operator }) => {
    const own = passkeys.filter((passkey) => passkey.operator_id === operator_id);
    return { ...operator, passkeys: own.length, enrolled_at: own.map(({ created_at }) => created_at) };
  });
}

/**
 * Invalidates the operator's passkeys, invitations and sessions. With `keepsAdmin`, another operator who can log in and make changes must
 * remain. The rows of all of them are locked, so that two who remove each other cannot both succeed.
 */
export async function removeOperator(
  services: OperatorServices,
  name: string,
  by: AuditActor,
  keepsAdmin = false,
): Promise<void> {
  await transaction(services.db, async (tx) => {
    if (keepsAdmin) await checkAdminRemains(tx, name);
    const removed = await tx.deleteFrom('operators').where('name', '=', name).returning('name').executeTakeFirst();
    if (removed === undefined) throw new Refusal('operator_not_found');
    await auditOperator(services, tx, by, { event: 'operator_removed', details: { name } });
  });
}

async function checkAdminRemains(tx: Services['db'], without: string): Promise<void> {
  const admins = await tx
    .selectFrom('operators')
    .select('name')
    .where('role', '=', 'admin')
    .where((where) =>
      where.exists(
        where
          .selectFrom('operator_passkeys')
          .select('credential_id')
          .whereRef('operator_passkeys.operator_id', '=', 'operators.operator_id'),
      ),
    )
    .orderBy('operator_id')
    .forUpdate()
    .execute();
  if (admins.every(({ name }) => name === without)) {
    throw new Refusal(
      'unauthorized_action',
      'Nobody who may change things would remain. The last one is removed where the server runs.',
    );
  }
}

/** The operator of an unused invitation. */
export async function invitedBy({ db, clock }: OperatorServices, token: string): Promise<Operator> {
  const found = await db
    .selectFrom('operator_invites')
    .innerJoin('operators', 'operators.operator_id', 'operator_invites.operator_id')
    .select(['operators.operator_id', 'name', 'role'])
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
  if (found === undefined)
    throw new Refusal('invite_not_found', 'The link was used, or has expired. Ask for another one.');
  return found;
}

/** Starts a session. @returns its token */
export async function startOperatorSession(
  services: OperatorServices,
  tx: Services['db'],
  operatorId: string,
): Promise<string> {
  const token = newToken(services.random);
  const now = services.clock.now();
  await tx
    .insertInto('operator_sessions')
    .values({
      token_hash: tokenHash(token),
      operator_id: operatorId,
      last_used_at: new Date(now),
      expires_at: new Date(now + SESSION_MS),
    })
    .execute();
  return token;
}

/** The operator of a live session. Sessions end after eight hours, or a quarter of an hour without a request. */
export async function operatorOf({ db, clock }: OperatorServices, token: string | undefined): Promise<Operator | null> {
  if (token === undefined) return null;
  const now = clock.now();
  const hash = tokenHash(token);
  const found = await db
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.operator_id', 'operator_sessions.operator_id')
    .select(['operators.operator_id', 'name', 'role', 'last_used_at'])
    .where('token_hash', '=', hash)
    .where('expires_at', '>', new Date(now))
    .where('last_used_at', '>', new Date(now - IDLE_MS))
    .executeTakeFirst();
  if (found === undefined) return null;
  const { last_used_at, ...operator } = found;
  if (now - last_used_at.getTime() > USE_RECORDED_EVERY_MS) {
    await db
      .updateTable('operator_sessions')
      .set({ last_used_at: new Date(now) })
      .where('token_hash', '=', hash)
      .execute();
  }
  return operator;
}

export async function endOperatorSession({ db }: Pick<Services, 'db'>, token: string): Promise<void> {
  await db.deleteFrom('operator_sessions').where('token_hash', '=', tokenHash(token)).execute();
}
