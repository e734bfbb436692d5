import { Refusal } from '#domain/rules/refusal.ts';
import { readCommand, refusalAt, writeCommand, type OperatorCommand } from '../desk/command.ts';
import { saying } from '../desk/listing.ts';
import { NO_PAGE, ROLE_NAMES, roleFrom } from '../desk/roles.ts';
import { inviteOperator, listOperators, removeOperator } from '../desk/operator-store.ts';

const NAME = { type: 'string', help: 'the name of the operator' } as const;

export const PEOPLE_COMMANDS = {
  'operators invite': writeCommand(
    {
      argument: 'name',
      fields: {
        name: NAME,
        role: { type: 'string?', help: 'what the operator may do; default admin', values: ROLE_NAMES },
        origin: {
          type: 'string?',
          help: 'the origin of the operators’ page; default: the server’s --operators-origin',
        },
      },
      help: 'prints a link with which this person enrols a passkey for the operators’ page, once, within an hour',
      roles: NO_PAGE,
    },
    async (services, { name, role = 'admin', origin: originOption }, by) => {
      const origin = services.operatorsOrigin ?? originOption;
      if (origin === undefined) {
        throw new Refusal(
          'bad_request',
          'Give --origin, the origin of the operators’ page, or set PORTICO_OPERATORS_PORT as for the server.',
        );
      }
      const token = await inviteOperator(services, { name, role: roleFrom(role) }, by);
      const link = `${origin.replace(/\/$/u, '')}/operators/enrol#${token}`;
      return saying(link, { name, link });
    },
  ),
  'operators list': readCommand(
    {
      fields: {},
      help: 'lists the operators',
      columns: ['name', 'role', 'passkeys', 'created_at'],
      page: 'people',
    },
    async (services) => ({ rows: await listOperators(services), next: null }),
  ),
  'operators remove': writeCommand(
    {
      argument: 'name',
      fields: { name: NAME },
      help: 'ends the passkeys, sessions and invitations of this person',
      question: 'Remove this operator?',
      roles: ['admin'],
      forms: [
        {
          page: 'people',
          act: 'remove',
          // The command can remove the last one, because it runs where somebody can invite another.
          fields: (form) => ({ name: form.get('name')?.trim() ?? '', keepsAdmin: true }),
          faultOf: refusalAt('name'),
          done: 'removed',
        },
      ],
    },
    async (services, { name, keepsAdmin }, by) => {
      await removeOperator(services, name, by, keepsAdmin);
      return saying(`${name} is removed.`, { name, removed: true });
    },
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
