import { isIP } from 'node:net';
import leven from 'leven';
import { Refusal } from '#domain/rules/refusal.ts';
import { AUDIT_EVENTS } from '#provider/base/audit/events.ts';
import { networkKey } from '#provider/base/security/known-networks.ts';
import type { Services } from '#provider/api/services.ts';

export interface AuditFilter {
  readonly user_id?: string | undefined;
  readonly event?: string | undefined;
  readonly outcome?: string | undefined;
  /** Rows of the network of this address. */
  readonly address?: string | undefined;
  /** Only rows older than the one with this number. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Refuses an unknown event name: an empty list would look as if nothing had happened. */
export function checkEvent(event: string | undefined): void {
  if (event === undefined || AUDIT_EVENTS.some((name) => name === event)) return;
  const near = AUDIT_EVENTS.map((name) => ({ name, distance: leven(event.slice(0, 100), name) })).reduce((best, each) =>
    each.distance < best.distance ? each : best,
  );
  const sentence = `There is no event of this name: did you mean ${near.name}? docs/people.md of the package portico lists them under "Events".`;
  throw new Refusal('bad_request', sentence);
}

/** The rows of the audit log, newest first. */
export async function listAudit({ db, keys }: Pick<Services, 'db' | 'keys'>, filter: AuditFilter) {
  const { user_id, event, outcome, address, before, limit } = filter;
  let query = db
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('seq', 'desc')
    .limit(limit + 1);
  if (user_id !== undefined) query = query.where('user_id', '=', user_id);
  if (event !== undefined) query = query.where('event', '=', event);
  if (outcome === 'ok' || outcome === 'refused') query = query.where('outcome', '=', outcome);
  else if (outcome !== undefined) throw new Refusal('bad_request', 'outcome must be ok or refused.');
  // Otherwise every text that is not an address would count as the same unknown network.
  if (address !== undefined && isIP(address) === 0) throw new Refusal('bad_request', 'address must be an IP address.');
  if (address !== undefined) query = query.where('network', '=', networkKey({ keys }, address));
  if (before !== undefined) {
    if (!/^\d{1,15}$/u.test(before)) throw new Refusal('bad_request', 'after must be the cursor of a page.');
    query = query.where('seq', '<', Number(before));
  }
  const rows = await query.execute();
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? String(page.at(-1)?.seq ?? '') : null };
}
