import leven from 'leven';
import { isRecord } from '../../../../src/domain/shape.ts';
import { isOAuthVariable } from '../../project/oauth-clients.ts';
import type { Environment } from './option-values.ts';
import { OPTIONS, type OptionSpec } from './option-table.ts';

const PREFIX = 'PORTICO_';

const KNOWN: readonly string[] = Object.values(OPTIONS).flatMap(({ variable, isSecret }: OptionSpec) =>
  variable === undefined ? [] : isSecret === true ? [variable, `${variable}_FILE`] : [variable],
);

/** The variables of an app's own server, which may run with the same environment. */
const OF_APPS: ReadonlySet<string> = new Set(
  ['API_URL', 'PROJECT_ID', 'PUBLIC_TOKEN', 'SECRET'].map((name) => PREFIX + name),
);

/** The variables that Kubernetes sets in every container for a service named `portico`. */
const OF_KUBERNETES = /^PORTICO_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP)(?:_\w+)?)$/u;

interface UnknownVariable {
  readonly variable: string;
  /** Absent where no option has a similar name. */
  readonly did_you_mean?: string;
}

/**
 * The variables that look like an option of this server and are none, for a warning: a misspelled one has no effect.
 *
 * @param projectFile the JSON of the project file, whose secrets may be in variables of any name
 */
export function unknownVariables(env: Environment, projectFile: unknown): readonly UnknownVariable[] {
  const named = variablesIn(projectFile);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && env[name] !== '')
    .filter(
      (name) => ![...KNOWN, ...OF_APPS, ...named].includes(name) && !OF_KUBERNETES.test(name) && !isOAuthVariable(name),
    )
    .sort()
    .map((name) => {
      const near = nearest(name);
      return { variable: name.slice(0, 100), ...(near === null ? {} : { did_you_mean: near }) };
    });
}

/** The name that was probably meant: one that begins so, or differs in less than half of its letters; null if there is none. */
function nearest(name: string): string | null {
  const [best] = KNOWN.map((known) => ({ known, distance: leven(name.slice(0, 100), known) })).sort(
    (a, b) => a.distance - b.distance,
  );
  const isNear = best !== undefined && best.distance < (name.length - PREFIX.length) / 2;
  return isNear ? best.known : (KNOWN.find((known) => known.startsWith(`${name}_`)) ?? null);
}

/** The names in `{ "env": "NAME" }`, wherever they are. */
function variablesIn(json: unknown): readonly string[] {
  if (Array.isArray(json)) return json.flatMap(variablesIn);
  if (!isRecord(json)) return [];
  const { env } = json;
  return typeof env === 'string' ? [env] : Object.values(json).flatMap(variablesIn);
}
