import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { listAudit } from './audit-list.ts';
import { command, type OperatorCommand } from './command.ts';
import { limitFrom, saying } from './listing.ts';
import { listMessages, purgeMessages, retryMessages, showMessage } from './messages.ts';
import { meantUser } from './people.ts';

export const OUTBOX_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'outbox list': command(
    {
      options: { state: 'string?', user: 'string?', limit: 'string?', after: 'string?' },
      help: 'messages without their contents, the newest first; --state is waiting, sent, dead or expired',
      columns: ['id', 'state', 'channel', 'kind', 'recipient', 'at', 'attempts', 'last_error'],
    },
    async (services, { state, user, limit, after }) => {
      const user_id = user === undefined ? undefined : await meantUser(services.db, user);
      const { messages, next } = await listMessages(services, { state, user_id, after, limit: limitFrom(limit) });
      return { rows: messages, next };
    },
  ),
  'outbox show': command(
    { argument: 'id', options: { id: 'string' }, help: 'one message without its contents', columns: [], json: true },
    async (services, { id }) => ({ rows: [await showMessage(services, id)], next: null }),
  ),
  'outbox retry': command(
    {
      options: { id: 'string?', all: 'boolean?' },
      help: 'sends dead messages again: the one of --id, or with --all those whose code or link is still good',
      columns: [],
    },
    async (services, { id, all = false }, by) => {
      if ((id === undefined) !== all) throw new Refusal('bad_request', 'Give --id or --all.');
      const count = await retryMessages(services, id ?? null, by);
      return saying(`${count} will be sent again.`, { retried: count });
    },
  ),
  'outbox purge': command(
    {
      options: { state: 'string' },
      help: 'deletes the messages of --state sent, dead or expired',
      question: 'Delete these messages?',
      columns: [],
    },
    async (services, { state }, by) => {
      const count = await purgeMessages(services, state, by);
      return saying(`${count} deleted.`, { deleted: count });
    },
  ),
};

export const AUDIT_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'audit list': command(
    {
      options: {
        user: 'string?',
        user_id: 'string?',
        event: 'string?',
        outcome: 'string?',
        address: 'string?',
        limit: 'string?',
        after: 'string?',
      },
      help: 'the audit log, the newest first; --address finds what came from the network of an IP address, --user-id who was deleted',
      columns: ['created_at', 'event', 'outcome', 'user_id', 'actor', 'method', 'details'],
    },
    async (services, { user, user_id, limit, after, ...filter }) => {
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
};
