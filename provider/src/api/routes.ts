import type { Routes } from '#provider/accounts/sessions/reading/contract.ts';
import { cryptoWallets } from '#provider/accounts/wallets/routes.ts';
import { idp } from '#provider/apps/idp/routes.ts';
import { attestation, impersonation } from '#provider/accounts/access/routes.ts';
import { magicLinks } from '#provider/accounts/links/routes.ts';
import type { SocialProviders } from '#provider/accounts/social/providers/social-providers.ts';
import { oauthWith } from '#provider/accounts/social/routes.ts';
import { mfa } from '#provider/accounts/mfa/routes.ts';
import { otps } from '#provider/accounts/passcodes/routes.ts';
import { inLine } from '#provider/accounts/passwords/line.ts';
import { passwords } from '#provider/accounts/passwords/routes.ts';
import { b2b, events, projects } from '#provider/project/routes.ts';
import { ownSessions } from '#provider/accounts/sessions/own-routes.ts';
import { sessions } from '#provider/accounts/sessions/routes.ts';
import { totps } from '#provider/accounts/totps/routes.ts';
import { appsOfUser } from '#provider/apps/idp/grants/connected-apps.ts';
import { dataOfUser } from '#provider/apps/idp/routes/user-data.ts';
import { exchangeAccessToken } from '#provider/apps/idp/tokens/exchanges.ts';
import { profile } from '#provider/accounts/profile/routes.ts';
import { users } from '#provider/accounts/account/routes.ts';
import { webauthn } from '#provider/accounts/passkeys/routes.ts';

/** The routes of every endpoint. */
export const routesWith = ({ oneTap }: Pick<SocialProviders, 'oneTap'>): Routes => ({
  projects,
  users: { ...users, ...appsOfUser, ...dataOfUser },
  sessions: { ...sessions, ...attestation, exchangeAccessToken },
  ownSessions,
  magicLinks,
  otps,
  oauth: oauthWith(oneTap),
  passwords: inLine(passwords),
  totps,
  webauthn,
  mfa,
  profile,
  cryptoWallets,
  impersonation,
  idp,
  b2b,
  events,
});
