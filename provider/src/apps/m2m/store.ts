import { sql, type ExpressionBuilder, type Insertable, type Selectable } from 'kysely';
import { mergeMetadata } from '#server-rules/metadata.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db, Database } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Page } from '#provider/project/readers/paging.ts';
import { firstSecret } from '#provider/base/security/client-secrets.ts';
import type { Services } from '#provider/accounts/services.ts';
import type { M2MClientsTable } from './tables.ts';

export type M2MClientRow = Selectable<M2MClientsTable>;

/** The settings of a client that can be changed. */
export interface M2MSettings {
  readonly client_name: string;
  readonly client_description: string;
  readonly status: M2MClientRow['status'];
  readonly scopes: readonly string[];
}

type Metadata = M2MClientRow['trusted_metadata'];

export async function findM2MClient(db: Db, clientId: string): Promise<M2MClientRow | undefined> {
  return db.selectFrom('m2m_clients').selectAll().where('client_id', '=', clientId).executeTakeFirst();
}

export async function requireM2MClient(db: Db, clientId: string): Promise<M2MClientRow> {
  const client = await findM2MClient(db, clientId);
  if (client === undefined) throw new Refusal('m2m_client_not_found');
  return client;
}

interface NewM2MClient {
  readonly client_id: string;
  readonly secret: string;
  readonly settings: M2MSettings;
  readonly trusted_metadata: Metadata;
}

/** Stores the client, unless the id exists: of two simultaneous creations, one is rejected. */
export async function createM2MClient(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  { client_id, secret, settings, trusted_metadata }: NewM2MClient,
): Promise<M2MClientRow> {
  const row: Insertable<M2MClientsTable> = {
    ...settings,
    ...firstSecret(services, client_id, secret),
    client_id,
    scopes: JSON.stringify(settings.scopes),
    trusted_metadata: JSON.stringify(mergeMetadata({}, trusted_metadata, 'trusted_metadata')),
    created_at: new Date(services.clock.now()),
  };
  const client = await services.db
    .insertInto('m2m_clients')
    .values(row)
    .onConflict((conflict) => conflict.column('client_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (client === undefined) throw new Refusal('duplicate_client_id');
  return client;
}

/** Changes the given fields. Metadata is merged by its top-level keys; null removes a key. */
export async function updateM2MClient(
  services: Pick<Services, 'db'>,
  clientId: string,
  { scopes, ...settings }: Partial<M2MSettings>,
  metadata: Metadata = {},
): Promise<M2MClientRow> {
  return transaction(services.db, async (tx) => {
    const before = await tx
      .selectFrom('m2m_clients')
      .select('trusted_metadata')
      .where('client_id', '=', clientId)
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined) throw new Refusal('m2m_client_not_found');
    return tx
      .updateTable('m2m_clients')
      .set({
        ...settings,
        ...(scopes === undefined ? {} : { scopes: JSON.stringify(scopes) }),
        trusted_metadata: JSON.stringify(mergeMetadata(before.trusted_metadata, metadata, 'trusted_metadata')),
      })
      .where('client_id', '=', clientId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

export async function deleteM2MClient({ db }: Pick<Services, 'db'>, clientId: string): Promise<void> {
  const row = await db
    .deleteFrom('m2m_clients')
    .where('client_id', '=', clientId)
    .returning('client_id')
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('m2m_client_not_found');
}

/** A condition of a search: the field has one of these values. `scopes` must contain one of them. */
export interface M2MFilter {
  readonly filter_name: 'client_id' | 'client_name' | 'scopes';
  readonly filter_value: readonly string[];
}

export interface M2MQuery {
  readonly operator: 'AND' | 'OR';
  readonly operands: readonly M2MFilter[];
}

/** A page of the clients plus one more, sorted by id, and the total number. */
export async function searchM2MClients(
  { db }: Pick<Services, 'db'>,
  { after, limit }: Page,
  query: M2MQuery,
): Promise<{ readonly found: readonly M2MClientRow[]; readonly total: number }> {
  const matching = db.selectFrom('m2m_clients').where((where) => matches(where, query));
  const { total } = await matching
    .select((select) => select.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  const found = await matching
    .selectAll()
    .where('client_id', '>', after)
    .orderBy('client_id')
    .limit(limit + 1)
    .execute();
  return { found, total: Number(total) };
}

function matches(where: ExpressionBuilder<Database, 'm2m_clients'>, { operator, operands }: M2MQuery) {
  const each = operands.map(({ filter_name, filter_value }) => {
    if (filter_value.length === 0) return sql<boolean>`false`;
    return filter_name === 'scopes'
      ? sql<boolean>`scopes ?| array[${sql.join(filter_value)}]::text[]`
      : where(filter_name, 'in', filter_value);
  });
  return operator === 'AND' || each.length === 0 ? where.and(each) : where.or(each);
}
