import { Refusal } from '../../../../../src/domain/rules/refusal.ts';
import { createClient, deleteClient, listClients, rotateClient } from './store.ts';
import { command, PAGE, type OperatorCommand } from '../desk/command.ts';
import { limitFrom, saying } from '../desk/listing.ts';

const CLIENT = { type: 'string', help: 'the id of a client' } as const;

export const CLIENT_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'clients list': command(
    {
      fields: PAGE,
      help: 'lists connected apps and M2M clients',
      columns: ['client_id', 'kind', 'name', 'from', 'secret'],
      page: 'GET /operators/clients',
    },
    async (services, { limit, after = '' }) => {
      const { clients, next } = await listClients(services, { after, limit: limitFrom(limit) });
      return { rows: clients.map((client) => ({ ...client })), next };
    },
  ),
  'clients create': command(
    {
      fields: {
        name: { type: 'string', help: 'the name that consent pages show' },
        type: {
          type: 'string?',
          help: 'the type of client; default third_party',
          values: ['first_party', 'first_party_public', 'third_party', 'third_party_public'],
        },
        redirect_url: { type: 'string[]?', help: 'a redirect URL of logins; can be repeated' },
      },
      help: 'makes a connected app, and prints its id and its secret',
      page: 'POST /operators/clients',
    },
    async (services, { name, type = 'third_party', redirect_url = [] }, by) => {
      const settings = { client_type: type, client_name: name, redirect_urls: redirect_url };
      const app = await createClient(services, settings, by);
      const { client_id } = app;
      const secret = 'client_secret' in app ? `\n${String(app.client_secret)}` : '';
      return saying(`${client_id}${secret}`, { ...app });
    },
  ),
  'clients delete': command(
    {
      argument: 'client',
      fields: { client: CLIENT },
      help: 'deletes a client with its grants and tokens',
      question: 'Delete this client and all its grants?',
      page: 'POST /operators/clients/:client/delete',
    },
    async (services, { client }, by) => {
      await deleteClient(services, client, by);
      return saying(`${client} is deleted.`, { client_id: client, deleted: true });
    },
  ),
  'clients rotate': command(
    {
      argument: 'client',
      fields: {
        client: CLIENT,
        finish: { type: 'boolean?', help: 'ends the old secret' },
        cancel: { type: 'boolean?', help: 'ends the new secret' },
      },
      help: 'makes the next secret of a client; the current one stays valid',
      page: 'POST /operators/clients/:client/rotate',
    },
    async (services, { client, finish = false, cancel = false }, by) => {
      if (finish && cancel) throw new Refusal('bad_request', 'Give --finish or --cancel, not both.');
      const step = finish ? 'finish' : cancel ? 'cancel' : 'start';
      const secret = await rotateClient(services, { client_id: client, step }, by);
      const row = { client_id: client, step, ...(secret === null ? {} : { client_secret: secret }) };
      return saying(secret ?? `The rotation of ${client} is ${finish ? 'finished' : 'cancelled'}.`, row);
    },
  ),
};
