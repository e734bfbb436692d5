import type { Limit } from './rate-windows.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';
import type { Origin } from './known-networks.ts';
import { tryTake, takeForNetwork } from './limits.ts';

/** Enough for one person. Each login in a browser makes a new key, so a copied cookie shares one count. */
const OF_BROWSER: Limit = { max: 20, windowMs: 5 * MINUTE_MS };

/**
 * Like `takeForNetwork`, for a ceremony that begins before its user is known. If others have used up the network's limit, a browser in
 * which a user has logged in has a small separate limit, by its signed cookie.
 */
export async function takeForVisitor(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'dev'>,
  kind: string,
  { address, device }: Origin,
  limit: Limit,
): Promise<void> {
  try {
    await takeForNetwork(services, kind, address, limit);
  } catch (error) {
    const key = device?.lastKey ?? null;
    if (key === null || !(await tryTake(services, `${kind}:${key}`, OF_BROWSER))) throw error;
  }
}
