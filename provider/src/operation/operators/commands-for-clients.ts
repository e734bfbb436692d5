import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { createClient, deleteClient, listClients, rotateClient } from './clients.ts';
import { command, type OperatorCommand } from './command.ts';
import { limitFrom, saying } from './listing.ts';
import { listKeys, rotateKey } from './signing-keys.ts';

export const KEY_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'keys list': command(
    {
      options: {},
      help: 'the signing keys, the newest first',
      columns: ['purpose', 'kid', 'state', 'created_at', 'active_at'],
    },
    async (services) => ({ rows: await listKeys(services), next: null }),
  ),
  'keys rotate': command(
    {
      options: { purpose: 'string?' },
      help: 'makes a new key that signs for connected apps, or with --purpose sessions for session JWTs',
      columns: [],
    },
    async (services, { purpose = 'apps' }, by) => {
      const made = await rotateKey(services, purpose, by);
      return saying(made.kid, made);
    },
  ),
};

export const CLIENT_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'clients list': command(
    {
      options: { limit: 'string?', after: 'string?' },
      help: 'connected apps and M2M clients',
      columns: ['client_id', 'kind', 'name', 'from', 'secret'],
    },
    async (services, { limit, after = '' }) => {
      const { clients, next } = await listClients(services, { after, limit: limitFrom(limit) });
      return { rows: clients.map((client) => ({ ...client })), next };
    },
  ),
  'clients create': command(
    {
      options: { name: 'string', type: 'string?', redirect_url: 'string[]?' },
      help: 'makes a connected app; --type is first_party, first_party_public, third_party or third_party_public',
      columns: [],
    },
    async (services, { name, type = 'third_party', redirect_url = [] }, by) => {
      const given = { client_type: type, client_name: name, redirect_urls: redirect_url };
      const app = await createClient(services, given, by);
      const { client_id } = app;
      const secret = 'client_secret' in app ? `\n${String(app.client_secret)}` : '';
      return saying(`${client_id}${secret}`, { ...app });
    },
  ),
  'clients delete': command(
    {
      argument: 'client',
      options: { client: 'string' },
      help: 'deletes a client with its grants and tokens',
      question: 'Delete this client, and end what it was granted?',
      columns: [],
    },
    async (services, { client }, by) => {
      await deleteClient(services, client, by);
      return saying(`${client} is deleted.`, { client_id: client, deleted: true });
    },
  ),
  'clients rotate': command(
    {
      argument: 'client',
      options: { client: 'string', finish: 'boolean?', cancel: 'boolean?' },
      help: 'makes the next secret of a client, beside the one it has; --finish ends the old one, --cancel the new one',
      columns: [],
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
