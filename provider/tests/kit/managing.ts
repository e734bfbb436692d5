import { manage } from '../../src/operation/cli/manage.ts';
import type { Fields } from './harness.ts';

/** Runs an operator's command on the data that the arguments name. */
export async function managed(at: readonly string[], ...args: readonly string[]): Promise<string> {
  const written: string[] = [];
  const end = await manage([...args, ...at], (text) => written.push(text));
  return [...written, end].join('\n');
}

/** The same with `--json`: its lines. */
export async function managedJson(at: readonly string[], ...args: readonly string[]): Promise<readonly Fields[]> {
  const text = await managed(at, ...args, '--json');
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Fields);
}
