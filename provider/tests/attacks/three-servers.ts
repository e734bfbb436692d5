import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect } from 'vitest';
import { DATABASES, freshStore, type Fields } from '../kit/harness.ts';
import { CALLBACK, challenge, SETTINGS, verifier } from '../kit/idp-harness.ts';
import { ran } from '../kit/managing.ts';
import { buildServer, killServers } from '../kit/server-process.ts';
import { startCluster, type Answer, type Cluster } from './cluster.ts';

export const postgres = DATABASES.find(([name]) => name === 'postgres')?.[1];

export const minutes = { session_duration_minutes: 60 };

const TELEVISION = { client_id: 'television', client_type: 'public', name: 'TV', device_authorization_allowed: true };

/** The key of the app `signer`, which signs assertions and proofs. */
export const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const JWK = KEY.publicKey.export({ format: 'jwk' });
const SIGNER = {
  client_id: 'signer',
  client_type: 'confidential',
  name: 'Signer',
  redirect_uris: [CALLBACK],
  jwks: { keys: [{ ...JWK, kid: 'one', alg: 'ES256', use: 'sig' }] },
};

const AGENTS = { registration: 'open', scopes: ['openid'] };

/** Three servers on one database, whose clocks differ. */
export function threeServers() {
  let cluster: Cluster;
  let databaseUrl: string;
  let drop: () => Promise<void>;
  let folder: string;
  beforeAll(async () => {
    await buildServer();
    folder = mkdtempSync(join(tmpdir(), 'portico-three-'));
    const project = join(folder, 'project.json');
    const mfa = { policy: 'when_enrolled', factors: ['totp', 'recovery_code'] };
    const clients = [...SETTINGS.clients, TELEVISION, SIGNER];
    writeFileSync(project, JSON.stringify({ ...SETTINGS, clients, agents: AGENTS, mfa }));
    const { store, drop: dropStore } = await freshStore(postgres);
    drop = dropStore;
    databaseUrl = store.kind === 'postgres' ? store.url : '';
    cluster = await startCluster(databaseUrl, [2000, 0, -2000], ['--project', project]);
  });
  afterAll(async () => {
    expect(await cluster.stop()).toEqual([0, 0, 0]);
    killServers();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const admin = (...args: string[]) => ran(['admin', ...args, '--database-url', databaseUrl]);
  const me = async (user: Fields) => {
    const all = Array.from({ length: 3 }, () => user['user_id'] as string);
    expect(await cluster.everywhere(String(user['session_token']))).toEqual(all);
    expect(await cluster.everywhere(String(user['session_jwt']))).toEqual(all);
    return user;
  };
  async function signIn(email: string, fields: Fields = {}): Promise<Fields> {
    const { method_id } = await cluster.post('/otps/email/login_or_create', { email });
    const { code } = await cluster.message(email);
    return cluster.post('/otps/authenticate', { token: code, method_id, ...minutes, ...fields });
  }
  /** The servers' refusal of the request. */
  const refused = async (path: string, body: object, session?: string) =>
    String((await cluster.call('POST', path, body, session)).body['error_type']);
  /** Ten at once, each on another server than the one before. */
  const tenAtOnce = (work: () => Promise<Answer>) => Promise.all(Array.from({ length: 10 }, work));
  const countOf = (answers: readonly Answer[], status: number) =>
    answers.filter((answer) => answer.status === status).length;
  /** Waits until the server signs a JWT with that key, which takes a few seconds. */
  async function until(server: Cluster['servers'][number], kid: string, user: Fields): Promise<unknown> {
    for (;;) {
      const { session_jwt } = await cluster.post('/sessions/authenticate', minutes, user['session_token'], server);
      if (decodeProtectedHeader(session_jwt).kid === kid) return session_jwt;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  /** A login by a code, which lacks the second factor. */
  async function lacking(email: string): Promise<Fields> {
    const step = await signIn(email, { mfa_code_challenge: challenge });
    expect(step).toMatchObject({ session: null, session_token: '' });
    return { intermediate_session_token: step['intermediate_session_token'], mfa_code_verifier: verifier };
  }

  return {
    get cluster() {
      return cluster;
    },
    admin,
    me,
    signIn,
    refused,
    tenAtOnce,
    countOf,
    until,
    lacking,
  };
}
