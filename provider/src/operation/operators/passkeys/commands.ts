import { readCommand, type OperatorCommand } from '../desk/command.ts';
import { listFunnel } from './passkey-funnel.ts';

export const PASSKEY_COMMANDS = {
  'passkeys funnel': readCommand(
    {
      fields: { since: { type: 'string?', help: 'a number of days including today, from 1d to 365d, default 7d' } },
      help: 'counts passkeys that were offered, made, used or failed, by the family of the browser',
      columns: ['browser', 'mobile', 'offered', 'made', 'used', 'failed'],
      page: 'passkeys',
    },
    async (services, { since }) => {
      const { rows } = await listFunnel(services, since);
      return { rows: rows.map((row) => ({ ...row })), next: null };
    },
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
