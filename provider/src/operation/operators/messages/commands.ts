import { Refusal } from '#domain/rules/refusal.ts';
import { OPTIONAL_USER, PAGE, readCommand, writeCommand, type OperatorCommand } from '../desk/command.ts';
import { limitFrom, saying } from '../desk/listing.ts';
import { listMessages, purgeMessages, retryMessages, showMessage, STATES } from './store.ts';
import { NO_PAGE } from '../desk/roles.ts';
import { meantUser } from '../desk/meant-user.ts';

export const OUTBOX_COMMANDS = {
  'outbox list': readCommand(
    {
      fields: {
        state: { type: 'string?', help: 'only messages in this state', values: STATES },
        user: OPTIONAL_USER,
        ...PAGE,
      },
      help: 'lists messages without their contents, the newest first',
      columns: ['id', 'state', 'channel', 'kind', 'recipient', 'at', 'attempts', 'last_error'],
      page: 'outbox',
    },
    async (services, { state, user, limit, after }) => {
      const user_id = user === undefined ? undefined : await meantUser(services.db, user);
      const { messages, next } = await listMessages(services, { state, user_id, after, limit: limitFrom(limit) });
      return { rows: messages, next };
    },
  ),
  'outbox show': readCommand(
    {
      argument: 'id',
      fields: { id: { type: 'string', help: 'the id of a message' } },
      help: 'prints one message without its contents',
      roles: NO_PAGE,
      json: true,
    },
    async (services, { id }) => ({ rows: [await showMessage(services, id)], next: null }),
  ),
  'outbox retry': writeCommand(
    {
      fields: {
        id: { type: 'string?', help: 'the id of a message' },
        all: { type: 'boolean?', help: 'all whose code or link is still valid' },
      },
      help: 'sends dead messages again',
      roles: ['admin', 'support'],
      forms: [
        {
          page: 'outbox',
          act: 'retry',
          fields(form) {
            const id = form.get('id');
            return id === null ? { all: true } : { id };
          },
          done: 'retried',
        },
      ],
    },
    async (services, { id, all = false }, by) => {
      if ((id === undefined) !== all) throw new Refusal('bad_request', 'Give --id or --all.');
      const count = await retryMessages(services, id ?? null, by);
      return saying(`${count} will be sent again.`, { retried: count });
    },
  ),
  'outbox purge': writeCommand(
    {
      fields: { state: { type: 'string', help: 'sent, dead or expired' } },
      help: 'deletes the messages in a state',
      question: 'Delete these messages?',
      roles: ['admin'],
      forms: [
        {
          page: 'outbox',
          act: 'purge',
          fields: (form) => ({ state: form.get('final_state') ?? '' }),
          confirm: ({ state }) => ({ field: 'confirm', text: state, message: 'Type the state that you chose.' }),
          done: 'purged',
        },
      ],
    },
    async (services, { state }, by) => {
      const count = await purgeMessages(services, state, by);
      return saying(`${count} deleted.`, { deleted: count });
    },
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
