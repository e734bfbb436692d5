import { verifyAuthenticationResponse, type AuthenticationResponseJSON } from '@simplewebauthn/server';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { readImportLine } from '#provider/accounts/account/import-line.ts';
import { isOfMigrated } from '#provider/accounts/passwords/stored.ts';
import { migratedHash } from '#provider/accounts/passwords/migrated-hashes.ts';
import type { DescribedHash } from '#provider/accounts/passwords/exported/migrated-hash.ts';
import { vendorLine } from '#provider/operation/commands/vendor-line.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import type { VendorUser } from '#provider/operation/vendors/vendor.ts';
import type { Person, Outcome, Values } from './exports.ts';

interface Line extends Values {
  readonly external_id: string;
  readonly password?: DescribedHash;
  readonly totp?: {
    readonly secret: string;
    readonly algorithm: string;
    readonly digits: number;
    readonly period: number;
  };
  readonly recovery_codes?: readonly (string | DescribedHash)[];
  readonly passkeys?: readonly {
    readonly credential_id: string;
    readonly public_key: string;
    readonly counter: number;
    readonly rp_id: string;
    readonly user_handle: string | null;
    readonly backup_eligible?: boolean;
  }[];
}

export const lineOf = ({ line }: VendorUser): Line => line as Line;

/** The lines by the label of their person. */
export function byLabel({ users }: Outcome, people: readonly Person[]): (label: string) => VendorUser {
  const labels = new Map(people.map(({ label, id }) => [label, id]));
  const lines = new Map(users.map((user) => [lineOf(user).external_id, user]));
  return (label) => {
    const user = lines.get(labels.get(label) ?? '');
    if (user === undefined) throw new Error(`There is no line of ${label}.`);
    return user;
  };
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

interface Login {
  readonly rp_id: string;
  readonly challenge: string;
  /** The number of signatures before this one. */
  readonly counter: number;
  readonly user_handle?: string;
}

/** What the browser sends after a login at the domain with the private key of the export. */
export function assertionOf(key: NonNullable<Person['keys']>[number], login: Login): AuthenticationResponseJSON {
  const { rp_id, challenge, counter, user_handle } = login;
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter + 1);
  // User presence and verification, and the flags of the backup as at the registration.
  const authenticatorData = Buffer.concat([sha256(rp_id), Buffer.from([0x05 | (key.flags & 0x18)]), count]);
  const clientData = JSON.stringify({ type: 'webauthn.get', challenge, origin: `https://${rp_id}` });
  const privateKey = createPrivateKey({ key: Buffer.from(key.pkcs8, 'base64url'), format: 'der', type: 'pkcs8' });
  const digest = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const signature = sign(digest, Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
  return {
    id: key.credential_id,
    rawId: key.credential_id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      authenticatorData: authenticatorData.toString('base64url'),
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
      signature: signature.toString('base64url'),
      ...(user_handle === undefined ? {} : { userHandle: user_handle }),
    },
  };
}

const CHALLENGE = 'Y2hhbGxlbmdl';

/** Logs in at the domain against what the line has. */
async function passkeyWorks(key: NonNullable<Person['keys']>[number], passkey: NonNullable<Line['passkeys']>[number]) {
  const { rp_id, counter } = passkey;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: assertionOf(key, { rp_id, counter, challenge: CHALLENGE }),
    expectedChallenge: CHALLENGE,
    expectedOrigin: `https://${rp_id}`,
    expectedRPID: rp_id,
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
      counter,
    },
  });
  const { backup_eligible } = passkey;
  const isSynced = authenticationInfo.credentialDeviceType === 'multiDevice';
  return verified && (backup_eligible === undefined || backup_eligible === isSynced);
}

/** Checks that the line has what the person had: each hash, secret and key works with what the person knows or owns. */
export async function expectEverythingOf(person: Person, user: VendorUser): Promise<void> {
  const line = lineOf(user);
  expect(line.password !== undefined, `${person.label}: password`).toBe(person.password !== undefined);
  if (person.password !== undefined && line.password !== undefined) {
    const hash =
      typeof line.password.hash === 'string'
        ? line.password
        : { ...line.password, hash: JSON.stringify(line.password.hash) };
    const migrated = migratedHash(hash);
    expect(await isOfMigrated(migrated, person.password), `${person.label}: its password`).toBe(true);
    const wrong = person.prefix === true ? `x${person.password}` : `${person.password}x`;
    expect(await isOfMigrated(migrated, wrong), `${person.label}: a wrong password`).toBe(false);
  }
  expect(line.totp !== undefined, `${person.label}: app`).toBe(person.app !== undefined);
  if (line.totp !== undefined && person.app !== undefined) {
    const { secret, ...options } = line.totp;
    const totp = new TOTP({ secret: Secret.fromBase32(secret), ...options });
    expect(totp.generate({ timestamp: person.app.at * 1000 }), `${person.label}: its code`).toBe(person.app.code);
  }
  const codes = line.recovery_codes ?? [];
  expect(codes, `${person.label}: recovery codes`).toHaveLength(person.codes?.length ?? 0);
  for (const code of [...(person.codes ?? []), ...(person.used ?? [])]) {
    const matches = await Promise.all(
      codes.map(async (each) => (typeof each === 'string' ? each === code : isOfMigrated(migratedHash(each), code))),
    );
    expect(matches.includes(true), `${person.label}: a code`).toBe(person.codes?.includes(code) === true);
  }
  const passkeys = line.passkeys ?? [];
  expect(passkeys, `${person.label}: passkeys`).toHaveLength(person.keys?.length ?? 0);
  for (const key of person.keys ?? []) {
    const passkey = passkeys.find(({ credential_id }) => credential_id === key.credential_id);
    if (passkey === undefined) throw new Error(`${person.label}: a passkey is missing.`);
    expect(await passkeyWorks(key, passkey), `${person.label}: a signature`).toBe(true);
  }
}

/** Passkeys belong to the domain of the new site. */
const PROJECT = { ...DEMO_PROJECT, origins: ['https://old.example'] };

/** The fields of a line that the import of this server reads are in order. */
export function expectReadable(users: readonly VendorUser[]): void {
  for (const user of users) {
    expect(readImportLine(PROJECT, vendorLine(PROJECT, user).line)).toHaveProperty('line');
  }
}

/** What is lost, without the reasons. */
export const lossesOf = ({ losses }: Pick<VendorUser, 'losses'>): readonly string[] => losses.map(({ what }) => what);
