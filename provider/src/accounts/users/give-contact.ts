import type { Db } from '../../base/db/database.ts';
import { ChangedMeanwhile } from '../../base/db/transaction.ts';
import { newId } from '../../base/security/secrets.ts';
import type { Services } from '../services.ts';
import { addPhone, findPhone, freePhone } from './phone-numbers.ts';
import { addEmail, findEmail, freeEmail } from './store.ts';

/** Gives the user an unverified address. Takes it from another user who has not verified it, unless the app manages them. */
export async function giveEmail(services: Services, tx: Db, user_id: string, email: string): Promise<string> {
  const known = await findEmail(tx, email);
  if (known !== undefined) await freeEmail(tx, known);
  const made = await addEmail(services, tx, { email_id: newId(services.random, 'email'), user_id, email });
  // Somebody else signed up with it meanwhile: the next try finds them.
  if (made === undefined) throw new ChangedMeanwhile();
  return made.email_id;
}

/** Like `giveEmail`, for a number. */
export async function givePhone(services: Services, tx: Db, user_id: string, phone_number: string): Promise<string> {
  const known = await findPhone(tx, phone_number);
  if (known !== undefined) await freePhone(tx, known);
  const phone_id = newId(services.random, 'phone-number');
  const made = await addPhone(services, tx, { phone_id, user_id, phone_number, verified: false });
  if (made === undefined) throw new ChangedMeanwhile();
  return phone_id;
}
