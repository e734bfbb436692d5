import { sql } from 'kysely';
import { disputesIn, speaksFor, speaksForAll, type DatedMethod } from '#server-rules/disputes.ts';
import type { SessionFactors } from '#domain/rules/factors.ts';
import { kindOf } from '#domain/rules/authentication-methods.ts';
import { ATTESTED_METHOD, methodOf, PASSWORD_METHOD } from '#server-rules/fresh-proof.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { Db } from '#provider/base/db/database.ts';
import { cancelRecovery, isOfAll, waitingRecovery, type Recovery } from '../../recovery/store.ts';
import type { Services } from '../../services.ts';
import type { LockedUser } from '../../users/lock.ts';
import { METHODS } from './fresh.ts';

type MethodTable = keyof typeof METHODS | 'passwords';

interface StoredMethod extends DatedMethod {
  readonly table: MethodTable;
}

/** The tables whose rows a link can dispute, with the id of each. */
const DISPUTABLE = {
  totps: 'totp_id',
  webauthn_registrations: 'webauthn_registration_id',
  phone_numbers: 'phone_id',
} as const;

type DisputableTable = keyof typeof DISPUTABLE;

const isDisputable = (table: string): table is DisputableTable => table in DISPUTABLE;

/** The tables that also contain unverified rows. */
const UNPROVEN: ReadonlySet<string> = new Set(['emails', 'phone_numbers', 'totps']);

/** The login methods of the recovery's user. */
async function methodsIn(
  db: Db,
  { user_id, recovery_id, oldest_method_at }: Pick<Recovery, 'user_id' | 'recovery_id' | 'oldest_method_at'>,
): Promise<readonly StoredMethod[]> {
  const ids: readonly (readonly [table: MethodTable, id: ReturnType<typeof sql>])[] = [
    ...Object.entries(METHODS).map(([table, id]) => [table as MethodTable, sql.ref(id)] as const),
    ['passwords', sql`${PASSWORD_METHOD}::text`],
    // A trusted issuer can identify a user by any of their addresses.
    ['emails', sql`${ATTESTED_METHOD}::text`],
  ];
  const each = ids.map(([table, id]) => {
    const disputed = isDisputable(table) ? sql`coalesce(disputed_in = ${recovery_id}, false)` : sql`false`;
    const condition = UNPROVEN.has(table) ? sql`and verified` : sql``;
    return sql`select ${sql.lit(table)}::text as table_name, ${id} as id, created_at, ${disputed} as is_disputed
      from ${sql.table(table)} where user_id = ${user_id} ${condition}`;
  });
  const all = sql<{
    readonly table_name: MethodTable;
    readonly id: string;
    readonly created_at: Date;
    readonly is_disputed: boolean;
  }>`${sql.join(each, sql` union all `)}`;
  const { rows } = await all.execute(db);
  const methods = rows.map(({ table_name: table, id, created_at, is_disputed: isDisputed }) => ({
    table,
    id,
    created_at: created_at.getTime(),
    isDisputed,
  }));
  const oldest = (oldest_method_at ?? firstOf(methods))?.getTime() ?? 0;
  return methods.map((method) => ({ ...method, isOldest: method.created_at <= oldest }));
}

/** When the first of the methods was added; null if there is none. */
function firstOf(methods: readonly Pick<DatedMethod, 'created_at'>[]): Date | null {
  return methods.length === 0 ? null : new Date(Math.min(...methods.map(({ created_at }) => created_at)));
}

/** Marks second factors as disputed; the recovery will remove them. */
export async function dispute(
  tx: Db,
  recovery: Recovery,
  ids: Readonly<Record<DisputableTable, readonly string[]>>,
): Promise<void> {
  const { recovery_id, oldest_method_at, oldest_contact_at } = recovery;
  const methods = await methodsIn(tx, recovery);
  const contacts = methods.filter(({ table }) => table === 'emails' || table === 'phone_numbers');
  await tx
    .updateTable('recoveries')
    .set({
      oldest_method_at: oldest_method_at ?? firstOf(methods),
      oldest_contact_at: oldest_contact_at ?? firstOf(contacts),
    })
    .where('recovery_id', '=', recovery_id)
    .execute();
  for (const table of Object.keys(DISPUTABLE) as DisputableTable[]) {
    if (ids[table].length === 0) continue;
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    await tx
      .updateTable(table)
      .set({ disputed_in: recovery_id })
      .where(tx.dynamic.ref(DISPUTABLE[table]), 'in', ids[table])
      .execute();
  }
}

/**
 * Lifts the dispute of each method that the login proves together with one that vouches for it. Alone it proves nothing, because an
 * intruder may have added it. When nothing is disputed any more, the recovery is canceled. Refuses a passkey without another method that
 * vouches for it: alone it would count as two factors.
 */
export async function settleDisputes(
  services: Pick<Services, 'clock'>,
  tx: Db,
  user: LockedUser,
  { recovery, session }: { readonly recovery: Recovery; readonly session: SessionFactors },
): Promise<void> {
  const methods = await methodsIn(tx, recovery);
  const disputes = disputesIn(session, methods) as readonly StoredMethod[];
  const settled = disputes.filter((method) => speaksFor(session, method, methods, services.clock.now()));
  if (disputes.some((each) => each.table === 'webauthn_registrations' && !settled.includes(each))) {
    throw new Refusal('webauthn_registration_not_found');
  }
  for (const { table, id } of settled) {
    if (!isDisputable(table)) continue;
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    await tx.updateTable(table).set({ disputed_in: null }).where(tx.dynamic.ref(DISPUTABLE[table]), '=', id).execute();
  }
  const isOver = methods.every((method) => !method.isDisputed || settled.includes(method));
  if (settled.length > 0 && isOver) await cancelRecovery(services, tx, user, recovery.recovery_id);
}

/** The types of factors that can be second ones, besides those of phones. */
const SECOND_TYPES: ReadonlySet<string> = new Set(['totp', 'recovery_codes', 'webauthn']);

/** Whether one of the factors can be a second one. */
export const hasSecond = (factors: readonly AuthenticationFactor[]): boolean =>
  factors.some((factor) => SECOND_TYPES.has(factor.type) || kindOf(factor).startsWith('phone:'));

/** The factors without those whose methods a recovery of the user disputes. */
export async function withoutDisputed(
  services: Pick<Services, 'clock'>,
  db: Db,
  userId: string,
  factors: readonly AuthenticationFactor[],
): Promise<readonly AuthenticationFactor[]> {
  const recovery = hasSecond(factors) ? await waitingRecovery(services, db, userId) : undefined;
  if (recovery === undefined || isOfAll(recovery)) return factors;
  const disputed = disputesIn({ authentication_factors: factors }, await methodsIn(db, recovery));
  return factors.filter((factor) => !disputed.some(({ id }) => id === methodOf(factor)));
}

/** Whether a recovery disputes the method of the factor being proved, and no earlier factor vouches for it. */
export async function isInDispute(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  userId: string,
  { factor, before }: { readonly factor: AuthenticationFactor; readonly before: readonly AuthenticationFactor[] },
): Promise<boolean> {
  const recovery = hasSecond([factor]) ? await waitingRecovery({ clock }, db, userId) : undefined;
  if (recovery === undefined || isOfAll(recovery)) return false;
  const methods = await methodsIn(db, recovery);
  const disputed = disputesIn({ authentication_factors: [factor] }, methods);
  return disputed.some((method) => !speaksFor({ authentication_factors: before }, method, methods, clock.now()));
}

/** Whether a login with these factors can continue with one of the user's passkeys. */
export async function canProvePasskey(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  { recovery, session }: { readonly recovery: Recovery; readonly session: SessionFactors },
): Promise<boolean> {
  const methods = await methodsIn(db, recovery);
  return methods.some(
    (method) =>
      method.table === 'webauthn_registrations' &&
      (!method.isDisputed || speaksFor(session, method, methods, clock.now())),
  );
}

/**
 * Whether the session may stop the recovery. If an undo began it, the session must have proved methods that vouch for all disputed ones.
 */
export async function mayStop(db: Db, recovery: Recovery, session: SessionFactors): Promise<boolean> {
  return isOfAll(recovery) || speaksForAll(session, await methodsIn(db, recovery));
}
