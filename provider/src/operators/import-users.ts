import { isTaken } from '../../../src/domain/rules/accounts.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Db } from '../db/database.ts';
import { sqlState } from '../db/database-errors.ts';
import { transaction } from '../db/transaction.ts';
import { createPassword, requireReset } from '../passwords/store.ts';
import { storedForm } from '../passwords/stored.ts';
import { newId } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { removePending, addEmail, findEmail } from '../users/store.ts';
import { addPhone, findPhone } from '../users/phone-numbers.ts';
import { readImportLine, type ImportedUser } from './import-line.ts';
import { auditOperator, type By } from './people.ts';

export type ImportResult =
  | { readonly result: 'imported' | 'exists'; readonly user_id: string }
  | { readonly result: 'refused'; readonly reason: string };

/** Imports one line, whole or not at all. Somebody who is there already, by any of their ids, is left as they are. */
export async function importUser(services: Services, value: unknown, by: By): Promise<ImportResult> {
  const read = readImportLine(services.project, value);
  if ('wrong' in read) return { result: 'refused', reason: read.wrong };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(services.db, (tx) => importLine(services, tx, read.line, by));
    } catch (error) {
      if (error instanceof Refusal) return { result: 'refused', reason: error.message };
      // Somebody else took the id or address at the same time: the next try sees them.
      if (sqlState(error) !== '23505' || attempt === 2) throw error;
    }
  }
}

/** The users who have one of the ids, addresses or numbers of the line. Unfinished sign-ups of strangers are removed. */
async function ownersOf(tx: Db, line: ImportedUser): Promise<readonly string[]> {
  const { user_id, external_id, emails, phone_numbers } = line;
  const named = await tx
    .selectFrom('users')
    .select('user_id')
    .where((where) => where.or([where('user_id', '=', user_id ?? ''), where('external_id', '=', external_id ?? '')]))
    .execute();
  const owners = new Set(named.map((row) => row.user_id));
  for (const { email } of emails) {
    const known = await findEmail(tx, email);
    if (known === undefined || owners.has(known.user_id)) continue;
    if (isTaken(known)) owners.add(known.user_id);
    else await removePending(tx, known.user_id, 'duplicate_email');
  }
  for (const { phone_number } of phone_numbers) {
    const known = await findPhone(tx, phone_number);
    if (known === undefined || owners.has(known.user_id)) continue;
    if (isTaken(known)) owners.add(known.user_id);
    else await removePending(tx, known.user_id, 'duplicate_phone_number');
  }
  return [...owners];
}

async function importLine(services: Services, tx: Db, line: ImportedUser, by: By): Promise<ImportResult> {
  const [owner, another] = await ownersOf(tx, line);
  if (another !== undefined) {
    throw new Refusal('bad_request', 'Its ids, addresses and numbers belong to different users here.');
  }
  if (owner !== undefined) return { result: 'exists', user_id: owner };
  const now = new Date(services.clock.now());
  const user_id = line.user_id ?? newId(services.random, 'user');
  await tx
    .insertInto('users')
    .values({
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
      vouched: line.vouched,
      locked_at: line.locked ? now : null,
    })
    .execute();
  for (const { email, verified } of line.emails) {
    const email_id = newId(services.random, 'email');
    if ((await addEmail(services, tx, { email_id, user_id, email, verified })) === undefined) {
      throw new Refusal('duplicate_email');
    }
  }
  for (const phone of line.phone_numbers) {
    const phone_id = newId(services.random, 'phone-number');
    if ((await addPhone(services, tx, { ...phone, phone_id, user_id })) === undefined) {
      throw new Refusal('duplicate_phone_number');
    }
  }
  if (line.password !== null) {
    await createPassword(services, tx, user_id, storedForm(services, user_id, line.password.hash));
    if (line.password.requires_reset) await requireReset(tx, user_id);
  }
  await auditOperator(services, tx, by, { event: 'user_imported', user_id });
  return { result: 'imported', user_id };
}
