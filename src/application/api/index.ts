/** The prefix of every path. */
export const API_PREFIX = '/sdk/v1';

export { api } from './api.ts';
export { b2b } from './b2b.ts';
export { cryptoWallets } from './crypto-wallets.ts';
export { events } from './events.ts';
export { idp } from './idp.ts';
export { impersonation } from './impersonation.ts';
export { magicLinks } from './magic-links.ts';
export { mfa } from './mfa.ts';
export { oauth } from './oauth.ts';
export { otps } from './otps.ts';
export { ownSessions } from './own-sessions.ts';
export { passwords } from './passwords.ts';
export { profile } from './profile.ts';
export { projects } from './projects.ts';
export { sessions } from './sessions.ts';
export { totps } from './totps.ts';
export { users } from './users.ts';
export { webauthn } from './webauthn.ts';
export type { AuthenticationReply, ChangesUser, IntermediateReply } from './authenticated.ts';
export { pathOf } from './endpoint.ts';
export type { BodyFor, Endpoint, ParamsFor, ReplyBase, ReplyFor } from './endpoint.ts';
export type { ConnectedAppClient, ScopeResult } from './idp.ts';
export type { OAuthAuthenticated } from './oauth.ts';
export type { ConnectedApp } from '#domain/account/account-data.ts';
