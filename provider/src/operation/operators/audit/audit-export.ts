import { Refusal } from '#domain/rules/refusal.ts';
import type { Services } from '#provider/api/services.ts';
import { chainOf } from '../../audit-stream/ocsf.ts';
import { settledRows } from '../../audit-stream/settled-rows.ts';
import type { Row } from '../desk/listing.ts';

/** The oldest rows of the audit log after this number, as OCSF. Rows of the last half minute are left to a later call. */
export async function exportAudit(
  services: Pick<Services, 'db' | 'clock'>,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }> {
  if (after !== undefined && !/^\d{1,15}$/u.test(after)) {
    throw new Refusal('bad_request', 'after must be the sequence of the last line that you have.');
  }
  const { rows, more } = await settledRows(services, Number(after ?? 0), limit);
  const last = rows.at(-1);
  const next = more && last !== undefined ? String(last.seq) : null;
  return { rows: chainOf(rows, after === undefined ? null : Number(after)), next };
}
