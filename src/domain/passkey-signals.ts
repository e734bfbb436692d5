/**
 * What the keeper of a person's passkeys is told of them (WebAuthn Level 3, section 5.1.10), read from the JSON of a
 * ceremony. Null wherever a piece is missing: a list that is not known must not be taken for an empty one.
 */
import { parseJson } from './json.ts';
import { isRecord } from './shape.ts';

export interface Accepted {
  readonly rpId: string;
  readonly userId: string;
  readonly credentialIds: readonly string[];
}

export interface Unknown {
  readonly rpId: string;
  readonly credentialId: string;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const read = (json: string): Fields => fieldsOf(parseJson(json));
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
/** Signals take base64url alone; options may have plain base64. */
const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '');

/** All that the server still accepts of a user, from the options of a registration: they name what is not to be made again. */
export function acceptedFrom(creationOptions: string): Accepted | null {
  const { rp, user, excludeCredentials: list } = read(creationOptions);
  const [{ id: rpId }, { id: userId }] = [fieldsOf(rp), fieldsOf(user)];
  if (!isText(rpId) || !isText(userId) || !Array.isArray(list)) return null;
  const ids = list.map((each: unknown) => fieldsOf(each)['id']);
  return ids.every(isText) ? { rpId, userId: urlSafe(userId), credentialIds: ids.map(urlSafe) } : null;
}

/** The passkey that a login presented. */
export function unknownFrom(requestOptions: string, credential: string): Unknown | null {
  const { rpId } = read(requestOptions);
  const { id } = read(credential);
  return isText(rpId) && isText(id) ? { rpId, credentialId: urlSafe(id) } : null;
}
