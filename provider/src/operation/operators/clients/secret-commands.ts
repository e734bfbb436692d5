import { Refusal } from '#domain/rules/refusal.ts';
import { listCalls } from '#provider/api/backend/audit.ts';
import { listProjectSecrets, makeProjectSecret, revokeProjectSecret } from '#provider/api/backend/credentials.ts';
import { rotateClientSecret } from '#provider/apps/idp/clients/client-secrets.ts';
import { readCommand, writeCommand, type OperatorCommand } from '../desk/command.ts';
import { saying } from '../desk/listing.ts';
import { NO_PAGE } from '../desk/roles.ts';
import { auditOperator } from '../desk/audit-actor.ts';

const MOST_CALLS = 10_000;

/** One line per row, with the columns separated by tabs. */
const lines = (rows: readonly (readonly string[])[]): string => rows.map((columns) => columns.join('\t')).join('\n');

/** Secrets of apps and of their servers. A secret is printed only after its row is in the audit log. */
export const SECRET_COMMANDS = {
  'admin client-secret': writeCommand(
    {
      fields: { client: { type: 'string', help: 'the id of a confidential client of the project file' } },
      help: 'makes a new secret for a client, and accepts the previous one for another day',
      roles: NO_PAGE,
    },
    async (services, { client }, by) => {
      const client_secret = await rotateClientSecret(services, client);
      await auditOperator(services, services.db, by, { event: 'client_secret_rotated', details: { target: client } });
      return saying(client_secret, { client_id: client, client_secret });
    },
  ),
  'admin project-secret create': writeCommand(
    {
      fields: { name: { type: 'string', help: 'a name for lists, of 1 to 120 characters' } },
      help: 'makes a secret for the backend API, and prints its id and the secret',
      roles: NO_PAGE,
    },
    async (services, { name }, by) => {
      const { secret_id, secret } = await makeProjectSecret(services, name);
      await auditOperator(services, services.db, by, { event: 'project_secret_made' });
      return saying(`${secret_id}\n${secret}`, { secret_id, secret });
    },
  ),
  'admin project-secret list': readCommand(
    { fields: {}, help: 'lists the secrets of the backend API, without the secrets themselves', roles: NO_PAGE },
    async (services) => {
      const rows = await listProjectSecrets(services);
      const text = lines(
        rows.map(({ secret_id, name, created_at, last_used_at }) => [
          secret_id,
          `created ${created_at.toISOString()}`,
          `last used ${last_used_at?.toISOString() ?? 'never'}`,
          name,
        ]),
      );
      return { rows, next: null, said: text };
    },
  ),
  'admin project-secret revoke': writeCommand(
    {
      fields: { id: { type: 'string', help: 'the id of a secret' } },
      help: 'ends a secret of the backend API',
      roles: NO_PAGE,
    },
    async (services, { id }, by) => {
      await revokeProjectSecret(services, id);
      await auditOperator(services, services.db, by, { event: 'project_secret_revoked', details: { target: id } });
      return saying(id, { secret_id: id, revoked: true });
    },
  ),
  'admin backend-calls': readCommand(
    {
      fields: {
        target: { type: 'string?', help: 'the id of a user, a client or a session' },
        limit: { type: 'string?', help: `the number of calls, at most ${MOST_CALLS}; default 100` },
      },
      help: 'lists calls of the backend API, the newest first',
      roles: NO_PAGE,
    },
    async (services, { target, limit = '100' }) => {
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1 || most > MOST_CALLS) {
        throw new Refusal('bad_request', `limit must be a whole number from 1 to ${MOST_CALLS}.`);
      }
      const rows = await listCalls(services, target ?? null, most);
      const text = lines(
        rows.map((row) => [
          row.created_at.toISOString(),
          row.secret_id,
          row.call,
          row.target ?? '-',
          String(row.status ?? 'unknown'),
          row.error_type ?? '-',
          row.request_id,
          row.secret_name,
        ]),
      );
      return { rows, next: null, said: text };
    },
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
