import { PATIENCE_MS } from './patience-ms.ts';

const HOOKS = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/provider/dist/main.js')) return loaded;
  const text = new TextDecoder().decode(loaded.source);
  const source = text.replace(/\\bTRANSACTION_MS = [\\w.]+/u, 'TRANSACTION_MS = ${PATIENCE_MS}');
  if (source === text) throw new Error('The provider has no limit of transactions where the tests look for it.');
  return { ...loaded, source };
}`;
const asModule = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;

/**
 * Arguments of Node before the built provider: its transactions may take as long as a test waits. Where other work keeps the machine busy,
 * requests would be refused that are not about this limit. In-process tests replace `transaction-limit.ts` for the same reason.
 */
export const PATIENT_PROVIDER: readonly string[] = [
  '--import',
  asModule(`import { register } from 'node:module'; register(${JSON.stringify(asModule(HOOKS))});`),
];
