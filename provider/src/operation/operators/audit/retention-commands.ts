import { sweep, type SweepResult } from '../../retention/sweep.ts';
import { writeCommand, type OperatorCommand } from '../desk/command.ts';
import type { Row } from '../desk/listing.ts';
import { NO_PAGE } from '../desk/roles.ts';
import { Refusal } from '#domain/rules/refusal.ts';

interface PartTotal {
  rows: number;
  seconds: number;
  outcome: string;
}

export const RETENTION_COMMANDS = {
  sweep: writeCommand(
    {
      fields: {},
      help: 'deletes all expired data, and prints the number of rows of each table',
      roles: NO_PAGE,
      columns: ['part', 'rows', 'seconds', 'outcome'],
    },
    async (services) => {
      const totals = new Map<string, PartTotal>();
      let result: SweepResult;
      do {
        // oxlint-disable-next-line no-await-in-loop -- a pass goes on where the one before ended
        result = await sweep({ ...services, onError: (error) => services.report(error, { where: 'sweep' }) });
        for (const { part, rows, seconds, outcome } of result.turns) {
          const total = totals.get(part) ?? { rows: 0, seconds: 0, outcome };
          totals.set(part, { rows: total.rows + rows, seconds: total.seconds + seconds, outcome });
        }
      } while (result.state === 'behind');
      if (result.state === 'busy') throw new Refusal('bad_request', 'Another process is sweeping: try again later.');
      if (result.state === 'away') throw new Refusal('bad_request', 'The database ended the sweep: try again later.');
      const rows: Row[] = [...totals]
        .filter(([, { rows: dealt, outcome }]) => dealt > 0 || outcome !== 'done')
        .map(([part, total]) => ({ part, ...total, seconds: Math.round(total.seconds * 10) / 10 }));
      return { rows, next: null, ...(rows.length === 0 ? { said: 'Nothing has expired.' } : {}) };
    },
  ),
} as const satisfies Readonly<Record<string, OperatorCommand>>;
