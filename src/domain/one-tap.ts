import type { OneTapPosition } from './widget-config.ts';

/** Google One Tap in the widget (specification, sections 2, 4 and 9). */

export type OneTapPlace = 'embedded' | 'floating';

/** The places to try, in order. `byBrowser`: the browser draws prompts itself; `hasPlace`: the page has an element for it. */
export function oneTapPlaces(
  position: OneTapPosition,
  { byBrowser, hasPlace }: { readonly byBrowser: boolean; readonly hasPlace: boolean },
): readonly OneTapPlace[] {
  const canEmbed = hasPlace && (!byBrowser || position === 'forceLegacyEmbedded');
  switch (position) {
    case 'floating':
      return ['floating'];
    case 'embeddedOnly':
      return canEmbed ? ['embedded'] : [];
    case 'floatingOrEmbedded':
      return canEmbed ? ['floating', 'embedded'] : ['floating'];
    default:
      return [canEmbed ? 'embedded' : 'floating'];
  }
}

/** Reasons that are nobody's doing: another place may work. */
const NOBODY: ReadonlySet<string> = new Set(['not_displayed', 'skipped', 'unknown']);

export function mayTryElsewhere(reason: string): boolean {
  return NOBODY.has(reason);
}

/** What the developer can do something about, or should know of (specification, section 8). */
export const ONE_TAP_FAULTS = [
  'oauth_config_not_found',
  'no_signup_redirect_urls_set',
  'no_login_redirect_urls_set',
  'unregistered_origin',
  'invalid_client',
  'user_cancel',
] as const;
export type OneTapFault = (typeof ONE_TAP_FAULTS)[number];

export function oneTapFault(reason: string): OneTapFault | null {
  return ONE_TAP_FAULTS.find((fault) => fault === reason) ?? null;
}

/**
 * What became of the prompt. The plain button is the way out: it shows in every state but `leaving`, an embedded
 * `rendered` and the way there. Beside a prompt over the page it shows always, because the browser may keep to itself that the
 * prompt did not come.
 */
export type OneTapState =
  | { readonly status: 'idle' }
  /** `floats` once it is known that it will stand over the page: nothing here is to be waited for. */
  | { readonly status: 'pending'; readonly floats?: true }
  | { readonly status: 'rendered'; readonly place: OneTapPlace }
  /** An account was chosen: the page is about to be left. */
  | { readonly status: 'leaving' }
  | { readonly status: 'cancelled' }
  /** It did not come. `fault` is what the developer of a test project is told. */
  | { readonly status: 'refused'; readonly fault: OneTapFault | null };

/** The prompt's place is at least as high as the plain button's, and just so once the person has cancelled it. */
export const ONE_TAP_MIN_HEIGHT = 47;
const QUIET_MS = 100;
const AT_ONCE = 2;

/** The height of the prompt's place: how often the prompt was measured, and how high it was. Gone, it is the initial one. */
export interface OneTapHeight {
  readonly observations: number;
  readonly height: number;
}

export const INITIAL_ONE_TAP_HEIGHT: OneTapHeight = Object.freeze({ observations: 0, height: ONE_TAP_MIN_HEIGHT });

/** How long a measured height must last before it counts, in milliseconds; the first two count at once. */
export function settlingTime({ observations }: OneTapHeight): number {
  return observations < AT_ONCE ? 0 : QUIET_MS;
}

export function observeHeight({ observations }: OneTapHeight, measured: number): OneTapHeight {
  return { observations: observations + 1, height: Math.max(ONE_TAP_MIN_HEIGHT, Math.ceil(measured)) };
}
