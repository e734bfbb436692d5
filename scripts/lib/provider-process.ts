/** The provider as a child process: built, started, and known to listen. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './root.mjs';
import { start, stop } from './run.ts';

const READY = /listening on (http:\/\/\S+)\npublic token (\S+)\nproject id (\S+)\n/;
const PATIENCE_MS = 60_000;

export interface StartedProvider {
  readonly url: string;
  readonly publicToken: string;
  readonly projectId: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts `.server/main.js` and resolves once it says that it listens. What else it prints goes to `say`.
 *
 * @param args as for `npm run provider`
 * @throws {Error} with the provider's own words when it ends before it listens
 */
export async function startProvider(
  args: readonly string[],
  { say = () => {} }: { readonly say?: (text: string) => void } = {},
): Promise<StartedProvider> {
  const child = start(process.execPath, ['--enable-source-maps', join(ROOT, '.server/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let url: string | null = null;
    let words = '';
    const slow = setTimeout(() => {
      void stop(child);
      reject(new Error(`The provider did not listen within ${PATIENCE_MS / 1000} s.\n${words.trim()}`));
    }, PATIENCE_MS);
    const onText = (text: string): void => {
      words = (words + text).slice(-20_000);
      const ready = READY.exec(words);
      if (url === null && ready) {
        const [, at = '', publicToken = '', projectId = ''] = ready;
        url = at;
        clearTimeout(slow);
        resolve({ url, publicToken, projectId, child, stop: async () => stop(child) });
      } else say(text);
    };
    child.stdout?.setEncoding('utf8').on('data', onText);
    child.stderr?.setEncoding('utf8').on('data', onText);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(slow);
      if (url === null) reject(new Error(words.trim() || `The provider ended with code ${code} before it listened.`));
    });
  });
}
