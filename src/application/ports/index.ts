import type { BrowserPort } from './browser.port.ts';
import type { ClockPort } from './clock.port.ts';
import type { CookiesPort } from './cookies.port.ts';
import type { CryptoPort } from './crypto.port.ts';
import type { LockPort } from './lock.port.ts';
import type { LogPort } from './log.port.ts';
import type { StoragePort } from './storage.port.ts';
import type { CaptchaPort } from './captcha.port.ts';
import type { DeviceTelemetryPort } from './device-telemetry.port.ts';
import type { FormPostPort } from './form-post.port.ts';
import type { OneTapPort } from './one-tap.port.ts';
import type { OutboxPort } from './outbox.port.ts';
import type { PasswordStrengthPort } from './password-strength.port.ts';
import type { PhonePort } from './phone.port.ts';
import type { WalletPort } from './wallet.port.ts';
import type { WebauthnPort } from './webauthn.port.ts';
import type { TransportPort } from './transport.port.ts';

/** All ports of the client. A host replaces an adapter by its name in this interface. */
export interface Ports {
  readonly transport: TransportPort;
  /** Persistent, and shared by the tabs of a browser. */
  readonly storage: StoragePort;
  /** Private to one tab, and deleted with it. */
  readonly tabStorage: StoragePort;
  readonly cookies: CookiesPort;
  readonly clock: ClockPort;
  readonly crypto: CryptoPort;
  readonly lock: LockPort;
  readonly browser: BrowserPort;
  readonly log: LogPort;
  readonly webauthn: WebauthnPort;
  readonly captcha: CaptchaPort;
  readonly deviceTelemetry: DeviceTelemetryPort;
  readonly oneTap: OneTapPort;
  readonly outbox: OutboxPort;
  readonly phone: PhonePort;
  readonly passwordStrength: PasswordStrengthPort;
  readonly wallet: WalletPort;
  readonly formPost: FormPostPort;
}

export type { BindingKey, BindingKeysPort } from './binding-keys.port.ts';
export type { BrowserPort } from './browser.port.ts';
export type { ClockPort } from './clock.port.ts';
export type { CookieScope, CookiesPort } from './cookies.port.ts';
export type { CryptoPort } from './crypto.port.ts';
export type { KeysPort, PublishedKey } from './keys.port.ts';
export type { JwtPort, RequiredClaims, VerificationKey, VerifiedJwt } from './jwt.port.ts';
export type { LockPort } from './lock.port.ts';
export type { LogPort } from './log.port.ts';
export type { StoragePort } from './storage.port.ts';
export type { CaptchaPort } from './captcha.port.ts';
export type { DeviceTelemetryPort, DeviceTelemetrySettings } from './device-telemetry.port.ts';
export type { FormPostPort } from './form-post.port.ts';
export type { OneTapPort, OneTapOptions, OneTapShown } from './one-tap.port.ts';
export type { OutboxPort } from './outbox.port.ts';
export type { PasswordStrengthPort } from './password-strength.port.ts';
export type { FormattedPhone, ParsedPhone, PhonePort } from './phone.port.ts';
export type { UsedProofsPort } from './used-proofs.port.ts';
export type { WalletPort } from './wallet.port.ts';
export type { WebauthnPort } from './webauthn.port.ts';
export type { HttpRequest, HttpResponse, TransportPort } from './transport.port.ts';
