import type { Routes } from '../accounts/sessions/reading/contract.ts';
import { cryptoWallets } from '../accounts/wallets/routes.ts';
import { idp } from '../apps/idp/routes.ts';
import { attestation, impersonation } from '../accounts/access/routes.ts';
import { magicLinks } from '../accounts/links/routes.ts';
import type { SocialProviders } from '../accounts/social/providers/social-providers.ts';
import { oauthWith } from '../accounts/social/routes.ts';
import { mfa } from '../accounts/mfa/routes.ts';
import { otps } from '../accounts/passcodes/routes.ts';
import { inLine } from '../accounts/passwords/line.ts';
import { passwords } from '../accounts/passwords/routes.ts';
import { b2b, events, projects } from '../project/routes.ts';
import { ownSessions } from '../accounts/sessions/own-routes.ts';
import { sessions } from '../accounts/sessions/routes.ts';
import { totps } from '../accounts/totps/routes.ts';
import { appsOfUser } from '../apps/idp/grants/connected-apps.ts';
import { dataOfUser } from '../apps/idp/routes/user-data.ts';
import { exchangeAccessToken } from '../apps/idp/tokens/exchanges.ts';
import { profile } from '../accounts/profile/routes.ts';
import { users } from '../accounts/account/routes.ts';
import { webauthn } from '../accounts/passkeys/routes.ts';

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
