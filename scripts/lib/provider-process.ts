/** The provider as a child process that is built, started and listening. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './root.mjs';
import { start, stop, untilSays } from './run.ts';

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
 * @param node more arguments of Node
 * @throws {Error} with the provider's output when it ends before it listens
 */
export async function startProvider(
  args: readonly string[],
  { say = () => {}, node = [] }: { readonly say?: (text: string) => unknown; readonly node?: readonly string[] } = {},
): Promise<StartedProvider> {
  const child = start(
    process.execPath,
    ['--enable-source-maps', ...node, join(ROOT, 'provider/dist/main.js'), ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const print = (text: string): unknown => READY.test(text) || say(text);
  child.stdout?.setEncoding('utf8').on('data', print);
  child.stderr?.setEncoding('utf8').on('data', print);
  const [, url = '', publicToken = '', projectId = ''] = await untilSays(child, READY);
  return { url, publicToken, projectId, child, stop: async () => stop(child) };
}
