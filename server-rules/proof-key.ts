import { Refusal } from '#domain/rules/refusal.ts';

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/u;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/u;

/** Rejects a challenge that cannot be an S256 challenge (RFC 7636, section 4.2), and a missing one if the project requires one. */
export function checkChallenge(challenge: string | undefined, required: boolean): void {
  if (challenge === undefined) {
    if (required) throw new Refusal('pkce_code_challenge_required');
    return;
  }
  if (!CHALLENGE.test(challenge)) throw new Refusal('invalid_code_challenge');
}

/** The purpose of a link. A token is only valid for its purpose, except that a reset link can also log in. */
export type LinkPurpose = 'login' | 'reset_password' | 'invite' | 'embedded';

type LinkSetting = 'pkce_required_for_email_magic_links' | 'pkce_required_for_password_resets';

/** The settings that require a challenge for a link: any enabled one suffices. */
const LINK_SETTINGS: Readonly<Record<LinkPurpose, readonly LinkSetting[]>> = {
  login: ['pkce_required_for_email_magic_links'],
  // The link sets a password or logs in without one, and its email contains a login link.
  reset_password: ['pkce_required_for_password_resets', 'pkce_required_for_email_magic_links'],
  // No browser starts these flows: the app's own server sends the links, and users open them in any browser.
  invite: [],
  embedded: [],
};

/** The properties of a link that decide whether it needs a challenge. */
export interface BegunLink {
  readonly purpose: LinkPurpose;
  /**
   * Whether a page requested the link. The app's own server keeps the state of its flows, so it needs no challenge. Null for a link
   * from before this was recorded.
   */
  readonly began_on_page: boolean | null;
}

/** Whether the project requires a challenge for such a link. All code that sends or redeems links uses this rule. */
export function needsChallenge(
  settings: Readonly<Record<LinkSetting, boolean>>,
  { purpose, began_on_page }: BegunLink,
): boolean {
  return began_on_page === true && LINK_SETTINGS[purpose].some((setting) => settings[setting]);
}

/** Rejects a link that was sent without a challenge before the project required one. */
export function checkLinkChallenge(
  settings: Readonly<Record<LinkSetting, boolean>>,
  link: BegunLink & { readonly code_challenge: string | null },
): void {
  if (link.code_challenge === null && needsChallenge(settings, link)) throw new Refusal('unable_to_auth_magic_link');
}

/**
 * The verifier to compare with the flow's challenge; null if there is neither. A flow that began with a challenge ends only with its
 * verifier; a flow without a challenge ends without one (RFC 9700, section 2.1.1). Call this before the token is used up, so that another
 * browser cannot spend the link.
 */
export function verifierFor(challenge: string | null, verifier: string | undefined): string | null {
  if (challenge === null) {
    if (verifier !== undefined) throw new Refusal('pkce_expected_code_challenge');
    return null;
  }
  if (verifier === undefined) throw new Refusal('pkce_expected_code_verifier');
  if (!VERIFIER.test(verifier)) throw new Refusal('pkce_mismatch');
  return verifier;
}
