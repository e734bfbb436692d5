import { parseJson } from '../../../src/domain/json.ts';
import { isRecord } from '../../../src/domain/shape.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { administer } from '../access/admin.ts';
import { databaseClock } from '../db/clock.ts';
import { systemRandom } from '../platform.ts';
import { readAdminFile, type AdminAccess } from './admin-file.ts';
import type { AdminOptions } from './admin-options.ts';
import { developersKeySource } from './key-file.ts';
import { openStore } from './open-store.ts';
import { UsageError } from './options.ts';
import { readProject } from './project-file.ts';

/** Runs the action and resolves with the line to print. Uses the server that holds the folder if there is one, else the store. */
export async function runAdmin(options: AdminOptions): Promise<string> {
  const access = options.store.kind === 'folder' ? readAdminFile(options.store.path) : null;
  const answered = access === null ? null : await throughServer(access, options);
  return answered ?? directly(options);
}

/** Runs the action in the server. Null when it does not answer, because it died without removing its file. */
async function throughServer({ url, secret }: AdminAccess, { action, fields }: AdminOptions): Promise<string | null> {
  const reply = await fetch(`${url}/admin/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  }).catch(() => null);
  if (reply === null) return null;
  const body = parseJson(await reply.text());
  const data = isRecord(body) && isRecord(body['data']) ? body['data'] : {};
  const { token } = data;
  if (typeof token === 'string') return token;
  const said = isRecord(body) ? body['error_message'] : undefined;
  throw new UsageError(typeof said === 'string' ? said : `The server at ${url} does not answer as a provider.`);
}

async function directly({ action, fields, store, masterKey, projectFile }: AdminOptions): Promise<string> {
  // This command serves nothing, so it also accepts a project file for development.
  const project = readProject(projectFile, null, true);
  const { db, keys, close } = await openStore(store, { masterKey: masterKey ?? developersKeySource() });
  try {
    const clock = await databaseClock(db);
    clock.stop();
    const services = { db, keys, project, clock, random: systemRandom };
    return (await administer(services, action, fields)).token;
  } catch (error) {
    throw error instanceof Refusal ? new UsageError(error.message) : error;
  } finally {
    await close();
  }
}
