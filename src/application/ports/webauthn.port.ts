/**
 * Passkey ceremonies (WebAuthn Level 3, section 5.1).
 *
 * - options and credentials are JSON text; binary fields are base64url, and in options plain base64 is understood too;
 * - at most one ceremony is under way in a page: a new one aborts the last, which rejects with an `AbortError`;
 * - aborting the signal rejects with an `AbortError`;
 * - what the browser rejects with arrives unchanged; options that are no options reject with a `TypeError`;
 * - `creation` tells where a passkey can be made: `here`, with this device's own screen lock; `elsewhere`, with a security
 *   key or another device alone; `none` without support;
 * - `signalUnknown` and `signalAccepted` tell who keeps passkeys which of them the site no longer, or still, knows
 *   (section 5.1.10); ids are base64url. They never reject, and do nothing where the browser has no such signals;
 * - without support, `supportsAutofill` answers false and ceremonies reject with a `NotSupportedError`.
 */
export interface WebauthnPort {
  /** Whether the browser can offer passkeys while a person fills in a form. */
  supportsAutofill(): Promise<boolean>;
  /** Whether an input of the page, in shadow roots too, asks for it: the last word of its `autocomplete` is `webauthn`. */
  hasAutofillInput(): boolean | Promise<boolean>;
  creation(): Promise<'here' | 'elsewhere' | 'none'>;
  create(creationOptions: string, signal?: AbortSignal): Promise<string>;
  get(requestOptions: string, mediation: 'modal' | 'conditional', signal?: AbortSignal): Promise<string>;
  signalUnknown(rpId: string, credentialId: string): Promise<void>;
  signalAccepted(rpId: string, userId: string, credentialIds: readonly string[]): Promise<void>;
}
