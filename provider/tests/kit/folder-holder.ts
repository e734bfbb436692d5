/** A process that locks the folder of its first argument, says so, and stays. */
import { lockFolder } from '../../src/base/db/folder-lock.ts';

const [, , folder = ''] = process.argv;
lockFolder(folder).then(
  () => {
    process.stdout.write('held\n');
    setInterval(() => undefined, 60_000);
  },
  (error: unknown) => {
    process.stdout.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  },
);
