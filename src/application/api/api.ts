import { b2b } from './b2b.ts';
import { cryptoWallets } from './crypto-wallets.ts';
import { events } from './events.ts';
import { idp } from './idp.ts';
import { impersonation } from './impersonation.ts';
import { magicLinks } from './magic-links.ts';
import { mfa } from './mfa.ts';
import { oauth } from './oauth.ts';
import { otps } from './otps.ts';
import { ownSessions } from './own-sessions.ts';
import { passwords } from './passwords.ts';
import { profile } from './profile.ts';
import { projects } from './projects.ts';
import { sessions } from './sessions.ts';
import { totps } from './totps.ts';
import { users } from './users.ts';
import { webauthn } from './webauthn.ts';

/**
 * All calls of the wire, by area. A provider that lacks one of them causes a compile error. This is not part of the index module, so that a
 * page does not load calls that it does not use.
 */
export const api = {
  projects,
  users,
  sessions,
  ownSessions,
  magicLinks,
  otps,
  oauth,
  passwords,
  totps,
  webauthn,
  mfa,
  profile,
  cryptoWallets,
  impersonation,
  idp,
  b2b,
  events,
} as const;
