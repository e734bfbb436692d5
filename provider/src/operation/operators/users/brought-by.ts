import { sql } from 'kysely';
import { emailKey } from '#server-rules/accounts.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { ImportedUser } from '#provider/accounts/account/import-line.ts';

/** What a user here has, as far as a line can bring it. */
interface HeldData {
  readonly external_id: string | null;
  readonly is_locked: boolean;
  readonly has_password: boolean;
  readonly has_app: boolean;
  readonly emails: readonly string[];
  readonly verified_emails: readonly string[];
  readonly phones: readonly string[];
  readonly verified_phones: readonly string[];
  readonly passkeys: readonly string[];
  readonly accounts: readonly string[];
  readonly wallets: readonly string[];
}

async function heldBy(tx: Db, user_id: string): Promise<HeldData | undefined> {
  const { rows } = await sql<HeldData>`select external_id, locked_at is not null as is_locked,
      exists (select 1 from passwords p where p.user_id = u.user_id) as has_password,
      exists (select 1 from totps t where t.user_id = u.user_id and t.verified) as has_app,
      coalesce((select json_agg(e.email_key) from emails e where e.user_id = u.user_id), '[]'::json) as emails,
      coalesce((select json_agg(e.email_key) from emails e where e.user_id = u.user_id and e.verified), '[]'::json) as verified_emails,
      coalesce((select json_agg(n.phone_number) from phone_numbers n where n.user_id = u.user_id), '[]'::json) as phones,
      coalesce((select json_agg(n.phone_number) from phone_numbers n where n.user_id = u.user_id and n.verified), '[]'::json) as verified_phones,
      coalesce((select json_agg(w.credential_id) from webauthn_registrations w where w.user_id = u.user_id), '[]'::json) as passkeys,
      coalesce((select json_agg(o.provider_type || ' ' || o.provider_subject) from oauth_registrations o where o.user_id = u.user_id), '[]'::json) as accounts,
      coalesce((select json_agg(c.crypto_wallet_address) from crypto_wallets c where c.user_id = u.user_id), '[]'::json) as wallets
    from users u where user_id = ${user_id}`.execute(tx);
  return rows[0];
}

/** What the line has and the user here lacks. An import does not add it, because the user may have removed it. */
export async function broughtBy(tx: Db, line: ImportedUser, user_id: string): Promise<readonly string[]> {
  const user = await heldBy(tx, user_id);
  if (user === undefined) return [];
  const lacks = (has: readonly string[], keys: readonly string[]): boolean => keys.some((key) => !has.includes(key));
  const emails = line.emails.map(({ email }) => emailKey(email));
  const provenEmails = line.emails.filter(({ verified }) => verified).map(({ email }) => emailKey(email));
  const phones = line.phone_numbers.map(({ phone_number }) => phone_number);
  const provenPhones = line.phone_numbers.filter(({ verified }) => verified).map(({ phone_number }) => phone_number);
  const all: Readonly<Record<string, boolean>> = {
    'a lock': line.locked && !user.is_locked,
    external_id: line.external_id !== null && line.external_id !== user.external_id,
    'an address': lacks(user.emails, emails),
    'the verification of an address': lacks(user.verified_emails, provenEmails),
    'a phone number': lacks(user.phones, phones),
    'the verification of a phone number': lacks(user.verified_phones, provenPhones),
    'a password': line.password !== null && !user.has_password,
    'an authenticator app': line.totp !== null && !user.has_app,
    'a passkey': lacks(user.passkeys, line.passkeys.map(({ credential_id }) => credential_id)), // prettier-ignore
    'a social account': lacks(user.accounts, line.social_accounts.map(({ provider, subject }) => `${provider} ${subject}`)), // prettier-ignore
    'a wallet': lacks(user.wallets, line.wallets.map(({ address }) => address)), // prettier-ignore
  };
  return Object.keys(all).filter((what) => all[what]);
}
