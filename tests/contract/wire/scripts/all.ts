import type { Script } from '../wire.ts';
import { ACCESS, AUTHORIZATION } from './idp.ts';
import { DEVICES } from './devices.ts';
import { MAGIC_LINKS } from './links.ts';
import { OAUTH } from './oauth.ts';
import { OTPS } from './otps.ts';
import { PASSKEYS } from './passkeys.ts';
import { PASSWORDS } from './passwords.ts';
import { PROOFS } from './proofs.ts';
import { SIGN_UPS } from './sign-up.ts';
import { SESSIONS, TOTPS, USERS } from './sessions.ts';
import { WALLETS } from './wallets.ts';

/** Every script, by the group of endpoints that it is about. */
export const SCRIPTS: Readonly<Record<string, readonly Script[]>> = {
  otps: OTPS,
  'magic links': MAGIC_LINKS,
  passwords: PASSWORDS,
  proofs: PROOFS,
  sessions: SESSIONS,
  totps: TOTPS,
  users: USERS,
  passkeys: PASSKEYS,
  wallets: WALLETS,
  'social logins': OAUTH,
  authorization: AUTHORIZATION,
  access: ACCESS,
  devices: DEVICES,
  'sign-up': SIGN_UPS,
};
