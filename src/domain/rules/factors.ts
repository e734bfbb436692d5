import { sameJson } from '../json.ts';
import type { AuthenticationFactor } from '../sessions/session.ts';
import type { OtpMethod } from '../passcodes/otp.ts';

/** A factor without its times. */
export interface NewFactor {
  readonly type: string;
  readonly delivery_method: string;
  /** Only for a factor that was not proved just now, but earlier and elsewhere. */
  readonly last_authenticated_at?: string;
  readonly [detail: string]: unknown;
}

const IMPERSONATED = 'impersonated';
const EXCHANGED = 'oauth_access_token_exchange';

export const PASSWORD_FACTOR: NewFactor = { type: 'password', delivery_method: 'knowledge' };

/** The wire's backend SDKs and clients spell these factors differently, so such factors carry both names. */
const BACKEND_NAMES: ReadonlyMap<string, string> = new Map([
  ['gitlab', 'git_lab_oauth_factor'],
  ['linkedin', 'linked_in_oauth_factor'],
  ['tiktok', 'tik_tok_oauth_factor'],
]);

/** The contact that a message reached. */
interface ContactId {
  readonly method_id: string;
  readonly value: string;
}

const emailFactor = ({ method_id, value }: ContactId) => ({
  email_factor: { email_id: method_id, email_address: value },
});
const phoneFactor = ({ method_id, value }: ContactId) => ({
  phone_number_factor: { phone_id: method_id, phone_number: value },
});

/** Creates the authentication factors of a session, by login method. */
export const FACTORS = {
  passcode: (channel: OtpMethod, contact: ContactId) => ({
    type: 'otp',
    delivery_method: channel,
    ...(channel === 'email' ? emailFactor(contact) : phoneFactor(contact)),
  }),
  magicLink: (contact: ContactId) => ({ type: 'magic_link', delivery_method: 'email', ...emailFactor(contact) }),
  /** The app's own server delivered this link in its own way, so it does not prove an address. */
  embedded: (embedded_id: string) => ({
    type: 'magic_link',
    delivery_method: 'embedded',
    embeddable_magic_link_factor: { embedded_id },
  }),
  totp: (totp_id: string) => ({
    type: 'totp',
    delivery_method: 'authenticator_app',
    authenticator_app_factor: { totp_id },
  }),
  /** A code works once, so its id identifies this use. */
  recovery_codes: (totp_id: string, totp_recovery_code_id: string) => ({
    type: 'recovery_codes',
    delivery_method: 'recovery_code',
    recovery_code_factor: { totp_id, totp_recovery_code_id },
  }),
  webauthn: (registration: {
    readonly webauthn_registration_id: string;
    readonly domain: string;
    readonly user_agent: string;
  }) => {
    const { webauthn_registration_id, domain, user_agent } = registration;
    return {
      type: 'webauthn',
      delivery_method: 'webauthn_registration',
      webauthn_factor: { webauthn_registration_id, domain, user_agent },
    };
  },
  wallet: (wallet: {
    readonly crypto_wallet_id: string;
    readonly crypto_wallet_address: string;
    readonly crypto_wallet_type: string;
  }) => {
    const { crypto_wallet_id, crypto_wallet_address, crypto_wallet_type } = wallet;
    return {
      type: 'crypto',
      delivery_method: 'crypto_wallet',
      crypto_wallet_factor: { crypto_wallet_id, crypto_wallet_address, crypto_wallet_type },
    };
  },
  oauth: (registration: {
    readonly oauth_user_registration_id: string;
    readonly provider_type: string;
    readonly provider_subject: string;
    readonly email_id?: string | undefined;
  }) => {
    const { oauth_user_registration_id: id, provider_type, provider_subject, email_id } = registration;
    const detail = { id, provider_subject, ...(email_id === undefined ? {} : { email_id }) };
    const backendName = BACKEND_NAMES.get(provider_type);
    return {
      type: 'oauth',
      delivery_method: `oauth_${provider_type}`,
      [`${provider_type}_oauth_factor`]: detail,
      ...(backendName === undefined ? {} : { [backendName]: detail }),
    };
  },
  /** Marks a session in which an operator or an app acts for the user. */
  impersonated: (by: { readonly impersonator_id: string; readonly impersonator_email_address: string }) => ({
    type: IMPERSONATED,
    delivery_method: 'impersonation',
    impersonated_factor: {
      impersonator_id: by.impersonator_id,
      impersonator_email_address: by.impersonator_email_address,
    },
  }),
  trustedToken: (profile_id: string, token_id: string) => ({
    type: 'trusted_auth_token',
    delivery_method: 'trusted_token_exchange',
    trusted_auth_token_factor: { profile_id, token_id },
  }),
  /** Marks a session that began in a trusted browser: it did not prove a second factor, and needs none. */
  trustedDevice: (device_id: string) => ({
    type: 'trusted_device',
    delivery_method: 'trusted_device',
    trusted_device_factor: { device_id },
  }),
  exchanged: (client_id: string) => ({
    type: EXCHANGED,
    delivery_method: EXCHANGED,
    oauth_access_token_exchange_factor: { client_id },
  }),
} as const satisfies Readonly<Record<string, (...proof: never[]) => NewFactor>>;

/** The factor, proven at this time unless it has an earlier one. */
export function stamped(factor: NewFactor, now: number): AuthenticationFactor {
  const at = new Date(now).toISOString();
  return { ...factor, last_authenticated_at: factor.last_authenticated_at ?? at, created_at: at, updated_at: at };
}

/** The factors with one more. A factor that is proven again moves to the end, and keeps the time of its first proof. */
export function withFactor(
  factors: readonly AuthenticationFactor[],
  factor: NewFactor,
  now: number,
): readonly AuthenticationFactor[] {
  const added = stamped(factor, now);
  const before = factors.find((each) => sameJson(each, added, ['last_authenticated_at', 'created_at', 'updated_at']));
  const others = factors.filter((each) => each !== before);
  return [...others, before === undefined ? added : { ...added, created_at: before['created_at'] }];
}

/**
 * True for a factor that others than this server may accept as a proof of the user. False for an impersonation, and for a method that was
 * added without a recent login by an older one, because whoever has a stolen session can add a method (`withAdditionMark`).
 */
export const isProof = (factor: AuthenticationFactor): boolean =>
  factor['recently_added'] !== true && factor.type !== IMPERSONATED;

/** The fields of a session that the rules read. */
export interface SessionFactors {
  readonly authentication_factors: readonly AuthenticationFactor[];
}

/** True for a session in which an operator or an app acts for the user. */
export function isImpersonated({ authentication_factors }: SessionFactors): boolean {
  return authentication_factors.some(({ type }) => type === IMPERSONATED);
}

/** When the user last proved who they are; null if the session contains no login of theirs. */
export function lastLogin({ authentication_factors }: SessionFactors): Date | null {
  const times = authentication_factors
    .filter(({ type }) => type !== EXCHANGED)
    .map(({ last_authenticated_at }) => Date.parse(last_authenticated_at));
  return times.length === 0 ? null : new Date(Math.max(...times));
}
