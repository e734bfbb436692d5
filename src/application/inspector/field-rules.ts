import { OTP_METHODS } from '#domain/contacts/channels.ts';
import { WALLET_KINDS } from '#domain/wallets/wallets.ts';
import { OAUTH_PROVIDERS } from '#domain/social/oauth-providers.ts';
import { REFUSALS } from '#domain/rules/refusal.ts';
import { api } from '../api/api.ts';
import type { Endpoint } from '../api/index.ts';

/**
 * The fields that the inspector shows, and the values it expects in them. A rule returns undefined for an unexpected value, of which
 * only the shape is shown. There is no rule for ids, tokens, codes, links, texts, or what a user typed.
 */
type Rule = (value: unknown) => string | number | undefined;

const oneOf = (values: Iterable<string>): Rule => {
  const valueSet = new Set(values);
  return (value) => (typeof value === 'string' && valueSet.has(value) ? value : undefined);
};

const integer =
  (least: number, most: number): Rule =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;

const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : undefined;

/** The first letter; nothing if the text is short. */
function initial(text: string): string {
  const [first = '', , third] = Array.from(text);
  return third === undefined ? '…' : `${first}…`;
}

/** The domain endings that are shown. Any other ending could belong to a password that was typed into the wrong field. */
const ENDS = /\.(com|org|net|edu|gov|dev|app|[a-z]{2})$/iu;

/** `ada@example.com` becomes `a…@e….com`. */
export function maskedEmail(text: string): string | undefined {
  const [local = '', domain = '', ...rest] = text.split('@');
  if (local === '' || domain === '' || rest.length > 0) return undefined;
  const end = ENDS.exec(domain)?.[1];
  return `${initial(local)}@${initial(domain.split('.')[0] ?? '')}${end === undefined ? '' : `.${end}`}`;
}

/** `+14155550142` becomes `…42`. Digits without a plus could be a password that was typed into the wrong field. */
export function maskedPhone(text: string): string | undefined {
  const number = text.replaceAll(/[\s().-]/gu, '');
  return /^\+\d{7,15}$/u.test(number) ? `…${number.slice(-2)}` : undefined;
}

/** An email address or a phone number. */
const contact: Rule = (value) => (typeof value === 'string' ? (maskedEmail(value) ?? maskedPhone(value)) : undefined);

const minutes = integer(0, 1_000_000);
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const FACTORS = [
  'otp',
  'magic_link',
  'password',
  'oauth',
  'webauthn',
  'crypto',
  'totp',
  'recovery_codes',
  'trusted_auth_token',
  'impersonated',
  'oauth_access_token_exchange',
  'imported',
];
const DELIVERIES = [...OTP_METHODS, 'embedded', 'knowledge', 'authenticator_app', 'recovery_code'];
const PROVIDERS = Object.keys(OAUTH_PROVIDERS);

export const errorType: Rule = oneOf([...Object.keys(REFUSALS), 'unknown_error', 'schema_error', 'usage_error']);
/** The reason for a missing response, or for a required new password. */
export const reason: Rule = oneOf([
  'network',
  'invalid-json',
  'invalid-response',
  'captcha-required',
  'breached',
  'required',
]);
export const factorType: Rule = oneOf(FACTORS);
export const deliveryMethod: Rule = oneOf([
  ...DELIVERIES,
  'webauthn_registration',
  'crypto_wallet',
  ...PROVIDERS.map((name) => `oauth_${name}`),
]);
/** The provider's format. Users quote it to support. */
export const requestId: Rule = matching(new RegExp(`^request-id-(?:test|live)-${UUID}$`, 'u'));

const SCREENS = [
  'PasswordForgot',
  'PasswordDedupe',
  'PasswordBreached',
  'PasswordSetNew',
] as const satisfies readonly string[];

export const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['email', contact],
  ['email_address', contact],
  ['destination', contact],
  ['phone_number', contact],
  ['status_code', integer(100, 599)],
  ['error_type', errorType],
  ['request_id', requestId],
  ['kind', oneOf(['usage', 'schema', 'api', 'unreachable', 'link', 'code'])],
  ['reason', reason],
  ['type', oneOf(OTP_METHODS)],
  ['method', oneOf(OTP_METHODS)],
  ['delivery_method', deliveryMethod],
  ['userType', oneOf(['new', 'password', 'passwordless'])],
  ['tokenType', oneOf(['login', 'reset', 'spent'])],
  ['creation', oneOf(['here', 'elsewhere', 'none'])],
  ['to', oneOf(SCREENS)],
  ['wallet', oneOf(WALLET_KINDS)],
  ['crypto_wallet_type', oneOf(['ethereum', 'solana'])],
  ['provider', oneOf(PROVIDERS)],
  ['provider_type', oneOf(PROVIDERS)],
  ['authenticator_type', oneOf(['platform', 'cross-platform'])],
  ['locale', matching(/^[a-z]{2}(?:-[A-Z]{2})?$/u)],
  ['session_duration_minutes', minutes],
  ['expiration_minutes', minutes],
  ['login_expiration_minutes', minutes],
  ['signup_expiration_minutes', minutes],
  ['reset_password_expiration_minutes', minutes],
  ['index', integer(0, 99)],
  // The length of a password is hidden, too.
  ['password', () => 'string'],
]);

/** Fields of replies and of the widgets' events, which no shape of the wire lists. */
const MORE_NAMES = [
  'session',
  'user',
  'user_id',
  'method_id',
  'request_id',
  'status_code',
  'user_created',
  'wallets',
  'challenge',
  'methodId',
  'destination',
  'expiresAt',
  'otp',
  'message',
  'kind',
  'type',
  'method',
  'reply',
  'error',
  'asked',
  'email',
  'code',
  'password',
  'edit',
  'check',
  'score',
  'strength',
  'country',
  'national',
  'text',
  'name',
  'id',
  'userType',
  'tokenType',
  'creation',
  'to',
  'reason',
  'wallet',
  'address',
  'signature',
  'index',
  'parentId',
  'bootstrap',
  'consent',
  'account',
  'checking',
  'supported',
  'oneTap',
  'provider',
  'phone',
  'passkeys',
  'change',
];

const areas: readonly Readonly<Record<string, Endpoint>>[] = Object.values(api);
const onTheWire = areas
  .flatMap((area) => Object.values(area))
  .flatMap(({ body, reply, query = {} }) => [body, reply, query].flatMap((shape) => Object.keys(shape)));

/** The names that are part of this product. */
export const FIELD_NAMES: ReadonlySet<string> = new Set([...RULES.keys(), ...MORE_NAMES, ...onTheWire]);
