import { listFailures } from '#provider/apps/idp/failures/connection-failures.ts';
import { PAGE, readCommand, type OperatorCommand } from '../desk/command.ts';
import { limitFrom } from '../desk/listing.ts';

/** Requests of apps that the server refused. */
export const CONNECTION_COMMANDS = {
  'connections list': readCommand(
    {
      fields: { ...PAGE, client: { type: 'string?', help: 'only connections of the client with this id' } },
      help: 'lists failed connections of apps with the reason and the rule, the last first',
      columns: ['last_at', 'client_id', 'step', 'rule', 'error', 'times'],
      page: 'connections',
    },
    async (services, { limit, after, client }) => {
      const { failures, next } = await listFailures(services, { limit: limitFrom(limit), after, client_id: client });
      const rows = failures.map(({ created_at, last_at, ...failure }) => ({
        ...failure,
        created_at: created_at.toISOString(),
        last_at: last_at.toISOString(),
      }));
      return { rows, next };
    },
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
