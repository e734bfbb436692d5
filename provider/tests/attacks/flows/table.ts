import { ENDINGS, type FlowEnding } from './endings.ts';
import type { Flow } from './flow.ts';
import { PARTIES, type PartyName } from './people.ts';
import * as apps from './plays-apps.ts';
import * as credentials from './plays-credentials.ts';
import * as messages from './plays-messages.ts';
import * as social from './plays-social.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const EVERYBODY: readonly PartyName[] = PARTIES;
const EVERY_ENDING: readonly FlowEnding[] = ENDINGS;
/** An addition needs a live session of the user at its end, which may be another than it was begun in. */
const OF_AN_ADDITION = ENDINGS.filter((each) => each !== 'sign-out');
/** What somebody else vouched for, by the word of the app or the operator. */
const OF_A_WORD: readonly FlowEnding[] = [
  'use',
  'expiry',
  'new password',
  'reset by email',
  'lock',
  'deletion of the user',
];
/** What belongs to a login that is under way: a sign-out elsewhere leaves it. */
const OF_A_LOGIN = ENDINGS.filter(
  (each) =>
    each !== 'sign-out' &&
    each !== 'sign-out everywhere else' &&
    each !== 'removal of another way in' &&
    each !== 'addition of a way in',
);
/** What stands on the session in which it was begun. */
const OF_A_SESSION = ENDINGS.filter((each) => each !== 'removal of another way in' && each !== 'addition of a way in');

/** Each credential, grant and flow. The threat model shows these rows; a test plays every one of their claims. */
export const FLOWS: readonly Flow[] = [
  // First, because logins in it replace its token.
  {
    name: 'session',
    tables: ['sessions', 'session_tokens'],
    begunBy: ['the user'],
    finishedBy: 'the holder',
    endedBy: OF_A_SESSION.filter((each) => each !== 'use'),
    lifetimeMs: 15 * DAY_MS,
    play: apps.session,
  },
  // Then those that add a login method first, because that ends what was begun before it.
  {
    name: 'passkey login',
    tables: ['webauthn_challenges', 'webauthn_registrations'],
    begunBy: EVERYBODY,
    beginner: 'anyone',
    finishedBy: 'the holder',
    endedBy: ['use', 'expiry', 'reset by email', 'deletion of the user'],
    lifetimeMs: 5 * MINUTE_MS,
    play: credentials.passkeyLogin,
  },
  {
    name: 'wallet login',
    tables: ['wallet_challenges', 'crypto_wallets'],
    begunBy: EVERYBODY,
    beginner: 'anyone',
    finishedBy: 'the holder',
    endedBy: ['use', 'expiry'],
    lifetimeMs: 5 * MINUTE_MS,
    play: credentials.walletLogin,
  },
  {
    name: 'login link',
    tables: ['magic_links', 'outbox'],
    begunBy: EVERYBODY,
    beginner: 'anyone',
    finishedBy: 'the holder',
    endedBy: OF_A_LOGIN,
    lifetimeMs: 60 * MINUTE_MS,
    play: messages.loginLink,
  },
  {
    name: 'link that adds an address',
    changesAccount: true,
    tables: ['magic_links', 'outbox'],
    begunBy: ['the user', "the app's server"],
    finishedBy: ['the user'],
    endedBy: OF_AN_ADDITION,
    lifetimeMs: 60 * MINUTE_MS,
    play: messages.addingLink,
  },
  {
    name: 'embedded link',
    tables: ['magic_links'],
    begunBy: ["the app's server"],
    finishedBy: 'the holder',
    endedBy: OF_A_WORD,
    lifetimeMs: 60 * MINUTE_MS,
    play: messages.embeddedLink,
  },
  {
    name: 'invitation',
    tables: ['magic_links', 'outbox'],
    begunBy: ["the app's server"],
    finishedBy: 'the holder',
    endedBy: ['use', 'expiry'],
    lifetimeMs: 8 * DAY_MS,
    play: messages.invitation,
  },
  {
    name: 'login passcode',
    tables: ['passcodes', 'outbox'],
    begunBy: EVERYBODY,
    beginner: 'anyone',
    finishedBy: 'the holder',
    endedBy: OF_A_LOGIN,
    lifetimeMs: 10 * MINUTE_MS,
    play: messages.loginCode,
  },
  {
    name: 'passcode that adds an address',
    changesAccount: true,
    tables: ['passcodes', 'outbox'],
    begunBy: ['the user', "the app's server"],
    finishedBy: ['the user'],
    endedBy: OF_AN_ADDITION,
    lifetimeMs: 10 * MINUTE_MS,
    play: messages.addingEmailCode,
  },
  {
    name: 'passcode that adds a number',
    changesAccount: true,
    tables: ['passcodes', 'outbox'],
    begunBy: ['the user', "the app's server"],
    finishedBy: ['the user'],
    endedBy: OF_AN_ADDITION,
    lifetimeMs: 10 * MINUTE_MS,
    play: messages.addingNumberCode,
  },
  {
    name: 'passkey registration',
    changesAccount: true,
    tables: ['webauthn_challenges', 'webauthn_registrations'],
    begunBy: ['the user', "the app's server"],
    finishedBy: ['the user', "the app's server"],
    endedBy: OF_AN_ADDITION,
    lifetimeMs: 5 * MINUTE_MS,
    play: credentials.passkeyRegistration,
  },
  {
    name: 'wallet addition',
    changesAccount: true,
    tables: ['wallet_challenges', 'crypto_wallets'],
    begunBy: ['the user', "the app's server"],
    finishedBy: ['the user'],
    endedBy: OF_AN_ADDITION,
    lifetimeMs: 5 * MINUTE_MS,
    play: credentials.walletAddition,
  },
  {
    name: 'enrolment of an authenticator app',
    changesAccount: true,
    tables: ['totps', 'recovery_codes'],
    begunBy: ['the user', "the app's server"],
    finishedBy: ['the user', "the app's server"],
    endedBy: OF_AN_ADDITION,
    oncePerUser: true,
    lifetimeMs: 60 * MINUTE_MS,
    play: credentials.authenticatorEnrolment,
  },
  {
    name: 'authorization code',
    tables: ['authorization_codes', 'oauth_grants'],
    begunBy: ['the user', "the app's server"],
    finishedBy: 'the holder',
    endedBy: EVERY_ENDING,
    lifetimeMs: MINUTE_MS,
    play: apps.authorizationCode,
  },
  {
    name: 'device code that the user allowed',
    tables: ['device_authorizations', 'authorization_codes', 'oauth_grants'],
    begunBy: ['the user'],
    finishedBy: 'the holder',
    endedBy: EVERY_ENDING,
    lifetimeMs: 10 * MINUTE_MS,
    play: apps.deviceCode,
  },
  {
    name: 'access token without offline_access',
    tables: ['oauth_access_tokens', 'oauth_token_families', 'oauth_grants'],
    begunBy: ['the user', "the app's server"],
    finishedBy: 'the holder',
    endedBy: OF_A_SESSION.filter((each) => each !== 'use'),
    lifetimeMs: 60 * MINUTE_MS,
    play: apps.accessToken,
  },
  {
    name: 'session that an app made of it',
    tables: ['sessions', 'oauth_token_families'],
    begunBy: ['the user', "the app's server"],
    finishedBy: 'the holder',
    endedBy: OF_A_SESSION.filter((each) => each !== 'use'),
    lifetimeMs: 60 * MINUTE_MS,
    play: apps.exchangedSession,
  },
  {
    name: 'refresh token',
    tables: ['oauth_refresh_tokens', 'oauth_token_families', 'oauth_grants'],
    begunBy: ['the user', "the app's server"],
    finishedBy: 'the holder',
    endedBy: OF_A_SESSION.filter((each) => each !== 'sign-out'),
    lifetimeMs: 180 * DAY_MS,
    play: apps.refreshToken,
  },
  {
    name: 'social login',
    tables: ['oauth_flows', 'oauth_tokens', 'oauth_registrations', 'account_codes'],
    begunBy: EVERYBODY,
    beginner: 'anyone',
    finishedBy: 'the holder',
    endedBy: OF_A_WORD,
    lifetimeMs: 5 * MINUTE_MS,
    play: social.socialLogin,
  },
  {
    name: 'Google One Tap',
    tables: ['one_tap_callbacks', 'oauth_tokens', 'oauth_registrations'],
    begunBy: EVERYBODY,
    beginner: 'anyone',
    finishedBy: 'the holder',
    endedBy: OF_A_WORD,
    lifetimeMs: 5 * MINUTE_MS,
    play: social.oneTap,
  },
  {
    name: 'attachment of a social account',
    changesAccount: true,
    tables: ['oauth_attach_tokens', 'oauth_flows', 'oauth_tokens', 'oauth_registrations'],
    begunBy: ['the user', "the app's server"],
    finishedBy: ['the user'],
    endedBy: EVERY_ENDING,
    lifetimeMs: 5 * MINUTE_MS,
    play: social.socialAttachment,
  },
  {
    name: 'token of a trusted issuer',
    tables: ['used_trusted_tokens'],
    begunBy: ['anyone'],
    finishedBy: 'the holder',
    endedBy: ['use', 'expiry'],
    lifetimeMs: 7 * MINUTE_MS,
    play: social.trustedToken,
  },
  // Its session is the user's for the reply alone.
  {
    name: 'impersonation token',
    tables: ['impersonation_tokens'],
    begunBy: ['anyone'],
    finishedBy: 'the holder',
    endedBy: OF_A_WORD,
    lifetimeMs: 5 * MINUTE_MS,
    play: apps.impersonationToken,
  },
  // Last, because finishing it ends the others.
  {
    name: 'link of a reset',
    tables: ['magic_links', 'outbox'],
    begunBy: EVERYBODY,
    beginner: 'anyone',
    finishedBy: 'the holder',
    endedBy: OF_A_LOGIN,
    lifetimeMs: 60 * MINUTE_MS,
    play: messages.resetLink,
  },
];
