import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Db } from '../../base/db/database.ts';
import { MINUTE_MS } from '../../base/platform.ts';
import { takeTogether } from '../../base/security/limits.ts';
import { textBudgets } from '../../messages/outbox/text-budgets.ts';
import { checkPhoneNumber } from '../users/phone-numbers.ts';
import type { NoticeServices } from './services.ts';

const DAILY = { max: 10, windowMs: 24 * 60 * MINUTE_MS };

/** Whether a text message can be sent to a number: not now where the limits are spent, never where the project sends none to its country. */
type Textable = 'now' | 'later' | 'never';

/** Counts a text message to a number, in the project's budget for numbers that their owners proved. */
export async function mayText(
  services: Omit<NoticeServices, 'publicOrigin'>,
  tx: Db,
  phoneNumber: string,
): Promise<Textable> {
  try {
    const country = checkPhoneNumber(services.project, phoneNumber);
    const budgets = textBudgets(services, country).filter(({ name }) => name.includes(':known'));
    const takes = [{ name: `notices:text:${phoneNumber}`, limit: DAILY }, ...budgets];
    // No time will come at which such a message could be sent.
    if (takes.some(({ limit }) => limit.max === 0)) return 'never';
    const counted = takes.map(({ name, limit }) => ({ name, limit }));
    await takeTogether({ ...services, db: tx }, counted, 'too_many_requests');
    return 'now';
  } catch (error) {
    if (error instanceof Refusal) return error.type === 'too_many_requests' ? 'later' : 'never';
    throw error;
  }
}
