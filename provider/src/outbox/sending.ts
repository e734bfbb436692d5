import { checkEmail, emailKey } from '../../../src/domain/rules/accounts.ts';
import type { Limit } from '../../../src/domain/rules/rate-windows.ts';
import type { Caller } from '../sessions/current.ts';
import type { Services } from '../services.ts';
import { isKnownNetwork, networkKey } from '../security/known-networks.ts';
import { take, takeForCaller } from '../security/limits.ts';
import { checkPhoneNumber, findPhone } from '../users/phone-numbers.ts';
import { findEmail } from '../users/store.ts';

interface Origin {
  /** The caller's network, as the limits name it. */
  readonly network: string;
  /** Whether the owner of the address or number has logged in from that network. */
  readonly known: boolean;
}

type Owned = { readonly user_id: string; readonly verified: boolean } | undefined;

/** An unverified address or number has no owner. */
async function originOf(services: Services, owned: Owned, { address }: Caller): Promise<Origin> {
  const userId = owned?.verified === true ? owned.user_id : undefined;
  const known = await isKnownNetwork(services, services.db, { userId, address });
  return { network: networkKey(services, address), known };
}

/**
 * A network from which the owner logs in has a limit of its own. All other networks share one limit, of which each gets
 * a third: strangers cannot use up the owner's share, and one stranger cannot use up the strangers' share.
 */
async function takeShare(services: Services, bucket: string, { network, known }: Origin, limit: Limit): Promise<void> {
  const third = { ...limit, max: Math.ceil(limit.max / 3) };
  await take(services, `${bucket}:${network}`, known ? limit : third, 'too_many_requests');
  if (!known) await take(services, bucket, limit, 'too_many_requests');
}

/** Refuses an invalid address, and too many messages. */
export async function checkSending(services: Services, email: string, caller: Caller): Promise<void> {
  checkEmail(email);
  const { sendsPerAddress, sendsPerNetwork, dailySendsPerAddress } = services.limits;
  await takeForCaller(services, 'send', caller, sendsPerNetwork);
  const key = emailKey(email);
  const origin = await originOf(services, await findEmail(services.db, email), caller);
  await take(services, `send:email:${key}:${origin.network}`, sendsPerAddress, 'too_many_requests');
  await takeShare(services, `send-daily:${key}`, origin, dailySendsPerAddress);
}

/** Like `checkSending`, for a telephone number. Texts cost money, and fraudsters earn on them. */
export async function checkTexting(services: Services, phoneNumber: string, caller: Caller): Promise<void> {
  checkPhoneNumber(services.project, phoneNumber);
  const { textsPerNetwork, textsPerRange, textsPerNumber, dailySendsPerAddress } = services.limits;
  await takeForCaller(services, 'text', caller, textsPerNetwork);
  const origin = await originOf(services, await findPhone(services.db, phoneNumber), caller);
  await takeShare(services, `text:number:${phoneNumber}`, origin, textsPerNumber);
  await takeShare(services, `send-daily:${phoneNumber}`, origin, dailySendsPerAddress);
  // Owners have a range limit of their own, so that texts to neighbouring numbers do not block them.
  const range = `text:range:${origin.known ? 'known:' : ''}${phoneNumber.slice(0, -3)}`;
  await take(services, range, textsPerRange, 'too_many_requests');
}
