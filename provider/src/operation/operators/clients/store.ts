import { Refusal } from '#domain/rules/refusal.ts';
import type { AuditEvent } from '#provider/base/audit/events.ts';
import type { BackendConnectedApp } from '#provider/base/backend-api/connected-apps.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import {
  findConnectedApp,
  makeConnectedApp,
  searchConnectedApps,
} from '#provider/apps/idp/clients/backend-connected-apps.ts';
import { rotateClientSecret } from '#provider/apps/idp/clients/client-secrets.ts';
import { deleteApp } from '#provider/apps/idp/clients/run-time-apps.ts';
import { deleteM2MClient, findM2MClient, searchM2MClients, type M2MClientRow } from '#provider/apps/m2m/store.ts';
import { cancelRotation, endRotation, startRotation } from '#provider/base/security/client-secrets.ts';
import type { SessionServices } from '#provider/accounts/services.ts';
import type { Services } from '#provider/api/services.ts';
import { auditOperator, type AuditActor } from '../desk/audit-actor.ts';

/** A connected app or an M2M client, in the form of a list. */
export interface ShownClient {
  readonly client_id: string;
  readonly kind: string;
  readonly name: string;
  readonly from: 'project file' | 'database';
  readonly secret: string;
  /** True while a next secret is valid in addition to the current one. */
  readonly rotating: boolean;
  readonly redirect_urls: readonly string[];
}

const NO_CLIENT = 'There is no such client.';
const ENDING = { ending: '', rotating: ' and a next one' } as const;

function secretOf(lastFour: string | null | undefined, next: string | null | undefined): string {
  if (typeof lastFour !== 'string' || lastFour === '') return '-';
  return `…${lastFour}${typeof next === 'string' ? ENDING.rotating : ENDING.ending}`;
}

function shownApp(app: BackendConnectedApp): ShownClient {
  const { client_secret_last_four: lastFour, next_client_secret_last_four: next } = app;
  return {
    client_id: app.client_id,
    kind: app.client_type,
    name: app.client_name,
    from: app.creation_method === 'api' ? 'database' : 'project file',
    secret: secretOf(lastFour, next),
    rotating: typeof next === 'string',
    redirect_urls: app.redirect_urls,
  };
}

function shownM2M(client: M2MClientRow): ShownClient {
  return {
    client_id: client.client_id,
    kind: 'm2m',
    name: client.client_name,
    from: 'database',
    secret: secretOf(client.secret_last_four, client.next_secret_last_four),
    rotating: client.next_secret_last_four !== null,
    redirect_urls: [],
  };
}

/** One client of either kind. */
export async function readClient(services: Pick<Services, 'db' | 'project'>, clientId: string): Promise<ShownClient> {
  const app = await findConnectedApp(services, clientId);
  if (app !== null) return shownApp(app);
  const client = await findM2MClient(services.db, clientId);
  if (client === undefined) throw new Refusal('connected_app_not_found', NO_CLIENT);
  return shownM2M(client);
}

/** All clients of both kinds, sorted by id, in pages. */
export async function listClients(
  services: Pick<Services, 'db' | 'project'>,
  page: { readonly after: string; readonly limit: number },
) {
  const { after, limit } = page;
  const cursor = Buffer.from(after, 'latin1').toString('base64url');
  const { connected_apps, results_metadata } = await searchConnectedApps(services, {
    ...(after === '' ? {} : { cursor }),
    limit,
  });
  const { found } = await searchM2MClients(services, page, { operator: 'AND', operands: [] });
  const clients = [...connected_apps.map(shownApp), ...found.map(shownM2M)];
  clients.sort((a, b) => (a.client_id < b.client_id ? -1 : 1));
  const slice = clients.slice(0, limit);
  const isMore = clients.length > limit || results_metadata.next_cursor !== null;
  return { clients: slice, next: isMore ? (slice.at(-1)?.client_id ?? null) : null };
}

/** Creates a connected app. The secret is shown once. */
export async function createClient(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys'>,
  settings: { readonly client_type: string; readonly client_name: string; readonly redirect_urls: readonly string[] },
  by: AuditActor,
) {
  return transaction(services.db, async (tx) => {
    const { connected_app } = await makeConnectedApp({ ...services, db: tx }, settings);
    await auditChange(services, tx, 'client_created', connected_app.client_id, by);
    return connected_app;
  });
}

async function tableOf({ db }: Pick<Services, 'db'>, clientId: string): Promise<'connected_apps' | 'm2m_clients'> {
  for (const table of ['connected_apps', 'm2m_clients'] as const) {
    const row = await db.selectFrom(table).select('client_id').where('client_id', '=', clientId).executeTakeFirst();
    if (row !== undefined) return table;
  }
  throw new Refusal('connected_app_not_found', NO_CLIENT);
}

function isInFile({ project }: Pick<Services, 'project'>, clientId: string): boolean {
  return project.clients.some(({ client_id }) => client_id === clientId);
}

/** Deletes a client with its grants and tokens. */
export async function deleteClient(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'project'>,
  clientId: string,
  by: AuditActor,
): Promise<void> {
  if (isInFile(services, clientId)) throw new Refusal('connected_app_read_only');
  await transaction(services.db, async (tx) => {
    const inside = { ...services, db: tx };
    if ((await tableOf(inside, clientId)) === 'm2m_clients') await deleteM2MClient(inside, clientId);
    else await deleteApp(inside, clientId);
    await auditChange(services, tx, 'client_deleted', clientId, by);
  });
}

interface RotationStep {
  readonly client_id: string;
  readonly step: 'start' | 'finish' | 'cancel';
}

/** Makes a client's next secret, which is shown once; or ends or cancels the rotation. */
export async function rotateClient(
  services: SessionServices,
  rotation: RotationStep,
  by: AuditActor,
): Promise<string | null> {
  const { client_id, step } = rotation;
  return transaction(services.db, async (tx) => {
    const secret = await rotated({ ...services, db: tx }, rotation);
    await auditChange(services, tx, 'client_secret_rotated', client_id, by, { step });
    return secret;
  });
}

async function rotated(services: SessionServices, { client_id, step }: RotationStep): Promise<string | null> {
  if (isInFile(services, client_id)) {
    if (step === 'start') return rotateClientSecret(services, client_id);
    throw new Refusal('bad_request', 'The previous secret of a client of the project file ends by itself after a day.');
  }
  const table = await tableOf(services, client_id);
  if (step === 'start') return startRotation(services, table, client_id);
  await (step === 'finish' ? endRotation : cancelRotation)(services, table, client_id);
  return null;
}

async function auditChange(
  services: Pick<Services, 'clock' | 'keys'>,
  tx: Db,
  event: AuditEvent,
  target: string,
  by: AuditActor,
  more: object = {},
): Promise<void> {
  await auditOperator(services, tx, by, { event, details: { target, ...more } });
}
