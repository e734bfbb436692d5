import { PGlite } from '@electric-sql/pglite';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import { migrate } from '#provider/base/db/migrate.ts';
import { template } from '#provider/base/db/template.ts';
import type { Store } from '#provider/base/db/open.ts';
import type { Database } from '#provider/base/db/database.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { seal } from '#provider/base/security/seal.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { newTotpSecret } from '#provider/accounts/totps/code.ts';
import { openPool } from './postgres.ts';

/** A database in which no server has started since keys are encrypted: a session, an authenticator app, and keys in clear. */

const USER = 'user-test-old';
const SESSION = 'session-test-old';
const TOTP = 'totp-test-old';

async function keyPair() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const open = await exportJWK(publicKey);
  return { privateKey, secret: await exportJWK(privateKey), open, kid: await calculateJwkThumbprint(open) };
}

/** @param inside the keys are in the database, as that version did with `--database-url` */
export async function oldDatabase(store: Store, { now, inside }: { readonly now: number; readonly inside: boolean }) {
  const db = new Kysely<Database>({
    dialect:
      store.kind === 'postgres'
        ? new PostgresDialect({ pool: openPool(store.url) })
        : new PGliteDialect({
            pglite: await PGlite.create({ relaxedDurability: true, loadDataDir: await template() }),
          }),
  });
  await migrate(db);

  const [sessions, apps] = [await keyPair(), await keyPair()];
  const codeKey = systemRandom.bytes(32);
  const clear = JSON.stringify({ signing: sessions.secret, code: Buffer.from(codeKey).toString('base64url') });
  if (inside) await sql`insert into server_keys values ('keys', ${clear})`.execute(db);
  const [at, until] = [new Date(now - 60_000).toISOString(), new Date(now + 3_600_000).toISOString()];
  const token = Buffer.from(systemRandom.bytes(32)).toString('base64url');
  const totpSecret = newTotpSecret(systemRandom);
  const sealedTotp = seal(systemRandom, codeKey, TOTP, totpSecret);
  const sealedKey = seal(systemRandom, codeKey, apps.kid, JSON.stringify(apps.secret));
  const shown = JSON.stringify({ ...apps.open, kid: apps.kid, alg: 'RS256', use: 'sig' });
  for (const statement of [
    sql`insert into users values (${USER}, ${at}, 'active', '{}', '{}', '{}', '[]')`,
    sql`insert into emails values ('email-test-old', ${USER}, 'old@example.com', 'old@example.com', true, ${at})`,
    sql`insert into sessions values (${SESSION}, ${USER}, ${at}, ${at}, ${until}, '{}', '[]')`,
    sql`insert into session_tokens values (${tokenHash(token)}, ${SESSION})`,
    sql`insert into totps values (${TOTP}, ${USER}, ${sealedTotp}, true, null, ${until}, ${at})`,
    sql`insert into signing_keys values (1, ${apps.kid}, ${shown}::jsonb, ${sealedKey}, ${at}, ${at}, 'apps', null)`,
  ]) {
    await statement.execute(db);
  }
  const jwt = await new SignJWT({ 'https://stytch.com/session': { id: SESSION } })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: sessions.kid })
    .setIssuer(`stytch.com/${DEMO_PROJECT.project_id}`)
    .setSubject(USER)
    .setAudience([DEMO_PROJECT.project_id])
    .setIssuedAt(now / 1000)
    .setExpirationTime(now / 1000 + 300)
    .sign(sessions.privateKey);
  return { db, clear, codeKey, token, jwt, totpSecret, sessionsKid: sessions.kid, appsKid: apps.kid };
}

export type OldDatabase = Awaited<ReturnType<typeof oldDatabase>>;
