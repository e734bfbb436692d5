import { parseArgs } from 'node:util';
import { isOrigin } from '#domain/rules/redirects.ts';
import { didYouMean } from '#domain/widget/meant-name.ts';
import { checkFlags, CommandError } from '../command-error.ts';
import { FRAMEWORK_NAMES, type FrameworkName } from './frameworks.ts';
import type { Project } from './plan.ts';

/** The local provider, and the project that it has without a project file. */
export const LOCAL: Project = {
  apiUrl: 'http://localhost:4100',
  publicToken: 'public-token-test-d1e70000-0000-4000-8000-000000000000',
  projectId: 'project-test-d1e70000-0000-4000-8000-000000000000',
};

export const INIT_HELP = `npx portico init [--framework NAME] [--dry-run] [--yes] [--replace FILE] …

Writes a login into the app of this folder: the settings (.env), the client, a login page, a guard, a sign-out and a protected page. The files are
those of the framework's guide. Asks before it changes a file that exists.

  --framework NAME      ${FRAMEWORK_NAMES.join(', ')}.
                        Default: the framework on which package.json depends
  --api-url ORIGIN      the provider. Default: ${LOCAL.apiUrl}, the local one
  --public-token TOKEN  of the project. Default: that of the local provider
  --project-id ID       of the project. Default: that of the local provider
  --dry-run             lists the files, and writes nothing
  --yes                 asks nothing: writes the missing files, and keeps those that exist
  --replace FILE        changes this file without a question. Can be repeated

Without a terminal it asks nothing, as with --yes. The exit status is 0 if the app is complete, 2 if files were kept or something is missing, and 1
after an error.
`;

export interface InitOptions {
  /** Null: as package.json says. */
  readonly framework: FrameworkName | null;
  readonly project: Project;
  readonly isDryRun: boolean;
  /** Whether no question is asked. */
  readonly isQuiet: boolean;
  /** The files that are changed without a question. */
  readonly replaced: readonly string[];
}

const FLAGS = {
  framework: { type: 'string' },
  'api-url': { type: 'string', default: LOCAL.apiUrl },
  'public-token': { type: 'string', default: LOCAL.publicToken },
  'project-id': { type: 'string', default: LOCAL.projectId },
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  replace: { type: 'string', multiple: true, default: [] as string[] },
  help: { type: 'boolean', short: 'h' },
} as const;

function frameworkNamed(name: string | undefined): FrameworkName | null {
  if (name === undefined) return null;
  const found = FRAMEWORK_NAMES.find((one) => one === name);
  if (found !== undefined) return found;
  const question = didYouMean(name, FRAMEWORK_NAMES);
  throw new CommandError(`--framework: there is no ${name}.${question || ` There are ${FRAMEWORK_NAMES.join(', ')}.`}`);
}

/** A text that a line of `.env` can hold as it is. */
const isPlain = (text: string): boolean => /^[\w-]{1,200}$/u.test(text);

/** The options of `init`; null if the arguments ask for help. Throws a `CommandError` that names the mistake. */
export function initOptionsFrom(args: readonly string[]): InitOptions | null {
  checkFlags(args, FLAGS);
  const { values, positionals } = parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
  if (values.help === true) return null;
  const [word] = positionals;
  if (word !== undefined)
    throw new CommandError(`init takes no argument ${word}. It works in the folder in which it runs.`);
  const { 'api-url': apiUrl, 'public-token': publicToken, 'project-id': projectId } = values;
  if (!isOrigin(apiUrl)) throw new CommandError('--api-url must be an origin such as https://auth.example.com.');
  if (!isPlain(publicToken) || !publicToken.startsWith('public-token-')) {
    throw new CommandError('--public-token must be the public token of the project, which begins with public-token-.');
  }
  if (!isPlain(projectId) || !projectId.startsWith('project-')) {
    throw new CommandError('--project-id must be the id of the project, which begins with project-.');
  }
  return {
    framework: frameworkNamed(values.framework),
    project: { apiUrl, publicToken, projectId },
    isDryRun: values['dry-run'],
    isQuiet: values.yes,
    replaced: values.replace.map((path) => path.replace(/^\.\//u, '')),
  };
}
