import { systemRandom } from '../platform.ts';
import { adminOptionsFrom } from './admin-options.ts';
import { runAdmin } from './admin.ts';
import { makeKeyFile } from './key-file.ts';
import { runMigrate } from './migrate.ts';

/** A command that does one thing and ends, unlike serving. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  /** @returns what is printed */
  readonly run: (args: readonly string[]) => string | Promise<string>;
}

export const COMMANDS: readonly Command[] = [
  {
    name: 'keys',
    usage: 'keys FILE',
    help: 'writes a new key for --database-url to a file that does not exist yet',
    run: (args) => makeKeyFile(args, systemRandom),
  },
  {
    name: 'migrate',
    usage: 'migrate [--dry-run]',
    help: 'brings the schema of the database up to date, or says what that would do',
    run: (args) => runMigrate(args),
  },
  {
    name: 'admin',
    usage: 'admin ACTION …',
    help: 'acts as the operator; "admin" alone lists the actions',
    run: (args) => runAdmin(adminOptionsFrom(args)),
  },
];
