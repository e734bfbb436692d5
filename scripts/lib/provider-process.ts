/** The provider as a child process that is built, started and listening. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './root.mjs';
import { start, stop, untilSays } from './run.ts';

/** It waits for its database as long as a test does; made by the build of `test-server`. */
export const PATIENT_SERVER = 'provider/.test-server/patient.js';

const READY = /listening on (http:\/\/\S+)\npublic token (\S+)\nproject id (\S+)\n/;

export interface StartedProvider {
  readonly url: string;
  readonly publicToken: string;
  readonly projectId: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts `provider/dist/main.js` and resolves once it reports that it listens. Its other output goes to `say`.
 *
 * @param args the arguments of `npm run provider`
 * @param main what is started instead
 * @throws {Error} with the provider's output when it ends before it listens
 */
export async function startProvider(
  args: readonly string[],
  {
    say = () => {},
    main = 'provider/dist/main.js',
  }: { readonly say?: (text: string) => unknown; readonly main?: string } = {},
): Promise<StartedProvider> {
  const child = start(process.execPath, ['--enable-source-maps', join(ROOT, main), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const print = (text: string): unknown => READY.test(text) || say(text);
  child.stdout?.setEncoding('utf8').on('data', print);
  child.stderr?.setEncoding('utf8').on('data', print);
  const [, url = '', publicToken = '', projectId = ''] = await untilSays(child, READY);
  return { url, publicToken, projectId, child, stop: async () => stop(child) };
}
