import { UsageError } from '#provider/base/usage-error.ts';
import { bothNames } from './option-table.ts';
import type { Environment, OptionValues } from './option-values.ts';
import { projectJson } from './project-file.ts';
import { mistakenDatabase } from './unknown-variables.ts';

/**
 * Refuses an embedded database that was chosen by mistake: no data folder is given, and a misspelled variable, or a key, shows that the
 * data is in the operator's database. In an empty database beside it nobody could log in, and new users would be lost.
 *
 * @param dev whether the server runs with `--dev`, for which an unused key may be set
 */
export function refuseMistakenDatabase(
  { data, databaseUrl, key, keyFile, project }: OptionValues<'data' | 'databaseUrl' | 'key' | 'keyFile' | 'project'>,
  env: Environment,
  dev = false,
): void {
  if (data !== undefined || databaseUrl !== undefined) return;
  const otherwise = `For an embedded database give ${bothNames('data')}.`;
  const mistaken = mistakenDatabase(env, projectJson(project?.text ?? null));
  if (mistaken !== null) {
    const { variable, did_you_mean } = mistaken;
    throw new UsageError(`${variable} is no variable of Portico: did you mean ${did_you_mean}? ${otherwise}`);
  }
  const keyOption = keyFile ?? key;
  if (dev || keyOption === undefined) return;
  throw new UsageError(
    `${keyOption.from} is the key of your own database, and ${bothNames('databaseUrl')} is missing. ${otherwise}`,
  );
}
