import { connectedApps } from './connected-apps.ts';
import { cryptoWallets } from './crypto-wallets.ts';
import { idp } from './idp.ts';
import { impersonation } from './impersonation.ts';
import { m2m } from './m2m.ts';
import { magicLinks } from './magic-links.ts';
import { oauth } from './oauth.ts';
import { otps } from './otps.ts';
import { passwords } from './passwords.ts';
import { rbac } from './rbac.ts';
import { sessions } from './sessions.ts';
import { totps } from './totps.ts';
import { users } from './users.ts';
import { webauthn } from './webauthn.ts';

/** The prefix of every path of the backend API, which an app's own server calls. */
export const BACKEND_PREFIX = '/v1';
/** The calls with this prefix add the fields of OAuth to their errors. */
export const BACKEND_OAUTH_PREFIX = `${BACKEND_PREFIX}/idp/oauth/`;
/** The public keys of session JWTs, below the prefix of each API. */
export const KEYS_PATH = '/sessions/jwks/:projectId';
/** Paths with this prefix that are not part of this API: browsers and other apps call them. */
export const PUBLIC_BACKEND_PREFIX = `${BACKEND_PREFIX}/public/`;

/** All calls of the backend API, by area. A provider that lacks one of them causes a compile error. */
export const backendApi = {
  connectedApps,
  cryptoWallets,
  idp,
  impersonation,
  m2m,
  magicLinks,
  oauth,
  otps,
  passwords,
  rbac,
  sessions,
  totps,
  users,
  webauthn,
} as const;
