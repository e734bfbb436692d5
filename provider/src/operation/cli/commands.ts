import { systemRandom } from '../../base/platform.ts';
import { adminOptionsFrom } from './admin-options.ts';
import { runBackup } from './backup.ts';
import { runAdmin } from './admin.ts';
import { initProject } from './init.ts';
import { OPERATOR_COMMANDS } from '../operators/commands.ts';
import { manage } from './manage.ts';
import { usageOf } from './manage-options.ts';
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

/** What operators manage. `keys list` and `keys rotate` belong to the command `keys`, which also makes a key file. */
const AREAS = ['users', 'sessions', 'clients', 'outbox', 'audit', 'operators'];

function managing(area: string): Command {
  const of = Object.entries(OPERATOR_COMMANDS).filter(([name]) => name.startsWith(`${area} `));
  return {
    name: area,
    usage: of.map(([name, command]) => usageOf(name, command)).join('\n       portico-provider '),
    help: of.map(([name, { help }]) => `${name.slice(area.length + 1)}: ${help}`).join('\n      '),
    run: (args) => manage([area, ...args]),
  };
}

const signingKeys = managing('keys');

export const COMMANDS: readonly Command[] = [
  {
    name: 'init',
    usage: 'init [FILE] [--origin URL]',
    help: 'writes a project file with comments, default portico.jsonc, and a key if a database URL is given',
    run: (args) => initProject(args),
  },
  {
    name: 'keys',
    usage: `keys FILE\n       portico-provider ${signingKeys.usage}`,
    help: `FILE: writes a new key for --database-url to a file that does not exist yet\n      ${signingKeys.help}`,
    run: (args) =>
      args[0] === 'list' || args[0] === 'rotate' ? signingKeys.run(args) : makeKeyFile(args, systemRandom),
  },
  {
    name: 'migrate',
    usage: 'migrate [--dry-run]',
    help: 'brings the schema of the database up to date, and with a key makes the keys of a new one; or says what that would do',
    run: (args) => runMigrate(args),
  },
  {
    name: 'admin',
    usage: 'admin ACTION …',
    help: 'acts as the operator; "admin" alone lists the actions',
    run: (args) => runBackup(args) ?? runAdmin(adminOptionsFrom(args)),
  },
  ...AREAS.map((area) => managing(area)),
];
