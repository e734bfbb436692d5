import { Refusal } from '#domain/rules/refusal.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { hasKeys, type ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { isSecretOf } from '#provider/base/security/client-secrets.ts';
import { newToken, sameSecret, tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '#provider/accounts/services.ts';

/** How long a replaced secret is still accepted, so that its app can be given the new one first. */
export const REPLACED_SECRET_MS = 24 * 60 * MINUTE_MS;

/** True for a valid secret of a confidential client. */
export async function provesClient(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  client: ConnectedAppSettings,
  secret: string,
): Promise<boolean> {
  const { client_id, run_time } = client;
  if (run_time !== undefined) return isSecretOf(services, { client_id, ...run_time.secrets }, secret);
  const secretHash = tokenHash(secret);
  const hashes = await secretHashesOf(services, client);
  return hashes.filter((hash) => sameSecret(secretHash, hash)).length > 0;
}

/** The hashes of a client of the project file: its newest secret, and those replaced within the last day. */
async function secretHashesOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  client: Pick<ConnectedAppSettings, 'client_id' | 'client_secret_hash'>,
): Promise<readonly string[]> {
  const rotated = await db
    .selectFrom('oauth_client_secrets')
    .select(['secret_hash', 'created_at'])
    .where('client_id', '=', client.client_id)
    .orderBy('created_at', 'desc')
    .execute();
  // The secret in the project file counts as the oldest, no matter when it was added.
  const all = [...rotated.map(({ secret_hash }) => secret_hash), client.client_secret_hash];
  const since = clock.now() - REPLACED_SECRET_MS;
  const good = all.filter((_, index) => {
    const replaced = rotated[index - 1];
    return replaced === undefined || replaced.created_at.getTime() > since;
  });
  return good.filter((hash) => hash !== null);
}

/** Makes a new secret for a confidential client of the project file. It is shown once, and only its hash is stored. */
export async function rotateClientSecret(
  { db, clock, random, project }: Pick<Services, 'db' | 'clock' | 'random' | 'project'>,
  clientId: string,
): Promise<string> {
  const client = project.clients.find(({ client_id }) => client_id === clientId);
  if (client === undefined) throw new Refusal('connected_app_not_found');
  if (client.client_type === 'public') {
    throw new Refusal('unauthorized_action', 'A public client has no secret: it could not keep one.');
  }
  if (hasKeys(client)) {
    throw new Refusal('unauthorized_action', 'A client with keys has no secret.');
  }
  const secret = newToken(random);
  await db
    .insertInto('oauth_client_secrets')
    .values({ secret_hash: tokenHash(secret), client_id: clientId, created_at: new Date(clock.now()) })
    .execute();
  return secret;
}

/** Deletes replaced secrets that are no longer accepted. */
export async function sweepClientSecrets({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now() - 2 * REPLACED_SECRET_MS);
  await db
    .deleteFrom('oauth_client_secrets')
    .where((where) =>
      where.exists(
        where
          .selectFrom('oauth_client_secrets as newer')
          .select('newer.secret_hash')
          .whereRef('newer.client_id', '=', 'oauth_client_secrets.client_id')
          .whereRef('newer.created_at', '>', 'oauth_client_secrets.created_at')
          .where('newer.created_at', '<', before),
      ),
    )
    .execute();
}
