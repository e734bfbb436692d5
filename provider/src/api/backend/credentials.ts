import { sql } from 'kysely';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Credential } from '#provider/base/contract.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { isForwarded } from '#provider/base/http/arrival.ts';
import { basicCredentials } from '#provider/base/http/request.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { newToken, sameSecret, tokenHash, uuid } from '#provider/base/security/secrets.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { Services } from '../services.ts';

/** The public secret of `--dev`. It is rejected without `--dev`, and in requests that a proxy or tunnel forwarded. */
export const DEV_SECRET = 'secret-test-d1e70000-0000-4000-8000-000000000000';

/** The most secrets that can be valid at once, because every call is compared with each. */
const MOST_SECRETS = 10;
const NAME = /^[^\p{C}]{1,120}$/u;
/** The precision of the time of the last use. A finer one would need a write for every call. */
const USE_RECORDED_EVERY_MS = MINUTE_MS;

interface StoredCredential extends Credential {
  readonly secret_hash: string;
  readonly last_used_at: Date | null;
}

/**
 * The holder of the secret. Wrong secrets are counted by network and then refused with 429. A right one is always accepted, so that
 * strangers behind the same proxy cannot lock the app's server out. Secrets have too many bits to be guessed.
 */
export async function checkProjectSecret(
  services: RateLimitServices & Pick<Services, 'project'>,
  headers: Headers,
  address: string,
): Promise<Credential> {
  const credentials = basicCredentials(headers.get('authorization') ?? undefined);
  const secrets = await knownSecrets(services, services.dev && !isForwarded(headers));
  const hash = tokenHash(credentials?.password ?? '');
  // Each is compared completely, even after the right one.
  let found: StoredCredential | undefined;
  for (const secret of secrets) if (sameSecret(secret.secret_hash, hash)) found = secret;
  const rightProject = sameSecret(credentials?.user ?? '', services.project.project_id);
  if (credentials !== null && rightProject && found !== undefined) {
    await recordUse(services, found);
    return { secret_id: found.secret_id, name: found.name };
  }
  await takeForNetwork(services, 'backend', address, services.limits.failuresPerNetwork);
  throw new Refusal('unauthorized_credentials', 'The project id or the secret is missing or wrong.');
}

async function knownSecrets({ db }: Pick<Services, 'db'>, seeding: boolean): Promise<readonly StoredCredential[]> {
  const stored = await db
    .selectFrom('project_secrets')
    .select(['secret_id', 'name', 'secret_hash', 'last_used_at'])
    .orderBy('created_at')
    .orderBy('secret_id')
    .execute();
  const seeded = { secret_id: DEV_ID, name: 'dev', secret_hash: tokenHash(DEV_SECRET), last_used_at: null };
  return seeding ? [seeded, ...stored] : stored;
}

const DEV_ID = 'project-secret-dev';

async function recordUse(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { secret_id, last_used_at }: StoredCredential,
): Promise<void> {
  const now = clock.now();
  if (secret_id === DEV_ID || (last_used_at !== null && now - last_used_at.getTime() < USE_RECORDED_EVERY_MS)) return;
  await db
    .updateTable('project_secrets')
    .set({ last_used_at: new Date(now) })
    .where('secret_id', '=', secret_id)
    .execute();
}

/** Makes a secret, which is shown once. Only its hash is stored. */
export async function makeProjectSecret(
  { db, clock, random }: Pick<Services, 'db' | 'clock' | 'random'>,
  name: string,
): Promise<{ readonly secret_id: string; readonly secret: string }> {
  if (!NAME.test(name)) throw new Refusal('bad_request', 'The name of a secret has 1 to 120 visible characters.');
  const secret = `secret-${random.isLive === true ? 'live' : 'test'}-${newToken(random)}`;
  const secret_id = `project-secret-${uuid(random)}`;
  const row = {
    secret_id,
    name,
    secret_hash: tokenHash(secret),
    created_at: new Date(clock.now()),
    last_used_at: null,
  };
  await transaction(db, async (tx) => {
    // Each of several simultaneous calls sees those before it.
    await sql`lock table project_secrets in share row exclusive mode`.execute(tx);
    const others = await tx.selectFrom('project_secrets').select('secret_id').execute();
    if (others.length >= MOST_SECRETS) throw new Refusal('too_many_project_secrets');
    await tx.insertInto('project_secrets').values(row).execute();
  });
  return { secret_id, secret };
}

export async function listProjectSecrets({ db }: Pick<Services, 'db'>) {
  return db
    .selectFrom('project_secrets')
    .select(['secret_id', 'name', 'created_at', 'last_used_at'])
    .orderBy('created_at')
    .orderBy('secret_id')
    .execute();
}

/** Invalidates the secret. */
export async function revokeProjectSecret({ db }: Pick<Services, 'db'>, secretId: string): Promise<void> {
  const revoked = await db
    .deleteFrom('project_secrets')
    .where('secret_id', '=', secretId)
    .returning('secret_id')
    .executeTakeFirst();
  if (revoked === undefined) throw new Refusal('project_secret_not_found');
}
