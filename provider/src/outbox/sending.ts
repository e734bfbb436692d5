import { sql, type RawBuilder } from 'kysely';
import { checkEmail, emailKey, emailKeys } from '../../../src/domain/rules/accounts.ts';
import type { Limit } from '../../../src/domain/rules/rate-windows.ts';
import type { Caller } from '../sessions/current.ts';
import type { Services } from '../services.ts';
import { KNOWN_NETWORK_MS, networkKey } from '../security/known-networks.ts';
import { isOwnMachine, networkBucket, takingAll, type Take } from '../security/limits.ts';
import { checkPhoneNumber } from '../users/phone-numbers.ts';
import { placeOfKey } from '../users/store.ts';

/** The address or number that a message is for, as its user has it. */
export interface Addressee {
  readonly id: string;
  readonly user_id: string;
  readonly to: string;
  readonly verified: boolean;
}

/**
 * A network from which the owner logs in has a limit of its own. All other networks share one limit, of which each gets
 * a third: strangers cannot use up the owner's share, and one stranger cannot use up the strangers' share.
 */
function shares(bucket: string, network: string, limit: Limit): readonly Take[] {
  const third = { ...limit, max: Math.ceil(limit.max / 3) };
  return [
    { name: `${bucket}:${network}`, limit, applies: KNOWN },
    { name: `${bucket}:${network}`, limit: third, applies: STRANGE },
    { name: bucket, limit, applies: STRANGE },
  ];
}

/** Whether the owner of the address or number has logged in from the network of the request. */
const KNOWN = sql<boolean>`(select known from addressee)`;
const STRANGE = sql<boolean>`not ${KNOWN}`;

/** The limit of a caller's network. The app's own server is limited by its secret. */
function ofCaller(services: Services, kind: string, { address, forMany }: Caller, limit: Limit): readonly Take[] {
  return forMany === true || isOwnMachine(services, address) ? [] : [{ name: networkBucket(kind, address), limit }];
}

/** Takes the limits of a message, in one statement with the reading of whom it is for. Undefined for nobody yet. */
async function takeFor(
  services: Services,
  found: RawBuilder<Addressee>,
  { address }: Caller,
  takes: readonly Take[],
): Promise<Addressee | undefined> {
  const since = new Date(services.clock.now() - KNOWN_NETWORK_MS);
  const { parts, passed, check } = takingAll(services, takes);
  // An unverified address or number has no owner.
  const { rows } = await sql<{ readonly found: Addressee | null; readonly passed: readonly boolean[] }>`
    with addressee as materialized (
      select row_to_json(found) as found, ${isOwnMachine(services, address)}::boolean or exists (
        select from known_networks where known_networks.user_id = found.user_id and found.verified
          and network = ${networkKey(services, address)} and last_login_at > ${since}) as known
      from (select) as one left join (${found}) as found on true),
    ${parts}
    select addressee.found, ${passed} as passed from addressee`.execute(services.db);
  check(rows[0]?.passed ?? [], 'too_many_requests');
  return rows[0]?.found ?? undefined;
}

/** Refuses an invalid address, and too many messages. The address as its user has it, if anybody has it. */
export async function checkSending(services: Services, email: string, caller: Caller): Promise<Addressee | undefined> {
  checkEmail(email);
  const { sendsPerAddress, sendsPerNetwork, dailySendsPerAddress } = services.limits;
  const key = emailKey(email);
  const network = networkKey(services, caller.address);
  const found = sql<Addressee>`select email_id as id, user_id, email as "to", verified from emails
    where email_key in (${sql.join(emailKeys(email))}) order by verified desc, ${placeOfKey(email)} limit 1`;
  return takeFor(services, found, caller, [
    ...ofCaller(services, 'send', caller, sendsPerNetwork),
    { name: `send:email:${key}:${network}`, limit: sendsPerAddress },
    ...shares(`send-daily:${key}`, network, dailySendsPerAddress),
  ]);
}

/** Like `checkSending`, for a telephone number. Texts cost money, and fraudsters earn on them. */
export async function checkTexting(
  services: Services,
  phoneNumber: string,
  caller: Caller,
): Promise<Addressee | undefined> {
  checkPhoneNumber(services.project, phoneNumber);
  const { textsPerNetwork, textsPerRange, textsPerNumber, dailySendsPerAddress } = services.limits;
  const network = networkKey(services, caller.address);
  const found = sql<Addressee>`select phone_id as id, user_id, phone_number as "to", verified
    from phone_numbers where phone_number = ${phoneNumber}`;
  const range = phoneNumber.slice(0, -3);
  return takeFor(services, found, caller, [
    ...ofCaller(services, 'text', caller, textsPerNetwork),
    ...shares(`text:number:${phoneNumber}`, network, textsPerNumber),
    ...shares(`send-daily:${phoneNumber}`, network, dailySendsPerAddress),
    // Owners have a range limit of their own, so that texts to neighbouring numbers do not block them.
    { name: `text:range:known:${range}`, limit: textsPerRange, applies: KNOWN },
    { name: `text:range:${range}`, limit: textsPerRange, applies: STRANGE },
  ]);
}
