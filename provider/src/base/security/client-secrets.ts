import { Refusal, type RefusalType } from '#domain/rules/refusal.ts';
import type { Services } from '../services.ts';
import { codeHash, newToken, sameSecret } from './secrets.ts';
import type { ClientSecretColumns } from './tables.ts';

/** The tables of clients that have such secrets. */
type ClientTable = 'm2m_clients' | 'connected_apps';

const NOT_FOUND = {
  m2m_clients: 'm2m_client_not_found',
  connected_apps: 'connected_app_not_found',
} as const satisfies Record<ClientTable, RefusalType>;

type SecretKeyServices = Pick<Services, 'keys'>;
type SecretStoreServices = SecretKeyServices & Pick<Services, 'db' | 'random'>;

const LAST = 4;

/** The columns of a client's first secret. */
export function firstSecret(services: SecretKeyServices, clientId: string, secret: string | null): ClientSecretColumns {
  const next = { next_secret_hash: null, next_secret_last_four: null };
  if (secret === null) return { secret_hash: null, secret_last_four: null, ...next };
  return { secret_hash: hashOf(services, clientId, secret), secret_last_four: secret.slice(-LAST), ...next };
}

export function newClientSecret({ random }: Pick<Services, 'random'>): string {
  return newToken(random);
}

/** Whether this is a valid secret of the client. Both secrets are always compared completely. */
export function isSecretOf(
  services: SecretKeyServices,
  client: Pick<ClientSecretColumns, 'secret_hash' | 'next_secret_hash'> & { readonly client_id: string },
  secret: string,
): boolean {
  const candidate = hashOf(services, client.client_id, secret);
  const hashes = [client.secret_hash, client.next_secret_hash].filter((hash) => hash !== null);
  return hashes.filter((hash) => sameSecret(hash, candidate)).length > 0;
}

function hashOf({ keys }: SecretKeyServices, clientId: string, secret: string): string {
  return codeHash(keys.codeKey, `client secret\n${clientId}`, secret);
}

/**
 * Makes the next secret, which is shown once. Of two simultaneous starts one is rejected, because its caller would have an invalid secret.
 */
export async function startRotation(
  services: SecretStoreServices,
  table: ClientTable,
  clientId: string,
): Promise<string> {
  const secret = newClientSecret(services);
  const started = await services.db
    .updateTable(table)
    .set({ next_secret_hash: hashOf(services, clientId, secret), next_secret_last_four: secret.slice(-LAST) })
    .where('client_id', '=', clientId)
    .where('secret_hash', 'is not', null)
    .where('next_secret_hash', 'is', null)
    .returning('client_id')
    .executeTakeFirst();
  if (started === undefined) throw await whyNot(services, table, clientId, 'secret_rotation_already_started');
  return secret;
}

/** Makes the next secret the only one. */
export async function endRotation(services: SecretStoreServices, table: ClientTable, clientId: string): Promise<void> {
  const row = await services.db
    .updateTable(table)
    .set((update) => ({
      secret_hash: update.ref('next_secret_hash'),
      secret_last_four: update.ref('next_secret_last_four'),
      next_secret_hash: null,
      next_secret_last_four: null,
    }))
    .where('client_id', '=', clientId)
    .where('next_secret_hash', 'is not', null)
    .returning('client_id')
    .executeTakeFirst();
  if (row === undefined) throw await whyNot(services, table, clientId, 'secret_rotation_not_started');
}

/** Deletes the next secret; the client keeps its current one. */
export async function cancelRotation(
  services: SecretStoreServices,
  table: ClientTable,
  clientId: string,
): Promise<void> {
  const cancelled = await services.db
    .updateTable(table)
    .set({ next_secret_hash: null, next_secret_last_four: null })
    .where('client_id', '=', clientId)
    .where('next_secret_hash', 'is not', null)
    .returning('client_id')
    .executeTakeFirst();
  if (cancelled === undefined) throw await whyNot(services, table, clientId, 'secret_rotation_not_started');
}

async function whyNot(
  { db }: SecretStoreServices,
  table: ClientTable,
  clientId: string,
  state: RefusalType,
): Promise<Refusal> {
  const client = await db.selectFrom(table).select('secret_hash').where('client_id', '=', clientId).executeTakeFirst();
  if (client === undefined) return new Refusal(NOT_FOUND[table]);
  if (client.secret_hash === null) return new Refusal('public_client_has_no_secret');
  return new Refusal(state);
}
