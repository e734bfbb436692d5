import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { readBackendUser } from '../../accounts/users/backend-user.ts';
import { command, type OperatorCommand } from './command.ts';
import { exportPage, exportPerson } from './export-users.ts';
import { importUser } from './import-users.ts';
import { limitFrom, saying, type Row } from './listing.ts';
import { deletePerson, endSessions, listUsers, lockOut, meantUser, sessionsFor, unlock } from './people.ts';

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

const PAGE = { limit: 'string?', after: 'string?' } as const;

export const USER_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'users list': command(
    { options: { ...PAGE, locked: 'boolean?' }, help: 'all users, the oldest first', columns: COLUMNS },
    async ({ db }, { limit, after, locked = false }) => {
      const page = await listUsers(db, { after, locked, limit: limitFrom(limit) });
      return { rows: page.users.map(rowOf), next: page.next };
    },
  ),
  'users search': command(
    {
      argument: 'text',
      options: { ...PAGE, text: 'string' },
      help: 'users with the text in an address, a number or a name, or with this id',
      columns: COLUMNS,
    },
    async ({ db }, { text, limit, after }) => {
      const page = await listUsers(db, { text, after, limit: limitFrom(limit) });
      return { rows: page.users.map(rowOf), next: page.next };
    },
  ),
  'users show': command(
    { argument: 'user', options: { user: 'string' }, help: 'one user with their factors', columns: [], json: true },
    async ({ db, project }, { user }) => {
      return { rows: [{ ...(await readBackendUser(project, db, await meantUser(db, user))) }], next: null };
    },
  ),
  'users lock': command(
    {
      argument: 'user',
      options: { user: 'string' },
      help: 'ends all sessions of a user, who cannot log in any more',
      question: 'End all sessions of this user and lock them out?',
      columns: [],
    },
    async (services, { user }, by) => {
      const user_id = await lockOut(services, user, by);
      return saying(`${user_id} is locked.`, { user_id, locked: true });
    },
  ),
  'users unlock': command(
    { argument: 'user', options: { user: 'string' }, help: 'lets a locked user log in again', columns: [] },
    async (services, { user }, by) => {
      const user_id = await unlock(services, user, by);
      return saying(`${user_id} may log in.`, { user_id, locked: false });
    },
  ),
  'users delete': command(
    {
      argument: 'user',
      options: { user: 'string' },
      help: 'deletes a user with everything that belongs to them; their rows of the audit log stay',
      question: 'Delete this user for good?',
      columns: [],
    },
    async (services, { user }, by) => {
      const user_id = await deletePerson(services, user, by);
      return saying(`${user_id} is deleted.`, { user_id, deleted: true });
    },
  ),
  'users export': command(
    {
      options: { user: 'string?', all: 'boolean?', with_hashes: 'boolean?', after: 'string?', limit: 'string?' },
      help: 'everything that is stored of --user, or with --all a line of JSON for each user, as "users import" takes them',
      columns: [],
      json: true,
    },
    async (services, { user, all = false, with_hashes: withHashes = false, after, limit }, by) => {
      if ((user === undefined) !== all) throw new Refusal('bad_request', 'Give --user or --all.');
      if (user !== undefined)
        return { rows: [{ ...(await exportPerson(services, user, withHashes, by)) }], next: null };
      const { lines, next } = await exportPage(services, { after, limit: limitFrom(limit, 500), withHashes }, by);
      return { rows: lines, next };
    },
  ),
  'users import': command(
    {
      argument: 'file',
      options: { file: 'string?', lines: 'object[]', dry_run: 'boolean?' },
      help: 'makes users from a file of JSON lines, after all lines are checked; who exists already is left alone',
      columns: [],
    },
    async (services, { lines }, by) => {
      const rows: Row[] = [];
      // One after another: a transaction for each, so that a file that is cut off in the middle is continued later.
      for (const line of lines) rows.push(await importUser(services, line, by));
      return { rows, next: null };
    },
  ),
};

export const SESSION_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'sessions list': command(
    {
      argument: 'user',
      options: { user: 'string' },
      help: 'the live sessions of a user',
      columns: ['session_id', 'started_at', 'last_accessed_at', 'expires_at', 'methods', 'ip_address'],
    },
    async (services, { user }) => {
      const sessions = await sessionsFor(services, await meantUser(services.db, user));
      const rows = sessions.map(({ attributes, authentication_factors, ...session }) => ({
        ...session,
        methods: authentication_factors.map(({ type }) => type),
        ip_address: attributes.ip_address,
        user_agent: attributes.user_agent,
      }));
      return { rows, next: null };
    },
  ),
  'sessions revoke': command(
    {
      options: { user: 'string?', id: 'string?' },
      help: 'ends the session of --id, or all of --user',
      question: 'End these sessions?',
      columns: [],
    },
    async (services, { user, id }, by) => {
      if ((user === undefined) === (id === undefined)) throw new Refusal('bad_request', 'Give --user or --id.');
      const count = await endSessions(services, user === undefined ? { session_id: id ?? '' } : { user }, by);
      return saying(`${count} ended.`, { ended: count });
    },
  ),
};
