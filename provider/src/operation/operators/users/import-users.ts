import { sql, type Insertable } from 'kysely';
import { isSignedUp, isTaken } from '#server-rules/accounts.ts';
import { CONTACT_KINDS } from '#server-rules/contacts.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { insertMany } from '#provider/base/db/statements/insert-many.ts';
import { sqlState } from '#provider/base/db/database-errors.ts';
import { ChangedMeanwhile, transaction } from '#provider/base/db/statements/transaction.ts';
import { createPassword, freshPassword, requireReset } from '#provider/accounts/passwords/store.ts';
import { storedForm } from '#provider/accounts/passwords/stored.ts';
import { KNOWN_NETWORK_MS } from '#provider/base/security/known-networks.ts';
import { pooled } from '#provider/base/platform.ts';
import { newId, type IdKind } from '#provider/base/security/secrets.ts';
import type { SessionServices } from '#provider/accounts/services.ts';
import type { Services } from '#provider/api/services.ts';
import { addContact, contactRow, CONTACT_TABLES, findContact } from '#provider/accounts/users/contacts.ts';
import { freeContact } from '#provider/accounts/users/release.ts';
import { contactsOf, readImportLine, type ImportedUser } from '#provider/accounts/account/import-line.ts';
import type { UsersTable } from '#provider/accounts/users/tables.ts';
import { operatorRow, type AuditActor } from '../desk/audit-actor.ts';
import { broughtBy } from './brought-by.ts';
import { addFactors, heldFactors, type LineOwner } from './factor-rows.ts';

type ImportServices = Pick<Services, 'clock' | 'random' | 'keys' | 'project'>;

export type ImportResult =
  | { readonly result: 'imported'; readonly user_id: string }
  | {
      readonly result: 'exists';
      readonly user_id: string;
      /** What the line has and the user here lacks, such as `password`. */
      readonly brings: readonly string[];
    }
  | { readonly result: 'refused'; readonly reason: string };

/** Imports one line, completely or not at all. If any of its ids belongs to an existing user, that user is not changed. */
export async function importUser(services: SessionServices, value: unknown, by: AuditActor): Promise<ImportResult> {
  const read = readImportLine(services.project, value);
  if ('wrong' in read) return { result: 'refused', reason: read.wrong };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(services.db, (tx) => importLine(services, tx, read.line, by));
    } catch (error) {
      if (error instanceof Refusal) return { result: 'refused', reason: error.message };
      // A simultaneous request took the id or address; the next attempt finds its user.
      if (sqlState(error) !== UNIQUE_VIOLATION || attempt === 2) throw error;
    }
  }
}

/**
 * Imports lines, each completely or not at all. The lines of unknown users are written together. If that fails, because a simultaneous
 * request or another line has the same id or address, they are imported one by one, like all other lines.
 */
export async function importUsers(
  services: SessionServices,
  values: readonly unknown[],
  by: AuditActor,
): Promise<readonly ImportResult[]> {
  const reads = values.map((value) => readImportLine(services.project, value));
  const lines = reads.map((read) => ('wrong' in read ? null : read.line));
  const now = services.clock.now();
  const batch = { ...services, random: pooled(services.random), clock: { now: () => now } };
  const userIds = await transaction(services.db, async (tx) => {
    const fresh = await freshOf(tx, lines);
    return insertTogether(batch, tx, fresh, by);
  }).catch((error: unknown) => {
    if (sqlState(error) === UNIQUE_VIOLATION) return new Map<ImportedUser, string>();
    throw error;
  });
  const results: ImportResult[] = [];
  for (const [place, line] of lines.entries()) {
    const user_id = line === null ? undefined : userIds.get(line);
    results.push(
      user_id === undefined ? await importUser(services, values[place], by) : { result: 'imported', user_id },
    );
  }
  return results;
}

const UNIQUE_VIOLATION = '23505';
const USER_JSON = ['name', 'trusted_metadata', 'untrusted_metadata', 'roles', 'given_roles', 'accepted_terms'] as const;

/** The values that must not exist here, by where they are looked up. */
type Keys = Readonly<Record<'user_id' | 'external_id' | 'email' | 'phone', string[]>>;

/** The lines whose ids, addresses, numbers and credentials are all unknown here. */
async function freshOf(tx: Db, lines: readonly (ImportedUser | null)[]): Promise<readonly ImportedUser[]> {
  const all = lines.filter((line) => line !== null);
  const keysOf = all.map((line) => {
    const { user_id, external_id } = line;
    const keys: Keys = { user_id: [], external_id: [], email: [], phone: [] };
    if (user_id !== null) keys.user_id.push(user_id);
    if (external_id !== null) keys.external_id.push(external_id);
    for (const { kind, value } of contactsOf(line)) keys[kind].push(...CONTACT_TABLES[kind].keysOf(value));
    return keys;
  });
  // One string instead of an array, because the driver takes four times as long for the items of an array.
  const anyOf = (kind: keyof Keys) =>
    sql`any(array(select json_array_elements_text(${JSON.stringify(keysOf.flatMap((keys) => keys[kind]))}::json)))`;
  const { rows } = await sql<{ taken: string }>`select user_id as taken from users where user_id = ${anyOf('user_id')}
    union all select external_id from users where external_id = ${anyOf('external_id')}
    union all select email_key from emails where email_key = ${anyOf('email')}
    union all select phone_number from phone_numbers where phone_number = ${anyOf('phone')}`.execute(tx);
  const keysInUse = new Set(rows.map((row) => row.taken));
  const conflicts = await heldFactors(tx, all);
  if (keysInUse.size + conflicts.size === 0) return all;
  const isTakenAt = (place: number): boolean =>
    Object.values(keysOf[place] ?? {}).some((keys) => keys.some((key) => keysInUse.has(key)));
  return all.filter((line, place) => !conflicts.has(line) && !isTakenAt(place));
}

/** The ids of the created users, by line. Rejects with a unique violation if two have the same key. */
async function insertTogether(
  services: ImportServices,
  tx: Db,
  lines: readonly ImportedUser[],
  by: AuditActor,
): Promise<ReadonlyMap<ImportedUser, string>> {
  const ids = orderedIds(services, 'user', lines.length);
  const userIds = new Map(lines.map((line, place) => [line, line.user_id ?? ids[place] ?? '']));
  if (lines.length === 0) return userIds;
  await insertMany(
    tx,
    'users',
    [...userIds].map(([line, user_id]) => userRow(services, line, user_id)),
    USER_JSON,
  );
  for (const kind of ['email', 'phone'] as const) {
    const contacts = [...userIds].flatMap(([line, user_id]) =>
      contactsOf(line).flatMap((contact) =>
        contact.kind === kind ? [{ line, contact: { ...contact, user_id } }] : [],
      ),
    );
    const methodIds = orderedIds(services, CONTACT_KINDS[kind].idKind, contacts.length);
    const rows = contacts.map(({ line, contact }, place) =>
      contactRow(asOf(services, line), { ...contact, method_id: methodIds[place] }),
    );
    await insertMany(tx, CONTACT_TABLES[kind].table, rows);
  }
  const passwords = [...userIds].flatMap(([line, user_id]) => {
    if (line.password === null) return [];
    const { hash, requires_reset } = line.password;
    return [{ ...freshPassword(asOf(services, line), user_id, storedForm(services, user_id, hash)), requires_reset }];
  });
  await insertMany(tx, 'passwords', passwords);
  const owners = [...userIds].map(([line, user_id]) => [line, ownerOf(services, line, user_id)] as const);
  const factors = await addFactors(services, tx, new Map(owners), by);
  const rows = [...userIds.values()].map((user_id) => operatorRow(services, by, { event: 'user_imported', user_id }));
  await insertMany(tx, 'audit_log', [...rows, ...factors], ['details']);
  return userIds;
}

/**
 * The imported login methods are as old as the user. Otherwise they would count as recent additions, which prove nothing when an older
 * account is deleted.
 */
function asOf<S extends Pick<Services, 'clock'>>(services: S, { created_at }: ImportedUser): S {
  return created_at === null ? services : { ...services, clock: { now: () => created_at.getTime() } };
}

const ownerOf = (services: Pick<Services, 'clock'>, line: ImportedUser, user_id: string): LineOwner => ({
  user_id,
  since: new Date(asOf(services, line).clock.now()),
});

/** New ids in the order of their indexes, which saves a tenth of the database's time. */
function orderedIds({ random }: Pick<Services, 'random'>, kind: IdKind, count: number): readonly string[] {
  return Array.from({ length: count }, () => newId(random, kind)).sort();
}

interface Claim {
  readonly field: string;
  /** Whether the line says that the person verified it. */
  readonly verified: boolean;
}

interface ContactHolder {
  readonly user_id: string;
  readonly verified: boolean;
  readonly status: string;
  readonly managed: boolean;
}

/**
 * Whether an address or number of the line belongs to its user here. An import of a managed user, or of a verified address, vouches for
 * them, so a stranger's sign-up does not count. If the line has a verified address whose user here has not verified it, refuses to treat
 * them as the same.
 */
function belongs({ managed }: ImportedUser, { field, verified }: Claim, holder: ContactHolder): boolean {
  if (!managed && !verified) return isSignedUp(holder);
  if (!isTaken(holder)) return false;
  if (verified && !holder.verified) {
    const reason = `${field} is verified in the line, and not at the user who has it here: ${holder.user_id}.`;
    throw new Refusal('bad_request', reason);
  }
  return true;
}

interface Owners {
  /** The users who have one of the line's ids, addresses or numbers. */
  readonly ids: readonly string[];
  /** Frees the addresses and numbers that strangers signed up with. */
  readonly free: () => Promise<void>;
}

async function ownersOf(tx: Db, line: ImportedUser): Promise<Owners> {
  const { user_id, external_id } = line;
  const rows = await tx
    .selectFrom('users')
    .select('user_id')
    .where((where) => where.or([where('user_id', '=', user_id ?? ''), where('external_id', '=', external_id ?? '')]))
    .execute();
  const owners = new Set(rows.map((row) => row.user_id));
  const frees: (() => Promise<void>)[] = [];
  for (const { kind, value, verified, field } of contactsOf(line)) {
    const holder = await findContact(tx, kind, value);
    if (holder === undefined || owners.has(holder.user_id)) continue;
    if (belongs(line, { field, verified }, holder)) owners.add(holder.user_id);
    else frees.push(() => freeContact(tx, holder));
  }
  const free = async (): Promise<void> => {
    for (const each of frees) await each();
  };
  return { ids: [...owners], free };
}

function userRow({ clock }: Pick<Services, 'clock'>, line: ImportedUser, user_id: string): Insertable<UsersTable> {
  const now = new Date(clock.now());
  return {
    user_id,
    created_at: line.created_at ?? now,
    status: line.status,
    name: JSON.stringify(line.name),
    trusted_metadata: JSON.stringify(line.trusted_metadata),
    untrusted_metadata: JSON.stringify(line.untrusted_metadata),
    roles: '[]',
    given_roles: JSON.stringify([...new Set(line.roles)]),
    external_id: line.external_id,
    managed: line.managed,
    arrival: line.arrival ?? (line.managed ? 'made' : 'alone'),
    roles_named: true,
    vouched: line.vouched,
    accepted_terms: JSON.stringify(line.accepted_terms),
    locked_at: line.locked ? now : null,
    // A user from another system has as much time to log in as existing users.
    proof_due_at: new Date(now.getTime() + KNOWN_NETWORK_MS),
  };
}

async function importLine(services: ImportServices, tx: Db, line: ImportedUser, by: AuditActor): Promise<ImportResult> {
  const { ids, free } = await ownersOf(tx, line);
  const [owner, another] = ids;
  if (another !== undefined) {
    throw new Refusal('bad_request', 'Its ids, addresses and numbers belong to different users here.');
  }
  if (owner !== undefined) return { result: 'exists', user_id: owner, brings: await broughtBy(tx, line, owner) };
  await free();
  // After the sign-ups of strangers have ended, with what they added.
  const conflict = (await heldFactors(tx, [line])).get(line);
  if (conflict !== undefined) {
    const reason = `${conflict.field} is that of another user here: ${conflict.user_id}. Delete it there, or leave it out.`;
    throw new Refusal('bad_request', reason);
  }
  const user_id = line.user_id ?? newId(services.random, 'user');
  await tx
    .insertInto('users')
    .values(userRow(services, line, user_id))
    .execute();
  for (const { kind, value, verified } of contactsOf(line)) {
    // A simultaneous sign-up took it; the next attempt finds its user.
    if ((await addContact(asOf(services, line), tx, { kind, user_id, value, verified })) === undefined)
      throw new ChangedMeanwhile();
  }
  if (line.password !== null) {
    await createPassword(asOf(services, line), tx, user_id, storedForm(services, user_id, line.password.hash));
    if (line.password.requires_reset) await requireReset(tx, user_id);
  }
  const factors = await addFactors(services, tx, new Map([[line, ownerOf(services, line, user_id)]]), by);
  await insertMany(
    tx,
    'audit_log',
    [operatorRow(services, by, { event: 'user_imported', user_id }), ...factors],
    ['details'],
  );
  return { result: 'imported', user_id };
}
