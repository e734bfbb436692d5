import { connectedApps } from '../idp/backend-connected-apps.ts';
import { cryptoWallets } from '../wallets/backend-routes.ts';
import { idp } from '../idp/backend-routes.ts';
import { impersonation } from '../access/backend-routes.ts';
import { m2m } from '../m2m/backend-routes.ts';
import { magicLinks } from '../magic-links/backend-routes.ts';
import { oauth } from '../social/backend-routes.ts';
import { otps } from '../otps/backend-routes.ts';
import { passwords } from '../passwords/backend-routes.ts';
import { rbac } from '../project/backend-routes.ts';
import { sessions } from '../sessions/backend-routes.ts';
import { totps } from '../totps/backend-routes.ts';
import { users } from '../users/backend-routes.ts';
import { webauthn } from '../passkeys/backend-routes.ts';
import type { BackendRoutes } from './mount-backend.ts';

/** The routes of every endpoint of the backend API. */
export const backendRoutes: BackendRoutes = {
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
};
