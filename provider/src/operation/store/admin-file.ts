import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '#domain/json.ts';
import { hasShape, isRecord, type Shape } from '#domain/shape.ts';
import { loopbackFetch } from '#provider/base/http/loopback-fetch.ts';

/**
 * The file with which the `admin` command finds the server that holds the data folder. Whoever can read the folder counts as an operator.
 */
export interface AdminAccess {
  readonly url: string;
  readonly secret: string;
}

export const ADMIN_FILE = 'admin.json';
const SHAPE = { url: 'string', secret: 'string' } as const satisfies Shape;

/** Writes the file while the server runs. @returns a function that removes it */
export function writeAdminFile(folder: string, access: AdminAccess): () => void {
  const path = join(folder, ADMIN_FILE);
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(access), { mode: 0o600, flag: 'wx' });
  return () => rmSync(path, { force: true });
}

/** Reads the file. Null if no server holds the folder, or the file is damaged. */
export function readAdminFile(folder: string): AdminAccess | null {
  try {
    const access = parseJson(readFileSync(join(folder, ADMIN_FILE), 'utf8'));
    return hasShape(SHAPE, access) ? access : null;
  } catch {
    return null;
  }
}

/** False for a server that died without removing its file, even if another program now uses its port. */
export async function isServing({ url, secret }: AdminAccess): Promise<boolean> {
  const headers = { authorization: `Bearer ${secret}` };
  const signal = AbortSignal.timeout(5_000);
  const reply = await loopbackFetch(`${url}/admin/server`, { headers, signal }).catch(() => null);
  if (reply?.status === 204) return true;
  const body = parseJson((await reply?.text().catch(() => '')) ?? '');
  // Earlier versions do not have this address.
  return isRecord(body) && body['error_type'] === 'route_not_found';
}
