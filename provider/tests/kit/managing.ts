import type { Environment } from '#provider/operation/options/option-values.ts';
import { runCommand } from '#provider/operation/commands/run-command.ts';
import { perform } from '#provider/operation/operators/commands.ts';
import type { Services } from '#provider/api/services.ts';
import type { Fields } from './harness.ts';

/** Runs a command in this environment. */
export const ran = async (words: readonly string[], env: Environment = process.env): Promise<string> =>
  runCommand(words, () => undefined, env);

/** Runs a command on the data that the arguments name. */
export async function managed(at: readonly string[], ...args: readonly string[]): Promise<string> {
  const written: string[] = [];
  const end = await runCommand([...args, ...at], (text) => written.push(text));
  return [...written, end].join('\n');
}

/** The same with `--json`: its lines. */
export async function managedJson(at: readonly string[], ...args: readonly string[]): Promise<readonly Fields[]> {
  const text = await managed(at, ...args, '--json');
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Fields);
}

/** Runs a command of `admin` on the services. @returns what it prints, such as a token */
export async function administer(
  services: Services,
  name: string,
  fields: object,
): Promise<{ readonly token: string }> {
  return { token: (await perform(services, name, fields)).said ?? '' };
}
