import { randomBytes } from 'node:crypto';
import type { Fields } from '../export-files.ts';
import { FIREBASE as PARAMETERS, firebaseHash } from '../old-hashes.ts';
import type { OldPerson, OldSystem } from '../old-people.ts';

export const id = (n: number): string => `uid${String(n).padStart(2, '0')}AbCdEfGhIjKlMnOpQrStUv`;

function hashOf(password: string): Fields {
  const salt = randomBytes(10);
  return { passwordHash: firebaseHash(password, salt, PARAMETERS), salt: salt.toString('base64') };
}

/** As `firebase auth:export --format=json` writes an account: the fields that it lacks are absent. */
function accountOf({ id: localId, first, last, emails: [address], phone, password, social, isBlocked, metadata }: OldPerson): Fields {
  const displayName = `${first} ${last}`.trim();
  return {
    localId,
    ...(address === undefined ? {} : { email: address.email, emailVerified: address.verified }),
    ...(password === null ? {} : hashOf(password)),
    ...(displayName === '' ? {} : { displayName }),
    lastSignedInAt: '1700000000000',
    createdAt: '1577836800000',
    ...(phone === null ? {} : { phoneNumber: phone }),
    ...(isBlocked ? { disabled: true } : {}),
    customAttributes: JSON.stringify(metadata),
    providerUserInfo: social === null ? [] : [{ providerId: `${social.provider}.com`, rawId: social.subject, email: social.account }],
  };
} // prettier-ignore

export const FIREBASE: OldSystem = {
  features: ['password', 'social', 'phone'],
  providers: ['google', 'facebook', 'github', 'twitter', 'apple', 'yahoo'],
  idOf: id,
  options: { firebase_config: PARAMETERS },
  write: async (people) => ({ 'users.json': JSON.stringify({ users: people.map(accountOf) }, null, 2) }),
};
