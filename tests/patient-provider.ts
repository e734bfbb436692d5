import { PATIENCE_MS } from './patience-ms.ts';

/** Each is in the built provider once: `transaction-limit.ts`, and the times of `postgres.ts` but for the number of connections. */
const HOOKS = `
function patient(text, pattern, replacer) {
  const changed = text.replace(pattern, replacer);
  if (changed === text) throw new Error('The provider has no ' + pattern + ' to be replaced for the tests.');
  return changed;
}
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/provider/dist/main.js')) return loaded;
  const text = patient(
    new TextDecoder().decode(loaded.source), /\\bTRANSACTION_MS = [\\w.]+/u, 'TRANSACTION_MS = ${PATIENCE_MS}');
  const source = patient(
    text, /\\bDATABASE_PATIENCE = \\{[^}]*\\}/u, (all) => all.replaceAll(/Ms: [\\w.]+/gu, 'Ms: ${PATIENCE_MS}'));
  return { ...loaded, source };
}`;
const asModule = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;

/**
 * Arguments of Node before the built provider: it waits for its database as long as a test does. Where other work keeps the machine busy,
 * its own limits would refuse requests in tests that are not about them. Tests in the process replace the same limits.
 */
export const PATIENT_PROVIDER: readonly string[] = [
  '--import',
  asModule(`import { register } from 'node:module'; register(${JSON.stringify(asModule(HOOKS))});`),
];
