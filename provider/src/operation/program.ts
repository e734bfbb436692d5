/** The part that `main.ts` loads: runs the command that the words name, or the server. */
import { reportToStderr } from '#provider/base/log/error-log.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import { optionsFrom } from './options/options.ts';
import { namesCommand, runCommand } from './commands/run-command.ts';
import { readyText, run } from './server/run.ts';

/** Prints one line. An error that the operator cannot fix is printed without its message, which may quote request data. */
function complain(error: unknown): void {
  if (error instanceof UsageError) process.stderr.write(`${error.message.slice(0, 10_000)}\n`);
  else reportToStderr(error, { where: 'the server failed' });
}

function fail(error: unknown): never {
  complain(error);
  process.exit(1);
}

// Node's default is too small: a driver's own frames exceed it.
Error.stackTraceLimit = 30;
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  if (namesCommand(words)) {
    // If the reader stops early, such as `head`, the command finishes without it, so that nothing is left half done.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') fail(error);
    });
    const print = (text: string): void => void process.stdout.write(`${text}\n`);
    print(await runCommand(words, print));
    return;
  }
  const options = optionsFrom(words);
  // A router that ends takes its servers with it, no matter how it ends.
  const hasRouter = process.connected;
  let reload = (): unknown => undefined;
  // The first process of a container ignores signals by default, and even a server that waits for its data folder must end.
  let stop = (): void => process.exit(0);
  process.on('SIGINT', () => stop());
  process.on('SIGTERM', () => stop());
  // Set before the start, because Node's default for SIGHUP is to end the process. With --dev, closing the terminal ends it.
  if (!options.dev) process.on('SIGHUP', () => void reload());
  const running = await run(options);
  reload = running.reload ?? reload;
  stop = () => void running.stop().then(() => process.exit(0), fail);
  if (hasRouter) process.once('disconnect', stop);
  if (hasRouter && !process.connected) stop();
  process.stdout.write(readyText(running));
}

main().catch(fail);
