/**
 * Passkey ceremonies (WebAuthn Level 3, section 5.1).
 *
 * - options and credentials are JSON text; binary fields are base64url, and in options plain base64 is understood too;
 * - at most one ceremony is under way in a page: a new one aborts the last, which rejects with an `AbortError`;
 * - aborting the signal rejects with an `AbortError`;
 * - what the browser rejects with arrives unchanged; options that are no options reject with a `TypeError`;
 * - without support, `supportsAutofill` answers false and ceremonies reject with a `NotSupportedError`.
 */
export interface WebauthnPort {
  /** Whether the browser can offer passkeys while a person fills in a form. */
  supportsAutofill(): Promise<boolean>;
  /** Whether an input of the page, in shadow roots too, asks for it: the last word of its `autocomplete` is `webauthn`. */
  hasAutofillInput(): boolean | Promise<boolean>;
  create(creationOptions: string, signal?: AbortSignal): Promise<string>;
  get(requestOptions: string, mediation: 'modal' | 'conditional', signal?: AbortSignal): Promise<string>;
}
