import { connectedApps } from '../../apps/idp/clients/backend-connected-apps.ts';
import { cryptoWallets } from '../../accounts/wallets/backend-routes.ts';
import { idp } from '../../apps/idp/backend-routes.ts';
import { attestation, impersonation } from '../../accounts/access/backend-routes.ts';
import { m2m } from '../../apps/m2m/backend-routes.ts';
import { magicLinks } from '../../accounts/links/backend-routes.ts';
import { oauth } from '../../accounts/social/backend-routes.ts';
import { otps } from '../../accounts/passcodes/backend-routes.ts';
import { passwords } from '../../accounts/passwords/backend-routes.ts';
import { rbac } from '../../project/backend-routes.ts';
import { sessions } from '../../accounts/sessions/backend-routes.ts';
import { totps } from '../../accounts/totps/backend-routes.ts';
import { backendAppsOfUser } from '../../apps/idp/routes/backend-user-apps.ts';
import { backendExchangeAccessToken as exchangeAccessToken } from '../../apps/idp/tokens/exchanges.ts';
import { users } from '../../accounts/account/backend-routes.ts';
import { webauthn } from '../../accounts/passkeys/backend-routes.ts';
import type { BackendRoutes } from '../../accounts/sessions/reading/contract.ts';

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
  sessions: { ...sessions, ...attestation, exchangeAccessToken },
  totps,
  users: { ...users, ...backendAppsOfUser },
  webauthn,
};
