import type { Passkey } from '../person/person.ts';
import { totpApp, base32Secret, type App } from '../person/totp.ts';
import { orLoss } from '../rows/loss.ts';
import type { Row } from '../rows/row.ts';
import type { Loss } from '../vendor.ts';

/** A second factor or passkey, from the Management API or the file of MFA secrets. */
export type Method = Passkey | App | Loss | { readonly phone_number: string };

const lost = (what: Loss['what'], reason: string): Loss => ({ what, reason });
const GUARDIAN = lost('app', 'confirmations by Guardian are not moved');

/** The Management API lists an app without its secret. */
export const SECRET_MISSING: Loss = lost('app', 'its secret is in the file that Auth0’s support sends: give it with --also'); // prettier-ignore

const LOSSES: Readonly<Record<string, Loss>> = {
  totp: SECRET_MISSING,
  push: GUARDIAN,
  'push-notification': GUARDIAN,
  guardian: GUARDIAN,
  'recovery-code': lost('recovery codes', 'no export of Auth0 has them'),
};
const PASSKEYS: ReadonlySet<string> = new Set(['passkey', 'webauthn-roaming', 'webauthn-platform']);

/** Null for one that was begun only, and for those that are no second factors. */
function methodOf(row: Row, rp_id: string | null): Method | null {
  if (row.flag('confirmed') === false) return null;
  const type = row.text('type') ?? '';
  const loss = LOSSES[type];
  if (loss !== undefined) return loss;
  const phone_number = row.text('phone_number');
  if (type === 'phone' && phone_number !== null) return { phone_number };
  return PASSKEYS.has(type) ? passkeyOf(row, rp_id) : null;
}

function passkeyOf(row: Row, rpId: string | null): Passkey | Loss {
  if (row.value('key_id') === null || row.value('public_key') === null) {
    return lost('passkey', 'the export has no public key');
  }
  const rp_id = row.text('relying_party_identifier', 'relying_party_id') ?? rpId;
  if (rp_id === null) return lost('passkey', 'the export does not name its relying party: give --rp-id');
  return {
    credential_id: row.requiredBytes('key_id'),
    public_key: row.requiredBytes('public_key'),
    counter: 0,
    transports: row.texts('transports'),
    rp_id,
    user_handle: row.value('user_handle') === null ? null : row.requiredBytes('user_handle'),
    name: row.text('name'),
    created_at: row.time('created_at'),
    backed_up: row.flag('credential_backed_up'),
    backup_eligible: row.text('credential_device_type') === 'multi_device',
  };
}

/** A record has the list of one user, or is one method with the id of its user. */
export function methodsOf(row: Row, rp_id: string | null): readonly Method[] {
  const rows = row.has('authentication_methods') ? row.rows('authentication_methods') : [row];
  return rows
    .map((each) => orLoss(PASSKEYS.has(each.text('type') ?? '') ? 'passkey' : 'app', () => methodOf(each, rp_id)))
    .filter((each) => each !== null);
}

/**
 * The factors of a record of MFA secrets. Auth0 publishes the form in which it imports them, `{ "totp": { "secret" } }`, and not that of its
 * export, which other products read as `{ "type": "totp", "secret" }`.
 */
export function secretsOf(row: Row): readonly Method[] {
  const factors = row.has('mfa_factors') ? row.rows('mfa_factors') : [];
  const secret = row.text('totp_secret', 'secret');
  return [
    ...factors.flatMap((each) => orLoss('app', () => factorOf(each)) ?? []),
    ...(secret === null ? [] : [orLoss('app', () => appOf(row, secret))]),
  ];
}

function appOf(row: Row, text: string): App | Loss {
  const secret = base32Secret(text);
  if (secret === null) throw row.fault('secret', 'base32');
  return totpApp({ secret });
}

/** Null for an address, which the user has anyway. */
function factorOf(row: Row): Method | null {
  const type = row.text('type') ?? '';
  const [app, phone] = [row.within('totp'), row.within('phone')];
  const secret = app.text('secret') ?? row.text('secret');
  if (secret !== null) return appOf(row, secret);
  const phone_number =
    phone.text('value') ?? (/^(?:phone|sms)$/u.test(type) ? row.text('value', 'phone_number') : null);
  return phone_number === null ? null : { phone_number };
}
