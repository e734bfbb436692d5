import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { command, type OperatorCommand } from './command.ts';
import { saying } from './listing.ts';
import { inviteOperator, listOperators, removeOperator } from './operator-store.ts';

export const PEOPLE_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'operators invite': command(
    {
      argument: 'name',
      options: { name: 'string', read_only: 'boolean?', origin: 'string?' },
      help: 'prints a link with which this person enrols a passkey for the operators’ page, once, within an hour',
      columns: [],
    },
    async (services, { name, read_only = false, origin: given }, by) => {
      const origin = services.operatorsOrigin ?? given;
      if (origin === undefined) {
        throw new Refusal(
          'bad_request',
          'Give --origin, the origin of the operators’ page, or set PORTICO_OPERATORS_PORT as for the server.',
        );
      }
      const token = await inviteOperator(services, { name, role: read_only ? 'reader' : 'admin' }, by);
      const link = `${origin.replace(/\/$/u, '')}/operators/enrol#${token}`;
      return saying(link, { name, link });
    },
  ),
  'operators list': command(
    { options: {}, help: 'who may use the operators’ page', columns: ['name', 'role', 'passkeys', 'created_at'] },
    async (services) => ({ rows: await listOperators(services), next: null }),
  ),
  'operators remove': command(
    {
      argument: 'name',
      options: { name: 'string' },
      help: 'ends the passkeys, sessions and invitations of this person',
      question: 'Remove this operator?',
      columns: [],
    },
    async (services, { name }, by) => {
      await removeOperator(services, name, by);
      return saying(`${name} is removed.`, { name, removed: true });
    },
  ),
};
