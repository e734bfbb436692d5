import { Refusal } from '#domain/rules/refusal.ts';
import { readBackendUser } from '#provider/accounts/users/backend-user.ts';
import { OPTIONAL_USER, PAGE, readCommand, USER, writeCommand, type OperatorCommand } from '../desk/command.ts';
import { exportPage, exportPerson } from './export-users.ts';
import { importUsers } from './import-users.ts';
import { limitFrom, saying, type Row } from '../desk/listing.ts';
import { listUsers } from './list-users.ts';
import { meantUser } from '../desk/meant-user.ts';
import { VENDORS } from '../../vendors/vendors.ts';
import { deletePerson, lockOut, shortenRecoveryOf, unlock } from './actions.ts';
import { titleOf } from './title.ts';

const COLUMNS = ['user_id', 'status', 'created_at', 'emails', 'phone_numbers', 'name', 'external_id'];

function rowOf({ user, external_id, locked }: Awaited<ReturnType<typeof listUsers>>['users'][number]): Row {
  const { user_id, created_at, emails, phone_numbers, name } = user;
  return {
    user_id,
    status: locked ? 'locked' : user.status,
    created_at,
    emails: emails.map(({ email, verified }) => (verified ? email : `${email} (unverified)`)),
    phone_numbers: phone_numbers.map(({ phone_number }) => phone_number),
    name: [name.first_name, name.last_name].filter(Boolean).join(' '),
    external_id,
  };
}

export const USER_COMMANDS = {
  'users list': readCommand(
    {
      fields: { ...PAGE, locked: { type: 'boolean?', help: 'only users who are locked out' } },
      help: 'lists all users, the oldest first',
      columns: COLUMNS,
      page: 'users',
    },
    async ({ db }, { limit, after, locked = false }) => {
      const page = await listUsers(db, { after, locked, limit: limitFrom(limit) });
      return { rows: page.users.map(rowOf), next: page.next };
    },
  ),
  'users search': readCommand(
    {
      argument: 'text',
      fields: { text: { type: 'string', help: 'part of an address, a number or a name, or an id' }, ...PAGE },
      help: 'lists the user with this address, number or id, else users with the text in an address, a number or a name',
      columns: COLUMNS,
      page: 'users',
    },
    async ({ db }, { text, limit, after }) => {
      const page = await listUsers(db, { text, after, limit: limitFrom(limit) });
      return { rows: page.users.map(rowOf), next: page.next };
    },
  ),
  'users show': readCommand(
    {
      argument: 'user',
      fields: { user: USER },
      help: 'prints one user with their factors',
      json: true,
      page: 'users/:user',
    },
    async ({ db, project }, { user }) => {
      return { rows: [{ ...(await readBackendUser(project, db, await meantUser(db, user))) }], next: null };
    },
  ),
  'users lock': writeCommand(
    {
      argument: 'user',
      fields: { user: USER },
      help: 'ends all sessions of a user, and prevents logins',
      question: 'End all sessions of this user and lock them out?',
      roles: ['admin', 'support'],
      forms: [{ page: 'users/:user', act: 'lock', done: 'locked' }],
    },
    async (services, { user }, by) => {
      const user_id = await lockOut(services, user, by);
      return saying(`${user_id} is locked.`, { user_id, locked: true });
    },
  ),
  'users unlock': writeCommand(
    {
      argument: 'user',
      fields: { user: USER },
      help: 'lets a locked user log in again',
      roles: ['admin', 'support'],
      forms: [{ page: 'users/:user', act: 'unlock', done: 'unlocked' }],
    },
    async (services, { user }, by) => {
      const user_id = await unlock(services, user, by);
      return saying(`${user_id} may log in.`, { user_id, locked: false });
    },
  ),
  'users shorten-recovery': writeCommand(
    {
      argument: 'user',
      fields: { user: USER },
      help: 'ends the wait of a user’s recovery, with a message to every contact of the user',
      question: 'Let whoever asked for it remove the second factors of this user now?',
      roles: ['admin', 'support'],
      forms: [{ page: 'users/:user', act: 'shorten-recovery', done: 'recovery-shortened' }],
    },
    async (services, { user }, by) => {
      const user_id = await shortenRecoveryOf(services, user, by);
      return saying(`The recovery of ${user_id} can be finished now.`, { user_id, shortened: true });
    },
  ),
  'users delete': writeCommand(
    {
      argument: 'user',
      fields: { user: USER },
      help: 'deletes a user with all belongings; rows of the audit log stay',
      question: 'Delete this user for good?',
      roles: ['admin'],
      forms: [
        {
          page: 'users/:user',
          act: 'delete',
          async confirm({ user }, { project, db }) {
            const text = titleOf(await readBackendUser(project, db, user));
            return { field: 'confirm', text, message: `Type ${text} to delete the user.` };
          },
          next: 'users',
          done: 'deleted',
        },
      ],
    },
    async (services, { user }, by) => {
      const user_id = await deletePerson(services, user, by);
      return saying(`${user_id} is deleted.`, { user_id, deleted: true });
    },
  ),
  'users export': writeCommand(
    {
      fields: {
        user: OPTIONAL_USER,
        all: { type: 'boolean?', help: 'all users, one in each line, in the format of "users import"' },
        with_hashes: { type: 'boolean?', help: 'adds the hashes of passwords' },
        ...PAGE,
      },
      help: 'prints all stored data of one user, or a line of JSON for each user',
      roles: ['admin', 'support'],
      json: true,
      forms: [{ page: 'users/:user', act: 'export', file: 'user.json' }],
    },
    async (services, { user, all = false, with_hashes: withHashes = false, after, limit }, by) => {
      if ((user === undefined) !== all) throw new Refusal('bad_request', 'Give --user or --all.');
      if (user !== undefined)
        return { rows: [{ ...(await exportPerson(services, user, withHashes, by)) }], next: null };
      const { lines, next } = await exportPage(services, { after, limit: limitFrom(limit, 500), withHashes }, by);
      return { rows: lines, next };
    },
  ),
  'users import': writeCommand(
    {
      argument: 'file',
      fields: {
        file: { type: 'string?', help: 'a file with a JSON object in each line, or the export of another product' },
        lines: { type: 'object[]', help: 'those objects' },
        from: { type: 'string?', help: 'the product that made the export', values: Object.keys(VENDORS) },
        also: { type: 'string[]?', help: 'another file of the same export; give it once for each' },
        rp_id: { type: 'string?', help: 'the relying party of the export’s passkeys, if the export does not name it' },
        secret_env: {
          type: 'string?',
          help: 'the variable with the secret that encrypted the export; asks if it is empty',
        },
        dry_run: { type: 'boolean?', help: 'checks the file, says what users keep and lose, and imports nothing' },
        skip_wrong: { type: 'string?', help: 'a file for the lines that are wrong: imports all others' },
        try: { type: 'string?', help: 'an address: asks for its password first, and checks it against its line' },
        hash_type: { type: 'string?', help: 'the type of hashes whose text does not show it' },
        firebase_config: { type: 'string?', help: 'a file with the password hash parameters of a Firebase project' },
      },
      help: 'makes users from a file of JSON lines or the export of another product, after checking all; existing users do not change',
      page: 'import',
    },
    async (services, { lines }, by) => {
      const rows: readonly Row[] = [...(await importUsers(services, lines, by))];
      return { rows, next: null };
    },
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
