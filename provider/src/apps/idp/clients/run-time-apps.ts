import type { Insertable, Updateable } from 'kysely';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Page } from '#provider/project/readers/paging.ts';
import { firstSecret } from '#provider/base/security/client-secrets.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Services } from '#provider/accounts/services.ts';
import type { ConnectedAppRow } from '#provider/project/registry/connected-apps.ts';
import type { ConnectedAppsTable } from '#provider/project/registry/tables.ts';

/** The settings of an app that can be changed. */
export type AppSettings = Omit<
  ConnectedAppRow,
  | 'client_id'
  | 'client_type'
  | 'created_at'
  | 'secret_hash'
  | 'secret_last_four'
  | 'next_secret_hash'
  | 'next_secret_last_four'
>;

type Columns = Pick<Updateable<ConnectedAppsTable>, keyof AppSettings>;

function columnsOf({ redirect_urls, post_logout_redirect_urls, ...settings }: Partial<AppSettings>): Columns {
  return {
    ...settings,
    ...(redirect_urls === undefined ? {} : { redirect_urls: JSON.stringify(redirect_urls) }),
    ...(post_logout_redirect_urls === undefined
      ? {}
      : { post_logout_redirect_urls: JSON.stringify(post_logout_redirect_urls) }),
  };
}

interface NewApp {
  readonly client_type: ConnectedAppRow['client_type'];
  /** Null for a public app. */
  readonly secret: string | null;
  readonly settings: Omit<AppSettings, 'client_name'> & { readonly client_name: string | null };
}

/** Stores the app under a new id. Without a name it is shown by its id, because a consent page needs a name. */
export async function createApp(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys'>,
  { client_type, secret, settings }: NewApp,
) {
  const client_id = newId(services.random, 'connected-app');
  const row = {
    ...columnsOf({ ...settings, client_name: settings.client_name ?? client_id }),
    ...firstSecret(services, client_id, secret),
    client_id,
    client_type,
    created_at: new Date(services.clock.now()),
  };
  return services.db
    .insertInto('connected_apps')
    .values(row as Insertable<ConnectedAppsTable>)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findRunTimeApp(
  { db }: Pick<Services, 'db'>,
  clientId: string,
): Promise<ConnectedAppRow | undefined> {
  return db.selectFrom('connected_apps').selectAll().where('client_id', '=', clientId).executeTakeFirst();
}

/** Changes the given fields. */
export async function updateApp(
  { db }: Pick<Services, 'db'>,
  clientId: string,
  changes: Partial<AppSettings>,
): Promise<ConnectedAppRow> {
  const updated = await db
    .updateTable('connected_apps')
    // Sets the unchanged id, because a statement has to set something even if no field is given.
    .set({ client_id: clientId, ...columnsOf(changes) })
    .where('client_id', '=', clientId)
    .returningAll()
    .executeTakeFirst();
  if (updated === undefined) throw new Refusal('connected_app_not_found');
  return updated;
}

/**
 * Deletes the app. In the same statement the database deletes its grants, and so its codes, tokens and sessions. A grant that is being made
 * locks the app's row (`extendGrant`), so it is either deleted here or refused there.
 */
export async function deleteApp({ db }: Pick<Services, 'db'>, clientId: string): Promise<void> {
  const row = await db
    .deleteFrom('connected_apps')
    .where('client_id', '=', clientId)
    .returning('client_id')
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('connected_app_not_found');
}

/** A page of the apps plus one more, sorted by id, and the total number. */
export async function searchRunTimeApps({ db }: Pick<Services, 'db'>, { after, limit }: Page) {
  const { total } = await db
    .selectFrom('connected_apps')
    .select((select) => select.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  const found = await db
    .selectFrom('connected_apps')
    .selectAll()
    .where('client_id', '>', after)
    .orderBy('client_id')
    .limit(limit + 1)
    .execute();
  return { found, total: Number(total) };
}
