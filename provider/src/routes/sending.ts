import { Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/endpoints.ts';
import type { Services } from '../services.ts';
import { take, takeForNetwork } from '../store/limits.ts';
import { checkPhoneNumber } from '../store/phone-numbers.ts';
import { checkEmail, emailKey } from '../store/users.ts';

export interface MinutesRange {
  readonly field: string;
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/** The minutes that a message stays good, or the default; refuses what is out of range, naming the field. */
export function minutesIn(range: MinutesRange, given: number | undefined): number {
  const minutes = given ?? range.fallback;
  if (Number.isInteger(minutes) && minutes >= range.min && minutes <= range.max) return minutes;
  throw new Refusal(
    'invalid_expiration_minutes',
    `${range.field} must be a whole number from ${range.min} to ${range.max}.`,
  );
}

/** Refuses a message that should not be sent: no address, or too many of them lately. */
export async function checkSending(services: Services, email: string, caller: Caller): Promise<void> {
  checkEmail(email);
  const { sendsPerAddress, sendsPerNetwork } = services.limits;
  await takeForNetwork(services, 'send', caller.address, sendsPerNetwork);
  await take(services, `send:email:${emailKey(email)}`, sendsPerAddress, 'too_many_requests');
}

/** As `checkSending`, for a number: texts cost money, and some earn on them. */
export async function checkTexting(services: Services, phoneNumber: string, caller: Caller): Promise<void> {
  checkPhoneNumber(services.project, phoneNumber);
  const { textsPerNetwork, textsPerRange, textsPerNumber } = services.limits;
  await takeForNetwork(services, 'text', caller.address, textsPerNetwork);
  await take(services, `text:range:${phoneNumber.slice(0, -3)}`, textsPerRange, 'too_many_requests');
  await take(services, `text:number:${phoneNumber}`, textsPerNumber, 'too_many_requests');
}

/** Such as `30 minutes` or `2 hours`. */
export function duration(minutes: number): string {
  const hours = minutes / 60;
  const [count, unit] = Number.isInteger(hours) ? [hours, 'hour'] : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
