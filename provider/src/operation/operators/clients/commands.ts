import { Refusal, SchemaRefusal } from '#domain/rules/refusal.ts';
import { createClient, deleteClient, listClients, rotateClient } from './store.ts';
import { PAGE, readCommand, writeCommand, type OperatorCommand } from '../desk/command.ts';
import type { Fault } from '../desk/layout.ts';
import { limitFrom, saying } from '../desk/listing.ts';
import { secretPage } from './secret-page.ts';

const STEPS = ['finish', 'cancel'] as const;

/** The mistake in a field of a new client. */
function fieldFault(error: unknown): Fault | undefined {
  const [issue] = error instanceof SchemaRefusal ? error.body : [];
  if (issue === undefined) return undefined;
  // Such as `redirect_urls[1]`.
  const [field = ''] = String(issue.dataPath[0]).split('[');
  // An operator sees lines instead of a list.
  return { field, message: issue.message.replace(/^\w+\[(\d+)\]/u, (_, at) => `line ${Number(at) + 1}`) };
}

const CLIENT = { type: 'string', help: 'the id of a client' } as const;

export const CLIENT_COMMANDS = {
  'clients list': readCommand(
    {
      fields: PAGE,
      help: 'lists connected apps and M2M clients',
      columns: ['client_id', 'kind', 'name', 'from', 'secret'],
      page: 'clients',
    },
    async (services, { limit, after = '' }) => {
      const { clients, next } = await listClients(services, { after, limit: limitFrom(limit) });
      return { rows: clients.map((client) => ({ ...client })), next };
    },
  ),
  'clients create': writeCommand(
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
      roles: ['admin'],
      forms: [
        {
          page: 'clients',
          fields: (form) => ({
            name: form.get('client_name')?.trim() ?? '',
            type: form.get('client_type') ?? '',
            redirect_url: (form.get('redirect_urls') ?? '')
              .split('\n')
              .map((line) => line.trim())
              .filter((line) => line !== ''),
          }),
          faultOf: fieldFault,
          secret: secretPage,
          next: 'clients/:client_id',
          done: 'created',
        },
      ],
    },
    async (services, { name, type = 'third_party', redirect_url = [] }, by) => {
      const settings = { client_type: type, client_name: name, redirect_urls: redirect_url };
      const app = await createClient(services, settings, by);
      const { client_id } = app;
      const secret = 'client_secret' in app ? `\n${String(app.client_secret)}` : '';
      return saying(`${client_id}${secret}`, { ...app });
    },
  ),
  'clients delete': writeCommand(
    {
      argument: 'client',
      fields: { client: CLIENT },
      help: 'deletes a client with its grants and tokens',
      question: 'Delete this client and all its grants?',
      roles: ['admin'],
      forms: [
        {
          page: 'clients/:client',
          act: 'delete',
          confirm: ({ client }) => ({
            field: 'confirm',
            text: client,
            message: `Type ${client} to delete the client.`,
          }),
          next: 'clients',
          done: 'deleted',
        },
      ],
    },
    async (services, { client }, by) => {
      await deleteClient(services, client, by);
      return saying(`${client} is deleted.`, { client_id: client, deleted: true });
    },
  ),
  'clients rotate': writeCommand(
    {
      argument: 'client',
      fields: {
        client: CLIENT,
        finish: { type: 'boolean?', help: 'ends the old secret' },
        cancel: { type: 'boolean?', help: 'ends the new secret' },
      },
      help: 'makes the next secret of a client; the current one stays valid',
      roles: ['admin'],
      forms: [
        { page: 'clients/:client', act: 'rotate', secret: secretPage },
        {
          page: 'clients/:client',
          act: 'end-rotation',
          fields(form) {
            const step = STEPS.find((each) => each === form.get('step'));
            if (step === undefined) throw new Refusal('bad_request', `step must be one of ${STEPS.join(', ')}.`);
            return step === 'finish' ? { finish: true } : { cancel: true };
          },
          confirm: ({ client: text }) => ({
            field: 'confirm_rotation',
            text,
            message: `Type ${text} to end a secret.`,
          }),
          done: ({ step }) => (step === 'finish' ? 'finished' : 'cancelled'),
        },
      ],
    },
    async (services, { client, finish = false, cancel = false }, by) => {
      if (finish && cancel) throw new Refusal('bad_request', 'Give --finish or --cancel, not both.');
      const step = finish ? 'finish' : cancel ? 'cancel' : 'start';
      const secret = await rotateClient(services, { client_id: client, step }, by);
      const row = { client_id: client, step, ...(secret === null ? {} : { client_secret: secret }) };
      return saying(secret ?? `The rotation of ${client} is ${finish ? 'finished' : 'cancelled'}.`, row);
    },
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
