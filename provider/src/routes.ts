import type { Routes } from './http/endpoints.ts';
import { b2b } from './project/b2b-routes.ts';
import { cryptoWallets } from './wallets/routes.ts';
import { events } from './project/event-routes.ts';
import { idp } from './idp/routes.ts';
import { impersonation } from './access/routes.ts';
import { magicLinks } from './magic-links/routes.ts';
import { oauth } from './social/routes.ts';
import { otps } from './otps/routes.ts';
import { inLine } from './passwords/line.ts';
import { passwords } from './passwords/routes.ts';
import { projects } from './project/routes.ts';
import { sessions } from './sessions/routes.ts';
import { totps } from './totps/routes.ts';
import { users } from './users/routes.ts';
import { webauthn } from './passkeys/routes.ts';

export const routes: Routes = {
  projects,
  users,
  sessions,
  magicLinks,
  otps,
  oauth,
  passwords: inLine(passwords),
  totps,
  webauthn,
  cryptoWallets,
  impersonation,
  idp,
  b2b,
  events,
};
