/** `portico/headless`: the client without a user interface. */
export { PorticoClient, type ClientOptions } from './client.ts';
export type { CookieOptions } from '../application/session/session-cookies.ts';
export type { EndpointOptions } from '../domain/endpoints.ts';
export type { Authenticated, ReplyBase } from '../application/api/index.ts';
export type { MagicLinkOptions } from '../application/use-cases/magic-link-login.ts';
export type { EmailOtpOptions } from '../application/use-cases/otp-login.ts';
export type { MagicLinksClient } from '../application/client/magic-links-client.ts';
export type { OtpsClient } from '../application/client/otps-client.ts';
export type { SessionClient } from '../application/client/session-client.ts';
export type { UserClient } from '../application/client/user-client.ts';
export type { AuthenticationFactor, Session, SessionTokens } from '../domain/session.ts';
export type * from '../domain/user.ts';
export {
  isAuthError,
  SDKAPIError,
  SDKAPIUnreachableError,
  SDKSchemaError,
  SDKUsageError,
  type ApiErrorFields,
  type AuthError,
  type SchemaIssue,
  type UnreachableReason,
} from '../domain/errors.ts';
