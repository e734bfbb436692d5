import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { importUsers } from '#provider/operation/operators/users/import-users.ts';
import { EmulatedWebauthn } from '#tests/clients/webauthn-emulator.ts';
import { uniqueEmail } from '../attacks/attacker.ts';
import type { Fields, Provider } from './harness.ts';
import { SoftwareAuthenticator } from './webauthn-authenticator.ts';

export const OLD_SITE = 'http://localhost:3000';
const RP_ID = 'localhost';

/** What makes and keeps a passkey: an emulator that nobody here wrote, or a security key in software. */
type Authenticator = Pick<EmulatedWebauthn, 'create' | 'get'>;

/** A security key: it is not synced, and counts its signatures. */
export class SecurityKey implements Authenticator {
  readonly key = new SoftwareAuthenticator(OLD_SITE);

  create(options: string): Promise<string> {
    return Promise.resolve(this.key.create(JSON.parse(options) as Fields, { eligible: false }));
  }

  get(options: string, counter = (this.key.counter += 1)): Promise<string> {
    return Promise.resolve(this.key.get(JSON.parse(options) as Fields, { eligible: false, counter }));
  }
}

/** Registers a passkey as another system of this site did, with the library that many of them use. */
export async function oldPasskey(handle: string, authenticator: Authenticator = new EmulatedWebauthn(OLD_SITE)) {
  const options = await generateRegistrationOptions({
    rpName: 'The old system',
    rpID: RP_ID,
    userName: 'ada',
    userID: Uint8Array.from(Buffer.from(handle)),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const response = JSON.parse(await authenticator.create(JSON.stringify(options))) as RegistrationResponseJSON;
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: options.challenge,
    expectedOrigin: OLD_SITE,
    expectedRPID: RP_ID,
  });
  if (registrationInfo === undefined) throw new Error('The old system refused the passkey.');
  const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
  const line = {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])] as string[],
    rp_id: RP_ID,
    user_handle: Buffer.from(handle).toString('base64url'),
    name: 'My old phone',
    created_at: '2024-02-29T12:00:00Z',
    backed_up: credentialBackedUp,
    backup_eligible: credentialDeviceType === 'multiDevice',
  };
  return { authenticator, line };
}

/** The operator who imports. */
export const BY = { name: 'Grace', address: null, request_id: null };
/** The secret of an app, as it shows it: 160 bits. */
export const SECRET = 'JBSW Y3DP EHPK 3PXP jbsw y3dp ehpk 3pxp';

/** Imports a person with this address and these fields. @returns the id, or why the line is refused */
export async function imported(provider: Provider, fields: Fields, email = uniqueEmail('moved')) {
  const [result] = await importUsers(provider.services, [{ emails: [{ email, verified: true }], ...fields }], BY);
  if (result?.result === 'refused') return { email, user_id: '', reason: result.reason };
  return { email, user_id: result?.user_id ?? '', reason: '' };
}
