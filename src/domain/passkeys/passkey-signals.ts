/**
 * The signals that report the accepted passkeys to a passkey provider (WebAuthn Level 3, section 5.1.10), read from the JSON of a
 * ceremony. The result is null when a field is missing: an unknown list must not be reported as an empty list.
 */
import { parseJson } from '../json.ts';
import { isRecord } from '../shape.ts';

export interface AcceptedCredentials {
  readonly rpId: string;
  readonly userId: string;
  readonly credentialIds: readonly string[];
}

export interface UnknownCredential {
  readonly rpId: string;
  readonly credentialId: string;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const read = (json: string): Fields => fieldsOf(parseJson(json));
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
/** Signals accept only base64url; options may contain plain base64. */
const urlSafe = (base64: string): string =>
  base64
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/u, '');

/** All passkeys of a user that the server accepts, from the `excludeCredentials` of a registration's options. */
export function acceptedFrom(creationOptions: string): AcceptedCredentials | null {
  const { rp, user, excludeCredentials: list } = read(creationOptions);
  const [{ id: rpId }, { id: userId }] = [fieldsOf(rp), fieldsOf(user)];
  if (!isText(rpId) || !isText(userId) || !Array.isArray(list)) return null;
  const ids = list.map((each: unknown) => fieldsOf(each)['id']);
  return ids.every(isText) ? { rpId, userId: urlSafe(userId), credentialIds: ids.map(urlSafe) } : null;
}

/** The new passkey of a registration that the server refused. */
export function refusedFrom(creationOptions: string, credential: string): UnknownCredential | null {
  return unknownFrom(JSON.stringify({ rpId: fieldsOf(read(creationOptions)['rp'])['id'] }), credential);
}

/** The passkey that was used for a login but is unknown to the server. */
export function unknownFrom(requestOptions: string, credential: string): UnknownCredential | null {
  const { rpId } = read(requestOptions);
  const { id } = read(credential);
  return isText(rpId) && isText(id) ? { rpId, credentialId: urlSafe(id) } : null;
}
