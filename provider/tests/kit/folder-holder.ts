/** A process that locks the folder of its first argument, says so, and stays. */
import { lockFolder } from '#provider/base/db/engine/folder-lock.ts';

const [, , folder = ''] = process.argv;

async function main(): Promise<void> {
  await lockFolder(folder);
  process.stdout.write('held\n');
  setInterval(() => undefined, 60_000);
}

main().catch((error: unknown) => {
  process.stdout.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
