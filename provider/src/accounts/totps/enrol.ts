import { toDataURL } from 'qrcode';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { take } from '#provider/base/security/limits.ts';
import type { Services, SessionServices } from '../services.ts';
import type { HeldUser } from '../users/lock.ts';
import { readUser } from '../users/read-user.ts';
import { totpUri } from './code.ts';
import { createTotp, type NewTotp } from './store.ts';

/** Creates an authenticator app for the user, whom `hold` locks. Includes the QR code of its secret as a data URL. */
export async function enrol(
  services: SessionServices & Pick<Services, 'limits'>,
  userId: string,
  minutes: number,
  hold: (tx: Db) => Promise<HeldUser>,
): Promise<NewTotp & { readonly qr_code: string }> {
  await take(services, `new-totp:${userId}`, services.limits.newTotpsPerUser, 'too_many_requests');
  const { made: totp, user } = await transaction(services.db, async (tx) => {
    const { user, session } = await hold(tx);
    const { user_id } = user;
    const added_in = session?.session_id ?? null;
    return { made: await createTotp(services, tx, { user_id, minutes, added_in }), user: await readUser(tx, user_id) };
  });
  if (totp === undefined) throw new Refusal('active_totp_exists');
  const label = user.emails[0]?.email ?? user.phone_numbers[0]?.phone_number ?? user.user_id;
  const qr_code = await toDataURL(totpUri(totp.secret, services.project.name, label), { type: 'image/png' });
  return { ...totp, qr_code };
}
