import { manage, type Print } from './manage.ts';
import type { Environment } from '../options/option-values.ts';
import { requestFrom } from './requests.ts';

/** True for words that name a command, or request the help or the version; false for those that start the server. */
export function namesCommand(words: readonly string[]): boolean {
  const [first = '-'] = words;
  return !first.startsWith('-') || words.some((word) => ['-h', '--help', '--version'].includes(word));
}

/**
 * Runs one command of the command line, and resolves with the rest of its output. Rejects with a UsageError of one sentence for mistakes
 * that the operator can correct.
 *
 * @param write prints a line before the end
 */
export async function runCommand(
  words: readonly string[],
  write: Print,
  env: Environment = process.env,
): Promise<string> {
  const request = requestFrom(words, env);
  if (request.kind === 'text') return request.text;
  return request.kind === 'local'
    ? request.command.run(request.fields, request.options, write)
    : manage(request, write);
}
