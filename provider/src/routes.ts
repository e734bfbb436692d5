import type { Routes } from './http/endpoints.ts';
import { cryptoWallets } from './wallets/routes.ts';
import { idp } from './idp/routes.ts';
import { impersonation } from './access/routes.ts';
import { magicLinks } from './magic-links/routes.ts';
import type { SocialProviders } from './social/social-providers.ts';
import { oauthWith } from './social/routes.ts';
import { otps } from './otps/routes.ts';
import { inLine } from './passwords/line.ts';
import { passwords } from './passwords/routes.ts';
import { b2b, events, projects } from './project/routes.ts';
import { ownSessions } from './sessions/own-routes.ts';
import { sessions } from './sessions/routes.ts';
import { totps } from './totps/routes.ts';
import { users } from './users/routes.ts';
import { webauthn } from './passkeys/routes.ts';

/** The routes of every endpoint. */
export const routesWith = ({ oneTap }: Pick<SocialProviders, 'oneTap'>): Routes => ({
  projects,
  users,
  sessions,
  ownSessions,
  magicLinks,
  otps,
  oauth: oauthWith(oneTap),
  passwords: inLine(passwords),
  totps,
  webauthn,
  cryptoWallets,
  impersonation,
  idp,
  b2b,
  events,
});
