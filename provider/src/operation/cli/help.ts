import { readFileSync } from 'node:fs';
import { parseJson } from '../../../../src/domain/json.ts';
import { isRecord } from '../../../../src/domain/shape.ts';
import type { Command } from './commands.ts';
import { OPTIONS, type OptionSpec } from './option-table.ts';
import { ownFile } from './own-file.ts';

/** What `--help` prints. */
export function helpText(commands: readonly Command[]): string {
  const options = Object.values(OPTIONS).flatMap(({ flag, variable, argument, isSecret, help }: OptionSpec) => {
    const spelled = flag === undefined ? [] : [`--${flag}${argument === undefined ? '' : ` ${argument}`}`];
    const variables = variable === undefined ? [] : [isSecret === true ? `${variable}[_FILE]` : variable];
    return [`  ${[...spelled, ...variables].join(', ')}`, `      ${help}`];
  });
  return [
    'Usage: portico-provider [options]',
    ...commands.map(({ usage }) => `       portico-provider ${usage}`),
    '',
    'Without a command it serves. A flag goes before its environment variable; a variable that is empty is not set.',
    'A variable with [_FILE] may name a file with the value, under its name with _FILE after it.',
    '',
    'Options:',
    ...options,
    '',
    'Commands:',
    ...commands.flatMap(({ usage, help }) => [`  ${usage}`, `      ${help}`]),
    '',
  ].join('\n');
}

/** The version of this package, or `unknown` where its manifest is missing. */
export function versionText(): string {
  const path = ownFile('package.json');
  const manifest = path === null ? null : parseJson(readFileSync(path, 'utf8'));
  const version = isRecord(manifest) ? manifest['version'] : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
