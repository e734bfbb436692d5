import { basename, dirname, resolve } from 'node:path';
import { UsageError } from '#provider/base/usage-error.ts';
import { projectWarnings } from '#provider/base/warnings.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { withSecrets } from '#provider/project/readers/secret-text.ts';
import { readFolder } from '../projects/folder.ts';
import { checkDiff } from './check-diff.ts';
import { deliveryReads, templatesOf } from '../options/delivery.ts';
import { readMasterKeys } from '../store/key-file.ts';
import { metadataOf } from '../server/metadata-file.ts';
import type { Environment, OptionValues } from '../options/option-values.ts';
import { optionsOf, type CliOptions } from '../options/options.ts';
import { ProjectMistakes, projectJson } from '../options/project-file.ts';
import { ProjectText } from '../options/project-text.ts';
import { optionsOfProject, programOf } from '../server/projects.ts';
import { projectToServe, proxiesOf } from '../server/serving.ts';
import { unknownVariables } from '../options/unknown-variables.ts';

/** The options of a start, and the variables that they came from. */
interface GivenStart {
  readonly options: CliOptions;
  readonly variables: Environment;
}

/**
 * The command `check [FOLDER]`: reads everything that a start reads before it opens anything, and continues after a mistake. It opens no
 * database, and without `diff` no connection, and changes nothing. Throws a UsageError after it has printed the mistakes.
 *
 * @param folder the folder of one project of `projects`, instead of the options
 * @param diff compares the settings with those of the running server, if nothing is wrong with them
 */
export function runCheck(
  { folder, diff = false }: { readonly folder?: string | undefined; readonly diff?: boolean | undefined },
  options: OptionValues,
  print: (text: string) => void,
): string | Promise<string> {
  const mistakes = new Set<string>();
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      for (const mistake of error instanceof ProjectMistakes ? error.mistakes : [error.message]) mistakes.add(mistake);
      return undefined;
    }
  };
  const start = folder === undefined ? startWith(options, attempt) : attempt(() => startOf(folder));
  const read = start && attempt(() => withSecrets(() => projectToServe(start.options)));
  const project = read?.value;
  if (start !== undefined) {
    const { projectFile, masterKey, store, dev, delivery } = start.options;
    // What a wrong project file would hide.
    if (project === undefined) for (const read of deliveryReads(delivery)) attempt(read);
    if (project !== undefined) {
      attempt(() => templatesOf(project, projectFile));
      attempt(() => metadataOf(project, projectFile, Date.now()));
    }
    attempt(() => proxiesOf(start.options));
    // With --dev a start would make the key.
    if (store.kind === 'postgres' && !(dev && masterKey === null)) attempt(() => readMasterKeys(masterKey, false));
    for (const warning of warningsOf(start, project)) print(`warning: ${warning}`);
  }
  for (const mistake of mistakes) print(mistake);
  if (mistakes.size > 0) throw new UsageError(`The server would not start: ${mistakes.size} wrong.`);
  if (diff && start !== undefined && read !== undefined)
    return checkDiff(start.options, resolve(folder ?? ''), read, print);
  const file = start?.options.projectFile ?? null;
  return file === null
    ? 'Nothing is wrong with the options. There is no project file.'
    : `Nothing is wrong with ${file}.`;
}

type Attempt = <T>(read: () => T) => T | undefined;

/** The start with the options that are right: a wrong one must not hide what is wrong in the project file. */
function startWith(values: OptionValues, attempt: Attempt): GivenStart | undefined {
  const variables = process.env;
  const options = attempt(() => optionsOf(values, variables));
  if (options !== undefined) return { options, variables };
  const right = withoutWrong(values, (rest) => optionsOf(rest, variables));
  return right === undefined ? undefined : { options: optionsOf(right, variables), variables };
}

/** The values without those that cannot be read; undefined if they are wrong together. */
function withoutWrong(values: OptionValues, read: (values: OptionValues) => unknown): OptionValues | undefined {
  const mistake = mistakeOf(() => read(values));
  if (mistake === null) return values;
  const name = (Object.keys(values) as (keyof OptionValues)[]).find((each) => mistakeOf(() => read(without(values, each))) !== mistake); // prettier-ignore
  return name === undefined ? undefined : withoutWrong(without(values, name), read);
}

const without = (values: OptionValues, name: keyof OptionValues): OptionValues => {
  const { [name]: _, ...others } = values;
  return others;
};

function mistakeOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** As the router would start the project of the folder. */
function startOf(folder: string): GivenStart {
  const path = resolve(folder);
  const read = readFolder(dirname(path), basename(path), (text) => new ProjectText(text).json);
  const variables = { ...read.variables, PORTICO_PROJECT: read.file };
  return {
    options: optionsOfProject({ ...read, variables }, programOf({ level: 'info', format: 'json' }).variables),
    variables,
  };
}

/** The warnings that a start would log. */
function warningsOf({ options, variables }: GivenStart, project: Project | undefined): readonly string[] {
  const unknown = unknownVariables(variables, projectJson(options.projectFile)).map(
    ({ variable, did_you_mean }) => `${variable} is no variable of Portico: did you mean ${did_you_mean}?`,
  );
  return [...unknown, ...(project === undefined || options.dev ? [] : projectWarnings(project))];
}
