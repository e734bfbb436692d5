import { sql } from 'kysely';
import { checkEmail, emailKey } from '#server-rules/accounts.ts';
import type { Limit } from '#provider/base/security/rate-windows.ts';
import { networkSteps } from '#provider/base/peer.ts';
import type { RequestCaller } from '#provider/base/contract.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { Services } from '../services.ts';
import { DEVICE_KEY, lanePart, LANES, networkKey } from '#provider/base/security/known-networks.ts';
import {
  COSTLY_STEPS,
  isBegun,
  takesOfCaller,
  takeTogether,
  times,
  type LimitUse,
} from '#provider/base/security/limits.ts';
import { checkPhoneNumber } from './phone-numbers.ts';
import { selectContact, type ContactValue } from './contacts.ts';
import type { Contact } from '#server-rules/contacts.ts';
import type { Recipient } from './contact-changes.ts';
import { Permit } from '#provider/messages/outbox/permit.ts';
import type { CodeSender } from '#provider/messages/outbox/senders.ts';
import { refuseSpentBudget, textBudgets } from '#provider/messages/outbox/text-budgets.ts';

/**
 * The limits on messages to one contact. A browser in which the owner logged in, and a network from which they did, have separate limits.
 * All other networks share one limit: each may use a third of it, and an IPv6 /48 a half. So strangers cannot use up the owner's share, and
 * one stranger cannot use up the strangers' share. A third of it is reserved for the first message of each network, so that a few strangers
 * cannot keep a new user from getting a message.
 */
function shares(
  services: Pick<Services, 'clock' | 'keys'>,
  bucket: string,
  { address }: RequestCaller,
  limit: Limit,
): readonly LimitUse[] {
  const networks = networkSteps(address).map((network, step) => ({
    name: `${bucket}:network:${network}`,
    limit: times(limit, (COSTLY_STEPS[step] ?? 1) / 3),
    applies: LANES.stranger,
  }));
  const widest = networks.slice(-1).map((take) => isBegun(services, take));
  return [
    { name: `${bucket}:device`, limit, per: DEVICE_KEY, applies: LANES.device },
    { name: `${bucket}:${networkKey(services, address)}`, limit, applies: LANES.network },
    ...networks,
    {
      name: `${bucket}:again`,
      limit: times(limit, 2 / 3),
      applies: sql<boolean>`(${sql.join([LANES.stranger, ...widest], sql` and `)})`,
    },
    { name: bucket, limit, applies: LANES.stranger },
  ];
}

/**
 * The limit of a caller's networks. It does not apply to the app's own server, which is limited by its secret, or to the owner's browser,
 * which is limited by its address or number.
 */
function ofCaller(
  services: Pick<Services, 'dev'>,
  kind: string,
  caller: RequestCaller,
  limit: Limit,
  steps?: readonly number[],
) {
  return takesOfCaller(services, kind, caller, limit, steps).map((each) => ({ ...each, applies: LANES.place }));
}

/** Who causes a message, and by which call. */
export interface MessageCause {
  readonly caller: RequestCaller;
  readonly sender: CodeSender;
}

/** The permission to send a message to a contact. */
export interface ContactPermit {
  readonly permit: Permit<CodeSender>;
  /** The contact in the form in which its user already gets messages; undefined if it is unknown. */
  readonly destination: Contact | undefined;
}

/** Counts a message against its limits and reads its contact, in one statement. */
async function takeFor(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'dev'>,
  recipient: ContactValue,
  { caller, sender }: MessageCause,
  budgets: readonly LimitUse[],
  refuse?: (budget: { readonly name: string; readonly waitMs: number }) => Promise<void>,
): Promise<ContactPermit> {
  const lane = lanePart(services, caller, {
    userId: sql`(select user_id from contact)`,
    // An unverified contact has no owner.
    owns: sql`(select verified from contact)`,
    limits: budgets.filter(({ per }) => per !== undefined),
  });
  const reading = {
    parts: sql`contact as materialized ${selectContact(services.db, recipient)}, ${lane}`,
    found: sql<Contact | null>`(select row_to_json(contact) from contact)`,
    ...(refuse === undefined ? {} : { refuse }),
  };
  const { permit, found } = await Permit.take(services, { sender, recipient, budgets }, reading);
  return { permit, destination: found ?? undefined };
}

/** Refuses an invalid address, and too many messages. */
export async function checkSending(
  services: RateLimitServices,
  email: string,
  cause: MessageCause,
): Promise<ContactPermit> {
  const { caller } = cause;
  checkEmail(email);
  const { sendsPerAddress, sendsPerNetwork, dailySendsPerAddress } = services.limits;
  const key = emailKey(email);
  const name = `send:email:${key}`;
  return takeFor(services, { kind: 'email', value: email }, cause, [
    ...ofCaller(services, 'send', caller, sendsPerNetwork),
    { name: `${name}:device`, limit: sendsPerAddress, per: DEVICE_KEY, applies: LANES.device },
    { name: `${name}:${networkKey(services, caller.address)}`, limit: sendsPerAddress, applies: LANES.place },
    ...shares(services, `send-daily:${key}`, caller, dailySendsPerAddress),
  ]);
}

/** Like `checkSending`, for a telephone number. Texts cost money, and fraudsters profit from them. */
export async function checkTexting(
  services: RateLimitServices & Pick<Services, 'project' | 'warn' | 'metrics'>,
  phoneNumber: string,
  cause: MessageCause,
): Promise<ContactPermit> {
  const { caller } = cause;
  const country = checkPhoneNumber(services.project, phoneNumber);
  const { textsPerNetwork, textsPerRange, textsPerNumber, dailySendsPerAddress } = services.limits;
  const range = phoneNumber.slice(0, -3);
  const budgets: readonly LimitUse[] = [
    ...ofCaller(services, 'text', caller, textsPerNetwork, COSTLY_STEPS),
    ...shares(services, `text:number:${phoneNumber}`, caller, textsPerNumber),
    ...shares(services, `send-daily:${phoneNumber}`, caller, dailySendsPerAddress),
    // Owners have a separate limit per number range, so that text messages to neighbouring numbers do not block them.
    { name: `text:range:known:${range}`, limit: textsPerRange, applies: LANES.known },
    { name: `text:range:${range}`, limit: textsPerRange, applies: LANES.stranger },
    ...textBudgets(services, country),
  ];
  const recipient = { kind: 'phone', value: phoneNumber } as const;
  return takeFor(services, recipient, cause, budgets, (budget) => refuseSpentBudget(services, country, budget));
}

/**
 * The reply reveals whether the user exists, so the call counts as a search. If it begins an addition in a session, it also counts as one.
 */
export async function takeSearch(
  services: RateLimitServices,
  caller: RequestCaller,
  addsTo?: Recipient,
): Promise<void> {
  const { searchesPerNetwork, additionsPerUser } = services.limits;
  const takes = takesOfCaller(services, 'search', caller, searchesPerNetwork);
  const addition = { name: `addition:user:${addsTo?.user_id}`, limit: additionsPerUser };
  await takeTogether(services, addsTo?.needs_session === true ? [...takes, addition] : takes, 'too_many_requests');
}
