import { Refusal } from '#domain/rules/refusal.ts';
import { OPTIONAL_USER, readCommand, USER, writeCommand, type OperatorCommand } from '../desk/command.ts';
import { saying } from '../desk/listing.ts';
import { meantUser } from '../desk/meant-user.ts';
import { endAllSessions, endSessions, sessionsFor } from './actions.ts';

export const SESSION_COMMANDS = {
  'sessions list': readCommand(
    {
      argument: 'user',
      fields: { user: USER },
      help: 'lists the live sessions of a user',
      columns: ['session_id', 'started_at', 'last_accessed_at', 'expires_at', 'methods', 'ip_address'],
      page: 'users/:user',
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
  'sessions revoke': writeCommand(
    {
      fields: {
        user: OPTIONAL_USER,
        id: { type: 'string?', help: 'the id of a session' },
        all: { type: 'boolean?', help: 'the sessions of all users' },
      },
      help: 'ends one session, all sessions of a user, or all sessions',
      question: 'End these sessions?',
      roles: ['admin', 'support'],
      forms: [
        {
          page: 'users/:user',
          act: 'sign-out',
          fields(form) {
            const id = form.get('session_id');
            return id === null ? {} : { id, user: undefined };
          },
          done: 'signed-out',
        },
      ],
    },
    async (services, { user, id, all = false }, by) => {
      const choices = [user !== undefined, id !== undefined, all].filter(Boolean);
      if (choices.length !== 1) throw new Refusal('bad_request', 'Give --user, --id or --all.');
      const one = user === undefined ? { session_id: id ?? '' } : { user };
      const count = await (all ? endAllSessions(services, by) : endSessions(services, one, by));
      return saying(`${count} ended.`, { ended: count });
    },
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
