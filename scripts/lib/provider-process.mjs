/** The provider as a child process: built, started, and known to listen. */
import { join } from 'node:path';
import { ROOT } from './root.mjs';
import { start, stop } from './run.mjs';

const READY = /listening on (http:\/\/\S+)\npublic token (\S+)\nproject id (\S+)\n/;
const PATIENCE_MS = 60_000;

/**
 * Starts `.server/main.js` and resolves once it says that it listens. What else it prints goes to `say`.
 *
 * @param {string[]} args as for `npm run provider`
 * @returns {Promise<{ url: string, publicToken: string, projectId: string, child: import('node:child_process').ChildProcess, stop: () => Promise<void> }>}
 * @throws {Error} with the provider's own words when it ends before it listens
 */
export function startProvider(args, { env = {}, say = () => {} } = {}) {
  const child = start(process.execPath, ['--enable-source-maps', join(ROOT, '.server/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    let url = null;
    let words = '';
    const slow = setTimeout(() => {
      void stop(child);
      reject(new Error(`The provider did not listen within ${PATIENCE_MS / 1000} s.\n${words.trim()}`));
    }, PATIENCE_MS);
    const onText = (text) => {
      words = (words + text).slice(-20_000);
      const ready = READY.exec(words);
      if (url === null && ready) {
        url = ready[1];
        clearTimeout(slow);
        resolve({ url, publicToken: ready[2], projectId: ready[3], child, stop: () => stop(child) });
      } else say(text);
    };
    child.stdout.setEncoding('utf8').on('data', onText);
    child.stderr.setEncoding('utf8').on('data', onText);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(slow);
      if (url === null) reject(new Error(words.trim() || `The provider ended with code ${code} before it listened.`));
    });
  });
}
