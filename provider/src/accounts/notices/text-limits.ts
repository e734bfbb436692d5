import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Db } from '../../base/db/database.ts';
import { MINUTE_MS } from '../../base/platform.ts';
import { takeTogether } from '../../base/security/limits.ts';
import { textBudgets } from '../../messages/outbox/text-budgets.ts';
import { checkPhoneNumber } from '../users/phone-numbers.ts';
import type { NoticeServices } from './services.ts';

const DAILY = { max: 10, windowMs: 24 * 60 * MINUTE_MS };

/** Counts a text message to a number, in the project's budget for numbers that their owners proved; false where it is spent. */
export async function mayText(
  services: Omit<NoticeServices, 'publicOrigin'>,
  tx: Db,
  phoneNumber: string,
): Promise<boolean> {
  try {
    const country = checkPhoneNumber(services.project, phoneNumber);
    const budgets = textBudgets(services, country).filter(({ name }) => name.includes(':known'));
    const takes = [{ name: `notices:text:${phoneNumber}`, limit: DAILY }, ...budgets];
    const counted = takes.map(({ name, limit }) => ({ name, limit }));
    await takeTogether({ ...services, db: tx }, counted, 'too_many_requests');
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
