#!/usr/bin/env node
import { COMMANDS } from './operation/cli/commands.ts';
import { helpText, versionText } from './operation/cli/help.ts';
import { optionsFrom } from './operation/cli/options.ts';
import { readyText, run } from './operation/cli/run.ts';
import { UsageError } from './base/usage-error.ts';
import { reportToStderr } from './base/log/error-log.ts';

/** Prints one line. An error that the operator cannot fix is printed without its message, which may quote request data. */
function complain(error: unknown): void {
  if (error instanceof UsageError) process.stderr.write(`${error.message.slice(0, 1000)}\n`);
  else reportToStderr(error, { where: 'the server failed' });
}

function fail(error: unknown): never {
  complain(error);
  process.exit(1);
}

// Node's default is too short: a driver's own frames exceed it.
Error.stackTraceLimit = 30;
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  if (rest.includes('--help') || command === '--help' || command === '-h') {
    process.stdout.write(helpText(COMMANDS));
    return;
  }
  if (command === '--version') {
    process.stdout.write(`${versionText()}\n`);
    return;
  }
  const found = COMMANDS.find(({ name }) => name === command);
  if (found !== undefined) {
    process.stdout.write(`${await found.run(rest)}\n`);
    return;
  }
  const running = await run(optionsFrom(process.argv.slice(2)));
  const stop = (): void => void running.stop().then(() => process.exit(0), fail);
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.stdout.write(readyText(running));
}

main().catch(fail);
