/** `npx portico`: writes a login into an app, or the first screen of a widget into HTML files. */
import { didYouMean } from '#domain/widget/meant-name.ts';
import { CommandError } from './command-error.ts';
import { runInit } from './init-process.ts';

const HELP = `npx portico init        writes a login into the app of this folder
npx portico prerender   writes the first screen of a widget into HTML files

npx portico COMMAND --help lists the options of a command.
`;

async function run(args: readonly string[]): Promise<number> {
  const [command = '--help', ...others] = args;
  if (command === 'init') return runInit(others);
  if (command === '--help' || command === '-h') {
    process.stdout.write(HELP);
    return 0;
  }
  if (command !== 'prerender' && !command.startsWith('-')) {
    throw new CommandError(`There is no command ${command}.${didYouMean(command, ['init', 'prerender'])}\n\n${HELP}`);
  }
  // It needs React, which an app may not have.
  const { runPrerender } = await import('./prerender-process.ts');
  await runPrerender(args);
  return 0;
}

run(process.argv.slice(2)).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
