import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { readFunnel } from '../../accounts/passkeys/funnel-counts.ts';
import { command, type OperatorCommand } from './command.ts';

const MOST_DAYS = 365;
const DAYS = 7;

export const PASSKEY_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'passkeys funnel': command(
    {
      fields: { since: { type: 'string?', help: 'a number of days including today, from 1d to 365d, default 7d' } },
      help: 'counts passkeys that were offered, made, used or failed, by the family of the browser',
      columns: ['browser', 'mobile', 'offered', 'made', 'used', 'failed'],
    },
    async ({ db, clock, passkeyCounts }, { since }) => {
      const days = daysFrom(since);
      await passkeyCounts?.write();
      return { rows: (await readFunnel(db, days, clock.now())).map((row) => ({ ...row })), next: null };
    },
  ),
};

/** The number of days of `--since`. */
function daysFrom(text: string | undefined): number {
  const days = text === undefined ? DAYS : Number(/^(\d{1,3})d$/u.exec(text)?.[1] ?? 0);
  if (days < 1 || days > MOST_DAYS) {
    throw new Refusal('bad_request', `since must be a number of days from 1d to ${MOST_DAYS}d, such as 7d.`);
  }
  return days;
}
