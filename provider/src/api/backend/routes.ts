import { connectedApps } from '#provider/apps/idp/clients/backend-connected-apps.ts';
import { cryptoWallets } from '#provider/accounts/wallets/backend-routes.ts';
import { idp } from '#provider/apps/idp/backend-routes.ts';
import { attestation, impersonation } from '#provider/accounts/access/backend-routes.ts';
import { m2m } from '#provider/apps/m2m/backend-routes.ts';
import { magicLinks } from '#provider/accounts/links/backend-routes.ts';
import { oauth } from '#provider/accounts/social/backend-routes.ts';
import { otps } from '#provider/accounts/passcodes/backend-routes.ts';
import { passwords } from '#provider/accounts/passwords/backend-routes.ts';
import { rbac } from '#provider/project/backend-routes.ts';
import { sessions } from '#provider/accounts/sessions/backend-routes.ts';
import { totps } from '#provider/accounts/totps/backend-routes.ts';
import { backendAppsOfUser } from '#provider/apps/idp/routes/backend-user-apps.ts';
import { backendExchangeAccessToken as exchangeAccessToken } from '#provider/apps/idp/tokens/exchanges.ts';
import { users } from '#provider/accounts/account/backend-routes.ts';
import { webauthn } from '#provider/accounts/passkeys/backend-routes.ts';
import type { BackendRoutes } from '#provider/accounts/sessions/reading/contract.ts';

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
