import { emailKey } from '#server-rules/accounts.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import type { LimitUse } from '#provider/base/security/limits.ts';
import { Permit } from '#provider/messages/outbox/permit.ts';
import { PROVIDER } from '#provider/messages/outbox/senders.ts';
import { textBudgets } from '#provider/messages/outbox/text-budgets.ts';
import { checkPhoneNumber } from '../users/phone-numbers.ts';
import type { ContactRecord } from './history.ts';
import type { NoticeServices } from './services.ts';

const DAILY = { max: 10, windowMs: 24 * 60 * MINUTE_MS };
/** More than the hourly messages to one user (`tellDue`), so that an intruder's own changes cannot keep the owner from the last notice. */
const EMAILS = { max: 30, windowMs: 60 * MINUTE_MS };

export type NoticePermit = Permit<typeof PROVIDER>;

/** Why a contact cannot be reached. `later`: the limits are used up for now. `never`: the project sends no texts to its country. */
export type Unreachable = 'later' | 'never';

type PermitServices = Omit<NoticeServices, 'publicOrigin'>;

/** The budgets of a notice. Text messages use the project's budgets for verified numbers. */
function budgetsOf(services: PermitServices, { kind, value }: ContactRecord): readonly LimitUse[] {
  if (kind === 'email') return [{ name: `notices:email:${emailKey(value)}`, limit: EMAILS }];
  const country = checkPhoneNumber(services.project, value);
  const budgets = textBudgets(services, country).filter(({ name }) => name.includes(':known'));
  const shared = budgets.map(({ name, limit }) => ({ name, limit }));
  return [{ name: `notices:text:${value}`, limit: DAILY }, ...shared];
}

/** Counts a notice to a contact. */
export async function noticePermit(
  services: PermitServices,
  tx: Db,
  contact: ContactRecord,
): Promise<NoticePermit | Unreachable> {
  try {
    const budgets = budgetsOf(services, contact);
    // A limit of zero never allows the message.
    if (budgets.some(({ limit }) => limit.max === 0)) return 'never';
    const request = { sender: PROVIDER, recipient: contact, budgets };
    return (await Permit.take({ ...services, db: tx }, request)).permit;
  } catch (error) {
    if (error instanceof Refusal) return error.type === 'too_many_requests' ? 'later' : 'never';
    throw error;
  }
}
