import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { AuditEvent } from '../audit/events.ts';
import { makeConnectedApp, searchConnectedApps } from '../idp/backend-connected-apps.ts';
import { rotateClientSecret } from '../idp/client-secrets.ts';
import { deleteApp } from '../idp/run-time-apps.ts';
import { deleteM2MClient, searchM2MClients } from '../m2m/store.ts';
import { cancelRotation, endRotation, startRotation } from '../security/client-secrets.ts';
import type { Services } from '../services.ts';
import { auditOperator, type By } from './people.ts';

/** A connected app or an M2M client, as a list shows it. */
export interface ShownClient {
  readonly client_id: string;
  readonly kind: string;
  readonly name: string;
  readonly from: 'project file' | 'database';
  readonly secret: string;
}

const ENDING = { ending: '', rotating: ' and a next one' } as const;

function secretOf(lastFour: string | null | undefined, next: string | null | undefined): string {
  if (typeof lastFour !== 'string' || lastFour === '') return '-';
  return `…${lastFour}${typeof next === 'string' ? ENDING.rotating : ENDING.ending}`;
}

/** All clients of both kinds, in the order of their ids; a page at a time. */
export async function listClients(services: Services, page: { readonly after: string; readonly limit: number }) {
  const { after, limit } = page;
  const cursor = Buffer.from(after, 'latin1').toString('base64url');
  const { connected_apps, results_metadata } = await searchConnectedApps(services, {
    ...(after === '' ? {} : { cursor }),
    limit,
  });
  const { found } = await searchM2MClients(services, page, { operator: 'AND', operands: [] });
  const clients: ShownClient[] = [
    ...connected_apps.map((app) => ({
      client_id: app.client_id,
      kind: app.client_type,
      name: app.client_name,
      from: app.creation_method === 'api' ? ('database' as const) : ('project file' as const),
      secret: secretOf(app.client_secret_last_four, app.next_client_secret_last_four),
    })),
    ...found.map((client) => ({
      client_id: client.client_id,
      kind: 'm2m',
      name: client.client_name,
      from: 'database' as const,
      secret: secretOf(client.secret_last_four, client.next_secret_last_four),
    })),
  ];
  clients.sort((a, b) => (a.client_id < b.client_id ? -1 : 1));
  const shown = clients.slice(0, limit);
  const isMore = clients.length > limit || results_metadata.next_cursor !== null;
  return { clients: shown, next: isMore ? (shown.at(-1)?.client_id ?? null) : null };
}

/** Makes a connected app. The secret is shown once. */
export async function createClient(
  services: Services,
  given: { readonly client_type: string; readonly client_name: string; readonly redirect_urls: readonly string[] },
  by: By,
) {
  const { connected_app } = await makeConnectedApp(services, given);
  await written(services, 'client_created', connected_app.client_id, by);
  return connected_app;
}

async function tableOf({ db }: Services, clientId: string): Promise<'connected_apps' | 'm2m_clients'> {
  for (const table of ['connected_apps', 'm2m_clients'] as const) {
    const row = await db.selectFrom(table).select('client_id').where('client_id', '=', clientId).executeTakeFirst();
    if (row !== undefined) return table;
  }
  throw new Refusal('connected_app_not_found', 'There is no such client.');
}

function isInFile({ project }: Services, clientId: string): boolean {
  return project.clients.some(({ client_id }) => client_id === clientId);
}

/** Deletes a client with its grants and tokens. */
export async function deleteClient(services: Services, clientId: string, by: By): Promise<void> {
  if (isInFile(services, clientId)) throw new Refusal('connected_app_read_only');
  if ((await tableOf(services, clientId)) === 'm2m_clients') await deleteM2MClient(services, clientId);
  else await deleteApp(services, clientId);
  await written(services, 'client_deleted', clientId, by);
}

/** Makes a client's next secret, which is shown once; ends the rotation, or cancels it. */
export async function rotateClient(
  services: Services,
  { client_id, step }: { readonly client_id: string; readonly step: 'start' | 'finish' | 'cancel' },
  by: By,
): Promise<string | null> {
  let secret: string | null = null;
  if (isInFile(services, client_id)) {
    if (step !== 'start') {
      throw new Refusal(
        'bad_request',
        'The previous secret of a client of the project file ends by itself after a day.',
      );
    }
    secret = await rotateClientSecret(services, client_id);
  } else {
    const table = await tableOf(services, client_id);
    if (step === 'start') secret = await startRotation(services, table, client_id);
    else await (step === 'finish' ? endRotation : cancelRotation)(services, table, client_id);
  }
  await written(services, 'client_secret_rotated', client_id, by, { step });
  return secret;
}

async function written(
  services: Services,
  event: AuditEvent,
  target: string,
  by: By,
  more: object = {},
): Promise<void> {
  await auditOperator(services, services.db, by, { event, details: { target, ...more } });
}
