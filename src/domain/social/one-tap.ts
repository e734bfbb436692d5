import type { OneTapPosition } from './one-tap-positions.ts';

/** Google One Tap in the widget (specification, sections 2, 4 and 9). */

export type OneTapPlace = 'embedded' | 'floating';

/** The places to try, in order. `byBrowser`: the browser draws the prompt (FedCM); `hasPlace`: the page has an element for it. */
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

/** Reasons that neither the person nor the developer caused: the prompt may work in another place. */
const NOBODY: ReadonlySet<string> = new Set(['not_displayed', 'skipped', 'unknown']);

export function mayTryElsewhere(reason: string): boolean {
  return NOBODY.has(reason);
}

/** The reasons that the developer can fix or should know about (specification, section 8). */
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
 * The state of the prompt. The plain button shows in every state except `leaving`, an embedded `rendered`, and while an embedded
 * prompt is loading (`idle`, or `pending` without `floats`). It always shows beside a floating prompt, because the browser may
 * not report that the prompt did not appear.
 */
export type OneTapState =
  | { readonly status: 'idle' }
  /** `floats` is set once it is certain that the prompt will float over the page, so the widget need not wait for it. */
  | { readonly status: 'pending'; readonly floats?: true }
  | { readonly status: 'rendered'; readonly place: OneTapPlace }
  /** The person chose an account: the browser is about to leave the page. */
  | { readonly status: 'leaving' }
  | { readonly status: 'cancelled' }
  /** The prompt did not appear. `fault` is the reason that a test project shows to its developer. */
  | { readonly status: 'refused'; readonly fault: OneTapFault | null };

/** The minimum height of the prompt's place, in pixels: that of the plain button, which replaces a cancelled prompt. */
export const ONE_TAP_MIN_HEIGHT = 47;
const QUIET_MS = 100;
const AT_ONCE = 2;

/** The height of the prompt's place in pixels, and how often it was measured. Reset when the prompt disappears. */
export interface OneTapHeight {
  readonly observations: number;
  readonly height: number;
}

export const INITIAL_ONE_TAP_HEIGHT: OneTapHeight = Object.freeze({ observations: 0, height: ONE_TAP_MIN_HEIGHT });

/** How long a measured height must stay the same before it is used, in milliseconds. The first two are used immediately. */
export function settlingTime({ observations }: OneTapHeight): number {
  return observations < AT_ONCE ? 0 : QUIET_MS;
}

export function observeHeight({ observations }: OneTapHeight, measured: number): OneTapHeight {
  return { observations: observations + 1, height: Math.max(ONE_TAP_MIN_HEIGHT, Math.ceil(measured)) };
}
