import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { command, OPTIONAL_USER, USER, type OperatorCommand } from './command.ts';
import { saying } from './listing.ts';
import { endSessions, meantUser, sessionsFor } from './people.ts';

export const SESSION_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'sessions list': command(
    {
      argument: 'user',
      fields: { user: USER },
      help: 'lists the live sessions of a user',
      columns: ['session_id', 'started_at', 'last_accessed_at', 'expires_at', 'methods', 'ip_address'],
      page: 'GET /operators/users/:user',
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
      fields: { user: OPTIONAL_USER, id: { type: 'string?', help: 'the id of a session' } },
      help: 'ends one session, or all of a user',
      question: 'End these sessions?',
      page: 'POST /operators/users/:user/sign-out',
    },
    async (services, { user, id }, by) => {
      if ((user === undefined) === (id === undefined)) throw new Refusal('bad_request', 'Give --user or --id.');
      const count = await endSessions(services, user === undefined ? { session_id: id ?? '' } : { user }, by);
      return saying(`${count} ended.`, { ended: count });
    },
  ),
};
