import type { UserNames } from '#domain/passkeys/user-names.ts';

/**
 * Passkey ceremonies (WebAuthn Level 3, section 5.1).
 *
 * - options and credentials are JSON text; binary fields are base64url, and options may also use plain base64;
 * - a page runs at most one ceremony: a new one aborts the previous one, which rejects with an `AbortError`;
 * - aborting the signal rejects with an `AbortError`;
 * - errors of the browser are passed on unchanged; malformed options reject with a `TypeError`;
 * - `creation` resolves with the place where a passkey can be created: `here`, with this device's screen lock; `elsewhere`, only with a
 *   security key or another device; `none` without support;
 * - `isCapable` resolves with whether the browser reports the capability (section 5.1.7): `conditionalCreate`, a passkey created
 *   automatically after a password login; `immediateGet`, a request that only passkeys of this device answer;
 * - `create` with the mediation `conditional` does not ask the user, and rejects with a `NotAllowedError` if the browser creates no passkey
 *   this way;
 * - `get` with the mediation `immediate` shows only passkeys of this device, and immediately rejects with a `NotAllowedError` if there is
 *   none; in browsers without this capability it is `modal`;
 * - `signalUnknown` reports a passkey that does not exist at the site to the passkey provider; `signalAccepted` reports the valid passkeys
 *   of a user, and `signalDetails` the user's current names (section 5.1.10); ids are base64url. They never reject, and do nothing without
 *   browser support;
 * - without support, `supportsAutofill` and `isCapable` resolve with false and ceremonies reject with a `NotSupportedError`.
 */
export interface WebauthnPort {
  /** Whether the browser can offer passkeys in form fields. */
  supportsAutofill(): Promise<boolean>;
  /** Whether an input of the page, including shadow roots, requests passkeys with an `autocomplete` that ends with `webauthn`. */
  hasAutofillInput(): boolean | Promise<boolean>;
  creation(): Promise<'here' | 'elsewhere' | 'none'>;
  isCapable(capability: 'conditionalCreate' | 'immediateGet'): Promise<boolean>;
  create(creationOptions: string, signal?: AbortSignal, mediation?: 'conditional'): Promise<string>;
  get(requestOptions: string, mediation: 'modal' | 'conditional' | 'immediate', signal?: AbortSignal): Promise<string>;
  signalUnknown(rpId: string, credentialId: string): Promise<void>;
  signalAccepted(rpId: string, userId: string, credentialIds: readonly string[]): Promise<void>;
  signalDetails(rpId: string, userId: string, names: UserNames): Promise<void>;
}
