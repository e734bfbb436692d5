import { CommandError } from '../command-error.ts';
import { appIn } from './app.ts';
import type { Change } from './change.ts';
import { frameworkIn } from './detected.ts';
import { frameworkOf } from './frameworks.ts';
import type { InitOptions } from './init-options.ts';
import { changesOf, recipeFor } from './plan.ts';
import { envReminder, lacksOf, stepsOf } from './reminders.ts';

/** What `init` uses of its process. */
export interface Surroundings {
  /** The folder of the app. */
  readonly folder: string;
  /** A page of the package, such as `docs/with-vue.md`, and the path that people find it by. */
  readonly guide: (page: string) => { readonly path: string; readonly text: string };
  /** Asks a question that is answered by yes or no; null without a terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | null;
  readonly say: (line: string) => void;
  /** Writes a file, with its folders. `isNew`: throws if the file exists. */
  readonly write: (path: string, text: string, isNew: boolean) => void;
}

/** What happened to the file, or would. */
type Outcome = 'written' | 'changed' | 'kept' | 'as it is' | 'asks';

const isWhole = ({ added }: Change): boolean => added === undefined;

function questionOf({ path, added = [], purpose }: Change): string {
  const lines = added.map((line) => `    ${line}\n`).join('');
  return lines === '' ? `${path} exists. Replace it? (${purpose})` : `${path} exists. Add to it?\n${lines} `;
}

function checkReplaced(replaced: readonly string[], changes: readonly Change[]): void {
  const paths = changes.map(({ path }) => path);
  const unknown = replaced.find((path) => !paths.includes(path));
  if (unknown === undefined) return;
  throw new CommandError(`--replace: init does not change ${unknown}. It changes ${paths.join(', ')}.`);
}

async function outcomeOf(
  change: Change,
  { replaced, isDryRun, isQuiet }: InitOptions,
  ask: Surroundings['ask'],
): Promise<Outcome> {
  if (change.before === change.after) return 'as it is';
  if (change.before === null) return 'written';
  if (replaced.includes(change.path)) return 'changed';
  if (isQuiet || ask === null) return 'kept';
  if (isDryRun) return 'asks';
  return (await ask(questionOf(change))) ? 'changed' : 'kept';
}

/** What people do by hand for the files that were kept. */
function keptLines(leftovers: readonly Change[], guide: string): readonly string[] {
  const whole = leftovers.filter(isWhole).map(({ path }) => path);
  const additions = leftovers.filter((change) => !isWhole(change));
  return [
    ...(whole.length === 0 ? [] : [`Kept: ${whole.join(', ')}. ${guide} shows what the login needs there.`]),
    ...additions.flatMap(({ path, added = [] }) => [
      `Kept: ${path}. Add to it:`,
      ...added.map((line) => `    ${line}`),
    ]),
    ...(leftovers.length === 0
      ? []
      : [`To change a file, run the command with --replace FILE, or answer y in a terminal.`]),
  ];
}

/**
 * Writes a login into an app, and says what it did. Changes no existing file without an answer or `--replace`. Throws a `CommandError` before
 * it writes anything.
 *
 * @returns the exit status: 0, or 2 if files were kept or the app lacks something
 */
export async function initApp(options: InitOptions, { folder, guide, ask, say, write }: Surroundings): Promise<number> {
  const app = appIn(folder);
  const name = options.framework ?? frameworkIn(app);
  const { title, guide: page } = frameworkOf(name);
  const { path: guidePath, text } = guide(page);
  const recipe = recipeFor(name, app, guidePath);
  const markdown = recipe.pages === undefined ? text : `${guide(recipe.pages).text}\n${text}`;
  const changes = changesOf(recipe, app, markdown, options.project);
  checkReplaced(options.replaced, changes);

  say(`${title}, as in ${guidePath}${options.isDryRun ? '. Nothing is written.' : ''}`);
  const outcomes: (readonly [Change, Outcome])[] = [];
  for (const change of changes) outcomes.push([change, await outcomeOf(change, options, ask)]);
  const width = Math.max(...changes.map(({ path }) => path.length));
  for (const [change, outcome] of outcomes) {
    const { path, after, before, purpose } = change;
    const isDone = outcome === 'written' || outcome === 'changed';
    if (isDone && !options.isDryRun) write(path, after, before === null);
    say(`  ${outcome.padEnd(8)}  ${path.padEnd(width)}  ${purpose}`);
  }

  const leftovers = outcomes.filter(([, outcome]) => outcome === 'kept').map(([change]) => change);
  const lacks = lacksOf(recipe, app);
  const reminder = envReminder(app);
  const hadTerminal = leftovers.length === 0 || options.isQuiet || ask !== null;
  const notes = [
    ...(hadTerminal ? [] : ['There is no terminal for questions, so existing files were kept.']),
    ...keptLines(leftovers, guidePath),
    ...lacks,
    ...(reminder === null ? [] : [reminder]),
  ];
  for (const line of ['', ...notes, ...(notes.length > 0 ? [''] : []), 'Next:']) say(line);
  for (const [index, step] of stepsOf(recipe, app, options.project).entries()) say(`  ${index + 1}. ${step}`);
  return options.isDryRun || leftovers.length + lacks.length === 0 ? 0 : 2;
}
