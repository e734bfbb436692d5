import { isLoopbackHost } from '#domain/safe-url.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { tryTake } from '#provider/base/security/limits.ts';
import type { LoginServices, Services } from '#provider/accounts/services.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { isPublicJwk, MOST_KEYS, type PublicKeys } from '#provider/project/readers/public-keys.ts';
import type { Db } from '#provider/base/db/database.ts';
import { LEEWAY_MS, readOutsideJson, UnreadJson } from '#provider/project/readers/outside-json.ts';

/** The keys of clients that sign instead of sending a secret: in their settings, or at a URL (RFC 7591, section 2). */

/** Twenty keys with their certificates. */
const MAX_BYTES = 64 * 1024;
/** Whoever knows a client's id can name a key that it does not have, which causes a reading. */
const READS_OF_CLIENT = { max: 10, windowMs: MINUTE_MS };

type KeysClient = Pick<ConnectedAppSettings, 'client_id' | 'jwks' | 'jwks_uri' | 'agent'>;

interface ClientKeys {
  readonly keys: PublicKeys;
  /** Whether they may have changed since they were read. */
  readonly isOld: boolean;
}

/**
 * The keys of a client; null for a client without keys. If they are at a URL, they are read again once they are no longer fresh.
 *
 * @throws UnreadJson if they cannot be read, and could not be read within the last day
 */
export async function keysOf(services: LoginServices, client: KeysClient): Promise<ClientKeys | null> {
  const { client_id, jwks, jwks_uri } = client;
  if ((jwks ?? null) !== null) return { keys: jwks ?? { keys: [] }, isOld: false };
  if ((jwks_uri ?? null) === null) return null;
  const now = services.clock.now();
  const stored = await services.db
    .selectFrom('client_key_sets')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('jwks_uri', '=', jwks_uri ?? '')
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst();
  if (stored !== undefined && stored.fresh_until.getTime() > now) return { keys: stored.keys, isOld: true };
  try {
    return { keys: await readKeys(services, client), isOld: false };
  } catch (error) {
    if (!(error instanceof UnreadJson) || !error.passes || stored === undefined) throw error;
    return { keys: stored.keys, isOld: false };
  }
}

const readings = new WeakMap<Db, Map<string, Promise<PublicKeys>>>();

/**
 * Reads the keys of a client from its URL, and stores them. Simultaneous callers share a reading.
 *
 * @throws UnreadJson with the reason why they could not be read
 */
export async function readKeys(services: LoginServices, client: KeysClient): Promise<PublicKeys> {
  const running = readings.get(services.db) ?? new Map<string, Promise<PublicKeys>>();
  readings.set(services.db, running);
  const name = JSON.stringify([client.client_id, client.jwks_uri]);
  const promise = running.get(name) ?? read(services, client).finally(() => running.delete(name));
  running.set(name, promise);
  return promise;
}

async function read(services: LoginServices, client: KeysClient): Promise<PublicKeys> {
  const { client_id, jwks_uri } = client;
  const url = new URL(jwks_uri ?? '');
  if (!(await takeReads(services, client, url))) {
    throw new UnreadJson('The keys of the app were read too often in the last minutes.', true);
  }
  const { json, freshMs } = await readOutsideJson(url, {
    name: 'The key set of the app',
    maxBytes: MAX_BYTES,
    allowPrivate: isInside(services, client, url),
    // Static file servers do not know a type for a name without an extension.
    checksType: false,
  });
  const candidates: unknown = json['keys'];
  if (!Array.isArray(candidates)) throw new UnreadJson('The key set of the app has no keys.', false);
  // Keys of unknown types are ignored (RFC 7517, section 5). A published private key proves nothing.
  const keys = { keys: candidates.slice(0, MOST_KEYS).filter((key) => isPublicJwk(key)) };
  const now = services.clock.now();
  const stored = {
    jwks_uri: jwks_uri ?? '',
    keys: JSON.stringify(keys),
    fresh_until: new Date(now + freshMs),
    expires_at: new Date(now + freshMs + LEEWAY_MS),
  };
  await services.db
    .insertInto('client_key_sets')
    .values({ client_id, ...stored })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(stored))
    .execute();
  return keys;
}

/** Counts a read of the keys; false where the limit is reached. An agent could have its keys at a host that is not its own. */
async function takeReads(services: LoginServices, { client_id, agent }: KeysClient, url: URL): Promise<boolean> {
  if (!(await tryTake(services, `keys:client:${client_id}`, READS_OF_CLIENT))) return false;
  return agent === undefined || tryTake(services, `keys:host:${url.hostname}`, services.limits.documentsPerHost);
}

/** Whether the URL may be private: an operator's, if the project allows that; with `--dev`, an agent's on this machine. */
function isInside({ project, dev }: Pick<Services, 'project' | 'dev'>, { agent }: KeysClient, url: URL): boolean {
  return agent === undefined ? project.allow_loopback : dev && isLoopbackHost(url.hostname);
}
