import { systemRandom } from '#provider/base/platform.ts';
import type { OperatorCommand } from '../operators/desk/command.ts';
import { OPERATOR_COMMANDS } from '../operators/commands.ts';
import { runBackup, runRestore } from './backup.ts';
import { runCheck } from './check.ts';
import { initProject } from './init.ts';
import { makeKeyFile } from '../store/key-file.ts';
import { localCommand, type LocalCommand } from './local-command.ts';
import { runMigrate } from './migrate.ts';
import { ALL_OPTIONS } from '../options/options.ts';
import { PROJECTS_OPTIONS, runProjects } from '../server/projects.ts';

const BACKUP = { type: 'string', help: 'the file of the backup' } as const;

const LOCAL_COMMANDS: Readonly<Record<string, LocalCommand>> = {
  init: localCommand(
    {
      argument: 'file',
      fields: {
        file: { type: 'string?', help: 'the project file, default portico.jsonc' },
        origin: { type: 'string?', help: 'the address of your pages, such as https://app.example.com' },
        issuer: { type: 'string?', help: 'the address of this server for browsers, such as https://auth.example.com' },
      },
      takes: ['databaseUrl', 'key', 'keyFile'],
      help: 'writes a project file with comments, and a key if a database URL is given',
    },
    initProject,
  ),
  check: localCommand(
    {
      argument: 'folder',
      fields: {
        folder: { type: 'string?', help: 'the folder of a project of projects, instead of the options' },
        diff: {
          type: 'boolean?',
          help: 'compares the settings with those of the running server of this machine; the exit code is 1 if they differ',
        },
      },
      takes: ALL_OPTIONS.filter((name) => name !== 'fresh'),
      help: 'reads what a start would read, and names each mistake; opens and changes nothing',
    },
    runCheck,
  ),
  keys: localCommand(
    {
      argument: 'file',
      fields: { file: { type: 'string', help: 'a file that does not exist yet' } },
      takes: [],
      help: 'writes a new key for --database-url to a file',
    },
    ({ file }) => makeKeyFile(file, systemRandom),
  ),
  migrate: localCommand(
    {
      fields: { dry_run: { type: 'boolean?', help: 'prints the steps without doing them' } },
      takes: ['data', 'databaseUrl', 'key', 'keyFile'],
      help: 'brings the schema of the database up to date, and with a key makes the keys of a new one',
    },
    runMigrate,
  ),
  projects: localCommand(
    {
      argument: 'folder',
      fields: {
        folder: { type: 'string', help: 'the folder with a folder for each project' },
        keep: { type: 'string[]?', help: 'a project whose server runs always; give it once for each' },
        most: { type: 'string?', help: 'how many servers run at once, default 10' },
        idle_seconds: { type: 'string?', help: 'a server without a request for so long stops, default 900' },
        wait_seconds: { type: 'string?', help: 'a request waits at most so long for its server, default 20' },
        wake_minutes: {
          type: 'string?',
          help: 'how often a stopped server runs without a request, default 60; 0: never',
        },
      },
      takes: PROJECTS_OPTIONS,
      help: 'serves several projects at one address: starts and stops a server for each',
    },
    runProjects,
  ),
  'admin backup': localCommand(
    {
      argument: 'file',
      fields: { file: BACKUP },
      takes: ['data', 'databaseUrl'],
      help: 'writes the data folder and its key to a file, also while a server holds the folder',
    },
    runBackup,
  ),
  'admin restore': localCommand(
    {
      argument: 'file',
      fields: { file: BACKUP },
      takes: ['data', 'databaseUrl'],
      help: 'makes a data folder from a backup',
    },
    runRestore,
  ),
};

/** Every command of the command line, by its words. */
export const COMMANDS: Readonly<Record<string, OperatorCommand | LocalCommand>> = {
  ...LOCAL_COMMANDS,
  ...OPERATOR_COMMANDS,
};
