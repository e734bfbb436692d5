import { isSet, recordsFrom, textFrom, textsFrom, timeFrom, withoutEmpty, type Fields } from './values.ts';
import type { Loss, VendorFile, VendorOptions } from './vendor.ts';

/** The second factors and passkeys of a user, from the Management API. */
export interface MethodsOfUser {
  readonly passkeys: readonly Fields[];
  readonly phones: readonly string[];
  readonly losses: readonly Loss[];
}

const NONE: MethodsOfUser = { passkeys: [], phones: [], losses: [] };

const LOSSES: Readonly<Record<string, Loss>> = {
  totp: { what: 'app', reason: 'Auth0 publishes no form in which it exports the secret' },
  push: { what: 'app', reason: 'confirmations by Guardian are not moved' },
  'push-notification': { what: 'app', reason: 'confirmations by Guardian are not moved' },
  guardian: { what: 'app', reason: 'confirmations by Guardian are not moved' },
  'recovery-code': { what: 'recovery codes', reason: 'no export of Auth0 has them' },
};
const PASSKEYS = new Set(['passkey', 'webauthn-roaming', 'webauthn-platform']);

function withMethod(before: MethodsOfUser, method: Fields, options: VendorOptions): MethodsOfUser {
  const type = textFrom(method['type']) ?? '';
  // An enrolment that was begun only.
  if (method['confirmed'] === false || method['confirmed'] === 'false') return before;
  const loss = LOSSES[type];
  if (loss !== undefined) return { ...before, losses: [...before.losses, loss] };
  const phone = textFrom(method['phone_number']);
  if (type === 'phone' && phone !== null) return { ...before, phones: [...before.phones, phone] };
  if (!PASSKEYS.has(type)) return before;
  const { passkey, loss: lostPasskey } = passkeyFrom(method, options);
  if (lostPasskey !== undefined) return { ...before, losses: [...before.losses, lostPasskey] };
  return { ...before, passkeys: [...before.passkeys, passkey] };
}

interface PasskeySource {
  readonly passkey: Fields;
  /** Why it cannot be kept; absent if it can. */
  readonly loss?: Loss;
}

const lostPasskeyFor = (reason: string): PasskeySource => ({ passkey: {}, loss: { what: 'passkey', reason } });

function passkeyFrom(method: Fields, { rp_id }: VendorOptions): PasskeySource {
  const [credentialId, publicKey] = [textFrom(method['key_id']), textFrom(method['public_key'])];
  if (credentialId === null || publicKey === null) return lostPasskeyFor('the export has no public key');
  const rpId = textFrom(method['relying_party_identifier']) ?? textFrom(method['relying_party_id']) ?? rp_id;
  if (rpId === null) return lostPasskeyFor('the export does not name its relying party: give --rp-id');
  const passkey = {
    credential_id: credentialId,
    public_key: publicKey,
    counter: 0,
    transports: textsFrom(method['transports']),
    rp_id: rpId,
    user_handle: textFrom(method['user_handle']),
    ...withoutEmpty({ name: textFrom(method['name']), created_at: timeFrom(method['created_at']) }),
    backed_up: isSet(method['credential_backed_up']),
    backup_eligible: method['credential_device_type'] === 'multi_device',
  };
  return { passkey };
}

/** By the id of the user: a record has the list of one user, or is one method with the id of its user. */
export async function methodsFrom(
  files: readonly VendorFile[],
  options: VendorOptions,
): Promise<ReadonlyMap<string, MethodsOfUser>> {
  const byUser = new Map<string, MethodsOfUser>();
  for (const { records } of files) {
    for await (const { values } of records()) {
      const id = textFrom(values['user_id']);
      if (id === null) continue;
      const methods = Array.isArray(values['authentication_methods']) ? recordsFrom(values['authentication_methods']) : [values]; // prettier-ignore
      byUser.set(id, methods.reduce<MethodsOfUser>((before, method) => withMethod(before, method, options), byUser.get(id) ?? NONE)); // prettier-ignore
    }
  }
  return byUser;
}
