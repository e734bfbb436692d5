import { exportAudit } from './audit-export.ts';
import { checkEvent, listAudit } from './audit-list.ts';
import { OPTIONAL_USER, PAGE, readCommand, type OperatorCommand } from '../desk/command.ts';
import { limitFrom } from '../desk/listing.ts';
import { meantUser } from '../desk/meant-user.ts';

export const AUDIT_COMMANDS = {
  'audit list': readCommand(
    {
      fields: {
        user: OPTIONAL_USER,
        user_id: { type: 'string?', help: 'the id of a user, also of a deleted one' },
        event: { type: 'string?', help: 'only this event, such as login' },
        outcome: { type: 'string?', help: 'only events with this outcome', values: ['ok', 'refused'] },
        address: { type: 'string?', help: 'only events from the network of this IP address' },
        ...PAGE,
      },
      help: 'lists the audit log, the newest first',
      columns: ['created_at', 'event', 'outcome', 'user_id', 'actor', 'method', 'details'],
      page: 'audit',
    },
    async (services, { user, user_id, limit, after, ...filter }) => {
      checkEvent(filter.event);
      const id = user === undefined ? user_id : await meantUser(services.db, user);
      const page = { ...filter, user_id: id, before: after, limit: limitFrom(limit) };
      const { rows, next } = await listAudit(services, page);
      return {
        rows: rows.map(({ actor_kind, actor_id, ...row }) => ({
          ...row,
          actor: actor_id === null ? actor_kind : `${actor_kind} ${actor_id}`,
        })),
        next,
      };
    },
  ),
  'audit export': readCommand(
    {
      fields: {
        limit: { type: 'string?', help: 'the number of rows to read at once, at most 1000' },
        after: { type: 'string?', help: 'the sequence of your last line' },
      },
      help: 'prints the audit log from the oldest row on, a line of OCSF for each, except the last half minute',
      roles: ['admin', 'reader', 'auditor'],
      download: { page: 'audit', act: 'export', file: 'audit.jsonl' },
      json: true,
      everyPage: true,
    },
    async (services, { limit, after }) => exportAudit(services, { after, limit: limitFrom(limit, 1000) }),
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
