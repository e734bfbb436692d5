import leven from 'leven';
import { isRecord } from '#domain/shape.ts';
import { isOAuthVariable } from '#provider/project/settings/oauth-clients.ts';
import type { Environment } from './option-values.ts';
import { OPTIONS, type OptionSpec } from './option-table.ts';

const PREFIX = 'PORTICO_';

const KNOWN: readonly string[] = Object.values(OPTIONS).flatMap(({ variable, isSecret }: OptionSpec) =>
  variable === undefined ? [] : isSecret === true ? [variable, `${variable}_FILE`] : [variable],
);

/** The flags of options without a variable. */
const FLAGS_ALONE: readonly string[] = Object.values(OPTIONS).flatMap(({ flag, variable }: OptionSpec) =>
  flag !== undefined && variable === undefined ? [flag] : [],
);

/** The variables of an app's own server, which may run in the same environment. */
const OF_APPS: ReadonlySet<string> = new Set(
  ['API_URL', 'PROJECT_ID', 'PUBLIC_TOKEN', 'SECRET'].map((name) => PREFIX + name),
);

/** The variables that Kubernetes sets in every container for a service named `portico`. */
const OF_KUBERNETES = /^PORTICO_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP)(?:_\w+)?)$/u;

/** Words for which other programs use other names. */
const OTHER_WORDS: readonly (readonly [RegExp, string])[] = [
  [/(?<=_)(?:DB|PG|PGSQL|POSTGRES|POSTGRESQL)(?=_|$)/u, 'DATABASE'],
  [/(?<=^PORTICO_)(?:DSN|CONNECTION(?:_STRING)?)(?=_FILE$|$)/u, 'DATABASE_URL'],
  [/(?<=_)CONNECTION(?:_STRING)?(?=_FILE$|$)/u, 'URL'],
];

interface UnknownVariable {
  readonly variable: string;
  /** The variable with the most similar name, or the flag of an option that has no variable. */
  readonly did_you_mean: string;
}

/**
 * The variables that look like an option of this server but are none, for a warning: a misspelled one has no effect.
 *
 * @param projectFile the JSON of the project file, whose secrets may be in variables of any name
 */
export function unknownVariables(env: Environment, projectFile: unknown): readonly UnknownVariable[] {
  const projectVariables = variablesIn(projectFile);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && env[name] !== '')
    .filter(
      (name) =>
        ![...KNOWN, ...OF_APPS, ...projectVariables].includes(name) &&
        !OF_KUBERNETES.test(name) &&
        !isOAuthVariable(name),
    )
    .map((name) => ({ variable: name.slice(0, 100), did_you_mean: suggest(name.slice(0, 100), env[name]) }));
}

/** The option that was probably meant, by the value if it is a database URL, else by the name. */
function suggest(name: string, value: string | undefined): string {
  if (isDatabaseUrl(value)) return OPTIONS.databaseUrl.variable;
  const flag = FLAGS_ALONE.find((each) => `${PREFIX}${each.replaceAll('-', '_').toUpperCase()}` === name);
  if (flag !== undefined) return `--${flag}`;
  return nearest(name).variable;
}

function nearest(name: string): { readonly variable: string; readonly distance: number } {
  const all = KNOWN.map((variable) => ({ variable, distance: distanceOf(name, variable) }));
  return all.reduce((best, each) => (each.distance < best.distance ? each : best));
}

/**
 * The first variable that was probably meant for the operator's database: its value is a database URL, or less than half of its letters
 * differ.
 */
export function mistakenDatabase(env: Environment, projectFile: unknown): UnknownVariable | null {
  const isMeant = ({ variable, did_you_mean }: UnknownVariable): boolean =>
    did_you_mean.startsWith(OPTIONS.databaseUrl.variable) &&
    (isDatabaseUrl(env[variable]) || nearest(variable).distance < (variable.length - PREFIX.length) / 2);
  return unknownVariables(env, projectFile).find(isMeant) ?? null;
}

const isDatabaseUrl = (value = ''): boolean => /^postgres(?:ql)?:\/\//u.test(value);

/**
 * How many letters differ. The number is small if the known name begins the same, or the names differ only in words with the same meaning.
 */
function distanceOf(name: string, variable: string): number {
  const renamed = OTHER_WORDS.reduce((text, [word, ours]) => text.replace(word, ours), name);
  const distances = [name, renamed].map((each) => (variable.startsWith(`${each}_`) ? 1 : leven(each, variable)));
  return Math.min(...distances);
}

/** The names in `{ "env": "NAME" }`, at any depth. */
function variablesIn(json: unknown): readonly string[] {
  if (Array.isArray(json)) return json.flatMap(variablesIn);
  if (!isRecord(json)) return [];
  const { env } = json;
  return typeof env === 'string' ? [env] : Object.values(json).flatMap(variablesIn);
}
