import { emailKey } from '#server-rules/accounts.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Services } from '#provider/api/services.ts';

/**
 * Ends the pending passcodes and links, as if their time had passed.
 *
 * @param to the email address or phone number that they were sent to; if absent, all
 * @returns how many there were
 */
export async function expireCodes({ db, clock }: Pick<Services, 'db' | 'clock'>, to?: string): Promise<number> {
  const now = new Date(clock.now());
  const expiry = { expires_at: new Date(now.getTime() - 1) };
  return transaction(db, async (tx) => {
    let codes = tx.updateTable('passcodes').set(expiry).where('expires_at', '>', now);
    let links = tx.updateTable('magic_links').set(expiry).where('expires_at', '>', now);
    if (to !== undefined) {
      const key = emailKey(to);
      const emails = tx.selectFrom('emails').where('email_key', '=', key);
      const phones = tx.selectFrom('phone_numbers').where('phone_number', '=', to);
      const isAdded = [to, key];
      codes = codes.where((where) =>
        where.or([
          where('method_id', 'in', emails.select('email_id')),
          where('method_id', 'in', phones.select('phone_id')),
          where('address', 'in', isAdded),
        ]),
      );
      links = links.where((where) =>
        where.or([
          where('email_id', 'in', emails.select('email_id')),
          where('address', 'in', isAdded),
          // A link that the app delivered itself has only a user, and no address.
          where.and([where('purpose', '=', 'embedded'), where('user_id', 'in', emails.select('user_id'))]),
        ]),
      );
    }
    const [codesEnded, linksEnded] = [await codes.executeTakeFirst(), await links.executeTakeFirst()];
    return Number(codesEnded.numUpdatedRows + linksEnded.numUpdatedRows);
  });
}
