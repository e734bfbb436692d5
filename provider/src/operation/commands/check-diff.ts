import { resolve } from 'node:path';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { loopbackFetch } from '#provider/base/http/loopback-fetch.ts';
import { settingsSecret } from '#provider/base/security/master-key.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import type { WithSecrets } from '#provider/project/readers/secret-text.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { differences, differenceText, shownSettings } from '../admin/shown-settings.ts';
import type { CliOptions } from '../options/options.ts';
import { urlHere } from '../server/serving.ts';
import { needsStart } from '../server/settings-reload.ts';
import { isServing, readAdminFile, type AdminAccess } from '../store/admin-file.ts';
import { developersKeySource, readMasterKeys } from '../store/key-file.ts';
import { lineText } from './table.ts';

const PATIENCE_MS = 5_000;

/**
 * Prints the settings that differ from those of the running server of this machine, each in a line: the server's value, and the value that
 * the options and the project file have. Throws a UsageError if some differ, or if no server answers.
 *
 * @param root the folder in which the server runs
 * @returns a sentence if none differs
 */
export async function checkDiff(
  options: CliOptions,
  root: string,
  { value: project, secrets }: WithSecrets<Project>,
  print: (text: string) => void,
): Promise<string> {
  const access = await accessOf(options, root);
  const found = differences(await settingsAt(access), shownSettings(project, secrets, access.secret));
  for (const difference of found) {
    const [field = ''] = difference.path.split(/[.[]/u);
    print(lineText(`${differenceText(difference)}${needsStart(field) ? ' (needs a new start)' : ''}`));
  }
  const file = options.projectFile ?? 'the demo project';
  if (found.length === 0) return `The server at ${access.url} has the settings of ${file}.`;
  throw new UsageError(`Settings in which the server at ${access.url} differs from ${file}: ${found.length}.`);
}

/** How programs of this machine reach the server of the data: by the folder, or by the key of the database. */
async function accessOf({ store, host, port, masterKey, dev }: CliOptions, root: string): Promise<AdminAccess> {
  if (store.kind === 'memory') {
    throw new UsageError(
      'Data in memory belongs to one process: --diff needs a server with --data DIR or --database-url.',
    );
  }
  if (store.kind === 'folder') {
    const path = resolve(root, store.path);
    const access = readAdminFile(path);
    if (access !== null && (await isServing(access))) return access;
    throw new UsageError(
      `No server of this machine uses the data in ${path}: start it, or name its folder with --data.`,
    );
  }
  const url = port === 0 ? null : urlHere({ host }, port);
  if (url === null) {
    throw new UsageError(
      '--diff asks the server of this machine. Give the --port and --host of the server; it must also listen on loopback.',
    );
  }
  const source = masterKey ?? (dev ? developersKeySource() : null);
  return { url, secret: settingsSecret(readMasterKeys(source, false)) };
}

/** The settings of the server, without secrets. */
async function settingsAt({ url, secret }: AdminAccess): Promise<unknown> {
  const headers = { authorization: `Bearer ${secret}` };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const reply = await loopbackFetch(`${url}/admin/settings`, { headers, signal }).catch(() => null);
  if (reply === null) throw new UsageError(`No server answers at ${url}.`);
  const body = parseJson(await reply.text());
  const { data, error_type: type } = isRecord(body) ? body : {};
  if (reply.ok && isRecord(data) && isRecord(data['settings'])) return data['settings'];
  throw new UsageError(
    type === 'admin_secret_required'
      ? `The server at ${url} has another key than the one given: give the first key of the server.`
      : `The server at ${url} does not show its settings: it is of another version, or another program.`,
  );
}
