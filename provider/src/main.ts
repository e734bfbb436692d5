#!/usr/bin/env node
import { adminOptionsFrom } from './cli/admin-options.ts';
import { runAdmin } from './cli/admin.ts';
import { makeKeyFile } from './cli/key-file.ts';
import { runMigrate } from './cli/migrate.ts';
import { optionsFrom, UsageError } from './cli/options.ts';
import { readyText, run } from './cli/run.ts';
import { reportToStderr } from './error-log.ts';
import { systemRandom } from './platform.ts';

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
  if (command === 'admin') {
    process.stdout.write(`${await runAdmin(adminOptionsFrom(rest))}\n`);
    return;
  }
  if (command === 'migrate') {
    process.stdout.write(`${await runMigrate(rest)}\n`);
    return;
  }
  if (command === 'keys') {
    process.stdout.write(`${makeKeyFile(rest, systemRandom)}\n`);
    return;
  }
  const running = await run(optionsFrom(process.argv.slice(2)));
  const stop = (): void => void running.stop().then(() => process.exit(0), fail);
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.stdout.write(readyText(running));
}

main().catch(fail);
