import type { Passkey } from '../person/person.ts';
import type { Row } from '../rows/row.ts';
import type { Loss } from '../vendor.ts';

/** A second factor or passkey, from the Management API. */
export type Method = Passkey | Loss | { readonly phone_number: string };

const lost = (what: Loss['what'], reason: string): Loss => ({ what, reason });
const GUARDIAN = lost('app', 'confirmations by Guardian are not moved');

const LOSSES: Readonly<Record<string, Loss>> = {
  totp: lost('app', 'Auth0 publishes no form in which it exports the secret'),
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
  return rows.map((each) => methodOf(each, rp_id)).filter((each) => each !== null);
}
