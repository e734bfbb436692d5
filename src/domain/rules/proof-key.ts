import { Refusal } from './refusal.ts';

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/u;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/u;

/** Refuses a challenge that cannot be an S256 one (RFC 7636, section 4.2), and none where the project wants one. */
export function checkChallenge(challenge: string | undefined, required: boolean): void {
  if (challenge === undefined) {
    if (required) throw new Refusal('pkce_code_challenge_required');
    return;
  }
  if (!CHALLENGE.test(challenge)) throw new Refusal('invalid_code_challenge');
}

/** What a link does: a token of one purpose is unknown for another, but that the link of a reset logs in as well. */
export type LinkPurpose = 'login' | 'reset_password' | 'invite' | 'embedded';

type LinkSetting = 'pkce_required_for_email_magic_links' | 'pkce_required_for_password_resets';

/** The settings that require a challenge for a link: one of them that is on suffices. */
const LINK_SETTINGS: Readonly<Record<LinkPurpose, readonly LinkSetting[]>> = {
  login: ['pkce_required_for_email_magic_links'],
  // It sets a password or logs in without one, and its mail contains a login link.
  reset_password: ['pkce_required_for_password_resets', 'pkce_required_for_email_magic_links'],
  // No browser began these: the app's own server sends them, and the person opens them in any browser.
  invite: [],
  embedded: [],
};

/** A link, as far as it matters whether it needs a challenge. */
export interface BegunLink {
  readonly purpose: LinkPurpose;
  /**
   * Whether a page asked for it. The app's own server keeps what belongs to its flows by itself, so it may do without. Null for a
   * link of before this was recorded.
   */
  readonly began_on_page: boolean | null;
}

/** Whether the project requires a challenge for such a link. Everything that sends or redeems links decides by this. */
export function needsChallenge(
  settings: Readonly<Record<LinkSetting, boolean>>,
  { purpose, began_on_page }: BegunLink,
): boolean {
  return began_on_page === true && LINK_SETTINGS[purpose].some((setting) => settings[setting]);
}

/** Refuses a link that was sent without a challenge before the project required one. */
export function checkLinkChallenge(
  settings: Readonly<Record<LinkSetting, boolean>>,
  link: BegunLink & { readonly code_challenge: string | null },
): void {
  if (link.code_challenge === null && needsChallenge(settings, link)) throw new Refusal('unable_to_auth_magic_link');
}

/**
 * The verifier that is to be compared with the flow's challenge, or null where there is neither: a flow that began with
 * a challenge ends only with its verifier, and one that began without ends without (RFC 9700, section 2.1.1). Ask before
 * the token is spent: another browser must not burn the link.
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
