/** Matches `webauthn` as the last token (WebAuthn Level 3, section 5.1.5, and the HTML Standard's autofill). */
const ASKS = /(?:^|\s)webauthn\s*$/iu;

/** True if this `autocomplete` requests passkeys. */
export function asksForPasskeys(autocomplete: string): boolean {
  return ASKS.test(autocomplete);
}

/** True if any input requests passkeys, including inputs in open shadow roots. */
export function hasPasskeyInput(root: Document | ShadowRoot): boolean {
  const inputs = Array.from(root.querySelectorAll('input[autocomplete]'));
  if (inputs.some((input) => asksForPasskeys(input.getAttribute('autocomplete') ?? ''))) return true;
  const within = Array.from(root.querySelectorAll('*'), ({ shadowRoot }) => shadowRoot);
  return within.some((shadow) => shadow !== null && hasPasskeyInput(shadow));
}
