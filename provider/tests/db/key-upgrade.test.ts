import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { systemRandom as random } from '#provider/base/platform.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { keysBeside } from '#provider/base/security/keys-file.ts';
import { keysInDatabase, WrongMasterKey } from '#provider/base/security/server-keys.ts';
import type { ServerKeys } from '#provider/base/services.ts';
import { unseal } from '#provider/base/security/seal.ts';
import { InboxHub } from '#provider/messages/inbox-hub.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { dumpOf, privateKeysIn, symmetricKeysIn } from '../attacks/database-dump.ts';
import { basic, EITHER_DATABASE, freshStore, MASTER, MINUTE, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import { oldDatabase, type OldDatabase } from '../kit/old-database.ts';
import { soakIt } from '#tests/soak-tests.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clock = { time: Date.UTC(2030, 0, 1), now: () => clock.time };

/** The server of now, on that database. */
function serverOn({ db }: OldDatabase, keys: ServerKeys) {
  const common = { db, clock, random, keys, project: DEMO_PROJECT, limits: DEFAULT_LIMITS };
  const app = createApp({ ...common, inbox: new InboxHub(), loopback: true, dev: true, report: () => undefined });
  return async (method: string, path: string, session = PUBLIC_TOKEN, body?: object): Promise<Fields> => {
    const headers = { authorization: basic(PUBLIC_TOKEN, session), 'content-type': 'application/json' };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await (await app.request(path, { method, headers, ...text })).json()) as Fields;
  };
}

describe.each(EITHER_DATABASE)('a database of an older version, on %s,', (_, url) => {
  const cleanUp: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const each of cleanUp.splice(0).reverse()) await each();
  });
  async function old(inside: boolean): Promise<OldDatabase> {
    const { store, drop } = await freshStore(url, 'template1');
    cleanUp.push(drop);
    const made = await oldDatabase(store, { now: clock.time, inside });
    cleanUp.push(() => made.db.destroy());
    return made;
  }
  const keyed = (from: OldDatabase) => keysInDatabase({ db: from.db, clock, random }, MASTER);

  async function worksAsBefore(from: OldDatabase, keys: ServerKeys): Promise<Fields> {
    const call = serverOn(from, keys);
    for (const secret of [from.token, from.jwt]) {
      expect((await call('GET', '/sdk/v1/users/me', secret))['data']?.user_id).toBe('user-test-old');
    }
    const totp = new TOTP({ secret: Secret.fromBase32(from.totpSecret) });
    const body = { totp_code: totp.generate({ timestamp: clock.time }), session_duration_minutes: 60 };
    const { data } = await call('POST', '/sdk/v1/totps/authenticate', from.token, body);
    expect(data?.user_id).toBe('user-test-old');
    return data as Fields;
  }
  const shown = async (from: OldDatabase, keys: ServerKeys, path: string) =>
    ((await serverOn(from, keys)('GET', path))['keys'] as Fields[]).map(({ kid }) => String(kid));

  it('is encrypted once, by one of the servers that start together, and no user is signed out', async () => {
    const from = await old(true);
    expect(privateKeysIn(await dumpOf(from.db))).toHaveLength(1);
    const [keys, ...others] = await Promise.all([keyed(from), keyed(from), keyed(from)]);
    for (const each of others) expect(each).toEqual(keys);
    const { session_jwt } = await worksAsBefore(from, keys);
    const dump = await dumpOf(from.db);
    expect(dump.tables).not.toHaveProperty('server_keys');
    expect(privateKeysIn(dump)).toEqual([]);
    expect(dump.text).not.toContain(Buffer.from(from.codeKey).toString('base64url'));
    // Copies of the database hold the old keys for ever: they sign nothing any more.
    expect(decodeProtectedHeader(session_jwt).kid).not.toBe(from.sessionsKid);
    const opened = dump.tables['signing_keys']?.filter(({ sealed, kid, purpose }) =>
      [from.codeKey, ...symmetricKeysIn(dump)].some((key) => {
        try {
          return [kid, `signing key ${purpose} ${kid}`].some((owner) => unseal(key, owner, String(sealed)) !== '');
        } catch {
          return false;
        }
      }),
    );
    expect(opened).toEqual([]);
    expect(await shown(from, keys, '/oauth2/jwks.json')).toContain(from.appsKid);
    expect(await shown(from, keys, '/.well-known/jwks.json')).toContain(from.sessionsKid);
    const before = clock.time;
    clock.time += 71 * MINUTE;
    expect(await shown(from, keys, '/.well-known/jwks.json')).not.toContain(from.sessionsKid);
    clock.time = before;
    expect(await keyed(from)).toEqual(keys);
  });

  soakIt('is opened by the old and the new master key together, and by the new one alone after that', async () => {
    const from = await old(true);
    const keys = await keyed(from);
    const next = random.bytes(32);
    const at = { db: from.db, clock, random };
    await expect(keysInDatabase(at, [next])).rejects.toThrow(WrongMasterKey);
    const sealed = async () => (await sql<{ sealed: string }>`select sealed from sealed_keys`.execute(from.db)).rows;
    const before = await sealed();
    // First every server learns the new key, while the old one seals; then they change places; then the old one goes.
    expect(await keysInDatabase(at, [...MASTER, next])).toEqual(keys);
    expect(await sealed()).toEqual(before);
    const both = await Promise.all([keysInDatabase(at, [next, ...MASTER]), keysInDatabase(at, [next, ...MASTER])]);
    expect(both).toEqual([keys, keys]);
    expect(await keysInDatabase(at, [next])).toEqual(keys);
    await expect(keyed(from)).rejects.toThrow(WrongMasterKey);
  });

  soakIt('keeps its signing keys when they were in a file beside it', async () => {
    const from = await old(false);
    const path = join(folder, `keys-${cleanUp.length}-${url === undefined}.json`);
    writeFileSync(path, from.clear, { mode: 0o600 });
    const at = { db: from.db, clock, random };
    const keys = await keysBeside(at, path);
    const file = readFileSync(path, 'utf8');
    expect(JSON.parse(file)).toEqual({ master: expect.stringMatching(/^[\w-]{43}$/u) as string });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { session_jwt } = await worksAsBefore(from, keys);
    expect(decodeProtectedHeader(session_jwt).kid).toBe(from.sessionsKid);
    expect(await shown(from, keys, '/oauth2/jwks.json')).toEqual([from.appsKid]);
    expect(await keysBeside(at, path)).toEqual(keys);
    // As a crash leaves it between the database and the file.
    writeFileSync(path, JSON.stringify({ ...JSON.parse(file), ...JSON.parse(from.clear) }));
    expect(await keysBeside(at, path)).toEqual(keys);
    expect(readFileSync(path, 'utf8')).toBe(file);
    rmSync(path);
    await expect(keysBeside(at, path)).rejects.toThrow(WrongMasterKey);
    expect(() => statSync(path)).toThrow('ENOENT');
  });
});
